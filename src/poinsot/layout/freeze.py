"""Freeze a System: its tables for kernels, and the elements they belong to for Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from poinsot.elements.serial import ROOM
from poinsot.elements.wrenches import USER_ROOM
from poinsot.errors import RunError
from poinsot.layout.callbacks import Callback
from poinsot.layout.constraints import constraint_tables
from poinsot.layout.drives import build_drives
from poinsot.layout.feedback import feedback_room
from poinsot.layout.links import Links, build_links
from poinsot.layout.loads import Loads, build_loads
from poinsot.layout.plane_tables import plane_tables, seen_by_loads
from poinsot.layout.serial import is_serial
from poinsot.layout.topology import Topology, build_topology
from poinsot.layout.user_rows import build_user_rows
from poinsot.model.constraints import Constraint
from poinsot.model.joint import Ball, Coincide, Dot, Helical, Joint, Linked, Row, Slide, perpendicular
from poinsot.model.rotation import matrices
from poinsot.model.snapshot import idle_at_start
from poinsot.model.system import System
from poinsot.tables.records import (
    BALL,
    COINCIDE,
    COORDINATES,
    DOT,
    HELICAL,
    JOINT,
    LINKED,
    MOTION,
    N_C,
    N_CONTROL,
    N_FEEDBACKS,
    N_Q,
    N_R,
    N_ROOM,
    N_SEEN,
    N_SLOTS,
    N_V,
    N_WRENCHES,
    ON_LOADS,
    ON_MOTION,
    RATES,
    ROW,
    SLIDE,
    TRANSLATION,
    Layout,
    empty_layout,
)

REST = ("system", "topology", "links", "loads")  # what relates tables to elements


@dataclass
class Frozen:
    """A System ready for kernels. `layout` holds the tables; the rest relates them to elements.

    Tables that were refilled with other numbers (`refill.py`) come without the rest, which is made when something asks for it.
    """

    system: System
    topology: Topology
    layout: Layout
    links: Links
    loads: Loads

    @classmethod
    def refilled(cls, alike: Frozen, layout: Layout, make: Callable[[], Frozen], initial: Mapping[Any, Any] | None = None) -> Frozen:
        """Tables of a system that has the structure and geometry of another, `alike`, and other numbers; `make` freezes that system.

        `initial` : initial values by element of `alike`, where they differ
        """
        new = object.__new__(cls)
        vars(new).update(layout=layout, _alike=alike, _make=make, _initial=alike.initial if initial is None else initial)
        return new

    def __getattr__(self, name: str) -> Any:
        """Make what refilled tables came without."""
        if name not in REST or "_make" not in vars(self):
            raise AttributeError(f"a frozen system has no {name!r}")
        made: Frozen = self._make()
        same = [one.tobytes() == other.tobytes() for one, other in zip(made.layout, self.layout)]
        if not all(same):  # a run must never be computed with numbers other than those of its system
            wrong = ", ".join(field for field, right in zip(Layout._fields, same) if not right)
            raise RunError(f"system '{made.system.name}': its tables ({wrong}) were refilled with wrong numbers; this is an error of Poinsot")
        vars(self).update({name: getattr(made, name) for name in REST})
        return vars(self)[name]

    @property
    def alike(self) -> Frozen:
        """A frozen system of the same structure, which may have other numbers; it costs nothing to ask for."""
        return vars(self).get("_alike", self)

    @property
    def drawn(self) -> Frozen:
        """These tables with the elements of `alike`: for what asks elements for structure and geometry, and for numbers of none but tables."""
        if self.alike is self:
            return self
        new, alike = object.__new__(Frozen), self.alike
        vars(new).update({name: getattr(alike, name) for name in REST}, layout=self.layout, _initial=self.initial)
        return new

    @property
    def initial(self) -> Mapping[Any, Any]:
        """Initial values that were set, by element of `alike`."""
        known = vars(self).get("_initial")
        return self.system.initial if known is None else known

    @property
    def joints(self) -> list[Joint]:
        """All joints, those of free parts included."""
        return self.topology.joints

    @property
    def owners(self) -> list[Joint | Constraint]:
        """Owners of the records in `layout.joints`: all joints, then the constraints other than joints."""
        return [*self.topology.joints, *self.system.constraints]

    @cached_property
    def idle(self) -> tuple[str, ...]:
        """Names of the constraints that do not act until an event engages them."""
        return idle_at_start(self.alike.system)

    @property
    def closed(self) -> bool:
        """Whether there are loops to close: a joint that closes one, or a constraint other than a joint."""
        return bool(self.alike.topology.loops or self.alike.system.constraints)


def freeze(
    system: System, topology: Topology | None = None, loads: bool = True, callbacks: Sequence[Callback] = ()
) -> Frozen:
    """Tables of a system that has no faults; without `loads` no user's function is compiled.

    `callbacks` are those of a system with the same functions in the same order, which are not compiled again.
    """
    topology = build_topology(system) if topology is None else topology
    links = build_links([system.ground, *system.bodies], topology)
    motions, first_motion = _motion_table(topology, links)
    joints, rows = _joint_table(system, topology, motions, first_motion)
    further = constraint_tables(system, topology, first_motion, len(motions), len(rows))
    joints, rows = np.concatenate([joints, further[0]]), np.concatenate([rows, further[1]])
    forces = build_loads(system, topology, first_motion, system.loads if loads else (), callbacks)
    if loads:
        build_user_rows(system, forces, callbacks)
    signals, drives = build_drives(system, forces, callbacks) if loads else (empty_layout().signals, empty_layout().drives)
    kinds = links.links["kind"][1:]
    sizes = np.zeros(N_CONTROL + 1, np.int64)
    sizes[N_Q], sizes[N_V] = COORDINATES[kinds].sum(), RATES[kinds].sum()
    acts, fed = forces.table["acts"], forces.table["acts"] == ON_LOADS
    sizes[N_WRENCHES], sizes[N_SEEN] = np.count_nonzero((acts != ON_MOTION) & ~fed), forces.table["items"][fed].sum()
    sizes[N_ROOM] = max(USER_ROOM * int(forces.table["items"].max(initial=0)), ROOM, feedback_room(forces.table, forces.members))
    sizes[N_FEEDBACKS], sizes[N_CONTROL] = np.count_nonzero(fed), forces.kept
    sizes[N_SLOTS] = links.slots
    sizes[N_C], sizes[N_R] = COORDINATES[motions["kind"]].sum(), RATES[motions["kind"]].sum()
    plane_links, plane_bodies = plane_tables(links, seen_by_loads(forces.table, forces.members, joints, motions, len(links.bodies)))
    layout = empty_layout()._replace(
        bodies=links.bodies,
        links=links.links,
        joints=joints,
        motions=motions,
        rows=rows,
        loads=forces.table,
        members=forces.members,
        values=forces.values,
        addresses=forces.addresses,
        sizes=sizes,
        signals=signals,
        drives=drives,
        plane_links=plane_links,
        plane_bodies=plane_bodies,
    )
    return Frozen(system, topology, layout, links, forces)


def _motion_table(topology: Topology, links: Links) -> tuple[np.ndarray, list[int]]:
    rows: list[tuple] = []
    first: list[int] = []
    loose: dict[int, np.ndarray] = {}  # axes of motions in loop joints, which have no link
    for j, joint in enumerate(topology.joints):
        first.append(len(rows))
        for k, motion in enumerate(joint.motions()):
            kind = HELICAL if isinstance(motion, Helical) else BALL if isinstance(motion, Ball) else TRANSLATION
            rot, lin = (motion.rot, motion.lin) if isinstance(motion, Helical) else (0.0, 0.0)
            rows.append((j, kind, links.of_motion.get((j, k), -1), rot, lin))
            if isinstance(motion, Helical) and (j, k) not in links.of_motion:
                loose[len(rows) - 1] = np.array([*perpendicular(motion.axis), motion.axis]).T
    table = np.zeros(len(rows), MOTION)
    if rows:
        table["joint"], table["kind"], table["link"], table["rot"], table["lin"] = map(np.array, zip(*rows))
        table["ic"] = np.cumsum(COORDINATES[table["kind"]]) - COORDINATES[table["kind"]]
        table["ir"] = np.cumsum(RATES[table["kind"]]) - RATES[table["kind"]]
        table["rotation"] = links.axes[np.maximum(table["link"], 0)]
        for k, axes in loose.items():
            table["rotation"][k] = axes
        way = np.zeros(len(topology.joints))
        for body in topology.order:
            way[topology.joint[body]] = topology.direction[body]
        table["sign"] = way[table["joint"]]
    return table, first


def _joint_table(
    system: System, topology: Topology, motions: np.ndarray, first_motion: list[int]
) -> tuple[np.ndarray, np.ndarray]:
    joints = topology.joints
    table = np.zeros(len(joints), JOINT)
    rows: list[tuple] = []
    for j, joint in enumerate(joints):
        own = [_row(row, j) for row in joint.rows()]
        table["row"][j], table["rows"][j] = len(rows), len(own)
        rows += own
    table["motion"] = first_motion
    serial = [is_serial(joint.motions()) for joint in joints]
    if any(serial):
        from poinsot.elements.serial_call import constraint_kernel

        table["serial"] = np.where(serial, constraint_kernel().address, 0)
    table["motions"] = np.diff([*first_motion, len(motions)])
    for body in topology.order:
        table["tree"][topology.joint[body]] = topology.direction[body]
    bodies = [system.ground, *system.bodies]
    place = np.array([body.position for body in bodies])
    inward = np.swapaxes(matrices(np.array([body.rotation for body in bodies])), 1, 2)
    for side, at in (("first", "first_at"), ("second", "second_at")):
        index = np.array([topology.index[getattr(joint, side)] for joint in joints], np.int64)
        points = np.array([getattr(joint, at) for joint in joints]).reshape(-1, 3)
        table[side] = index
        table[f"{side}_rotation"] = inward[index]
        table[f"{side}_origin"] = np.einsum("jab,jb->ja", inward[index], points - place[index])
    return table, np.array(rows, ROW) if rows else np.zeros(0, ROW)


def _row(row: Row, joint: int) -> tuple:
    """One row of the table: kind, joint, u, v, c, motion, motion2, w."""
    zero = (0.0, 0.0, 0.0)
    if isinstance(row, Coincide):
        return (COINCIDE, joint, row.e, zero, 0.0, -1, -1, zero)
    if isinstance(row, Slide):
        return (SLIDE, joint, row.u, zero, 0.0, -1, -1, zero)
    if isinstance(row, Dot):
        return (DOT, joint, row.u, row.v, row.c, -1, -1, zero)
    assert isinstance(row, Linked)
    return (LINKED, joint, row.u, perpendicular(row.u)[0], row.lead, -1, -1, zero)
