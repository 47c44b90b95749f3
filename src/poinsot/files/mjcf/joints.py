"""Joints of a MuJoCo model with their springs, dampers, stops and rotors. Bodies with several joints have massless ones between them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from poinsot.files.mjcf.bodies import Bodies
from poinsot.files.mjcf.drawing import COORDINATES, Drawing, MjJoint
from poinsot.files.urdf.names import Names
from poinsot.model.body import Body
from poinsot.model.constraints import Gear
from poinsot.model.coordinate import Coordinate
from poinsot.model.forces import JointDamper, JointSpring, Stop
from poinsot.model.joint import Joint, perpendicular
from poinsot.model.system import System


class Joints:
    """Makes the joints of a system. `of[k]`: the joint of MuJoCo's joint k; `rotors[k]`: the joint of its rotor, `locked`: those that never move."""

    def __init__(self, drawing: Drawing, bodies: Bodies, names: Names, locked: set[int]):
        self.drawing, self.bodies, self.names, self.locked = drawing, bodies, names, locked
        self.source, self.notes = drawing.source, drawing.source.notes
        self.of: dict[int, Joint] = {}
        self.rotors: dict[int, Joint] = {}
        flags, bits = self.source.model.opt.disableflags, self.source.mj.mjtDisableBit
        passive = getattr(bits, "mjDSBL_PASSIVE", None)  # of MuJoCo before 3.4: both at once
        self.springs = not flags & (bits.mjDSBL_SPRING if passive is None else passive)
        self.dampers = not flags & (bits.mjDSBL_DAMPER if passive is None else passive)

    def make(self, system: System) -> None:
        """All joints, and the fixed ones of bodies that have none and are kept."""
        model = self.source.model
        for k in range(1, model.nbody):
            own = [joint for joint in self.drawing.joints if joint.body == k]
            parent = self.bodies.of[model.body_parentid[k]]
            if not own and self.bodies.leader[k] == k:
                name = self.names.free(system, f"{self.drawing.names[k]}_fixed", "joint")
                system.fixed(parent, self.bodies.of[k], at=self.drawing.position[k], name=name)
            for number, joint in enumerate(own, 1):
                second = self.bodies.of[k] if number == len(own) else self._between(system, k, number)
                self._joint(system, joint, parent, second)
                parent = second

    def _between(self, system: System, k: int, number: int) -> Body:
        """A massless body between two joints of one body."""
        name = self.names.free(system, f"{self.drawing.names[k]}_{number}", "body")
        return system.body(name, position=self.drawing.position[k], rotation=self.drawing.turn[k], mass=0.0, inertia=(0.0, 0.0, 0.0))

    def _joint(self, system: System, joint: MjJoint, first: Body, second: Body) -> None:
        kind = "fixed" if joint.k in self.locked else joint.kind
        given: dict[str, Any] = {"at": joint.at, "name": self.names.free(system, joint.name, "joint")}
        if kind in COORDINATES:
            given["axis"] = joint.axis
        self.of[joint.k] = getattr(system, kind)(first, second, **given)

    def scalar(self, joint: MjJoint) -> Coordinate:
        """The coordinate of a joint that has one."""
        return self.of[joint.k].coordinate(COORDINATES[joint.kind])

    # --- what acts in joints -----------------------------------------------------------------------------------------

    def make_elements(self, system: System, stops: Mapping[str, float] | None, rotors: bool) -> None:
        """Springs, dampers, stops and rotors of all joints that move."""
        for joint in self.drawing.joints:
            if joint.k in self.locked:
                continue
            self._spring(system, joint)
            self._damper(system, joint)
            self._limits(system, joint, stops)
            self._rotor(system, joint, rotors)

    def _spring(self, system: System, joint: MjJoint) -> None:
        model, stiffness = self.source.model, float(self.source.model.jnt_stiffness[joint.k])
        if self.source.nonzero("jnt_stiffnesspoly", joint.k):
            self.notes.leave("nonlinear stiffness of joints (its linear part is taken)", joint.name)
        if self.source.nonzero("jnt_springyield", joint.k):
            self.notes.leave("yielding of springs", joint.name)
        if stiffness == 0 or not self.springs:
            return
        if joint.kind == "free":
            self.notes.leave("stiffness of free joints", joint.name)
            return
        rest = self.drawing.coordinates(joint, model.qpos_spring)
        name = self.names.free(system, f"{joint.name}_spring", "spring")
        (value,) = rest.values()
        system.add(JointSpring(self.of[joint.k], stiffness, value, name=name))

    def _damper(self, system: System, joint: MjJoint) -> None:
        damping = float(self.source.model.dof_damping[joint.iv])
        if self.source.nonzero("dof_dampingpoly", joint.iv):
            self.notes.leave("nonlinear damping of joints (its linear part is taken)", joint.name)
        if damping != 0 and self.dampers:
            system.add(JointDamper(self.of[joint.k], damping, name=self.names.free(system, f"{joint.name}_damping", "damper")))

    def _limits(self, system: System, joint: MjJoint, stops: Mapping[str, float] | None) -> None:
        model, bits = self.source.model, self.source.mj.mjtDisableBit
        if not model.jnt_limited[joint.k] or model.opt.disableflags & (bits.mjDSBL_LIMIT | bits.mjDSBL_CONSTRAINT):
            return
        if stops is None:
            self.notes.leave("limits of joints (stops={...} enforces them)", joint.name)
        elif not joint.scalar:
            self.notes.leave("limits of ball joints", joint.name)
        else:
            lower, upper = (float(limit) - joint.zero for limit in model.jnt_range[joint.k])
            system.add(Stop(self.of[joint.k], lower, upper, **stops, name=self.names.free(system, f"{joint.name}_stop", "stop")))

    def _rotor(self, system: System, joint: MjJoint, rotors: bool) -> None:
        """The armature of a joint: a rotor on the ground, geared to it one to one, so that its kinetic energy is that of the armature."""
        armature = float(self.source.model.dof_armature[joint.iv])
        if armature == 0:
            return
        if not (rotors and joint.scalar):
            self.notes.leave("armature of joints" if joint.scalar else "armature of ball and free joints", joint.name)
            return
        turns = joint.kind == "revolute"
        rotor = system.body(
            self.names.free(system, f"{joint.name}_rotor", "body"), mass=1.0 if turns else armature, inertia=np.full(3, armature)
        )
        across = _across(system.gravity)
        name = self.names.free(system, f"{joint.name}_rotor_joint", "joint")
        made = getattr(system, joint.kind)(system.ground, rotor, at=(0, 0, 0), axis=joint.axis if turns else across, name=name)
        first, second = self.scalar(joint), made.coordinate(COORDINATES[joint.kind])
        system.add(Gear(second, first, 1.0, name=self.names.free(system, f"{joint.name}_armature", "gear")))
        self.rotors[joint.k] = made


def _across(gravity: Any) -> tuple[float, float, float]:
    """A direction in which gravity does no work."""
    size = float(np.linalg.norm(gravity))
    x, y, z = (0.0, 0.0, 1.0) if size == 0 else (float(part) / size for part in gravity)
    return perpendicular((x, y, z))[0]
