"""Degrees of freedom by rank, and the redundant constraints of closed loops, in words.

The rows of tree joints are always independent; of the rows that close loops the most independent ones are kept
(`rank.py`), and the rest are redundant. Parts too large for that are eliminated row by row in an order of small bandwidth. In a planar
system the rows out of the plane are always satisfied: they are left out without being reported, and reactions are judged in
the plane.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import reverse_cuthill_mckee

from poinsot.analysis.constraints import Geometry
from poinsot.analysis.rank import part_labels
from poinsot.analysis.singular import Standing
from poinsot.analysis.skyline import Skyline
from poinsot.layout.plane import out_of_plane
from poinsot.tables.records import DISTANCE, DOT, EDGE, GEAR, LINKED, SLIP, STILL, TOUCH, USER_ROW

TOLERANCE = 1e-10  # in large parts, of a row's squared length: a row is redundant when its independent part is smaller than this
FINE = 1e-13  # the same where there are more than ORDERED rows, since independent rows then come as near to each other
ROUNDING = 1e-15  # of a row's squared length: rows known to be independent are left out only at a singular position
ORDERED = 3000  # rows
SAID = 12  # elements whose redundant constraints are described


class Redundant(NamedTuple):
    """A redundant constraint: its element, its direction in words, its row in `layout.rows`."""

    element: Any
    direction: str
    row: int


@dataclass
class Redundancy:
    """Rank of the constraints at one position.

    Attributes
    ----------
    degrees_of_freedom : of the whole system at that position: independent velocities
    position_freedoms : independent directions in which it can be placed nearby: more, where constraints are on velocities only
    redundant : redundant constraints
    unique : for every element of `layout.joints` whether its reactions are unique; in the plane, for a planar system
    dropped : rows to leave out: the redundant ones, and those out of the plane of a planar system
    standings : results for every part with loops, except the large ones
    """

    degrees_of_freedom: int
    redundant: list[Redundant] = field(default_factory=list)
    unique: dict[Any, bool] = field(default_factory=dict)
    dropped: list[int] = field(default_factory=list)
    standings: list[Standing] = field(default_factory=list, repr=False)
    position_freedoms: int = 0
    _involved: Callable[[list[int]], list[Any]] = field(default=lambda rows: [], repr=False)

    def depends(self, element: Any) -> list[Any]:
        """The other elements on which the redundant constraints of one depend."""
        rows = [r.row for r in self.redundant if r.element is element]
        return [other for other in self._involved(rows) if other is not element] if rows else []

    def words(self) -> list[str]:
        """One sentence for every element with redundant constraints."""
        sentences = []
        elements = list(dict.fromkeys(r.element for r in self.redundant))
        for element in elements[:SAID]:
            own = [r.direction for r in self.redundant if r.element is element]
            verb, it = ("is", "it depends") if len(own) == 1 else ("are", "they depend")
            others = self.depends(element)
            names = ", ".join(other.name for other in others[:8]) + (", ..." if len(others) > 8 else "")
            on = f"{it} on {names}" if others else "no motion changes it"
            sentences.append(f"{element.name}: {', '.join(own)} {verb} redundant, {on}.")
        if len(elements) > SAID:
            sentences.append(f"... and redundant constraints of {len(elements) - SAID} more elements.")
        return sentences


def redundancy(geometry: Geometry, coordinates: np.ndarray, standings: list[Standing], rates: np.ndarray) -> Redundancy:
    """Rows to leave out at joint coordinates that close the loops; `standings` are those of all parts except the large ones.

    `rates` of all joints determine the branch on which a singular position is left.
    """
    frozen, layout = geometry.frozen, geometry.layout
    carrying = layout.joints["tree"][: len(frozen.joints)] != 0
    freedoms = sum(joint.freedoms for joint, carries in zip(frozen.joints, carrying) if carries)
    order, tolerance = _order(geometry)
    decided = np.isin(order, [row for standing in standings for row in standing.part.rows])
    chosen = np.isin(order, [row for standing in standings for row in standing.rows(rates)])
    part = part_labels(geometry)[geometry.row_bodies.max(axis=1)][order]
    last = np.lexsort((decided & ~chosen, part))  # rows left out follow all rows of their part that they may depend on
    order, tolerance, decided, chosen, part = order[last], tolerance[last], decided[last], chosen[last], part[last]
    tree = np.isin(part, part[decided]) & ~decided
    tolerance = np.where(tree | chosen, ROUNDING, np.where(decided, np.inf, tolerance))
    J = geometry.jacobian(geometry.rows(geometry.poses(coordinates), coordinates)[1], geometry.row_bodies)[order]
    J = J @ sparse.diags(np.tile([1.0, 1, 1, *3 * (1 / geometry.reach(),)], geometry.n - 1))
    size = np.sqrt(np.asarray(J.multiply(J).sum(axis=1)).ravel())
    sky = Skyline(sparse.diags(1.0 / np.where(size > 0, size, 1.0)) @ J, tolerance)
    owners, owner = frozen.owners, layout.rows["joint"]
    left = np.nonzero(np.where(decided, ~chosen, (sky.kept == 0) & ~tree))[0]
    place = {int(order[i]): int(i) for i in left}
    rng = np.random.default_rng(0)  # a random combination involves every row that any of them involves

    def involved(rows: list[int]) -> list[Any]:
        found = sky.combination(np.array([place[row] for row in rows]), rng.uniform(1.0, 2.0, len(rows)))
        return [owners[k] for k in np.unique(owner[order[found]])]

    away = out_of_plane(layout, frozen.system)
    rows = sorted(row for row in place if not away[row])
    result = Redundancy(freedoms, unique=dict.fromkeys(owners, True), dropped=sorted(place), _involved=involved)
    result.redundant = [Redundant(owners[owner[row]], direction(layout.rows[row]), row) for row in rows]
    for element in [owners[owner[row]] for row in rows] + (involved(rows) if rows else []):
        result.unique[element] = False
    result.degrees_of_freedom -= int(geometry.closing.sum()) - len(place)
    of_velocities = np.flatnonzero(geometry.closing & ~geometry.placing)
    result.position_freedoms = result.degrees_of_freedom + len(np.setdiff1d(of_velocities, list(place)))
    result.standings = standings
    return result


def _order(geometry: Geometry) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the parts that have loops, part by part, rows of tree joints before those that close loops; and their tolerances."""
    closing, part = geometry.closing, part_labels(geometry)[geometry.row_bodies.max(axis=1)]
    looped = np.zeros(geometry.n, bool)
    looped[part[closing]] = True
    rows = np.nonzero(looped[part])[0]
    rows = rows[np.lexsort((rows, closing[rows], part[rows]))]
    pieces = np.split(rows, np.nonzero(np.diff(part[rows]))[0] + 1)
    ordered = [_banded(geometry, piece) if len(piece) > ORDERED else piece for piece in pieces]
    tolerance = [np.full(len(piece), FINE if len(piece) > ORDERED else TOLERANCE) for piece in pieces]
    return np.concatenate(ordered), np.concatenate(tolerance)


