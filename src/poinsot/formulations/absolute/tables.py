"""The tables of formulations in absolute coordinates: bodies by their principal axes, constraint rows and joint coordinates as scalars."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np

from poinsot.elements.director_scalars import ANGLE, SERIAL
from poinsot.elements.serial import NUMBERS
from poinsot.formulations.absolute.work import SERIAL_KERNEL, StatePlaces, fill_head
from poinsot.layout.extent import opening_units
from poinsot.layout.freeze import Frozen
from poinsot.layout.serial import described
from poinsot.layout.welds import shares
from poinsot.linear.pattern import Pattern, analyse
from poinsot.model.body import Body
from poinsot.model.coordinate import Coordinate
from poinsot.model.joint import Ball, Helical, Joint, Motion, Translation, perpendicular
from poinsot.model.rotation import matrix
from poinsot.tables.records import (
    COINCIDE,
    DISTANCE,
    FRAME,
    GEAR,
    LINKED,
    N_R,
    SCALAR,
    SLIDE,
    Layout,
)

AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
NOTHING = -1  # kind of an entry among the coordinates that is no scalar (of a ball)


def with_tables(frozen: Frozen, dropped: Collection[int], state_places: Callable[[int, int, int], StatePlaces]) -> Layout:
    """The layout with the tables of these formulations; rows in `dropped` are redundant and left out.

    `state_places` gives the places in a state from the numbers of bodies (with the ground), of angles and of drives.
    """
    layout = frozen.layout
    frames = _frames(layout, frozen.joints)
    places = _Places(layout, frames)
    coordinates, angles, values = _coordinates(frozen, places)
    units = opening_units(layout)
    groups = _groups(layout, places, coordinates, units, set(dropped))
    bodies_of = [_bodies(group) for group in groups]
    pattern = analyse(bodies_of, [len(group) for group in groups])
    ordered = [
        (place, k, term) for place, g in enumerate(pattern.order) for k, row in enumerate(groups[g]) for term in row
    ]
    table = np.array([term for _, _, term in ordered], SCALAR) if ordered else np.zeros(0, SCALAR)
    place, k = (np.array([entry[n] for entry in ordered], np.int64) for n in (0, 1))
    table["row"] = 3 * place + k
    table["point"] = (k == 0) & np.array([_is_point(groups[g]) for g in pattern.order], bool)[place]
    for side in ("first", "second"):
        table[f"{side}_leg"] = _legs(pattern, place, table[side], len(layout.bodies))
    left_out = _left_out(layout, places, coordinates, units, sorted(dropped), 3 * len(groups))
    drives = frozen.system.drives if len(layout.drives) else []
    outputs = [_drive_scalar(frozen, frames, coordinates, c) for drive in drives for c in drive.outputs]
    inputs = [_drive_scalar(frozen, frames, coordinates, c) for drive in drives for c in drive.inputs]
    full = layout._replace(
        values=values,
        frames=frames,
        terms=table,
        left_out=left_out,
        coordinates=coordinates,
        outputs=np.array(outputs, SCALAR) if outputs else np.zeros(0, SCALAR),
        inputs=np.array(inputs, SCALAR) if inputs else np.zeros(0, SCALAR),
        pattern=pattern.numbers,
    )
    potentials = layout.loads["potential"].any()
    turning = (table["kind"] >= ANGLE).any() or (full.outputs["kind"] >= ANGLE).any()
    state = state_places(len(layout.bodies), angles, len(layout.drives))
    fill_head(full, angles, state, bool(potentials or turning), len(dropped))
    if (coordinates["kind"] == SERIAL).any():
        from poinsot.elements.serial_call import serial_kernel

        full.pattern[SERIAL_KERNEL] = serial_kernel().address
    return full


def _frames(layout: Layout, joints: Sequence[Joint]) -> np.ndarray:
    bodies, parts = layout.bodies, shares(layout, joints)
    full = parts.inertia
    six = full[:, [0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    principal, axes = np.linalg.eigh(full)
    plain = np.abs(six[:, 3:]).max(axis=1) <= 1e-15 * np.abs(six).max(axis=1)
    axes[plain], principal[plain] = np.eye(3), six[plain, :3]
    axes[np.linalg.det(axes) < 0, :, 2] *= -1.0
    table = np.zeros(len(bodies), FRAME)
    table["mass"], table["axes"], table["com"], table["shared"] = parts.mass, axes, parts.com, parts.shared
    table["euler"] = 0.5 * principal.sum(axis=1, keepdims=True) - principal
    table["origin"] = -np.einsum("bji,bj->bi", axes, parts.com)
    return table


class _Places:
    """Points and directions of the joints' two frames in the directors of their bodies."""

    def __init__(self, layout: Layout, frames: np.ndarray):
        self.joints = layout.joints
        inward = np.swapaxes(frames["axes"], 1, 2)
        self.bodies = {side: layout.joints[side] for side in ("first", "second")}
        self.points = {
            side: np.einsum("jab,jb->ja", inward[at], layout.joints[f"{side}_origin"] - frames["com"][at])
            for side, at in self.bodies.items()
        }
        self.turns = {side: inward[at] @ layout.joints[f"{side}_rotation"] for side, at in self.bodies.items()}

    def described(self, joint: int, motions: Sequence[Motion]) -> np.ndarray:
        """The numbers of a joint in series, in the directors of its bodies."""
        sides = ("first", "second")
        first, second = (int(self.bodies[side][joint]) for side in sides)
        points, turns = (np.array([of[side][joint] for side in sides]) for of in (self.points, self.turns))
        return described((first, second), points, turns, motions)

    def scalar(self, kind: int, joint: int, u: Any = None, v: Any = None, u2: Any = None, v2: Any = None) -> np.ndarray:
        """A scalar on the two frames of a joint; u, u2 in the first frame (COINCIDE: the world), v, v2 in the second."""
        new = np.zeros((), SCALAR)
        new["kind"], new["row"], new["first_leg"], new["second_leg"], new["angle"] = kind, -1, -1, -1, -1
        new["factor"], new["joint"] = 1.0, joint
        for side in ("first", "second"):
            new[side] = self.bodies[side][joint]
            new[f"{side}_point"] = self.points[side][joint]
        for name, side, vector in (("a", "first", u), ("a2", "first", u2), ("b", "second", v), ("b2", "second", v2)):
            if vector is not None:
                fixed = kind == COINCIDE and name == "a"
                new[name] = vector if fixed else self.turns[side][joint] @ np.asarray(vector)
        return new


