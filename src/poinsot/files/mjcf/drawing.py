"""Where everything of a MuJoCo model is in the drawing: at qpos0, except for joints that equalities keep away from there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from poinsot.files.mjcf.source import Source
from poinsot.model.rotation import about, matrix, quaternion

KINDS = ("free", "spherical", "prismatic", "revolute")  # of a System, in MuJoCo's order: free, ball, slide, hinge
WORDS = ("free", "ball", "slide", "hinge")
COORDINATES = {"prismatic": "displacement", "revolute": "angle"}


@dataclass(frozen=True)
class MjJoint:
    """A joint of the model.

    Attributes
    ----------
    kind : of a System: free, spherical, prismatic, revolute
    at, axis : point (m) and axis in the world of the drawing
    turn : orientation (3, 3) in the drawing of the frame that the joint moves
    zero : scalar joints: qpos in the drawing
    iq, iv : where its entries begin in qpos and qvel
    """

    k: int
    name: str
    kind: str
    body: int
    at: np.ndarray
    axis: np.ndarray
    turn: np.ndarray
    zero: float
    iq: int
    iv: int

    @property
    def scalar(self) -> bool:
        """Whether it has one coordinate."""
        return self.kind in COORDINATES

    @property
    def label(self) -> str:
        """In messages."""
        return f"joint '{self.name}'"


class Drawing:
    """Places of bodies, joints and geoms. `qpos`: of the drawing."""

    def __init__(self, source: Source, qpos: np.ndarray):
        self.source, self.qpos = source, np.array(qpos)
        model, data = source.model, source.data
        data.qpos[:] = qpos
        source.mj.mj_kinematics(model, data)
        self.position = data.xpos.copy()
        self.turn = data.xmat.reshape(-1, 3, 3).copy()
        self.anchors, self.axes = data.xanchor.copy(), data.xaxis.copy()
        self.geoms = data.geom_xpos.copy(), data.geom_xmat.reshape(-1, 3, 3).copy()
        self.sites = data.site_xpos.copy(), data.site_xmat.reshape(-1, 3, 3).copy()
        self.com = data.xipos.copy()
        self.names = self._body_names()
        self.joints = [joint for k in range(model.nbody) for joint in self._joints(k)]
        self.by_id = {joint.k: joint for joint in self.joints}

    def _body_names(self) -> list[str]:
        names = ["world"]
        for k in range(1, self.source.model.nbody):
            names.append(self.source.name("body", k) or f"body{k}")
        return names

    def _joints(self, body: int) -> list[MjJoint]:
        """The joints of a body, from its parent to it."""
        model = self.source.model
        found: list[MjJoint] = []
        turn = self.turn[model.body_parentid[body]] @ _matrix(model.body_quat[body])
        for k in range(model.body_jntadr[body], model.body_jntadr[body] + model.body_jntnum[body]):
            kind, iq = KINDS[model.jnt_type[k]], int(model.jnt_qposadr[k])
            zero = float(self.qpos[iq]) if kind in COORDINATES else 0.0
            axis = self.axes[k]
            if kind == "revolute":
                turn = _about(axis, zero - model.qpos0[iq]) @ turn
            moved = self.turn[body] if kind == "free" else turn
            at = self.position[body] if kind == "free" else self.anchors[k]
            given = self.source.name("joint", k) or self._invented(body, WORDS[model.jnt_type[k]], found)
            found.append(MjJoint(k, given, kind, body, at, axis, moved, zero, iq, int(model.jnt_dofadr[k])))
        return found

    def _invented(self, body: int, word: str, before: list[MjJoint]) -> str:
        """The name of a joint without one."""
        stem = f"{self.names[body]}_{word}"
        same = sum(joint.name.startswith(stem) for joint in before)
        return stem if not same else f"{stem}{same + 1}"

    def coordinates(self, joint: MjJoint, qpos: np.ndarray) -> dict[str, Any]:
        """Coordinates of a joint of the system at a qpos, by name: they count from the drawing, rotations in world axes."""
        i = joint.iq
        if joint.scalar:
            return {COORDINATES[joint.kind]: float(qpos[i] - joint.zero)}
        if joint.kind == "spherical":
            return {"rotation": joint.turn @ _matrix(qpos[i : i + 4]) @ joint.turn.T}
        return {"position": qpos[i : i + 3] - joint.at, "rotation": _matrix(qpos[i + 3 : i + 7]) @ joint.turn.T}

    def rates(self, joint: MjJoint, qvel: np.ndarray) -> np.ndarray:
        """Rates of a joint of the system at a qvel; accelerations translate in the same way."""
        i = joint.iv
        if joint.scalar:
            return np.array(qvel[i : i + 1])
        if joint.kind == "spherical":
            return joint.turn @ qvel[i : i + 3]
        return np.concatenate([qvel[i : i + 3], joint.turn @ qvel[i + 3 : i + 6]])


def _matrix(quat: np.ndarray) -> np.ndarray:
    return matrix(quaternion(quat / np.linalg.norm(quat), "MuJoCo's quaternion"))


def _about(axis: np.ndarray, angle: float) -> np.ndarray:
    return matrix(about(axis.tolist(), angle))
