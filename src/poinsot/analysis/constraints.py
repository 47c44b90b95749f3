"""All constraint rows of a frozen system at given poses: values, and their Jacobian with respect to the twists of the bodies.

Poses are (n, 12), the ground first: origin (m) and rotation (row by row). Twists are (n, 6): velocity of the centre of
mass (m/s) and angular velocity (rad/s), world axes. Jacobians are sparse, with 6 columns per body, the ground left out. Kernels are
imported, and compiled, when they are first called: open systems do not need them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import sparse
from scipy.spatial.transform import Rotation

from poinsot.analysis.serial import SerialJoints
from poinsot.elements.director_scalars import SERIAL
from poinsot.elements.serial import GRADIENT, ROOM, VALUES
from poinsot.formulations.contract import BODY_MOTION
from poinsot.formulations.tree.work import work_size
from poinsot.layout.extent import in_metres, per_value, reach
from poinsot.layout.freeze import Frozen
from poinsot.layout.holding import holding, rows_of
from poinsot.layout.scalars import Scalars
from poinsot.layout.user_rows import in_python, user_rows
from poinsot.model.given import altered
from poinsot.model.rotation import matrices
from poinsot.tables.records import (
    GEAR,
    HELICAL,
    N_C,
    N_Q,
    N_R,
    N_SLOTS,
    N_V,
    RATES,
    SLIP,
    TRANSLATION,
    USER_ROW,
    Layout,
)


@dataclass
class Geometry:
    """Poses and constraint rows of a frozen system at given joint coordinates.

    Attributes
    ----------
    t : s, the time at which rows that users wrote are evaluated
    tree : the layout with the motions of tree joints only, as the kernels of the tree read it
    rate_motion : for every joint rate its motion
    row_bodies : (n_rows, slots) bodies of the blocks of every row, at least 4 slots; 0 (the ground) where there is none
    rate_bodies : (n_rates, 2) bodies of the blocks of every joint rate
    closing : loop rows, which the coordinates of the tree do not satisfy by themselves
    placing : those of them that are constraints on positions, not only on velocities
    metres : whether a row is measured in m; in rad otherwise
    per_value : m or rad per value of a row
    """

    frozen: Frozen
    t: float = 0.0
    tree: Layout = field(init=False)
    parts: list[Any] | None = field(default=None, init=False)  # with loops, found once (`rank.py`)

    def __post_init__(self) -> None:
        layout = self.layout = self.frozen.layout
        rows, motions, joints = layout.rows, layout.motions, layout.joints
        self.tree = layout._replace(motions=motions[motions["link"] >= 0])
        self.n = len(layout.bodies)
        nq, nv = int(layout.sizes[N_Q]), int(layout.sizes[N_V])
        self._y = np.zeros(nq + nv + 1)
        members = int(layout.loads["items"].max(initial=0))
        self._work = np.zeros(
            work_size(len(layout.links), self.n, nv, nq + nv + 1, int(layout.sizes[N_SLOTS]), members)
        )
        self.rate_motion = np.repeat(np.arange(len(motions)), RATES[motions["kind"]])
        owner = motions["joint"][self.rate_motion]
        self.rate_bodies = np.stack([joints["first"][owner], joints["second"][owner]], axis=1)
        self.serial = SerialJoints(self.frozen)
        self._add_scalars()
        self.closing = joints["tree"][rows["joint"]] == 0
        self.placing = self.closing & (rows["kind"] < SLIP)
        self.metres, self.per_value = in_metres(layout), per_value(layout)
        moved = motions["kind"][self.rate_motion]
        slide = motions["rot"][self.rate_motion] == 0
        self.rate_metres = (moved == TRANSLATION) | ((moved == HELICAL) & slide)

    def weighted(self, frozen: Frozen) -> Geometry:
        """That of a frozen system that has the same structure and geometry, and other masses."""
        return altered(self, frozen=frozen, layout=frozen.layout, _y=self._y.copy(), _work=self._work.copy())  # which another thread may use

    def _add_scalars(self) -> None:
        """Rows and joint coordinates as scalars on the bodies' own axes, at their centres of mass."""
        layout = self.layout
        scalars = Scalars(self.frozen, layout.bodies["com"], np.broadcast_to(np.eye(3), (self.n, 3, 3)))
        starts = layout.motions["ir"][self.rate_motion]
        of_rate = layout.motions["ic"][self.rate_motion] + np.arange(len(starts)) - starts
        scalars.coordinates["angle"] = np.where(scalars.coordinates["kind"] >= 0, of_rate, -1)
        terms = scalars.rows()
        second = np.append(False, terms["row"][1:] == terms["row"][:-1]) & (layout.rows["kind"][terms["row"]] == GEAR)
        slot = 2 * second.astype(np.int64)
        own = terms["kind"] == USER_ROW
        slot[own] = 2 * (terms["a"][own, 2].astype(np.int64) - np.array([_first_pair(terms, int(k)) for k in np.flatnonzero(own)], np.int64))
        self.slots = max(4, int(slot.max(initial=0)) + 2)
        terms["first_leg"] = self.slots * terms["row"] + slot
        self.row_bodies = np.zeros((len(layout.rows), self.slots), np.int64)
        for k, side in enumerate(("first", "second")):
            self.row_bodies[terms["row"], slot + k] = terms[side]
        self._in_series = np.flatnonzero(terms["kind"] == SERIAL)
        self._contacts = np.flatnonzero((terms["kind"] > SERIAL) & (terms["kind"] < USER_ROW))
        self._written = [(element, in_python(element)) for element in user_rows(self.frozen.system)]
        self._scalars = layout._replace(terms=terms, coordinates=scalars.coordinates, values=scalars.values)

    def _at_centres(self, poses: np.ndarray) -> np.ndarray:
        """Poses with centres of mass in place of origins, flat."""
        moved = poses.copy()
        moved[:, :3] += np.einsum("bij,bj->bi", poses[:, 3:].reshape(-1, 3, 3), self.layout.bodies["com"])
        return moved.reshape(-1)

    def states(self, coordinates: np.ndarray, rates: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Poses and twists from the tree's joints; loop joints are ignored."""
        from poinsot.formulations.tree.coordinates import pack
        from poinsot.formulations.tree.placement import tree_states

        poses, twists = np.zeros((self.n, 12)), np.zeros((self.n, 6))
        pack(coordinates, rates, self.tree, self._y)
        tree_states(self._y, self.tree, self._work, poses.reshape(-1), twists.reshape(-1))
        return poses, twists

    def poses(self, coordinates: np.ndarray) -> np.ndarray:
        """Poses from the tree's joints."""
        return self.states(coordinates, np.zeros(int(self.layout.sizes[N_R])))[0]

    def rows(self, poses: np.ndarray, old: np.ndarray, written: bool = True) -> tuple[np.ndarray, np.ndarray]:
        """Values (n_rows) and blocks (n_rows, slots, 6); gears count turns from the joint coordinates `old`.

        Unless `written`, blocks of rows that users wrote are left out: these have no values.
        """
        from poinsot.analysis.row_kernels import rows_at

        n = len(self.layout.rows)
        values, blocks = np.zeros(n), np.zeros((n, self.slots, 6))
        rows_at(self._at_centres(poses), np.array(old), self._scalars, values, blocks.reshape(-1))
        if len(self._in_series):
            self._add_series(poses, old, values, blocks)
        if len(self._contacts):
            self._add_contacts(poses, values, blocks)
        if self._written and written:
            self._add_written(poses, blocks)
        return values, blocks

    def right_sides(self, poses: np.ndarray) -> np.ndarray:
        """What the rates of all rows must be, (n_rows): other than zero for rows that users wrote only."""
        found = np.zeros(len(self.layout.rows))
        for rows, numbers in self._numbers(poses):
            found[rows] = numbers[:, -1]
        return found

    def _add_written(self, poses: np.ndarray, blocks: np.ndarray) -> None:
        """Fill in the blocks of rows that users wrote."""
        for rows, numbers in self._numbers(poses):
            count = numbers.shape[1] // 6
            blocks[rows, :count] = numbers[:, :-1].reshape(len(numbers), count, 6)

    def _numbers(self, poses: np.ndarray) -> Iterator[tuple[slice, np.ndarray]]:
        """The rows of every element that users wrote, and what their function gives at poses."""
        owners = self.frozen.owners if self._written else []
        for element, function in self._written:
            record = self.layout.joints[owners.index(element)]
            x = np.zeros((len(element.on), 13))
            for k, body in enumerate(element.on):
                pose = poses[self.frozen.topology.index[body]]
                x[k, :3], x[k, 3:7] = pose[:3], Rotation.from_matrix(pose[3:].reshape(3, 3)).as_quat(scalar_first=True)
            numbers = function.call(self.t, x.ravel().tolist(), element.values())
            yield slice(int(record["row"]), int(record["row"] + record["rows"])), np.reshape(numbers, (int(element.count), -1))

    def _add_contacts(self, poses: np.ndarray, values: np.ndarray, blocks: np.ndarray) -> None:
        """Add the rows of contacts; those of velocities have no value."""
        from poinsot.analysis.contact_kernels import contact_at

        centres, room = self._at_centres(poses), np.zeros(ROOM)
        for scalar in self._scalars.terms[self._contacts]:
            contact_at(int(scalar["kind"]), centres, self._scalars.values[int(scalar["a"][0]) :], room)
            values[scalar["row"]] = room[VALUES]
            blocks.reshape(-1, 6)[scalar["first_leg"] :][:2] = room[GRADIENT : GRADIENT + 12].reshape(2, 6)

    def _add_series(self, poses: np.ndarray, old: np.ndarray, values: np.ndarray, blocks: np.ndarray) -> None:
        """Add coordinates of joints in series to the rows that they are part of."""
        coordinates, rates = self.joints(poses, np.array(old))
        for scalar in self._scalars.terms[self._in_series]:
            rate = np.flatnonzero(self._scalars.coordinates["angle"] == scalar["angle"])[0]
            values[scalar["row"]] += scalar["factor"] * coordinates[scalar["angle"]]
            blocks.reshape(-1, 6)[scalar["first_leg"] :][:2] += scalar["factor"] * rates[rate]

    def joints(self, poses: np.ndarray, old: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates of all joints at given poses, angles near `old`, and blocks (n_rates, 2, 6) of their rates."""
        from poinsot.analysis.row_kernels import motions_at

        coordinates = np.zeros(int(self.layout.sizes[N_C]))
        blocks = np.zeros((int(self.layout.sizes[N_R]), 2, 6))
        motions_at(self._at_centres(poses), old, self._scalars, coordinates, blocks.reshape(-1))
        if self.serial:
            self.serial.fill(poses, old, coordinates, blocks)
        return coordinates, blocks

    def rates(self, blocks: np.ndarray, twists: np.ndarray) -> np.ndarray:
        """Rates of all joints from twists."""
        return np.einsum("rsi,rsi->r", blocks, twists[self.rate_bodies])

    def jacobian(self, blocks: np.ndarray, bodies: np.ndarray) -> sparse.csr_matrix:
        """Blocks (n, slots, 6) on bodies (n, slots) as a matrix (n, 6 (n_bodies - 1))."""
        n, slots = bodies.shape
        row = np.repeat(np.arange(n), 6 * slots)
        column = (6 * (bodies[:, :, None] - 1) + np.arange(6)).reshape(-1)
        keep = np.repeat(bodies.reshape(-1) > 0, 6) & (blocks.reshape(-1) != 0)
        shape = (n, 6 * (self.n - 1))
        return sparse.csr_matrix((blocks.reshape(-1)[keep], (row[keep], column[keep])), shape)

    def residuals(self, values: np.ndarray) -> dict[str, tuple[float, float]]:
        """By element: the largest of its rows in m and in rad."""
        sizes = np.abs(values) * self.per_value
        owner, n = self.layout.rows["joint"], len(self.layout.joints)
        metres, radians = np.zeros(n), np.zeros(n)
        np.maximum.at(metres, owner[self.metres], sizes[self.metres])
        np.maximum.at(radians, owner[~self.metres], sizes[~self.metres])
        return {e.name: (float(metres[k]), float(radians[k])) for k, e in enumerate(self.frozen.owners)}

    def reach(self) -> float:
        """A typical length of the mechanism, m."""
        return reach(self.layout)


def geometry_of(frozen: Frozen) -> Geometry:
    """The geometry of a frozen system; that of refilled tables is found once for all systems alike."""
    if frozen.alike is frozen:
        return Geometry(frozen)
    known = vars(frozen.alike).get("_geometry")
    if known is None:
        known = vars(frozen.alike)["_geometry"] = Geometry(frozen.alike)
    return known.weighted(frozen.drawn)


def _first_pair(terms: np.ndarray, k: int) -> int:
    """The number of the first scalar of the row that a scalar belongs to, of a row that users wrote."""
    return int(terms["a"][terms["row"] == terms["row"][k], 2].min())


def weights(layout: Layout, poses: np.ndarray) -> np.ndarray:
    """Mass matrices (n - 1, 6, 6) of all bodies but the ground, world axes; directions without inertia get a very small one.

    kg and kg m^2.
    """
    bodies = layout.bodies[1:]
    R = poses[1:, 3:].reshape(-1, 3, 3)
    xx, yy, zz, xy, xz, yz = bodies["inertia"].T
    J = np.stack([xx, xy, xz, xy, yy, yz, xz, yz, zz], axis=1).reshape(-1, 3, 3)
    small = 1e-9
    heavy = max(bodies["mass"].max(initial=0.0), 1e-300)
    stiff = max(np.abs(bodies["inertia"]).max(initial=0.0), 1e-300 * heavy) if bodies["inertia"].any() else heavy
    J = J + np.where(np.linalg.eigvalsh(J)[:, 0] < small * stiff, small * stiff, 0.0)[:, None, None] * np.eye(3)
    result = np.zeros((len(bodies), 6, 6))
    result[:, :3, :3] = np.maximum(bodies["mass"], small * heavy)[:, None, None] * np.eye(3)
    result[:, 3:, 3:] = R @ J @ np.swapaxes(R, 1, 2)
    return result


def openings(frozen: Frozen, motion: np.ndarray, idle: Sequence[str] = (), held: Mapping[str, Sequence[float]] | None = None) -> np.ndarray:
    """Largest gap of any joint or constraint, redundant rows included, in every motion row: (n, 2) m and rad.

    Constraints that are `idle` do not count; locks hold the coordinates `held`.
    """
    geometry = Geometry(holding(frozen, held or {})) if held else geometry_of(frozen)
    counts = np.ones(len(frozen.layout.rows))
    counts[rows_of(frozen, idle) if idle else []] = 0.0
    n, first = geometry.n, BODY_MOTION * geometry.n
    found = np.zeros((len(motion), 2))
    for k, row in enumerate(motion):
        bodies = row[:first].reshape(n, BODY_MOTION)
        poses = np.concatenate([bodies[:, :3], matrices(bodies[:, 3:7]).reshape(n, 9)], axis=1)
        coordinates = row[first : first + int(frozen.layout.sizes[N_C])].copy()
        values = np.abs(geometry.rows(poses, coordinates, written=False)[0]) * geometry.per_value * counts
        found[k] = values[geometry.metres].max(initial=0.0), values[~geometry.metres].max(initial=0.0)
    return found
