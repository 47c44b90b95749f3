"""Error estimate of a run: the same run with finer steps, and the difference between the two."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.formulations.contract import BODY_MOTION

if TYPE_CHECKING:
    from poinsot.results.trajectory import Trajectory

FINER = 0.1  # factor on the tolerances, for adaptive steps


def differences(coarse: Trajectory, fine: Trajectory) -> tuple[float, float]:
    """Largest distance of body origins (m) and largest angle between attitudes (rad) at common outputs."""
    n = len(coarse.frozen.layout.bodies)
    a, b = (run.motion[:, : n * BODY_MOTION].reshape(len(run.t), n, BODY_MOTION)[..., :7] for run in (coarse, fine))
    distance, angle = distances(a, b)
    return float(distance.max()), float(angle.max())


def distances(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """At every time the largest distance of body origins (m) and the largest angle between attitudes (rad), of poses (n, bodies, 7)."""
    distance = np.linalg.norm(a[..., :3] - b[..., :3], axis=-1).max(axis=1, initial=0.0)
    qa, qb = a[..., 3:7], b[..., 3:7]
    sign = np.where(np.sum(qa * qb, axis=-1, keepdims=True) < 0, -1.0, 1.0)
    chord = np.linalg.norm(qa - sign * qb, axis=-1)
    return distance, (4.0 * np.arcsin(np.minimum(0.5 * chord, 1.0))).max(axis=1, initial=0.0)


def attach_error(run: Trajectory, finer: Trajectory, left: float) -> None:
    """Write the estimated errors into a run's record. `left`: error of the finer run relative to this one's, by the order of the method."""
    distance, angle = differences(run, finer)
    factor = 1.0 / (1.0 - left)
    record: Any = run.record
    record.error_position, record.error_rotation = factor * distance, factor * angle
