"""Tables of a frozen system refilled with other numbers: bits are those of the system frozen anew, at a fraction of the cost.

What tables hold depends on three things. *Structure*: which elements there are, how they are connected, which formulation. *Geometry*: points, axes,
centres of mass. *Numbers*: gravity, masses and inertias, parameters of loads, initial values. Only numbers are refilled here; when anything else
changes the system is frozen anew (`change.py`). Systems with users' functions, drives or controllers always are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from poinsot.layout.freeze import Frozen
from poinsot.layout.initial import free_carrier, initial_values, values_of
from poinsot.layout.links import turn_tables
from poinsot.layout.plane_tables import plane_axes, weigh, weigh_link
from poinsot.layout.weights import Loose, Matrix, in_links, one_link
from poinsot.layout.welds import lacks_inertia
from poinsot.model.body import Body
from poinsot.model.change import Key
from poinsot.model.joint import Joint
from poinsot.model.renewed import Renewed, renewed, renewed_by
from poinsot.model.system import System
from poinsot.tables.records import COORDINATES, N_CONTROL, RATES, Layout

FEW = 4  # bodies that are weighed one by one


class Refill:
    """The numbers of a frozen system, and where they lie in its tables."""

    def __init__(self, frozen: Frozen):
        self.frozen, system, layout = frozen, frozen.system, frozen.layout
        self.initial = initial_values(system, frozen.topology)
        self.possible = not (len(layout.addresses) or system.drives or layout.sizes[N_CONTROL])
        self.rows = {load: load.rows() for load in system.loads} if self.possible else {}
        self.keys: dict[str, Key] = {}
        self.places = joint_places(frozen)
        self.plane_axes = plane_axes(frozen.links) if len(layout.plane_links) else None

    def read(self, change: dict[str, Any]) -> Renewed | None:
        """The numbers of a change; None where the system must be frozen anew. Raises a ModelError where a key or the kind of a value is wrong."""
        return self._fitting(renewed(self.frozen.system, change, self.rows, self.keys)) if self.possible else None

    def read_system(self, system: System) -> Renewed | None:
        """The numbers of a system of the same structure and geometry; None where it must be frozen anew."""
        return self._fitting(renewed_by(self.frozen.system, system, self.rows)) if self.possible else None

    def _fitting(self, found: Renewed | None) -> Renewed | None:
        """The same, if they leave the structure as it is."""
        if found is None or not all(body.mass > 0 < new.mass and _lacks(body) == _lacks(new) for body, new in found.bodies.items()):
            return None  # the spanning tree depends on which bodies lack inertia
        if any(isinstance(e, Body) and free_carrier(self.frozen.topology, e) is None for e in found.initial):
            return None
        return found

    def start(self, numbers: Renewed) -> tuple[np.ndarray, np.ndarray]:
        """Initial coordinates and rates of all joints."""
        coordinates, rates = (array.copy() for array in self.initial)
        topology, initial = self.frozen.topology, self.frozen.system.initial
        for element in numbers.initial:
            joint = free_carrier(topology, element) if isinstance(element, Body) else element
            assert isinstance(joint, Joint)
            given, motion = (numbers.initial.get(one, initial.get(one)) for one in (joint, joint.second))
            c, r = self.places[joint.name]
            coordinates[c], rates[r] = values_of(topology, joint, given, motion)
        return coordinates, rates

    def initial_of(self, numbers: Renewed) -> Mapping[Any, Any]:
        """All initial values that are set, by element of the frozen system."""
        known = self.frozen.system.initial
        return {**known, **numbers.initial} if numbers.initial else known

    def tables(self, numbers: Sequence[Renewed]) -> dict[str, np.ndarray]:
        """By name those tables of the layout that hold other numbers, each (systems, ...)."""
        found = self._values(numbers)
        if not any(one.bodies for one in numbers):
            return found
        return found | ((self._few(numbers[0]) if len(numbers) == 1 else None) or self._weights(numbers))

    def layout(self, numbers: Renewed) -> Layout:
        """All tables of one system."""
        return self.frozen.layout.refilled(**{name: table[0] for name, table in self.tables([numbers]).items()})

    def _values(self, numbers: Sequence[Renewed]) -> dict[str, np.ndarray]:
        values, offsets = np.repeat(self.frozen.layout.values[None], len(numbers), axis=0), self.frozen.loads.offsets
        for own, one in zip(values, numbers):
            own[:3] = one.gravity
            for load, given in one.values.items():
                own[offsets[load] : offsets[load] + len(given)] = given
        return {"values": values}

    def _few(self, numbers: Renewed) -> dict[str, np.ndarray] | None:
        """Tables of one system of which few bodies change; None where axes of links turn."""
        layout, known, index = self.frozen.layout, self.frozen.links, self.frozen.topology.index
        if len(numbers.bodies) > FEW:
            return None
        skeleton, bodies, links = known.skeleton, layout.bodies.copy(), layout.links.copy()
        for body, new in numbers.bodies.items():
            record = bodies[index[body]]
            record["mass"], record["inertia"] = new.mass, new.inertia
        plane = None if self.plane_axes is None else layout.plane_links.copy()
        (turns, arms), (axes, leaves, forks) = skeleton.in_numbers, self._choices
        for link in {int(skeleton.link_of[index[body]]) for body in numbers.bodies}:
            parts = [(turns[k], arms[k], float(bodies["mass"][k]), bodies["inertia"][k].tolist()) for k in skeleton.members[link]]
            mass, moment, inertia, own = one_link(parts, axes[link])
            if link in leaves and (leaves[link][0].fitting(own) != leaves[link][1] or leaves[link][1] < 0):
                return None
            links["mass"][link], links["moment"][link], links["inertia"][link] = mass, moment, inertia
            if plane is not None and self.plane_axes is not None:
                weigh_link(plane[link], mass, moment, inertia, self.plane_axes[link].tolist())
        if forks:
            carried = skeleton.carried(links["mass"].tolist())
            if any(loose.heaviest(carried) != child for loose, child in forks):
                return None
        found = {"bodies": bodies[None], "links": links[None]}
        return found if plane is None else found | {"plane_links": plane[None]}

    @cached_property
    def _choices(self) -> tuple[list[Matrix], dict[int, tuple[Loose, int]], list[tuple[Loose, int]]]:
        """Axes of all links, and what decided those of balls: at leaves, by link, the number of a direction, elsewhere a child."""
        known, bodies = self.frozen.links, self.frozen.layout.bodies
        skeleton, axes = known.skeleton, [tuple(map(tuple, own)) for own in known.axes.tolist()]
        inertia = skeleton.placed(bodies["mass"][None], bodies["inertia"][None])[2][0].tolist()
        carried = skeleton.carried(known.links["mass"].tolist())
        leaves = {loose.link: (loose, loose.fitting(inertia[loose.link])) for loose in skeleton.loose if not loose.children}
        return axes, leaves, [(loose, loose.heaviest(carried)) for loose in skeleton.loose if loose.children]

    def _weights(self, numbers: Sequence[Renewed]) -> dict[str, np.ndarray]:
        layout, known, index = self.frozen.layout, self.frozen.links, self.frozen.topology.index
        skeleton = known.skeleton
        bodies, links = (np.repeat(table[None], len(numbers), axis=0) for table in (layout.bodies, layout.links))
        for k, one in enumerate(numbers):
            for body, new in one.bodies.items():
                record = bodies[k, index[body]]
                record["mass"], record["inertia"] = new.mass, new.inertia
        placed = skeleton.placed(bodies["mass"], bodies["inertia"])
        axes = skeleton.axes_of(placed)
        links["mass"], links["moment"], links["inertia"] = in_links(axes, placed)
        found = {"bodies": bodies, "links": links}
        if skeleton.loose and not np.array_equal(axes, np.broadcast_to(known.axes, axes.shape)):
            motions = np.repeat(layout.motions[None], len(numbers), axis=0)
            moved = np.flatnonzero(layout.motions["link"] >= 0)
            motions["rotation"][:, moved] = axes[:, layout.motions["link"][moved]]
            for k, own in enumerate(axes):
                turn_tables(bodies[k], links[k], skeleton, own, known.places)
            found["motions"] = motions
        return self._in_plane(found)

    def _in_plane(self, tables: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """With the links of a planar tree."""
        if self.plane_axes is not None:
            plane = np.repeat(self.frozen.layout.plane_links[None], len(tables["links"]), axis=0)
            weigh(plane, tables["links"], self.plane_axes)
            tables["plane_links"] = plane
        return tables


def joint_places(frozen: Frozen) -> dict[str, tuple[slice, slice]]:
    """Of every joint where its coordinates and its rates are."""
    kinds, found, c, r = frozen.layout.motions["kind"], {}, 0, 0
    for joint, entry in zip(frozen.joints, frozen.layout.joints):
        mine = kinds[entry["motion"] : entry["motion"] + entry["motions"]]
        nc, nr = int(COORDINATES[mine].sum()), int(RATES[mine].sum())
        found[joint.name] = (slice(c, c + nc), slice(r, r + nr))
        c, r = c + nc, r + nr
    return found


def _lacks(body: Body) -> bool:
    """Whether a body lacks mass or inertia."""
    principal, skew = body.inertia[:3], body.inertia[3:]
    if body.mass > 0 and skew == (0.0, 0.0, 0.0) and min(principal) > 1e-9 * max(principal):  # far from the limit
        return False
    return lacks_inertia(body.mass, np.array(body.inertia))