def _coordinates(frozen: Frozen, places: _Places) -> tuple[np.ndarray, int, np.ndarray]:
    """One scalar per joint rate: angles and displacements; three entries that are no scalars for a ball that is alone.

    With them how many numbers of the state they need, and the layout's values with the joints in series described behind them.
    """
    table = np.zeros(int(frozen.layout.sizes[N_R]), SCALAR)
    table["kind"], table["angle"] = NOTHING, -1
    angles = 0
    at = 0
    values = frozen.layout.values[: len(frozen.loads.values)]
    for j, joint in enumerate(frozen.joints):
        if frozen.layout.joints["serial"][j]:
            new = _serial(frozen, places, j, len(values), angles)
            table[at : at + len(new)] = new
            at, angles = at + len(new), angles + NUMBERS
            values = np.concatenate([values, places.described(j, joint.motions())])
            continue
        for k, motion in enumerate(joint.motions()):
            for n, scalar in enumerate(_motion_scalars(joint, j, k, motion, places)):
                if scalar["kind"] == ANGLE:
                    scalar["angle"] = angles
                    angles += 1
                table[at + n] = scalar
            at += motion.rates
    return table, angles, values


def _serial(frozen: Frozen, places: _Places, joint: int, start: int, angles: int) -> np.ndarray:
    """Scalars of a joint in series, described in the values from `start` on, its coordinates in the state from `angles` on."""
    found: list[np.ndarray] = []
    number = angles
    for motion in frozen.joints[joint].motions():
        for k in range(motion.rates):
            new = places.scalar(SERIAL, joint)
            new["a"] = start, len(found), angles
            new["angle"] = number + (0 if isinstance(motion, Ball) else k)  # of a ball: where its quaternion begins
            found.append(new)
        number += 4 if isinstance(motion, Ball) else motion.rates
    return np.array(found, SCALAR)


def _motion_scalars(joint: Joint, j: int, k: int, motion: Motion, places: _Places) -> list[np.ndarray]:
    if isinstance(motion, Translation):
        return [places.scalar(SLIDE, j, axis) for axis in np.eye(3)]
    if not isinstance(motion, Helical):
        return []
    if motion.rot == 0.0:
        return [places.scalar(SLIDE, j, motion.axis)]
    turns = [m.axis for m in joint.motions() if isinstance(m, Helical) and m.rot != 0.0]
    if len(turns) == 1:
        u, v = perpendicular(motion.axis)
        return [places.scalar(ANGLE, j, v, u, u, u)]
    axis, axis2 = np.array(turns[0]), np.array(turns[1])
    if motion.axis == turns[0]:
        u = axis2 - (axis2 @ axis) * axis
        return [places.scalar(ANGLE, j, np.cross(axis, u), axis2, u, axis2)]
    u = axis - (axis @ axis2) * axis2
    return [places.scalar(ANGLE, j, axis, -np.cross(axis2, u), axis, u)]


