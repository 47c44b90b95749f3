"""The error norm, the same for all formulations, and the size of a mechanism to which positions are compared."""

from __future__ import annotations

import numpy as np

from poinsot.layout.freeze import Frozen
from poinsot.model.rotation import matrices
from poinsot.results.error_estimate import distances


def size_of(frozen: Frozen, poses: np.ndarray) -> float:
    """Size of a mechanism at poses (bodies, 7), m: the diagonal of the box around all centres of mass and joints on bodies, and at least
    twice the largest radius of gyration; 1 if both are zero.
    """
    layout = frozen.layout
    R, origins = matrices(poses[:, 3:7]), poses[:, :3]
    points = [origins + np.einsum("bij,bj->bi", R, layout.bodies["com"][1:])]
    for side in ("first", "second"):
        body = layout.joints[side]
        on = body > 0
        points.append(origins[body[on] - 1] + np.einsum("bij,bj->bi", R[body[on] - 1], layout.joints[f"{side}_origin"][on]))
    every = np.concatenate(points)
    if not len(every):
        return 1.0
    bodies = layout.bodies[1:]
    radii = np.sqrt(0.5 * bodies["inertia"][:, :3].sum(axis=1) / bodies["mass"])
    found = max(float(np.linalg.norm(every.max(axis=0) - every.min(axis=0))), 2.0 * float(radii.max(initial=0.0)))
    return found if found > 0 else 1.0


def error_over_time(poses: np.ndarray, others: np.ndarray, size: float) -> np.ndarray:
    """At every time the largest distance of an origin relative to `size` (m), or the largest angle (rad), whichever is larger."""
    metres, radians = distances(poses, others)
    return np.maximum(metres / size, radians)
