"""Reactions of a joint in its own frame, which moves with its bodies: along its axis, across it, and in the axes of its second frame."""

from __future__ import annotations

import numpy as np

from poinsot.model.joint import Joint
from poinsot.results.constraint_views import RowsView

AXIAL = {  # unit and words
    "axial_force": ("N", "reaction force along the axis"),
    "radial_force": ("N", "reaction force across the axis"),
    "axial_torque": ("N m", "reaction torque about the axis"),
    "radial_torque": ("N m", "reaction torque across the axis"),
}
IN_FRAME = {
    "force_body": ("N", "reaction force (second frame)"),
    "torque_body": ("N m", "reaction torque (second frame)"),
}


def own_axis(joint: Joint) -> np.ndarray | None:
    """The unit axis (3,) that is fixed in both frames of a joint, in these frames; None: it has none, or two."""
    axes = dict(joint.axes())
    if "axis" not in axes or "axis2" in axes:
        return None
    axis = np.array(axes["axis"])
    return axis / np.linalg.norm(axis)


class InJointFrame(RowsView):
    """The reaction on the second body, constraint part only, in the frame of the joint as it moves."""

    def _without(self) -> set[str]:
        return super()._without() | (set(AXIAL) if own_axis(self._joint()) is None else set())

    def _joint(self) -> Joint:
        return self._run.frozen.alike.joints[self._index]

    def _in_frame(self, start: int) -> np.ndarray:
        """Force (0) or torque (3) in the axes of the second frame, (n, 3)."""
        frame = self._run[self._joint().second.name].rotation @ self._run.frozen.layout.joints["second_rotation"][self._index]
        base = 6 * (len(self._run.frozen.layout.bodies) + self._index) + start
        return np.einsum("...ji,...j->...i", frame, self._run.loads[..., base : base + 3])

    def _along(self, start: int, result: str) -> tuple[np.ndarray, np.ndarray]:
        """Component along the axis, and length of what remains."""
        axis, joint = own_axis(self._joint()), self._joint()
        if axis is None:
            has = "two axes" if joint.axes() else "no axis"
            raise AttributeError(f"{joint.label()} has no result '{result}': it has {has}; use force_body and torque_body")
        vector = self._in_frame(start)
        along = vector @ axis
        return along, np.linalg.norm(vector - along[..., None] * axis, axis=-1)

    @property
    def force_body(self) -> np.ndarray:
        """Reaction force on the second body, axes of the joint's second frame (parallel to the world in the drawing), N: (n, 3), planar (n, 2)."""
        return self._run.flat(self._in_frame(0))

    @property
    def torque_body(self) -> np.ndarray:
        """Reaction torque on the second body at its joint frame, axes of that frame, N m: (n, 3), planar (n,)."""
        return self._run.about_normal(self._in_frame(3))

    @property
    def axial_force(self) -> np.ndarray:
        """Reaction force on the second body along the joint's axis, positive in its direction, N, (n,)."""
        return self._along(0, "axial_force")[0]

    @property
    def radial_force(self) -> np.ndarray:
        """Magnitude of the reaction force perpendicular to the joint's axis, N, (n,), never negative."""
        return self._along(0, "radial_force")[1]

    @property
    def axial_torque(self) -> np.ndarray:
        """Reaction torque on the second body about the joint's axis, right-handed, N m, (n,): zero where the joint can turn."""
        return self._along(3, "axial_torque")[0]

    @property
    def radial_torque(self) -> np.ndarray:
        """Magnitude of the reaction torque perpendicular to the joint's axis, at the joint frame: the bending moment, N m, (n,), never negative."""
        return self._along(3, "radial_torque")[1]
