"""How far two runs of one system differ, with all that may have happened in them."""

from __future__ import annotations

import numpy as np

from poinsot.formulations.contract import BODY_MOTION
from poinsot.results.error_estimate import distances
from poinsot.results.trajectory import Trajectory

APART = (np.inf, np.inf)


def difference(one: Trajectory, other: Trajectory) -> tuple[float, float]:
    """Largest distance of body origins (m) and largest angle between attitudes (rad) at common outputs, and at the ends of runs that `until=` ended.

    Infinite where different things happened: other events, or the end of only one of the two.
    """
    ended = one.record.stopped is not None
    if ended != (other.record.stopped is not None) or _events(one) != _events(other) or abs(len(one) - len(other)) > ended:
        return APART
    common = min(len(one), len(other)) - ended
    found = [_poses(run)[:common] for run in (one, other)]
    if ended:
        found = [np.concatenate([rows, _poses(run)[-1:]]) for rows, run in zip(found, (one, other))]
    distance, angle = distances(*found)
    return float(distance.max(initial=0.0)), float(angle.max(initial=0.0))


def _poses(run: Trajectory) -> np.ndarray:
    """Of all bodies at all outputs, (n, bodies, 7)."""
    n = len(run.frozen.layout.bodies)
    return run.motion[:, : n * BODY_MOTION].reshape(len(run.t), n, BODY_MOTION)[..., :7]


def _events(run: Trajectory) -> list[str]:
    return [jump.event for jump in run.record.impulses]