def _banded(geometry: Geometry, rows: np.ndarray) -> np.ndarray:
    """Rows in an order of small bandwidth."""
    bodies = geometry.row_bodies[rows]
    keep = bodies > 0
    at = np.broadcast_to(np.arange(len(rows))[:, None], bodies.shape)[keep]
    touch = sparse.csr_matrix((np.ones(len(at)), (at, bodies[keep])), (len(rows), geometry.n))
    return rows[reverse_cuthill_mckee((touch @ touch.T).tocsr(), symmetric_mode=True)]


def direction(row: np.void) -> str:
    """The motion that a row prevents, in words; directions are those of the drawing."""
    kind = row["kind"]
    if kind == DOT:
        return f"rotation about {axis_name(np.cross(row['u'], row['v']))}"
    if kind == LINKED:
        return f"advance along {axis_name(row['u'])}"
    words = {DISTANCE: "length", GEAR: "ratio", TOUCH: "height"}
    if kind == USER_ROW:
        return f"row {int(row['c']) + 1}"
    if kind == STILL:
        return f"rotation about {axis_name(row['u'])}"
    if kind in (SLIP, EDGE):
        return f"slip along {axis_name(row['w' if kind == SLIP else 'v'])}"
    return words.get(kind) or f"translation along {axis_name(row['u'])}"


def axis_name(vector: np.ndarray) -> str:
    """x, y or z when a direction is one of them, up to sign; three numbers otherwise."""
    e = vector / np.linalg.norm(vector)
    k = int(np.argmax(np.abs(e)))
    if abs(abs(e[k]) - 1) < 1e-9:
        return "xyz"[k]
    return "(" + ", ".join(f"{x:.3g}" for x in np.where(np.abs(e) < 1e-12, 0.0, e) * np.sign(e[k])) + ")"
