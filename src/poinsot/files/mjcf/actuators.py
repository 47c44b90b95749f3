"""Actuators of a MuJoCo model as motors, and gravity compensation as forces.

Taken are actuators on hinges and slides whose force is gain * ctrl + bias0 + bias1 * length + bias2 * velocity, without activation: `motor`,
`position`, `velocity`, `damper`-like and `general` ones. The first term is the motor, the others are a constant motor, a spring and a damper.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from poinsot.files.mjcf.bodies import Bodies
from poinsot.files.mjcf.drawing import Drawing, MjJoint
from poinsot.files.mjcf.joints import Joints
from poinsot.files.urdf.names import Names
from poinsot.model.forces import JointDamper, JointSpring, Motor
from poinsot.model.system import System
from poinsot.model.wrenches import Force

EFFORTS = {"prismatic": "force", "revolute": "torque"}
OWN = ("actuator_armature", "actuator_damping", "actuator_dampingpoly")
LATE = ("actuator_delay",)


class Actuators:
    """Makes the motors of a system. `ctrl`: the controls (nu,) that give their constant efforts."""

    def __init__(self, drawing: Drawing, joints: Joints, names: Names, inputs: bool, ctrl: np.ndarray):
        self.drawing, self.joints, self.names, self.inputs, self.ctrl = drawing, joints, names, inputs, ctrl
        self.source, self.notes = drawing.source, drawing.source.notes

    def make(self, system: System) -> None:
        """All actuators that are taken; the others are listed."""
        source, model = self.source, self.source.model
        if model.opt.disableflags & source.mj.mjtDisableBit.mjDSBL_ACTUATION:
            return
        for k in range(len(model.actuator_trntype)):
            name = source.name("actuator", k) or f"actuator{k + 1}"
            group = int(model.actuator_group[k])
            if 0 <= group <= 30 and model.opt.disableactuator & (1 << group):
                self.notes.leave("actuators of disabled groups", name)
                continue
            reason = self._reason(k)
            if reason:
                self.notes.leave(f"actuators {reason}", name)
                continue
            self._limits(k, name)
            self._motor(system, k, name, self.drawing.by_id[int(model.actuator_trnid[k, 0])])

    def _control(self, k: int) -> float:
        """The control of an actuator; from MuJoCo 4 on they are not counted as actuators are."""
        addresses = getattr(self.source.model, "actuator_ctrladr", None)
        return float(self.ctrl[k if addresses is None else int(addresses[k])])

    def _word(self, kind: str, value: Any) -> str:
        return getattr(self.source.mj, f"mjt{kind.capitalize()}")(int(value)).name.removeprefix(f"mj{kind.upper()}_").lower()

    def _reason(self, k: int) -> str:
        """Why an actuator cannot be taken; empty when it can."""
        model = self.source.model
        transmission = self._word("trn", model.actuator_trntype[k])
        if transmission not in ("joint", "jointinparent"):
            return f"on a {transmission}"
        joint = self.drawing.by_id[int(model.actuator_trnid[k, 0])]
        if not joint.scalar:
            return "on ball and free joints"
        if joint.k in self.joints.locked:
            return "on joints that an equality locks"
        for kind, value, known in (
            ("dyn", model.actuator_dyntype[k], ("none",)),
            ("gain", model.actuator_gaintype[k], ("fixed",)),
            ("bias", model.actuator_biastype[k], ("none", "affine")),
        ):
            word = self._word(kind, value)
            if word not in known:
                return f"with {'activation' if kind == 'dyn' else kind} '{word}'"
        if model.actuator_plugin[k] >= 0:
            return "of plugins"
        return "with a delay" if any(self.source.nonzero(field, k) for field in LATE) else ""

    def _limits(self, k: int, name: str) -> None:
        model = self.source.model
        joint = int(model.actuator_trnid[k, 0])
        clamped = model.actuator_ctrllimited[k] and not model.opt.disableflags & self.source.mj.mjtDisableBit.mjDSBL_CLAMPCTRL
        if clamped or model.actuator_forcelimited[k] or model.jnt_actfrclimited[joint]:
            self.notes.leave("ranges of actuators", name)
        if any(self.source.nonzero(field, k) for field in OWN):
            self.notes.leave("armature and damping of actuators", name)

    def _motor(self, system: System, k: int, name: str, joint: MjJoint) -> None:
        """Effort gear * (gain * ctrl + bias0 + bias1 * gear * qpos + bias2 * gear * qvel)."""
        model = self.source.model
        coordinate, word = self.joints.scalar(joint), EFFORTS[joint.kind]
        gear, gain = float(model.actuator_gear[k, 0]), float(model.actuator_gainprm[k, 0])
        affine = self._word("bias", model.actuator_biastype[k]) == "affine"
        constant, stiff, damp = (gear * float(x) for x in model.actuator_biasprm[k, :3]) if affine else (0.0, 0.0, 0.0)
        law: dict[str, Any] = {} if self.inputs else {word: gear * gain * self._control(k)}
        system.add(Motor(coordinate, **law, name=self.names.free(system, name, "motor")))
        if constant != 0:
            system.add(Motor(coordinate, **{word: constant}, name=self.names.free(system, f"{name}_bias", "motor")))
        if stiff != 0:
            spring = JointSpring(coordinate, -gear * stiff, -joint.zero, name=self.names.free(system, f"{name}_spring", "spring"))
            system.add(spring)
        if damp != 0:
            system.add(JointDamper(coordinate, -gear * damp, name=self.names.free(system, f"{name}_damping", "damper")))


def compensate_gravity(system: System, drawing: Drawing, bodies: Bodies, names: Names) -> None:
    """The force of every body with gravcomp: against its weight, at its own centre of mass."""
    model = drawing.source.model
    for k in range(1, model.nbody):
        share = float(model.body_gravcomp[k] * model.body_mass[k])
        body = bodies.of[k]
        if share != 0 and body is not system.ground and any(system.gravity):
            vector = [-share * part for part in system.gravity]
            system.add(Force(body, vector, at=drawing.com[k], name=names.free(system, f"{drawing.names[k]}_gravcomp", "force")))
