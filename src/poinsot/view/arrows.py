"""Forces and torques of a run as arrows: their points of action and values over time, in world axes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from poinsot.model.drives import Motion
from poinsot.model.joint import Helical, Joint
from poinsot.model.rotation import matrix
from poinsot.model.system import PLANES

if TYPE_CHECKING:
    from poinsot.results.trajectory import Trajectory

MOST = 120  # arrows of one run


class Arrow(NamedTuple):
    """A force (N) or torque (N m) on a body.

    Attributes
    ----------
    kind : "reaction" of a joint or distance, "load" of a force element
    turns : whether it is a torque
    body, at : index of the body, the ground 0, and point in its frame, m
    values : (n, 3) world axes
    back : body and point on which the opposite acts, if that is drawn as well
    """

    kind: str
    name: str
    turns: bool
    body: int
    at: np.ndarray
    values: np.ndarray
    back: tuple[int, np.ndarray] | None = None


def count(run: Trajectory) -> int:
    """Approximate number of arrows of a run, without computing them."""
    system = run.system
    return min(MOST, sum(len(part) for part in (system.joints, system.constraints, system.loads, system.drives)))


def arrows(run: Trajectory, chosen: np.ndarray) -> list[Arrow]:
    """Reactions and loads at the chosen outputs: up to `MOST`, and one more if there are more. Those that are always zero, or have no point to
    be drawn at, are left out.
    """
    found: list[Arrow] = []
    for arrow in _all(run, chosen):
        if len(found) > MOST:
            break
        if np.all(np.isfinite(arrow.values)) and np.any(arrow.values):
            found.append(arrow)
    return found


def _all(run: Trajectory, chosen: np.ndarray) -> Iterator[Arrow]:
    everyone = [run.system.ground, *run.system.bodies]

    def place(body: Any, point: Any) -> tuple[int, np.ndarray]:
        return everyone.index(body), body.local(point)

    load: Any
    for load in run.system.loads:
        if load.arrow == "line":
            a, b = (place(body, end) for body, end in zip(load.bodies(), load.ends))
            way = run[load.first].world(a[1])[chosen] - run[load.second].world(b[1])[chosen]
            length = np.maximum(np.linalg.norm(way, axis=1), 1e-300)
            pull = run[load].effort[chosen]
            yield Arrow("load", load.name, False, *b, way * (pull / length)[:, None], a)
        elif load.arrow == "force":
            yield Arrow("load", load.name, False, *place(load.target, load.place), run[load].effort[chosen])
        elif load.arrow == "torque":
            centre = (everyone.index(load.target), np.array(load.target.com))
            yield Arrow("load", load.name, True, *centre, run[load].effort[chosen])
        elif load.arrow == "frames":
            second, first = place(load.second, load.second_at), place(load.first, load.first_at)
            for name, turns in (("force", False), ("torque", True)):
                yield Arrow("load", load.name, turns, *second, run[load].world_effort(name)[chosen], None if turns else first)
        elif load.arrow == "coordinate" and len(load.motions()) == 1:
            effort = np.asarray(run[load].effort)
            if effort.ndim == 1:
                yield from _along(run, load.name, load.joint, load.motions()[0], effort, chosen)
    for drive in run.system.drives:
        if isinstance(drive, Motion) and isinstance(drive.coordinate.owner, Joint):
            joint = drive.coordinate.owner
            k = joint.names.index(drive.coordinate.name)
            yield from _along(run, drive.name, joint, k, run[drive].effort, chosen)
    for joint in run.system.joints:
        if joint.rows():
            second = place(joint.second, joint.second_at)
            yield Arrow("reaction", joint.name, False, *second, in_space(run, run[joint].force)[chosen])
    for constraint in run.system.constraints:
        ends = constraint.rows()[0].ends
        if ends is not None and "force" in constraint.units():
            first, end = place(*ends[0]), place(*ends[1])
            force = in_space(run, run[constraint].force)[chosen]
            yield Arrow("reaction", constraint.name, False, *end, force, first)


def _along(run: Trajectory, name: str, joint: Joint, k: int, effort: np.ndarray, chosen: np.ndarray) -> Iterator[Arrow]:
    """The effort (n,) on one coordinate of a joint whose axis the first body carries, on the second body."""
    motion = joint.motions()[k]
    turned = any(getattr(before, "rot", 1.0) != 0.0 for before in joint.motions()[:k])  # so that the first body does not carry the axis
    if not isinstance(motion, Helical) or turned:
        return
    axis = run[joint.first].rotation[chosen] @ (matrix(joint.first.rotation).T @ np.array(motion.axis))
    at = joint.second.local(joint.second_at)
    body = [run.system.ground, *run.system.bodies].index(joint.second)
    yield Arrow("load", name, motion.rot != 0, body, at, axis * effort[chosen, None])


def in_space(run: Trajectory, values: np.ndarray) -> np.ndarray:
    """Vectors with three components, also of a planar system."""
    if run.system.plane is None:
        return values
    full = np.zeros((*values.shape[:-1], 3))
    full[..., list(PLANES[run.system.plane][:2])] = values
    return full
