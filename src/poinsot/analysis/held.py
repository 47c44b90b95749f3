"""Values that assembly must not change: motions whose initial values were set, and joints outside loops."""

from __future__ import annotations

from typing import Any

import numpy as np

from poinsot.errors import ModelError
from poinsot.layout.freeze import Frozen
from poinsot.layout.initial import free_carrier
from poinsot.model.body import Body
from poinsot.model.coordinate import Coordinate
from poinsot.model.initial import initial_faults, read_initial
from poinsot.model.joint import Ball, Helical, Joint
from poinsot.tables.records import COORDINATES, GEAR, RATES

TURNS = {"rotation", "angle"}  # coordinates of a free joint that are set by the attitude of its body


def in_loops(frozen: Frozen) -> np.ndarray:
    """For every joint whether it is part of a loop (a distance closes one, a gear includes its two joints)."""
    topology, layout = frozen.topology, frozen.layout
    depth = [0] * len(layout.bodies)
    for b in topology.order:
        depth[b] = depth[topology.parent[b]] + 1
    looped = np.zeros(len(topology.joints), bool)
    top = list(range(len(depth)))  # contracted: the body at which climbing towards the root continues

    def find(b: int) -> int:
        while top[b] != b:
            top[b] = top[top[b]]
            b = top[b]
        return b

    ends = [(j.first, j.second) for j in (topology.joints[k] for k in topology.loops)]
    ends += [(row.ends[0][0], row.ends[1][0]) for row in (c.rows()[0] for c in frozen.system.constraints) if row.ends is not None]
    ends += [(frozen.system.ground, body) for c in frozen.system.constraints for body in c.rows()[0].members]
    looped[topology.loops] = True
    for first, second in ends:
        a, b = find(topology.index[first]), find(topology.index[second])
        while a != b:
            if depth[a] < depth[b]:
                a, b = b, a
            looped[topology.joint[a]] = True
            top[a] = topology.parent[a]
            a = find(a)
    gears = layout.rows[layout.rows["kind"] == GEAR]
    looped[layout.motions["joint"][np.concatenate([gears["motion"], gears["motion2"]])]] = True
    return looped


def set_motions(frozen: Frozen) -> tuple[np.ndarray, np.ndarray]:
    """For every motion whether its coordinate was set, and whether its rate was."""
    position, rate = np.zeros((2, len(frozen.layout.motions)), bool)
    known = frozen.alike
    places = {joint: k for k, joint in enumerate(known.joints)} if frozen.initial else {}
    for element, values in frozen.initial.items():
        joint = free_carrier(known.topology, element) if isinstance(element, Body) else element
        assert isinstance(joint, Joint)
        first = int(frozen.layout.joints["motion"][places[joint]])
        for k, name in enumerate(joint.names):
            if isinstance(element, Body):
                turn = name in TURNS
                position[first + k] |= ("rotation" if turn else "position") in values
                rate[first + k] |= any(v.startswith("angular" if turn else "velocity") for v in values)
            else:
                position[first + k] |= name in values
                rate[first + k] |= joint.rate_names[k] in values
    return position, rate


def apply_given(
    frozen: Frozen, given: dict[Any, Any] | None, numbers: np.ndarray, held: np.ndarray, rates: bool
) -> None:
    """Write values given as {"joint.angle": x} or {joint.angle: x} into all coordinates (or rates), and hold them."""
    places = {joint.name: k for k, joint in enumerate(frozen.joints)}
    for key, value in (given or {}).items():
        text = f"{getattr(key.owner, 'name', '')}.{key.name}" if isinstance(key, Coordinate) else str(key)
        name, _, coordinate = text.rpartition(".")
        if name not in places or (isinstance(key, Coordinate) and key.owner is not frozen.joints[places[name]]):
            raise ModelError(
                f"assemble: this system has no joint coordinate '{text}'; write 'joint.angle' or joint.angle"
            )
        joint = frozen.joints[places[name]]
        if rates and coordinate in joint.names:
            coordinate = joint.rate_names[joint.names.index(coordinate)]
        elif not rates and coordinate not in joint.names:
            raise ModelError(f"assemble: {joint.label()} has no '{coordinate}'; it has {', '.join(joint.names)}")
        entries = read_initial(frozen.system, joint, {coordinate: value})
        if too_large := initial_faults(joint, entries):
            raise ModelError(too_large)
        for label, entry in entries.items():
            m = int(frozen.layout.joints["motion"][places[name]]) + (joint.rate_names if rates else joint.names).index(label)
            start = frozen.layout.motions["ir" if rates else "ic"][m]
            numbers[start : start + len(entry)] = entry
            held[m] = True


def drawn_coordinates(frozen: Frozen) -> np.ndarray:
    """Coordinates of all joints in the drawing: zero, or the identity quaternion."""
    result: list[float] = []
    for joint in frozen.joints:
        for motion in joint.motions():
            result += (
                (1.0, 0.0, 0.0, 0.0) if isinstance(motion, Ball) else (0.0,) * (1 if isinstance(motion, Helical) else 3)
            )
    return np.array(result)


def spread(frozen: Frozen, motions: np.ndarray, rates: bool) -> np.ndarray:
    """A mask of motions as a mask of their rates, or of their coordinates."""
    return np.repeat(motions, (RATES if rates else COORDINATES)[frozen.layout.motions["kind"]])
