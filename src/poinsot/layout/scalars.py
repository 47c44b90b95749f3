"""Constraint rows and joint coordinates as scalars of two bodies, the one definition that analysis and formulations share.

A scalar (`tables/records.py: SCALAR`) is evaluated by `elements/director_scalars.py` at poses (x, D) of frames fixed in the
bodies; a formulation chooses these frames, by their origin and axes in the body frames.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from poinsot.elements.director_scalars import ANGLE, SERIAL
from poinsot.elements.serial import NUMBERS
from poinsot.layout.freeze import Frozen
from poinsot.layout.serial import described
from poinsot.layout.user_rows import description, user_rows
from poinsot.model.joint import Ball, Motion
from poinsot.tables.records import COINCIDE, GEAR, HELICAL, LINKED, N_R, SCALAR, SLIDE, TOUCH, TRANSLATION, USER_ROW

NOTHING = -1  # kind of an entry among the coordinates that is no scalar (of a ball)
SIDES = ("first", "second")


def empty(count: int) -> np.ndarray:
    """Scalars that belong to nothing yet."""
    table = np.zeros(count, SCALAR)
    table["kind"], table["factor"] = NOTHING, 1.0
    for name in ("joint", "row", "number", "first_leg", "second_leg", "angle"):
        table[name] = -1
    return table


class Scalars:
    """Rows and coordinates of a frozen system on frames with origins `com` (n, 3) and axes (n, 3, 3), columns, in the body frames.

    Attributes
    ----------
    coordinates : one scalar per joint rate; three entries that are no scalars for a ball by itself
    angles : how many unwrapped numbers the coordinates need in a state; `coordinates["angle"]` are positions among them
    values : the layout's values, with the descriptions of joints in series behind them
    """

    def __init__(self, frozen: Frozen, com: np.ndarray, axes: np.ndarray):
        self.frozen, self._frames, joints = frozen, (com, axes), frozen.layout.joints
        inward = np.swapaxes(axes, 1, 2)
        self._points = {
            side: np.einsum("jab,jb->ja", inward[joints[side]], joints[f"{side}_origin"] - com[joints[side]]) for side in SIDES
        }
        self._turns = {side: inward[joints[side]] @ joints[f"{side}_rotation"] for side in SIDES}
        self.values = frozen.layout.values[: len(frozen.loads.values)]
        self.angles = 0
        self.coordinates = self._coordinates()

    def on_joints(self, kind: Any, joints: Any, **directions: Any) -> np.ndarray:
        """Scalars on the two frames of some joints; a, a2 in the first frames (COINCIDE: the world), b, b2 in the second, (n, 3)."""
        joints = np.atleast_1d(joints)
        new = empty(len(joints))
        new["kind"], new["joint"] = kind, joints
        for side in SIDES:
            new[side], new[f"{side}_point"] = self.frozen.layout.joints[side][joints], self._points[side][joints]
        for name, vectors in directions.items():
            turns = self._turns["first" if name in ("a", "a2") else "second"][joints]
            turned = (turns @ np.broadcast_to(vectors, (len(joints), 3))[:, :, None])[:, :, 0]
            fixed = (new["kind"] == COINCIDE) & (name == "a")
            new[name] = np.where(fixed[:, None], vectors, turned)
        return new

    def rows(self) -> np.ndarray:
        """The scalars of all rows, in order of the rows, `row` being their number: one each, two for gears and screws."""
        rows = self.frozen.layout.rows
        pairs = np.isin(rows["kind"], (GEAR, LINKED, USER_ROW))
        table = self.on_joints(rows["kind"], rows["joint"], a=rows["u"], b=rows["v"], a2=rows["w"])
        table["c"], table["row"] = rows["c"], np.arange(len(rows))
        self._describe_contacts(table)
        parts = [table[~pairs]]
        for r in np.flatnonzero(pairs):
            if rows["kind"][r] == USER_ROW:
                continue
            pair = self._gear(rows[r]) if rows["kind"][r] == GEAR else self._screw(rows[r])
            pair["joint"], pair["row"] = rows["joint"][r], r
            parts.append(pair)
        parts += self._user_rows()
        table = np.concatenate(parts)
        return table[np.argsort(table["row"], kind="stable")]

    def _describe_contacts(self, table: np.ndarray) -> None:
        """Write descriptions of contacts (`elements/contacts.py`) behind the values; `a`: where, and what `coordinates.py` needs."""
        for k in np.flatnonzero((table["kind"] >= TOUCH) & (table["kind"] < USER_ROW)):
            row = table[k]
            parts = (row["first_point"], row["second_point"], row["a"], row["a2"], row["b"], [row["c"]])
            description = np.concatenate([[row["first"], row["second"]], *parts])
            table["a"][k] = len(self.values), -row["kind"], -1.0
            self.values = np.concatenate([self.values, description])

    def _user_rows(self) -> list[np.ndarray]:
        """Rows that users wrote: a scalar for every pair of bodies. `a`: where they are described, their function, the number of row and pair."""
        found, owners = [], self.frozen.owners
        functions = {element: k for k, element in self.frozen.loads.rows.items()}
        for element in user_rows(self.frozen.system):
            joint, bodies = owners.index(element), [self.frozen.topology.index[body] for body in element.on]
            place, pairs = len(self.values), [(bodies + [0])[k : k + 2] for k in range(0, len(bodies), 2)]
            self.values = np.concatenate([self.values, description(element, bodies, *self._frames, self.frozen.layout)])
            new = empty(int(element.count) * len(pairs))
            for k, scalar in enumerate(new):
                scalar["first"], scalar["second"] = pairs[k % len(pairs)]
                scalar["row"] = self.frozen.layout.joints["row"][joint] + k // len(pairs)
                scalar["a"] = place, functions.get(element, -1), k
            new["kind"], new["joint"] = USER_ROW, joint
            found.append(new)
        return found

    def _gear(self, row: np.void) -> np.ndarray:
        """One coordinate less a multiple of another."""
        pair = self.coordinates[self.frozen.layout.motions["ir"][[row["motion"], row["motion2"]]]].copy()
        pair["factor"] = 1.0, -row["c"]
        return pair

    def _screw(self, row: np.void) -> np.ndarray:
        """A displacement less a multiple of a turn about the same axis."""
        layout, j = self.frozen.layout, int(row["joint"])
        first, count = int(layout.joints["motion"][j]), int(layout.joints["motions"][j])
        motion = next(m for m in layout.motions[first : first + count] if m["rot"] != 0.0)
        pair = np.concatenate([self.on_joints(SLIDE, j, a=row["u"]), self.coordinates[motion["ir"]][None]])
        pair["factor"][1] = -row["c"] * motion["rot"] * np.sign(motion["rotation"][:, 2] @ row["u"])
        return pair

    def _coordinates(self) -> np.ndarray:
        layout = self.frozen.layout
        motions, table = layout.motions, empty(int(layout.sizes[N_R]))
        slides = np.flatnonzero((motions["kind"] == HELICAL) & (motions["rot"] == 0.0))
        table[motions["ir"][slides]] = self.on_joints(SLIDE, motions["joint"][slides], a=motions["rotation"][slides, :, 2])
        free = np.flatnonzero(motions["kind"] == TRANSLATION)
        for k, axis in enumerate(np.eye(3)):
            table[motions["ir"][free] + k] = self.on_joints(SLIDE, motions["joint"][free], a=axis)
        turns = (motions["kind"] == HELICAL) & (motions["rot"] != 0.0)
        count = np.bincount(motions["joint"][turns], minlength=len(layout.joints))[motions["joint"]]
        single = np.flatnonzero(turns & (count == 1))
        u, v = motions["rotation"][single, :, 0], motions["rotation"][single, :, 1]
        table[motions["ir"][single]] = self.on_joints(ANGLE, motions["joint"][single], a=v, b=u, a2=u, b2=u)
        pairs = np.flatnonzero(turns & (count == 2))
        if len(pairs):
            self._add_universal(table, motions, pairs[::2], pairs[1::2])
        for j, joint in enumerate(self.frozen.joints):
            own = slice(*np.searchsorted(motions["joint"], [j, j + 1]))
            rates = motions["ir"][own]
            if layout.joints["serial"][j]:
                table[int(rates[0]) : int(rates[0]) + joint.freedoms] = self._serial(j, joint.motions())
                continue
            for ir in rates:
                if table["kind"][ir] == ANGLE:
                    table["angle"][ir] = self.angles
                    self.angles += 1
        return table

    def _add_universal(self, table: np.ndarray, motions: np.ndarray, first: np.ndarray, second: np.ndarray) -> None:
        """The two angles of joints with two turns: each is measured along the other's axis, which it turns."""
        joint, axis, axis2 = motions["joint"][first], motions["rotation"][first, :, 2], motions["rotation"][second, :, 2]
        both = np.array([one @ other for one, other in zip(axis, axis2)])[:, None]
        u, w = axis2 - both * axis, axis - both * axis2
        table[motions["ir"][first]] = self.on_joints(ANGLE, joint, a=np.cross(axis, u), b=axis2, a2=u, b2=axis2)
        table[motions["ir"][second]] = self.on_joints(ANGLE, joint, a=axis, b=-np.cross(axis2, w), a2=axis, b2=w)

    def _serial(self, joint: int, motions: Sequence[Motion]) -> np.ndarray:
        """Scalars of a joint in series, described behind the values, its coordinates in the state from `angles` on."""
        new = self.on_joints(SERIAL, np.full(sum(motion.rates for motion in motions), joint))
        number, k = self.angles, 0
        for motion in motions:
            for i in range(motion.rates):
                new["a"][k] = len(self.values), k, self.angles
                new["angle"][k] = number + (0 if isinstance(motion, Ball) else i)  # of a ball: where its quaternion begins
                k += 1
            number += 4 if isinstance(motion, Ball) else motion.rates
        bodies = int(self.frozen.layout.joints["first"][joint]), int(self.frozen.layout.joints["second"][joint])
        points, turns = (np.array([of[side][joint] for side in SIDES]) for of in (self._points, self._turns))
        self.values = np.concatenate([self.values, described(bodies, points, turns, motions)])
        self.angles += NUMBERS
        return new
