"""How a System builds a joint: points and axes are read, and the joint is registered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from poinsot.errors import ModelError
from poinsot.model.body import BODY, Body, Point
from poinsot.model.guard import TEXT, Kind, door
from poinsot.model.joint import Joint
from poinsot.model.joint_words import explained
from poinsot.model.rotation import Vector
from poinsot.model.vectors import is_pair

ENDS = {"first": BODY, "second": BODY, "name": TEXT}
PLACE = Kind(lambda value: value is not None, "a point, or a pair of points, one on each body")
JOINT = Kind(lambda value: isinstance(value, type) and issubclass(value, Joint), "a class derived from Joint")


class JointBuilding:
    """What all methods that build joints do."""

    if TYPE_CHECKING:  # what a System has
        plane: str | None
        ground: Body
        joints: list[Joint]

        @property
        def normal(self) -> Vector: ...  # noqa: D102
        def vector(self, value: Any, where: str) -> Vector: ...  # noqa: D102
        def axis(self, value: Any, where: str) -> Vector: ...  # noqa: D102
        def point(self, value: Any, body: Body, where: str) -> Vector: ...  # noqa: D102
        def _register(self, element: Any) -> None: ...  # noqa: D102

    def _joint(self, cls: type[Joint], first: Body, second: Body, at: Any, name: str, **data: Any) -> Any:
        where = f"{cls.kind} '{name}'" if name else cls.kind
        if at is None:
            carrier = first if second is self.ground else second
            at = carrier.world(carrier.com)
        if not isinstance(at, Point) and is_pair(at):
            points = (self.point(at[0], first, f"{where}: at"), self.point(at[1], second, f"{where}: at"))
        else:
            place = at.world if isinstance(at, Point) else self.vector(at, f"{where}: at")
            points = (place, place)
        joint = cls(name, first, second, *points, **data)
        self._register(joint)
        self.joints.append(joint)
        return joint

    def _axial(self, cls: type[Joint], first: Body, second: Body, at: Any, axis: Any, name: str, **data: Any) -> Any:
        if axis is None:
            if self.plane is None:
                raise ModelError(f"{cls.kind} '{name}': give axis=, a direction such as \"z\" or (0, 0, 1)")
            axis = self.normal
        return self._joint(cls, first, second, at, name, axis=self.axis(axis, f"{cls.kind} '{name}'"), **data)

    @door(joint=JOINT, **ENDS)
    @explained
    def join(self, joint: type[Joint], first: Body, second: Body, *, at: Any = None, name: str = "", **data: Any) -> Any:
        """Add a joint of a class of one's own (docs/tutorials/own-joint.md); its further fields are given by name, axes in any form."""
        where = f"{joint.kind} '{name}'"
        data = {key: self.axis(value, where) if key.startswith(("axis", "direction")) else value for key, value in data.items()}
        return self._joint(joint, first, second, at, name, **data)
