"""Equalities of a MuJoCo model: connect and weld close loops, those between joints are gears or lock a joint. All hold exactly, not softly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poinsot.files.mjcf.bodies import Bodies
from poinsot.files.mjcf.drawing import Drawing
from poinsot.files.mjcf.joints import Joints
from poinsot.files.mjcf.source import Source
from poinsot.files.urdf.names import Names
from poinsot.model.constraints import Gear
from poinsot.model.rotation import matrix, quaternion
from poinsot.model.system import System

POINTS = {"connect": "spherical", "weld": "fixed"}  # the joints of a System that they are
ASKEW = 1e-9  # rad: larger angles between the two sides of a weld in the drawing are faults


@dataclass(frozen=True)
class Equality:
    """One equality: its kind, and its two bodies, sites or joints (-1: none)."""

    k: int
    name: str
    kind: str
    first: int
    second: int
    sites: bool

    @property
    def label(self) -> str:
        """In messages."""
        return f"{self.kind} '{self.name}'"


class Equalities:
    """The equalities that are taken; faults of those that cannot be."""

    def __init__(self, source: Source):
        self.source, self.notes = source, source.notes
        self.loops: list[Equality] = []
        self.gears: list[tuple[Equality, np.ndarray]] = []  # with the coefficients of their polynomials
        self.taken: set[int] = set()
        bits = source.mj.mjtDisableBit
        if not source.model.opt.disableflags & (bits.mjDSBL_EQUALITY | bits.mjDSBL_CONSTRAINT):
            for k in range(source.model.neq):
                self._sort(k)

    def _sort(self, k: int) -> None:
        model, mj = self.source.model, self.source.mj
        kind = mj.mjtEq(int(model.eq_type[k])).name.removeprefix("mjEQ_").lower()
        sites = kind in POINTS and int(model.eq_objtype[k]) == int(mj.mjtObj.mjOBJ_SITE)
        name = self.source.name("equality", k) or f"{kind}{k + 1}"
        found = Equality(k, name, kind, int(model.eq_obj1id[k]), int(model.eq_obj2id[k]), sites)
        if not model.eq_active0[k]:
            self.notes.leave("equalities that are not active", name)
        elif kind in POINTS:
            self.loops.append(found)
            self.taken.add(k)
        elif kind == "joint":
            self._gear(found, model.eq_data[k, :5].copy())
        else:
            self.notes.leave(f"{kind} equalities", name)

    def _gear(self, found: Equality, coefficients: np.ndarray) -> None:
        if found.second >= 0 and coefficients[2:].any():
            words = (
                f"joint equality '{found.name}': polycoef {_listed(coefficients)} is not linear, and a gear is; "
                'write polycoef="a0 a1 0 0 0", or leave the equality out'
            )
            self.source.fault("equality", found.name, words, self.source.spec.equalities[found.k])
            return
        self.gears.append((found, coefficients))
        self.taken.add(found.k)

    # --- the drawing -------------------------------------------------------------------------------------------------

    @property
    def locked(self) -> set[int]:
        """Joints that equalities keep at a number."""
        return {found.first for found, a in self.gears if found.second < 0 or a[1] == 0}

    def drawn(self) -> np.ndarray:
        """qpos of the drawing: qpos0, with joints that follow others by an offset where they are then."""
        model = self.source.model
        qpos = model.qpos0.copy()
        for _ in range(len(self.gears) + 1):
            before = qpos.copy()
            for found, a in self.gears:
                own = model.jnt_qposadr[found.first]
                other = model.jnt_qposadr[found.second] if found.second >= 0 else None
                x = 0.0 if other is None else qpos[other] - model.qpos0[other]
                qpos[own] = model.qpos0[own] + a[0] + (a[1] * x if other is not None else 0.0)
            if np.array_equal(before, qpos):
                return qpos
        for found, _ in self.gears:
            self.source.fault("equality", found.name, f"joint equality '{found.name}': contradicts another; leave one of them out")
        return qpos

    # --- elements ----------------------------------------------------------------------------------------------------

    def make(self, system: System, drawing: Drawing, bodies: Bodies, joints: Joints, names: Names) -> None:
        """Loop joints and gears."""
        for found in self.loops:
            self._loop(system, found, drawing, bodies, names)
        for found, a in self.gears:
            if found.first in joints.locked:
                continue
            if found.second in joints.locked:
                words = f"joint equality '{found.name}': follows a joint that another equality locks; lock both"
                self.source.fault("equality", found.name, words)
                continue
            first, second = (drawing.by_id[k] for k in (found.first, found.second))
            name = names.free(system, found.name, "gear")
            system.add(Gear(joints.scalar(first), joints.scalar(second), float(a[1]), name=name))

    def _loop(self, system: System, found: Equality, drawing: Drawing, bodies: Bodies, names: Names) -> None:
        model = self.source.model
        ends = [int(model.site_bodyid[k]) if found.sites else k for k in (found.first, found.second)]
        first, second = (bodies.of[k] for k in ends)
        if first is second:
            self.notes.leave("equalities within one body", found.name)
            return
        points, turns = self._places(found, drawing)
        if found.kind == "weld":
            askew = float(np.linalg.norm(turns[0] - turns[1])) / np.sqrt(2.0)
            if askew > ASKEW:
                words = (
                    f"{found.label}: its two sides are turned by {askew:.3g} rad against each other in the drawing (qpos0), which no fixed joint "
                    "can represent; leave out relpose, and draw the bodies as they are welded"
                )
                self.source.fault("equality", found.name, words, self.source.spec.equalities[found.k])
                return
        getattr(system, POINTS[found.kind])(first, second, at=tuple(points), name=names.free(system, found.name, "joint"))

    def _places(self, found: Equality, drawing: Drawing) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """In the drawing: the points of both sides that are kept together, and the orientations that are kept equal."""
        ends = (found.first, found.second)
        if found.sites:
            return [drawing.sites[0][k] for k in ends], [drawing.sites[1][k] for k in ends]
        data = self.source.model.eq_data[found.k]
        weld = found.kind == "weld"
        own = (data[3:6], data[0:3]) if weld else (data[0:3], data[3:6])
        points = [drawing.position[k] + drawing.turn[k] @ point for k, point in zip(ends, own)]
        turns = [drawing.turn[k] for k in ends]
        if weld:
            turns[0] = turns[0] @ matrix(quaternion(data[6:10] / np.linalg.norm(data[6:10]), "relpose"))
        return points, turns


def _listed(values: np.ndarray) -> str:
    return "'" + " ".join(f"{value:g}" for value in values) + "'"
