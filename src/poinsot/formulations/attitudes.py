"""How far the attitudes in raw states are from rotations: unit length of quaternions, orthonormal directors."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from poinsot.elements.director_scalars import POSE
from poinsot.tables.records import BALL, Layout

Deviation = Callable[[np.ndarray], np.ndarray]


def of_balls(layout: Layout) -> Deviation | None:
    """Largest | |q| - 1 | of the quaternions of ball joints in states (n, ny) of joint coordinates, (n,); None where there are none."""
    balls = layout.motions[layout.motions["kind"] == BALL]
    places = layout.links["iq"][balls["link"]][:, None] + np.arange(4)
    return (lambda raw: _from_one(raw[:, places])) if len(balls) else None


def of_quaternions(bodies: int, stride: int) -> Deviation:
    """Largest | |q| - 1 | of all bodies in states (n, ny), (n,); a body has `stride` numbers, its position and its quaternion first."""
    return lambda raw: _from_one(raw[:, : stride * bodies].reshape(len(raw), bodies, stride)[..., 3:7])


def of_directors(bodies: int) -> Deviation:
    """Largest entry of |D'D - 1| of all bodies in states (n, ny) that begin with their poses, (n,)."""

    def deviation(raw: np.ndarray) -> np.ndarray:
        D = raw[:, : POSE * bodies].reshape(len(raw), bodies, POSE)[..., 3:].reshape(len(raw), bodies, 3, 3)
        products = np.einsum("tbki,tbkj->tbij", D, D) - np.eye(3)
        return np.abs(products).max(axis=(1, 2, 3), initial=0.0)

    return deviation


def of_vectors(count: int, numbers: int) -> Deviation:
    """Largest deviation from one of so many unit vectors (2 numbers), or of the norms of matrices in the plane (4), that states begin with, (n,)."""

    def deviation(raw: np.ndarray) -> np.ndarray:
        return _from_one(raw[:, : count * numbers].reshape(len(raw), count, numbers) * np.sqrt(2.0 / numbers))

    return deviation


def _from_one(q: np.ndarray) -> np.ndarray:
    return np.abs(np.linalg.norm(q, axis=-1) - 1.0).max(axis=1, initial=0.0)