def _groups(
    layout: Layout, places: _Places, coordinates: np.ndarray, units: np.ndarray, dropped: set[int]
) -> list[list[list[np.ndarray]]]:
    """Rows as lists of scalars, in groups of at most three that act on the same bodies."""
    groups: list[list[list[np.ndarray]]] = []
    for j in range(len(layout.joints)):
        first, count = int(layout.joints["row"][j]), int(layout.joints["rows"][j])
        wanted = [r for r in range(first, first + count) if r not in dropped]
        rows = [_row(layout, r, places, coordinates, units) for r in wanted]
        groups += [rows[k : k + 3] for k in range(0, len(rows), 3)]
    return groups


def _left_out(
    layout: Layout, places: _Places, coordinates: np.ndarray, units: np.ndarray, dropped: list[int], first: int
) -> np.ndarray:
    """Scalars of the rows that were left out, numbered from `first` on: they have no multiplier, but are watched."""
    found = []
    for k, r in enumerate(dropped):
        for term in _row(layout, r, places, coordinates, units):
            term["row"] = first + k
            found.append(term)
    return np.array(found, SCALAR) if found else np.zeros(0, SCALAR)


def _row(layout: Layout, r: int, places: _Places, coordinates: np.ndarray, units: np.ndarray) -> list[np.ndarray]:
    """A row as scalars, which know how far the row is open per value."""
    terms = _terms(layout, r, places, coordinates)
    for term in terms:
        term["unit"] = (2.0 if term["kind"] == DISTANCE else 1.0) * units[r]  # a scalar is half of that row
    return terms


def _terms(layout: Layout, r: int, places: _Places, coordinates: np.ndarray) -> list[np.ndarray]:
    row = layout.rows[r]
    j = int(row["joint"])
    if row["kind"] == GEAR:
        pair = [coordinates[layout.motions["ir"][row[name]]].copy() for name in ("motion", "motion2")]
        for term, factor in zip(pair, (1.0, -row["c"])):
            term["factor"], term["joint"] = factor, j
        return pair
    if row["kind"] == LINKED:
        first, count = int(layout.joints["motion"][j]), int(layout.joints["motions"][j])
        motion = next(m for m in layout.motions[first : first + count] if m["rot"] != 0.0)
        turn = coordinates[motion["ir"]].copy()
        turn["factor"] = -row["c"] * motion["rot"] * np.sign(motion["rotation"][:, 2] @ row["u"])
        return [places.scalar(SLIDE, j, row["u"]), turn]
    new = places.scalar(int(row["kind"]), j, row["u"], row["v"])
    new["c"] = row["c"]
    return [new]


def _legs(pattern: Pattern, place: np.ndarray, body: np.ndarray, bodies: int) -> np.ndarray:
    """The leg of the group at each place on a body, -1 where there is none."""
    groups = np.repeat(np.arange(len(pattern.order)), np.diff(pattern.leg_start))
    known, wanted = groups * bodies + pattern.leg_body, place * bodies + body  # legs are ordered by group and body
    leg = np.searchsorted(known, wanted)
    found = np.append(known, -1)[leg] == wanted
    return np.where(found, leg, -1)


def _is_point(group: list[list[np.ndarray]]) -> bool:
    """Whether the rows of a group let two points coincide, along x, y and z in this order: kernels take them together."""
    return len(group) == 3 and all(
        len(row) == 1 and row[0]["kind"] == COINCIDE and tuple(row[0]["a"]) == axis for row, axis in zip(group, AXES)
    )


def _bodies(group: list[list[np.ndarray]]) -> list[int]:
    """Bodies that the rows of a group act on, the ground left out."""
    return sorted({int(term[side]) for row in group for term in row for side in ("first", "second")} - {0})


def _drive_scalar(frozen: Frozen, frames: np.ndarray, coordinates: np.ndarray, coordinate: Coordinate) -> np.ndarray:
    """The scalar of a joint's coordinate, of a point's place along a world axis, or of a body's angle in a planar system."""
    layout, owner = frozen.layout, coordinate.owner
    if isinstance(owner, Joint):
        joint = frozen.joints.index(owner)
        motion = int(layout.joints["motion"][joint]) + owner.names.index(coordinate.name)
        return coordinates[layout.motions["ir"][motion]].copy()
    new = np.zeros((), SCALAR)
    new["row"], new["first_leg"], new["second_leg"], new["angle"], new["joint"], new["factor"] = -1, -1, -1, -1, -1, 1.0
    body = owner if isinstance(owner, Body) else owner.body
    index = frozen.topology.index[body]
    new["second"] = index
    inward = frames["axes"][index].T
    if isinstance(owner, Body):
        new["kind"] = ANGLE
        turn = inward @ matrix(body.rotation).T  # from the world of the drawing to the directors
        u, v = (np.array(w) for w in perpendicular(frozen.system.normal))
        new["a"], new["a2"], new["b"], new["b2"] = v, u, turn @ u, turn @ u
    else:
        new["kind"], new["a"] = COINCIDE, np.eye(3)["xyz".index(coordinate.name)]
        new["second_point"] = inward @ (np.array(owner.position) - frames["com"][index])
    return new
