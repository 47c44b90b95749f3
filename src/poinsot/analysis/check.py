"""Describe a system in words and report all its faults at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.algebra.bounds import LARGEST, within
from poinsot.analysis.suspicions import suspicions
from poinsot.errors import AssemblyError, ModelError
from poinsot.layout.topology import Topology, build_topology
from poinsot.layout.welds import find
from poinsot.model.constraints import Constraint
from poinsot.model.functions import function_faults
from poinsot.model.initial import initial_faults
from poinsot.model.joint import Joint
from poinsot.model.load import Load
from poinsot.model.snapshot import acting, idle_at_start
from poinsot.model.system import System
from poinsot.model.words import short_repr
from poinsot.results.listing import html_table

if TYPE_CHECKING:
    from poinsot.analysis.redundancy import Redundancy, Redundant

GAP = 1e-9  # m: a larger distance between the two points of a joint is a gap


@dataclass(frozen=True)
class Check:
    """What `check()` found. Print it; `faults` must be empty for the system to run, `notes` are worth reading.

    Attributes
    ----------
    degrees_of_freedom : None where the model has faults, or the loops were not analysed
    bodies, joints, loads, constraints : numbers of them
    loops : names of joints that close loops
    free : names of bodies that move freely, since nothing connects them to the ground
    gaps : by joint or constraint, how far the drawing is from closing there, m
    unassembled : why loops cannot be closed with the values that were set; None where they can
    prescribed : number of coordinates that motions and servos prescribe
    notes, faults, suspicions : sentences: what is worth reading, what prevents a run, and what is possible but probably a mistake
    """

    name: str
    bodies: int
    joints: int
    loads: int
    degrees_of_freedom: int | None
    loops: list[str] = field(default_factory=list)
    free: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    constraints: int = 0
    redundancy: Redundancy | None = None
    gaps: dict[str, float] = field(default_factory=dict)
    unassembled: str | None = None
    prescribed: int = 0
    suspicions: list[str] = field(default_factory=list)

    @property
    def freedoms(self) -> int | None:
        """Degrees of freedom."""
        return self.degrees_of_freedom

    @property
    def position_freedoms(self) -> int | None:
        """Independent directions in which it can be placed: more than degrees of freedom where constraints are on velocities only."""
        return self.redundancy.position_freedoms if self.redundancy else self.degrees_of_freedom

    @property
    def redundant(self) -> list[Redundant]:
        """Redundant constraints: element, direction in words, row in `layout.rows`."""
        return self.redundancy.redundant if self.redundancy else []

    @property
    def unique(self) -> dict[Any, bool]:
        """For every joint and constraint of a system with loops, whether its reactions are unique."""
        return self.redundancy.unique if self.redundancy else {}

    @property
    def ok(self) -> bool:
        """Whether the system can run."""
        return not self.faults and self.unassembled is None

    def raise_faults(self) -> None:
        """Raise a ModelError with all faults, if there are any."""
        if self.faults:
            raise ModelError(self.faults)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        first, *lines = str(self).split("\n")
        return html_table(("",), [(line,) for line in lines], first)

    def __str__(self) -> str:
        lines = [
            f"System '{self.name}': {_count(self.bodies, 'body')}, {_count(self.joints, 'joint')}, {_count(self.loads, 'force')}"
            + (f", {_count(self.constraints, 'further constraint')}." if self.constraints else ".")
        ]
        if self.degrees_of_freedom is not None:
            redundant = f", {_count(len(self.redundant), 'redundant constraint')}" if self.redundancy else ""
            verb = "is" if self.prescribed == 1 else "are"
            prescribed = f", of which {self.prescribed} {verb} prescribed" if self.prescribed else ""
            lines.append(f"{_count(self.degrees_of_freedom, 'degree')} of freedom{prescribed}{redundant}.")
            if self.position_freedoms != self.degrees_of_freedom:
                lines.append(f"Constraints on velocities: it can be placed in {self.position_freedoms} independent directions.")
            if self.degrees_of_freedom == 0:
                lines.append("Nothing can move.")
            lines += self.redundancy.words() if self.redundancy else []
        for name in self.loops:
            lines.append(f"Joint '{name}' closes a loop.")
        if self.free:
            listed = ", ".join(f"'{name}'" for name in self.free[:6]) + (
                f" and {len(self.free) - 6} more" if len(self.free) > 6 else ""
            )
            lines.append(f"Not connected to the ground, so free to move: {listed}.")
        lines += self.notes
        lines += [f"Looks odd: {found.rstrip('.?')}{'?' if found.endswith('?') else '.'}" for found in self.suspicions]
        if self.redundancy and not self.gaps:
            lines.append("No gaps.")
        if self.faults:
            lines.append(f"{_count(len(self.faults), 'fault')}:")
            lines += [f"  {k}. {fault}" for k, fault in enumerate(self.faults, 1)]
        elif self.unassembled is not None:
            lines.append(f"It cannot run: {self.unassembled}.")
        else:
            lines.append("No faults.")
        return "\n".join(lines)


def _count(n: int, noun: str) -> str:
    plural = {"body": "bodies"}.get(noun, noun + "s")
    return f"{n} {noun if n == 1 else plural}"


def check(system: System, rank: bool = True) -> Check:
    """Check a system: element by element, then as a whole. Without `rank` the loops are not analysed."""
    from poinsot.analysis.sizes import far_faults

    faults = _name_faults(system) + _membership_faults(system)
    for element in system.elements():
        faults += element.faults()
    faults += _size_faults(system)
    if not system.bodies:
        faults.append(f"system '{system.name}' has no bodies; add one with system.body(...)")
    faults += far_faults(system)
    base = (system.name, len(system.bodies), len(system.joints), len(system.loads))
    if faults:
        return Check(*base, None, faults=faults, constraints=len(system.constraints))
    whole, idle = system, idle_at_start(system)
    system = acting(system, idle)
    topology = build_topology(system)
    faults += _massless_faults(system, topology) + _initial_faults(system, topology) + _plane_faults(system)
    tree = [topology.joints[topology.joint[b]] for b in topology.order]
    freedoms = sum(joint.freedoms for joint in tree)
    loops, free = [topology.joints[k].name for k in topology.loops], _unconnected(system, topology)
    gaps = {joint.name: joint.gap() for joint in topology.joints if joint.gap() > GAP}
    closed = Closed()
    unknown = function_faults(system.constraints)  # rows of functions that are missing
    if rank and not faults and not unknown and (topology.loops or system.constraints):
        closed = _closed(system, topology, gaps)
    notes = _notes(topology, closed.unassembled is None) + closed.notes + [drive.words() for drive in system.drives]
    found = closed.redundancy
    freedoms = found.degrees_of_freedom if found else freedoms
    notes += [f"{whole.by_name[name].label()}: does not act at the start." for name in idle]
    faults += function_faults(whole.elements())  # last: the rest of a system can be checked even if its functions are missing
    prescribed = sum(len(drive.outputs) for drive in system.drives)
    odd = suspicions(system)
    return Check(
        *base, freedoms, loops, free, notes, faults, len(whole.constraints), found, gaps, closed.unassembled, prescribed, odd
    )


def _unconnected(system: System, topology: Topology) -> list[str]:
    """Bodies that carry others and move freely: neither joints nor constraints connect them with the ground."""
    leader = list(range(len(system.bodies) + 1))
    ties = [(joint.first, joint.second) for joint in system.joints if joint.rows()]
    for constraint in system.constraints:
        written = [system.ground] if constraint.rows()[0].members else []  # their rows may be relative to the ground
        bodies = [*written, *constraint.bodies(), *(body for joint in constraint.joints() for body in (joint.first, joint.second))]
        ties += list(zip(bodies[:-1], bodies[1:]))
    for first, second in ties:
        a, b = (find(leader, topology.index[body]) for body in (first, second))
        leader[max(a, b)] = min(a, b)
    return [system.bodies[b - 1].name for b in topology.roots if find(leader, b) != 0]


@dataclass
class Closed:
    """Results for a system with loops."""

    redundancy: Redundancy | None = None
    notes: list[str] = field(default_factory=list)
    unassembled: str | None = None


def _closed(system: System, topology: Topology, gaps: dict[str, float]) -> Closed:
    """Rank at the assembled position; gaps at the initial values are added to `gaps`."""
    from poinsot.analysis.assemble import assembled
    from poinsot.analysis.constraints import Geometry
    from poinsot.analysis.doubts import motionless, singular
    from poinsot.analysis.redundancy import redundancy
    from poinsot.analysis.singular import stand, stand_open
    from poinsot.layout.extent import OPEN
    from poinsot.layout.freeze import freeze
    from poinsot.layout.initial import initial_values

    frozen = freeze(system, topology, loads=False)
    geometry = Geometry(frozen)
    q, v = initial_values(system, topology)
    poses = geometry.poses(q)
    residuals = geometry.residuals(np.where(geometry.closing, geometry.rows(poses, q)[0], 0.0))
    notes, unassembled = [], None
    try:
        q, v, assembly = assembled(frozen, q, v)
        standings = assembly.standings
    except AssemblyError as error:
        closed = max((max(pair) for pair in residuals.values()), default=0.0) <= OPEN
        unassembled, standings = str(error), stand(geometry, q) if closed else stand_open(geometry, q)
    how = "; assembly closes the gap" if unassembled is None else ""
    for element in frozen.owners:
        metres, radians = residuals[element.name]
        if max(metres, radians) > GAP and element.name not in gaps:
            notes.append(
                f"{element.label()}: the initial values leave a gap of {metres:.3g} m, {radians:.3g} rad{how}."
            )
        if max(metres, radians) > GAP:
            gaps[element.name] = max(metres, gaps.get(element.name, 0.0))
    for standing in standings:
        still = motionless(geometry, standing)
        notes += [still] if still else []
        notes += [singular(geometry, standing)] if standing.singular else []
    return Closed(redundancy(geometry, q, standings, v), notes, unassembled)


def _name_faults(system: System) -> list[str]:
    seen: dict[str, str] = {"ground": "the ground"}
    found = []
    for element in system.elements():
        if "\0" in element.name:
            found.append(f"{element.label()!r}: a name cannot contain the character NUL")
        elif any("\ud800" <= character <= "\udfff" for character in element.name):
            found.append(f"{element.label()!r}: a name cannot contain a surrogate (half a character)")
        if element.name in seen:
            found.append(f"{element.label()}: the name is already taken by {seen[element.name]}; names must be unique")
        else:
            seen[element.name] = element.label()
    return found


def _size_faults(system: System) -> list[str]:
    """Gravity and initial values that are not finite, or so large that energies cannot be computed."""
    found = [fault for element, values in system.initial.items() for fault in initial_faults(element, values)]
    if not all(map(within, system.gravity)):
        found.append(f"system '{system.name}': gravity must be finite numbers of at most {LARGEST:g} m/s^2, not {system.gravity}")
    return found


def _membership_faults(system: System) -> list[str]:
    """Bodies or joints that belong to another system."""
    found = []
    own = {system.ground, *system.bodies, *system.joints}
    for element in [*system.joints, *system.loads, *system.constraints]:
        if isinstance(element, Joint):
            parts: list = [element.first, element.second]
        else:
            assert isinstance(element, Load | Constraint)
            parts = [*element.bodies(), *element.joints()]
        for part in parts:
            if part not in own:
                owner = getattr(getattr(part, "system", None), "name", None)
                where = f"system '{owner}'" if owner else "no system"
                found.append(
                    f"{element.label()}: {short_repr(part)} belongs to {where}, not to '{system.name}'; use elements of one system"
                )
    return found


def _massless_faults(system: System, topology: Topology) -> list[str]:
    """Massless bodies at the end of a branch, which nothing gives inertia."""
    carried = [0.0] + [body.mass for body in system.bodies]
    for b in reversed(topology.order):
        carried[topology.parent[b]] += carried[b]
    found = []
    for b in topology.order:
        moves = bool(topology.joints[topology.joint[b]].motions())
        if carried[b] == 0 and moves:
            body = system.bodies[b - 1]
            joint = topology.joints[topology.joint[b]]
            found.append(
                f"{body.label()}: neither it nor any body it carries has mass, so {joint.label()} moves it without effort; give it a mass"
            )
    return found


def _initial_faults(system: System, topology: Topology) -> list[str]:
    from poinsot.layout.initial import free_carrier
    from poinsot.model.body import Body

    found = []
    for element in system.initial:
        if isinstance(element, Body) and free_carrier(topology, element) is None:
            joint = topology.joints[topology.joint[topology.index[element]]]
            found.append(
                f"{element.label()}: it is carried by {joint.label()}, so its initial motion is set there: system['{joint.name}'].set(...)"
            )
    return found


def _plane_faults(system: System) -> list[str]:
    """In a planar system everything must stay in the plane."""
    if system.plane is None:
        return []
    n = system.normal
    found = []
    for joint in system.joints:
        for motion in joint.motions():
            axis = getattr(motion, "axis", None)
            along = None if axis is None else abs(sum(a * b for a, b in zip(axis, n)))
            turns, slides = getattr(motion, "rot", 1.0) != 0, getattr(motion, "lin", 1.0) != 0
            if along is None or (turns and along < 1 - 1e-9) or (slides and along > 1e-9):
                found.append(
                    f"{joint.label()}: moves out of the plane '{system.plane}'; use revolute (about its normal), prismatic (in it) or fixed joints"
                )
                break
    if abs(sum(a * b for a, b in zip(system.gravity, n))) > 0:
        found.append(f"system '{system.name}': gravity {system.gravity} has a component out of the plane '{system.plane}'")
    return found


def _notes(topology: Topology, closes: bool) -> list[str]:
    """Gaps of joints in the drawing, as sentences."""
    notes = []
    for k, joint in enumerate(topology.joints):
        gap = joint.gap()
        if gap > GAP:
            how = "closed by assembly" if k in topology.loops else "closed by moving the outer body"
            note = f"{joint.label()}: its two points are {gap:.3g} m apart in the drawing"
            notes.append(f"{note}; the gap is {how}." if closes or k not in topology.loops else f"{note}.")
    return notes
