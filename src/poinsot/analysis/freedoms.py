"""The instantaneous freedoms of a drawing: at first order, before anything runs and without compiling anything.

The joints of a spanning tree give the rates; the rows of the joints that close loops, and of further constraints, are evaluated on the motions
that these allow (`drawn_rows.py`). What the rows leave is a basis of motions in which every freedom has a joint coordinate of its own, its lead,
that no other freedom moves. Rates that no loop involves are freedoms by themselves. In a planar system only motions in its plane count.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from poinsot.analysis.drawn_rows import Block, Movement, Scale, constraint_rows, joint_rows, movements, pair
from poinsot.layout.topology import Topology, build_topology
from poinsot.layout.welds import find
from poinsot.model.forces import Motor
from poinsot.model.joint import Joint
from poinsot.model.system import System

REDUNDANT = 1e-9  # singular values of scaled rows up to this belong to redundant rows
INDEPENDENT = 1e-5  # from here on to independent ones; in between they are doubtful
NOTHING = 1e-13  # relative to the largest part of a row: smaller parts are rounding
STILL = 1e-9  # relative to the largest rate of a freedom: what moves less does not move
FAIR = 0.2  # a preferred coordinate leads when it is at least so independent, relative to the most independent one


@dataclass(frozen=True)
class Freedom:
    """One freedom: its lead, and the rates (by number of movement) of the joints of the tree, in m or rad per m or rad of the lead."""

    lead: Movement
    rates: dict[int, float]


@dataclass
class Freedoms:
    """All freedoms of a drawing.

    Attributes
    ----------
    moving : rates of the joints of the spanning tree
    found : the freedoms
    notes : constraints that could not be considered, and doubts, in words
    """

    system: System
    topology: Topology
    scale: Scale
    moving: list[Movement]
    own: list[list[int]]  # of every body: numbers of the rates of the joint that carries it
    steps: list[np.ndarray]  # of every body: twists (6, rates) that these add
    closing: list[tuple[list[Movement], np.ndarray]]  # of joints that close loops
    width: list[float]  # sizes of the twists of all rates
    found: list[Freedom] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @cached_property
    def places(self) -> np.ndarray:
        """Origins (bodies + 1, 3) relative to the reference, in sizes."""
        return np.array([self.scale.place(body.position) for body in (self.system.ground, *self.system.bodies)])

    def twists(self, count: int) -> np.ndarray:
        """For the first `count` freedoms, (count, bodies + 1, 6): velocity of the origin of every body, the ground first, and its angular
        velocity, world axes; m and rad per m or rad of the lead.
        """
        rates = np.zeros((count, len(self.moving)))
        for k, freedom in enumerate(self.found[:count]):
            for j, rate in freedom.rates.items():
                rates[k, j] = rate / self.moving[j].unit
        found = np.zeros((count, len(self.own), 6))
        for b in self.topology.order:
            found[:, b] = found[:, self.topology.parent[b]] + rates[:, self.own[b]] @ self.steps[b].T
        found[..., :3] = self.scale.size * (found[..., :3] + np.cross(found[..., 3:], self.places))
        return found

    def moved(self, freedom: Freedom, twists: np.ndarray) -> list[tuple[Movement, float]]:
        """Rates of all joints, m or rad per m or rad of its lead, that first, then the largest; `twists`: (bodies + 1, 6) of this freedom."""
        index = self.topology.index
        about = np.concatenate([twists[:, :3] / self.scale.size - np.cross(twists[:, 3:], self.places), twists[:, 3:]], axis=1)
        found = [(self.moving[j], rate) for j, rate in freedom.rates.items()]
        for own, steps in self.closing:
            if own:
                between = about[index[own[0].joint.second]] - about[index[own[0].joint.first]]
                found += zip(own, (np.linalg.pinv(steps) @ between * [m.unit for m in own]).tolist())
        size = [abs(rate) / movement.unit for movement, rate in found]
        order = sorted(range(len(found)), key=lambda k: (found[k][0] is not freedom.lead, -round(size[k] / max(size), 9)))
        return [found[k] for k in order if size[k] > STILL * max(size)]


def freedoms(system: System) -> Freedoms:
    """The freedoms of a system as it is drawn, whose bodies and joints are free of faults."""
    topology = build_topology(system)
    scale = _scale(system, topology)
    normal = None if system.plane is None else np.array(system.normal)
    allowed = [movements(joint, scale, normal) for joint in topology.joints]
    own: list[list[int]] = [[] for _ in topology.parent]
    steps = [np.zeros((6, 0)) for _ in topology.parent]
    moving: list[Movement] = []
    for b in topology.order:
        rates, twists = allowed[topology.joint[b]]
        own[b] = list(range(len(moving), len(moving) + len(rates)))
        steps[b] = topology.direction[b] * twists
        moving += rates
    width = [float(size) for b in topology.order for size in np.linalg.norm(steps[b], axis=0)]
    result = Freedoms(system, topology, scale, moving, own, steps, [allowed[k] for k in topology.loops], width)
    rows = _rows(result)
    columns = np.nonzero(rows.any(axis=0))[0]
    alone = set(range(len(moving))) - set(columns.tolist())
    result.found = [Freedom(moving[j], {j: 1.0}) for j in alone]
    preferred = _preferred(system)
    for some, block in _parts(rows, columns):
        result.found += _freedoms(result, some, block, preferred)
    number = {id(movement): k for k, movement in enumerate(moving)}
    result.found.sort(key=lambda freedom: number[id(freedom.lead)])
    return result


def _scale(system: System, topology: Topology) -> Scale:
    points = np.array([p for joint in topology.joints for p in (joint.first_at, joint.second_at)] + [body.world(body.com) for body in system.bodies])
    if len(points) == 0:
        return Scale(np.zeros(3), 1.0)
    low, high = points.min(axis=0), points.max(axis=0)
    return Scale(0.5 * (low + high), 0.5 * float(np.linalg.norm(high - low)) or 1.0)


def _rows(result: Freedoms) -> np.ndarray:
    """All rows that close loops, on the rates of the tree (rows, rates), relative to the sizes of their wrenches."""
    topology, scale = result.topology, result.scale
    blocks = [pair(joint.first, joint.second, joint_rows(joint, scale)) for joint in (topology.joints[k] for k in topology.loops)]
    twists: dict[Joint, np.ndarray] = {}
    for constraint in result.system.constraints:
        if not constraint.active:
            result.notes.append(f"{constraint.label()}: does not act at the start, so it is not considered.")
            continue
        try:
            twists |= {joint: movements(joint, scale, None)[1] for joint in constraint.joints() if joint not in twists}
            blocks += constraint_rows(constraint, scale, twists)
        except ValueError as reason:
            result.notes.append(f"{constraint.label()}: is not considered; {reason}.")
    depth = {b: k for k, b in enumerate((0, *topology.order))}
    found = [_on_rates(result, block, depth) for block in blocks]
    return np.concatenate([*found, np.zeros((0, len(result.moving)))])


def _on_rates(result: Freedoms, block: Block, depth: dict[int, int]) -> np.ndarray:
    """A block of rows on the rates of the joints between its bodies and the ground."""
    size = np.max([np.linalg.norm(wrenches, axis=1) for _, wrenches in block], axis=0, initial=0.0)[:, None]
    size[size == 0.0] = 1.0
    found = np.zeros((len(size), len(result.moving)))
    waiting: dict[int, np.ndarray] = {}

    def add(body: int, wrenches: np.ndarray) -> None:
        waiting[body] = waiting[body] + wrenches if body in waiting else wrenches

    for body, wrenches in block:
        add(result.topology.index[body], wrenches / size)
    while waiting:
        b = max(waiting, key=depth.__getitem__)
        wrenches = waiting.pop(b)
        if b > 0 and np.abs(wrenches).max(initial=0.0) > NOTHING:
            found[:, result.own[b]] += wrenches @ result.steps[b]
            add(result.topology.parent[b], wrenches)
    found[np.abs(found) <= NOTHING] = 0.0
    return found


def _preferred(system: System) -> dict[Joint, int]:
    """Joints whose coordinates lead rather than others: those with motors or prescribed motions, then those at the ground."""
    found = {joint: 1 for joint in system.joints if system.ground in (joint.first, joint.second)}
    driven = [joint for load in system.loads if isinstance(load, Motor) for joint in load.joints()]
    driven += [c.owner for drive in system.drives for c in drive.outputs if isinstance(c.owner, Joint)]
    return found | dict.fromkeys(driven, 2)


def _parts(rows: np.ndarray, columns: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Rates that rows connect, directly or indirectly, with the rows between them."""
    leader = list(range(rows.shape[1]))
    for row in rows:
        some = np.nonzero(row)[0].tolist()
        for other in some[1:]:
            a, b = find(leader, some[0]), find(leader, other)
            leader[max(a, b)] = min(a, b)
    groups: dict[int, list[int]] = {}
    for j in columns.tolist():
        groups.setdefault(find(leader, j), []).append(j)
    some_rows = [np.array(own) for own in groups.values()]
    return [(own, rows[rows[:, own].any(axis=1)][:, own]) for own in some_rows]


