"""The attitudes in raw states, and how far they are from rotations: unit length of quaternions and vectors, orthonormal directors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poinsot.elements.director_scalars import POSE
from poinsot.tables.records import BALL, Layout

QUATERNIONS, DIRECTORS, IN_PLANE = "quaternions", "three directors", "attitudes"  # the last: vectors (cos, sin), or 2x2 matrices row by row


@dataclass(frozen=True)
class Attitudes:
    """Where the attitudes of a formulation lie in its states.

    Attributes
    ----------
    kind : QUATERNIONS, DIRECTORS or IN_PLANE, as the audit calls them
    numbers : of each
    places : first number of each in a state
    free : whether nothing normalises or projects them, so that what they keep is a result, which the audit reports
    """

    kind: str
    numbers: int
    places: tuple[int, ...]
    free: bool

    def deviations(self, raw: np.ndarray) -> np.ndarray:
        """Of states (n, ny), the largest | |q| - 1 |, or of directors the largest entry of |D'D - 1|, (n,)."""
        found = raw[:, np.array(self.places, int)[:, None] + np.arange(self.numbers)]
        if self.kind == DIRECTORS:
            D = found.reshape(*found.shape[:2], 3, 3)
            return np.abs(np.einsum("tbki,tbkj->tbij", D, D) - np.eye(3)).max(axis=(1, 2, 3), initial=0.0)
        length = np.sqrt(0.5 * self.numbers) if self.kind == IN_PLANE else 1.0
        return np.abs(np.linalg.norm(found, axis=-1) / length - 1.0).max(axis=1, initial=0.0)


def of_balls(layout: Layout, free: bool = True) -> Attitudes | None:
    """The quaternions of ball joints in states of joint coordinates, which nothing normalises (`free`); None where there are none."""
    balls = layout.motions[layout.motions["kind"] == BALL]
    places = layout.links["iq"][balls["link"]]
    return Attitudes(QUATERNIONS, 4, tuple(places.tolist()), free) if len(balls) else None


def of_quaternions(bodies: int, stride: int) -> Attitudes:
    """The quaternions of all bodies; a body has `stride` numbers, its position and its quaternion first."""
    return Attitudes(QUATERNIONS, 4, tuple(range(3, 3 + stride * bodies, stride)), False)


def of_directors(bodies: int) -> Attitudes:
    """The directors of all bodies in states that begin with their poses."""
    return Attitudes(DIRECTORS, 9, tuple(range(3, 3 + POSE * bodies, POSE)), False)


def in_plane(count: int, numbers: int) -> Attitudes:
    """So many unit vectors (2 numbers) or matrices in the plane (4 numbers), with which states begin."""
    return Attitudes(IN_PLANE, numbers, tuple(range(0, count * numbers, numbers)), True)
