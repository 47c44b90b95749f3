"""The tables of formulations in absolute coordinates: bodies by their principal axes, constraint rows and joint coordinates as scalars."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from poinsot.elements.director_scalars import ANGLE, SERIAL
from poinsot.formulations.absolute.work import StatePlaces, places_of
from poinsot.layout.extent import opening_units
from poinsot.layout.freeze import Frozen
from poinsot.layout.scalars import Scalars, empty
from poinsot.layout.welds import shares
from poinsot.linear.pattern import Pattern, analyse
from poinsot.model.body import Body
from poinsot.model.coordinate import Coordinate
from poinsot.model.joint import Joint, perpendicular
from poinsot.model.rotation import matrix
from poinsot.tables.records import COINCIDE, FRAME, N_CONTROL, SCALAR, TOUCH, USER_ROW, Layout


def with_tables(frozen: Frozen, dropped: Collection[int], state_places: Callable[[int, int, int], StatePlaces]) -> Layout:
    """The layout with the tables of these formulations; rows in `dropped` are redundant and left out.

    `state_places` gives the places in a state from the numbers of bodies (with the ground), of angles and of drives; what controllers
    keep is added to it, just before its last number.
    """
    layout = frozen.layout
    frames = frames_of(layout, frozen.joints)
    frames["grounded"] = _grounded(layout)
    scalars = Scalars(frozen, frames["com"], frames["axes"])
    table = scalars.rows()
    users = bool((table["kind"] == USER_ROW).any())
    contacts = bool(((table["kind"] > SERIAL) & (table["kind"] < USER_ROW)).any())
    table["unit"], table["number"] = opening_units(layout)[table["row"]], table["row"]
    left_out = np.isin(table["row"], list(dropped))
    watched, table = table[left_out], table[~left_out]
    table, pattern = place_rows(layout, table, set(dropped))
    watched["row"] = 3 * len(pattern.order) + np.searchsorted(sorted(dropped), watched["row"])
    drives = frozen.system.drives if len(layout.drives) else []
    outputs = [drive_scalar(frozen, frames, scalars.coordinates, c) for drive in drives for c in drive.outputs]
    inputs = [drive_scalar(frozen, frames, scalars.coordinates, c) for drive in drives for c in drive.inputs]
    full = layout._replace(
        values=scalars.values,
        frames=frames,
        terms=table,
        left_out=watched,
        coordinates=scalars.coordinates,
        outputs=np.array(outputs, SCALAR) if outputs else np.zeros(0, SCALAR),
        inputs=np.array(inputs, SCALAR) if inputs else np.zeros(0, SCALAR),
        pattern=pattern.numbers,
    )
    potentials = layout.loads["potential"].any()
    turning = np.isin(table["kind"], (ANGLE, SERIAL)).any() or (full.outputs["kind"] >= ANGLE).any()
    state = state_places(len(layout.bodies), scalars.angles, len(layout.drives))
    state = state._replace(size=state.size + int(layout.sizes[N_CONTROL]))
    places = places_of(full, scalars.angles, state, bool(potentials or turning), len(dropped))
    places["curved"] = (table["kind"] == TOUCH).any()
    serial = bool((full.coordinates["kind"] == SERIAL).any())
    if serial or contacts or users:
        from poinsot.elements.serial_call import called_kernel

        places["serial_kernel"] = called_kernel(serial, contacts, users).address
    if users:
        places["clock"] = len(full.values)
        full = full._replace(values=np.append(full.values, 0.0))
    return full._replace(places=places)


def place_rows(layout: Layout, table: np.ndarray, dropped: set[int]) -> tuple[np.ndarray, Pattern]:
    """The scalars of all rows other than some, with places and legs in a pattern of their own, in the order of their places; and that pattern."""
    group, k = row_groups(layout, dropped)
    pattern, place = _analysed(table, group, k)
    table["point"] = are_points(table, group, k)
    first_row = 3 * place[group[table["row"]]]
    for side in ("first", "second"):
        table[f"{side}_leg"] = legs_of(pattern, first_row // 3, table[side], len(layout.bodies))
    table["row"] = first_row + k[table["row"]]
    return table[np.argsort(table["row"], kind="stable")], pattern


def frames_of(layout: Layout, joints: Sequence[Joint]) -> np.ndarray:
    """Frames of all bodies: centres of mass and principal axes, masses and Euler tensors."""
    parts = shares(layout, joints)
    table = np.zeros(len(layout.bodies), FRAME)
    axes, euler = principal_axes(parts.inertia)
    table["mass"], table["axes"], table["euler"], table["com"], table["shared"] = parts.mass, axes, euler, parts.com, parts.shared
    table["origin"] = -np.einsum("bji,bj->bi", axes, parts.com)
    return table


def principal_axes(inertia: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Principal axes (n, 3, 3) and Euler tensors (n, 3) of inertias (n, 3, 3); axes of the body where these are principal."""
    six = inertia[:, [0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    plain = np.abs(six[:, 3:]).max(axis=1) <= 1e-15 * np.abs(six).max(axis=1)
    axes, principal = np.tile(np.eye(3), (len(six), 1, 1)), six[:, :3]
    if not plain.all():
        principal[~plain], axes[~plain] = np.linalg.eigh(inertia[~plain])
        axes[np.linalg.det(axes) < 0, :, 2] *= -1.0
    return axes, 0.5 * principal.sum(axis=1, keepdims=True) - principal


def _grounded(layout: Layout) -> np.ndarray:
    """For every body whether constraint rows join it with the ground, directly or through others."""
    n, joints = len(layout.bodies), layout.joints[layout.joints["rows"] > 0]
    ends = (np.ones(len(joints)), (joints["first"], joints["second"]))
    label = connected_components(csr_matrix(ends, (n, n)), directed=False)[1]
    return label == label[0]


def row_groups(layout: Layout, dropped: set[int]) -> tuple[np.ndarray, np.ndarray]:
    """For every row its group, of at most three rows of one joint, and its place there; -1 for rows that are dropped."""
    kept = np.array([r not in dropped for r in range(len(layout.rows))], bool)
    joint = layout.rows["joint"]
    before = np.cumsum(kept) - kept  # rows in use before this one
    place = before - before[layout.joints["row"][joint]] if len(kept) else before
    first = kept & (place % 3 == 0)
    return np.where(kept, np.cumsum(first) - 1, -1), np.where(kept, place % 3, -1)


def _analysed(table: np.ndarray, group: np.ndarray, k: np.ndarray) -> tuple[Pattern, np.ndarray]:
    """The pattern of the groups that scalars belong to, and the place of every group in it."""
    count = int(group.max(initial=-1)) + 1
    bodies: list[set[int]] = [{0} for _ in range(count)]
    for g, a, b in zip(group[table["row"]].tolist(), table["first"].tolist(), table["second"].tolist()):
        bodies[g].update((a, b))
    filled = np.zeros(count, np.int64)
    np.maximum.at(filled, group[group >= 0], k[group >= 0] + 1)
    pattern = analyse([sorted(found - {0}) for found in bodies], filled.tolist())
    place = np.zeros(count, np.int64)
    place[pattern.order] = np.arange(count)
    return pattern, place


def are_points(table: np.ndarray, group: np.ndarray, k: np.ndarray) -> np.ndarray:
    """Whether a scalar is the first of three that let two points coincide, along x, y and z: kernels take them together."""
    own, at = group[table["row"]], k[table["row"]]
    along = (table["kind"] == COINCIDE) & (table["a"] == np.eye(3)[at]).all(axis=1)
    axes = np.bincount(own[along], minlength=int(group.max(initial=-1)) + 1)
    return (at == 0) & (axes[own] == 3)


def legs_of(pattern: Pattern, place: np.ndarray, body: np.ndarray, bodies: int) -> np.ndarray:
    """The leg of the group at each place on a body, -1 where there is none."""
    groups = np.repeat(np.arange(len(pattern.order)), np.diff(pattern.leg_start))
    known, wanted = groups * bodies + pattern.leg_body, place * bodies + body  # legs are ordered by group and body
    leg = np.searchsorted(known, wanted)
    found = np.append(known, -1)[leg] == wanted
    return np.where(found, leg, -1)


def drive_scalar(frozen: Frozen, frames: np.ndarray, coordinates: np.ndarray, coordinate: Coordinate) -> np.ndarray:
    """The scalar of a joint's coordinate, of a point's place along a world axis, or of a body's angle in a planar system."""
    layout, owner = frozen.layout, coordinate.owner
    if isinstance(owner, Joint):
        joint = frozen.joints.index(owner)
        motion = int(layout.joints["motion"][joint]) + owner.names.index(coordinate.name)
        return coordinates[layout.motions["ir"][motion]].copy()
    new = empty(1)[0]
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
