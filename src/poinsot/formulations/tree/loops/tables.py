"""The tables of a closed tree: rows that the spanning tree does not satisfy by itself, and the links on their way to the ground.

A group of at most three rows has a leg on every link that its wrenches pass on their way to the ground, so that the pattern of
`linear/pattern.py` serves the matrix of the rows. Behind that pattern there are, in the same array: the leg of every leg's parent
(-1: the ground); whether links have legs; coordinates of joints that close loops and have a number in the state, as pairs of
their index and how many numbers; and motions of the tree whose coordinates rows need, as pairs with their place among the angles.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from poinsot.elements.director_scalars import SERIAL
from poinsot.elements.serial import NUMBERS
from poinsot.elements.states import POSE, TWIST
from poinsot.errors import FormulationError
from poinsot.formulations.absolute.tables import are_points, drive_scalar, legs_of, row_groups
from poinsot.formulations.tree.loops import freedoms
from poinsot.formulations.tree.loops.places import GAINS, LEG
from poinsot.formulations.tree.work import work_size
from poinsot.layout.extent import opening_units, reach
from poinsot.layout.freeze import Frozen
from poinsot.layout.scalars import Scalars
from poinsot.linear.pattern import BLOCKS, GROUPS, LEGS, Pattern, analyse
from poinsot.tables.records import (
    COINCIDE,
    COORDINATES,
    FRAME,
    N_CONTROL,
    N_Q,
    N_ROOM,
    N_SLOTS,
    N_V,
    N_WRENCHES,
    ON_LOADS,
    ON_MOTION,
    PLACES,
    SCALAR,
    TOUCH,
    USER_ROW,
    Layout,
)


def with_loops(frozen: Frozen, dropped: Collection[int]) -> Layout:
    """The layout with the tables of closed trees; rows in `dropped` are redundant and left out."""
    layout, n = frozen.layout, len(frozen.layout.bodies)
    of_tree = np.flatnonzero(layout.joints["tree"][layout.rows["joint"]] != 0)
    for row in set(of_tree.tolist()) & set(dropped):
        joint = frozen.owners[layout.rows["joint"][row]]
        raise FormulationError(
            f"{joint.label()} belongs to the spanning tree, and formulation 'tree' cannot leave out its constraints; use 'rotation-matrix' "
            "or 'directors'"
        )
    frames = np.zeros(n, FRAME)
    frames["axes"], frames["com"], frames["origin"] = np.eye(3), layout.bodies["com"], -layout.bodies["com"]
    scalars = Scalars(frozen, frames["com"], frames["axes"])
    table = scalars.rows()
    table["unit"], table["number"] = opening_units(layout)[table["row"]], table["row"]
    left_out = np.isin(table["row"], list(dropped))
    watched, table = table[left_out], table[~left_out & ~np.isin(table["row"], of_tree)]
    group, k = row_groups(layout, set(dropped) | set(of_tree.tolist()))
    pattern, place = _analysed(layout, table, group, k)
    watched["row"] = 3 * len(pattern.order) + np.searchsorted(sorted(dropped), watched["row"])
    table["point"] = are_points(table, group, k)
    first_row, link = 3 * place[group[table["row"]]], layout.bodies["link"]
    for side in ("first", "second"):
        table[f"{side}_leg"] = legs_of(pattern, first_row // 3, link[table[side]], len(layout.links))
    table["row"] = first_row + k[table["row"]]
    table = table[np.argsort(table["row"], kind="stable")]
    loose = layout.motions["link"][layout.loads["motion"]] < 0 if len(layout.motions) else np.zeros(len(layout.loads), bool)
    sizes = layout.sizes.copy()
    sizes[N_WRENCHES] += np.count_nonzero(loose & (layout.loads["acts"] == ON_MOTION))
    drives = frozen.system.drives if len(layout.drives) else []
    outputs = [drive_scalar(frozen, frames, scalars.coordinates, c) for drive in drives for c in drive.outputs]
    inputs = [drive_scalar(frozen, frames, scalars.coordinates, c) for drive in drives for c in drive.inputs]
    full = layout._replace(
        values=scalars.values, frames=frames, terms=table, left_out=watched, coordinates=scalars.coordinates,
        outputs=np.array(outputs, SCALAR), inputs=np.array(inputs, SCALAR), sizes=sizes,
    )  # fmt: skip
    loose_numbers = _loose(full)
    sections = _parents(layout, pattern), _touched(layout, pattern), loose_numbers, _known(full), _seen(full)
    full = full._replace(pattern=np.concatenate([pattern.numbers, *sections]))
    places = _places(full, scalars.angles, int(loose_numbers[2::2].sum()), len(dropped))
    kinds = np.concatenate([table["kind"], watched["kind"], full.coordinates["kind"]])  # of drives: among the coordinates
    serial, users = bool((kinds == SERIAL).any()), bool((kinds == USER_ROW).any())
    contacts = bool(((kinds >= TOUCH) & (kinds < USER_ROW)).any())
    if serial or contacts or users:
        from poinsot.elements.serial_call import called_kernel

        places["serial_kernel"] = called_kernel(serial, contacts, users).address
    if places["n_few"] > 0:
        places["reaches"] = len(full.values)
        full = full._replace(values=np.append(full.values, freedoms.lengths(layout, reach(layout))))
    if users:
        places["clock"] = len(full.values)
        full = full._replace(values=np.append(full.values, 0.0))
    return full._replace(places=places, plane_scalars=_in_plane(full, loose_numbers[1::2]))


def loose_angles(layout: Layout, coordinates: np.ndarray) -> np.ndarray:
    """The numbers that a state keeps of joints that close loops, from the coordinates of all joints."""
    found = []
    for motion in layout.motions[layout.motions["link"] < 0]:
        scalar, ic = layout.coordinates[motion["ir"]], int(motion["ic"])
        if scalar["kind"] == SERIAL and scalar["a"][1] == 0:
            found.append(np.resize(np.append(coordinates[ic:], np.zeros(NUMBERS)), NUMBERS))
        elif scalar["kind"] != SERIAL and scalar["angle"] >= 0:
            found.append(coordinates[ic : ic + 1])
    return np.concatenate(found) if found else np.zeros(0)


def _analysed(layout: Layout, table: np.ndarray, group: np.ndarray, k: np.ndarray) -> tuple[Pattern, np.ndarray]:
    """The pattern of the groups that scalars belong to, on the links between their bodies and the ground; the place of every group in it."""
    count = int(group.max(initial=-1)) + 1
    links: list[set[int]] = [set() for _ in range(count)]
    parent = layout.links["parent"]
    for side in ("first", "second"):
        for g, body in zip(group[table["row"]].tolist(), table[side].tolist()):
            i = int(layout.bodies["link"][body])
            while i > 0 and i not in links[g]:
                links[g].add(i)
                i = int(parent[i])
    filled = np.zeros(count, np.int64)
    np.maximum.at(filled, group[group >= 0], k[group >= 0] + 1)
    pattern = analyse([sorted(found) for found in links], filled.tolist())
    place = np.zeros(count, np.int64)
    place[pattern.order] = np.arange(count)
    return pattern, place


def _parents(layout: Layout, pattern: Pattern) -> np.ndarray:
    """For every leg that of the same group on the parent of its link; -1: that is the ground."""
    groups = np.repeat(np.arange(len(pattern.order)), np.diff(pattern.leg_start))
    return legs_of(pattern, groups, layout.links["parent"][pattern.leg_body], len(layout.links)).astype(np.int64)


def _touched(layout: Layout, pattern: Pattern) -> np.ndarray:
    """For every link whether it has legs, or drives may push it."""
    if len(layout.drives):
        return np.ones(len(layout.links), np.int64)
    return np.isin(np.arange(len(layout.links)), pattern.leg_body).astype(np.int64)


def _loose(layout: Layout) -> np.ndarray:
    """How many coordinates of joints that close loops have numbers in the state, then their indices and how many numbers."""
    found = []
    for motion in layout.motions[layout.motions["link"] < 0]:
        scalar = layout.coordinates[motion["ir"]]
        if scalar["kind"] == SERIAL and scalar["a"][1] == 0:
            found.append((int(motion["ir"]), NUMBERS))
        elif scalar["kind"] != SERIAL and scalar["angle"] >= 0:
            found.append((int(motion["ir"]), 1))
    return np.array([len(found), *(number for pair in found for number in pair)], np.int64)


def _known(layout: Layout) -> np.ndarray:
    """How many motions of the tree have coordinates that rows need, then their indices and places among the angles."""
    used = np.concatenate([layout.terms, layout.left_out, layout.outputs])
    angles = {int(a) for a in used["angle"][used["angle"] >= 0]}
    series = {int(s["a"][0]) for s in used if s["kind"] == SERIAL}
    found = []
    for m in np.flatnonzero(layout.motions["link"] >= 0):
        motion = layout.motions[m]
        scalar = layout.coordinates[motion["ir"]]
        if scalar["kind"] == SERIAL and int(scalar["a"][0]) in series:
            before = layout.motions[(layout.motions["joint"] == motion["joint"]) & (np.arange(len(layout.motions)) < m)]
            found.append((int(m), int(scalar["a"][2]) + int(COORDINATES[before["kind"]].sum())))
        elif scalar["kind"] != SERIAL and int(scalar["angle"]) in angles:
            found.append((int(m), int(scalar["angle"])))
    return np.array([len(found), *(number for pair in found for number in pair)], np.int64)


def _seen(layout: Layout) -> np.ndarray:
    """How many bodies rows or loads see, then their numbers: all where loads or laws may see any, and rows of kinds that few models have."""
    closing = layout.joints[layout.motions["joint"][layout.motions["link"] < 0]]
    used = np.concatenate([layout.terms, layout.left_out])
    laws = (layout.loads["acts"] == ON_LOADS) | (layout.loads["address"] >= 0)
    if layout.sizes[N_WRENCHES] or laws.any() or len(layout.drives) or (used["kind"] >= SERIAL).any():
        numbers = np.arange(len(layout.bodies))
    else:
        numbers = np.unique(np.concatenate([[0], *(table[side] for table in (used, closing) for side in ("first", "second"))]))
    return np.array([len(numbers), *numbers], np.int64)


def _in_plane(layout: Layout, loose: np.ndarray) -> np.ndarray:
    """Scalars of the rows in use, of those left out, and coordinates with numbers in the state, in the axes of the plane; empty for spatial trees."""
    table, bodies = np.concatenate([layout.terms, layout.left_out, layout.coordinates[loose]]), layout.plane_bodies
    if not len(layout.plane_links) or len(layout.drives) or (table["kind"] >= SERIAL).any():
        return np.zeros(0, SCALAR)
    first, second = bodies["rotation"][table["first"]], bodies["rotation"][table["second"]]
    on_first = np.where((table["kind"] == COINCIDE)[:, None, None], bodies["rotation"][0], first)
    for axes, names in ((on_first, ("a", "a2")), (second, ("b", "b2")), (first, ("first_point",)), (second, ("second_point",))):
        for name in names:
            table[name] = np.einsum("sij,sj->si", axes, table[name])
    for side in ("first", "second"):
        table[f"{side}_point"] += bodies["com"][table[side]]
    table["point"] = 0
    table["point"][: len(layout.terms)] = _pairs(table[: len(layout.terms)])
    return table


def _pairs(table: np.ndarray) -> np.ndarray:
    """1 where a row along the first axis of the plane stands before that of the same two points along the second one."""
    found = np.zeros(len(table), np.int64)
    one, other = table[:-1], table[1:]
    same = (one["kind"] == COINCIDE) & (other["kind"] == COINCIDE) & (other["row"] == one["row"] + 1)
    for name in ("first", "second", "factor", "unit", "c"):
        same &= one[name] == other[name]
    for name, number in (("first_point", None), ("second_point", None), ("a", (1.0, 0.0, 0.0)), ("b", None)):
        same &= (one[name] == (other[name] if number is None else number)).all(axis=1)
    same &= (other["a"] == (0.0, 1.0, 0.0)).all(axis=1)
    alone = np.bincount(table["row"])[table["row"]] == 1
    same &= alone[:-1] & alone[1:]
    found[:-1] = same & (one["c"] == 0.0)
    return found


def _places(layout: Layout, angles: int, loose: int, left_out: int) -> np.ndarray:
    """The record `places`: where things lie in a state and in the work array, which begins with that of the open tree."""
    n, pattern = len(layout.bodies), layout.pattern
    nq, nv, control = (int(layout.sizes[k]) for k in (N_Q, N_V, N_CONTROL))
    rows, legs = 3 * int(pattern[GROUPS]), LEG * int(pattern[LEGS])
    looked, drives = nq + nv + loose, len(layout.drives)
    members, signals = max(int(layout.loads["items"].max(initial=0)), 1), int(layout.signals["size"].max(initial=0))
    known = {
        "n_bodies": n, "n_terms": len(layout.terms), "n_poses": POSE * n, "n_twists": TWIST * n, "n_velocities": nv,
        "n_angles": angles, "n_rows": rows, "n_left_out": left_out, "n_legs": legs, "n_factor": 9 * int(pattern[BLOCKS]),
        "n_room": max(19 * members + 8 + 4 * signals, int(layout.sizes[N_ROOM])),
        "n_drives": len(layout.drives), "velocities": nq, "angles": POSE * n, "efforts": looked, "state": looked + control + 2,
    }  # fmt: skip
    sizes = {
        "stage_poses": POSE * n + angles, "unknowns": TWIST * n, "push": TWIST * n, "stage_forces": TWIST * n,
        "legs": legs, "weighted": legs, "factor": known["n_factor"], "diagonal": rows, "step": rows, "row_gaps": rows + left_out,
        "changes": nv, "mirrored": rows, "scales": GAINS * len(layout.links), "end": known["state"], "pivot": 1, "powers": 1, "room": known["n_room"],
        "stage_gaps": drives, "drive_matrix": drives * drives, "drive_pivots": drives, "responses": drives * (2 * nv + rows),
        "targets": 6 * len(layout.links) if drives else 0, "around": known["state"], "differences": known["state"],
    }  # fmt: skip
    strange = drives or any((table["kind"] >= SERIAL).any() for table in (layout.terms, layout.left_out, layout.coordinates))
    few = len(np.unique(layout.terms["row"])) if not strange else 0
    more = freedoms.sizes(nv, few, len(layout.links))
    known["n_few"] = few if more else 0
    sizes |= more
    tree = work_size(len(layout.links), n, nv, nq + nv + control + 1, int(layout.sizes[N_SLOTS]), int(layout.sizes[N_ROOM]))
    starts = tree + np.concatenate([[0], np.cumsum(list(sizes.values()))])
    known |= dict(zip((*sizes, "work"), map(int, starts)))
    places = np.zeros(1, PLACES)
    for name, number in known.items():
        places[name] = number
    return places