def _freedoms(result: Freedoms, some: np.ndarray, rows: np.ndarray, preferred: dict[Joint, int]) -> list[Freedom]:
    """Freedoms of one part: rates `some` under rows (rows, rates)."""
    width = np.array([result.width[j] for j in some])
    _, values, axes = np.linalg.svd(rows / width)
    rank = int(np.count_nonzero(values > REDUNDANT))
    doubtful = values[(values > REDUNDANT) & (values < INDEPENDENT)]
    if len(doubtful):
        result.notes.append(
            f"{_counted(len(doubtful))} nearly dependent on others (singular value {doubtful[-1]:.1g}), and counted as independent: "
            "are axes or points rounded?"
        )
    basis = axes[rank:].T  # orthonormal, of rates times width
    rest, leads = basis.copy(), []
    for _ in range(basis.shape[1]):
        size = np.linalg.norm(rest, axis=1)
        fair = np.nonzero(size >= FAIR * size.max())[0]
        lead = max(fair.tolist(), key=lambda j: (preferred.get(result.moving[some[j]].joint, 0), -j))
        way = rest[lead] / size[lead]
        rest = rest - np.outer(rest @ way, way)
        leads.append(lead)
    motions = (basis / width[:, None]) @ np.linalg.inv(basis[leads] / width[leads, None]) if leads else basis
    found = []
    for k, lead in enumerate(leads):
        own, size = motions[:, k], np.abs(motions[:, k]).max()
        unit = result.moving[some[lead]].unit
        rates = {int(j): float(r) * result.moving[j].unit / unit for j, r in zip(some, own) if abs(r) > STILL * size}
        found.append(Freedom(result.moving[some[lead]], rates))
    return found


def _counted(n: int) -> str:
    return "One row of the loops is" if n == 1 else f"{n} rows of the loops are"
