"""Singular positions, where rows become dependent that are independent nearby, and the motions that leave them.

At a position with vanishing combinations N of rows (N' J = 0), a motion v with J v = 0 can be the beginning of a
finite one only if N' d(J v)/dt = 0 (second order). Where that holds for all v, the position is regular and the rows in
N are redundant. Otherwise the position is singular: the few directions for which it holds are followed for a
short distance, with loops closed, and the rank is evaluated there.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from poinsot.analysis.closing import Closing, Held
from poinsot.analysis.constraints import Geometry
from poinsot.analysis.held import in_loops
from poinsot.analysis.rank import INDEPENDENT, Judged, Part, judge, parts_of
from poinsot.tables.records import N_R

CURVED = 1e-4  # relative to the size of the part: second-order residual, at a motion of that size, that makes a position singular
DIFFERENCE = 3e-4  # relative to that size: step of the second differences
WAY = 0.05  # relative to that size: distance over which branches are followed
STARTS = 24  # number of directions from which branches are searched
MOST_MOTIONS = 30  # with more than this branches are not searched
TANGENT = 1e-3  # largest deviation of velocities from the directions of second order for which they follow a branch


@dataclass
class Branch:
    """A branch of motion through a singular position.

    Attributes
    ----------
    direction : in the basis of the part, of unit length
    judged : the part a short distance along it
    """

    direction: np.ndarray
    judged: Judged

    @property
    def rank(self) -> int:
        """Independent rows on the branch."""
        return int(np.count_nonzero(self.judged.values > INDEPENDENT))


@dataclass
class Standing:
    """A part at the position of a start.

    Attributes
    ----------
    judged : the part there
    rank : independent rows, on the branch taken when the position is singular
    branches : through a singular position; `singular` with none: rows prevent some motions only at second order, as a taut string does
    """

    judged: Judged
    rank: int
    singular: bool = False
    branches: list[Branch] = field(default_factory=list)
    second_order: SecondOrder | None = None

    @property
    def part(self) -> Part:
        """The part concerned."""
        return self.judged.part

    @property
    def exactly(self) -> bool:
        """Whether the position is singular to rounding, so that velocities there do not determine the branch."""
        return self.singular and self.judged.rank < self.rank

    @property
    def doubtful(self) -> np.ndarray:
        """Singular values of rows that are neither redundant nor independent, at a position that is not singular."""
        return self.judged.doubtful[:0] if self.singular else self.judged.doubtful

    def branch(self, rates: np.ndarray) -> Branch | None:
        """The branch that rates of all joints follow; None when they follow none."""
        if not self.branches or self.second_order is None:
            return None
        z = self.judged.triangle @ rates[self.part.rates]
        if not np.linalg.norm(z) > 0 and not self.exactly:  # at rest near a singular position: the motion possible at this position
            z = self.judged.triangle @ self.judged.motions(self.rank)[:, 0] if self.rank < len(z) else z
        size = np.linalg.norm(z)
        if not size > 0:
            return self.branches[0] if len(self.branches) == 1 else None
        along = [abs(branch.direction @ z) / size for branch in self.branches]
        best = int(np.argmax(along))
        lost = np.abs(self.second_order(z / size)).max(initial=0.0)
        return self.branches[best] if lost < TANGENT or not self.exactly else None

    def undecided(self, rates: np.ndarray) -> bool:
        """Whether the branch of a run that begins with these rates of all joints is undetermined."""
        return self.singular and (not self.branches or (self.exactly and self.branch(rates) is None))

    def rows(self, rates: np.ndarray) -> np.ndarray:
        """Rows of the part to keep for a motion that begins with these rates of all joints."""
        branch = self.branch(rates) or (self.branches[0] if self.branches else None)
        return (self.judged if branch is None else branch.judged).choose(self.rank)


class SecondOrder:
    """Second-order conditions: quadratic forms of motions in the basis of a part, by second differences of its rows."""

    def __init__(self, closing: Closing, coordinates: np.ndarray, judged: Judged, rank: int):
        self.closing, self.coordinates, self.judged = closing, coordinates, judged
        self.nothing = judged.combinations(rank)
        self.base = self._rows(np.zeros(judged.triangle.shape[0]))

    def _rows(self, z: np.ndarray) -> np.ndarray:
        """Rows of the part after a motion z in its basis, relative to its length."""
        geometry, part = self.closing.geometry, self.judged.part
        values = geometry.rows(geometry.poses(self.moved(z)), self.coordinates)[0][part.rows]
        return values / (self.judged.sizes * part.reach)

    def moved(self, z: np.ndarray) -> np.ndarray:
        """Coordinates of all joints after a motion z in the basis of the part, relative to its length."""
        step = np.zeros(int(self.closing.geometry.layout.sizes[N_R]))
        part = self.judged.part
        step[part.rates] = np.linalg.solve(self.judged.triangle, part.reach * z)
        return self.closing.moved(self.coordinates, step)

    def __call__(self, z: np.ndarray) -> np.ndarray:
        """Values of the forms at a motion z."""
        e = DIFFERENCE
        return self.nothing.T @ (self._rows(e * z) - 2.0 * self.base + self._rows(-e * z)) / e**2

    def forms(self, basis: np.ndarray) -> np.ndarray:
        """(forms, k, k) symmetric matrices on the columns of a basis (rates, k); forms that are rounding errors are left out."""
        k = basis.shape[1]
        own = np.array([self(basis[:, a]) for a in range(k)])
        result = np.zeros((self.nothing.shape[1], k, k))
        for a in range(k):
            for b in range(a):
                both = 0.5 * (self(basis[:, a] + basis[:, b]) - own[a] - own[b])
                result[:, a, b] = result[:, b, a] = both
            result[:, a, a] = own[a]
        flat = result.reshape(len(result), -1)
        _, s, vt = np.linalg.svd(flat, full_matrices=False)
        return (s[:, None] * vt)[s > CURVED].reshape(-1, k, k)


def stand(geometry: Geometry, coordinates: np.ndarray, parts: list[Part] | None = None) -> list[Standing]:
    """All parts with loops, except the large ones, at coordinates that close them."""
    parts = [part for part in (parts_of(geometry) if parts is None else parts) if not part.large]
    outside = ~in_loops(geometry.frozen)[geometry.layout.motions["joint"]]
    closing = Closing(geometry, Held(outside, outside))
    return [_standing(closing, coordinates, judged) for judged in judge(geometry, coordinates, parts)]


def stand_open(geometry: Geometry, coordinates: np.ndarray) -> list[Standing]:
    """The same at coordinates that leave loops open: only their rank, since there are no branches to follow from there."""
    parts = [part for part in parts_of(geometry) if not part.large]
    return [Standing(judged, judged.rank) for judged in judge(geometry, coordinates, parts)]


def _standing(closing: Closing, coordinates: np.ndarray, judged: Judged) -> Standing:
    clear = int(np.count_nonzero(judged.values > INDEPENDENT))
    rows, rates = judged.matrix.shape
    if clear in (rows, rates):
        return Standing(judged, clear)
    second = SecondOrder(closing, coordinates, judged, clear)
    kernel = judged.basis_motions(clear)
    rng = np.random.default_rng(0)
    tries = rng.normal(size=(kernel.shape[1], 2))
    tries /= np.linalg.norm(tries, axis=0)
    if all(np.abs(second(kernel @ z)).max() < CURVED for z in tries.T):
        return Standing(judged, judged.rank)
    if kernel.shape[1] > MOST_MOTIONS:
        return Standing(judged, judged.rank)
    branches = _branches(second, kernel, rng)
    rank = max([branch.rank for branch in branches], default=clear)
    if rank == clear:  # no branch, or none with more independent rows than the singular position has
        return Standing(judged, judged.rank, True, [], second)
    return Standing(judged, rank, True, [branch for branch in branches if branch.rank == rank], second)


def _branches(second: SecondOrder, kernel: np.ndarray, rng: np.random.Generator) -> list[Branch]:
    """Branches found by Newton's method on the forms from random directions, each followed for a short distance."""
    forms = second.forms(kernel)
    found: list[np.ndarray] = []
    for _ in range(STARTS):
        z = np.asarray(rng.normal(size=kernel.shape[1]))
        z = np.divide(z, np.linalg.norm(z))
        for _ in range(50):
            gradient = np.vstack([2.0 * forms @ z, z])
            step = np.linalg.lstsq(gradient, np.append(-(forms @ z @ z), 0.0), rcond=1e-12)[0]
            z = (z + step) / np.linalg.norm(z + step)
            if np.linalg.norm(step) < 1e-10:
                break
        if np.abs(forms @ z @ z).max(initial=0.0) < 1e-6 and all(abs(z @ other) < 0.999 for other in found):
            found.append(z)
    result = []
    for z in found:
        branch = _follow(second, kernel @ z)
        if branch is not None:
            result.append(branch)
    return result


def _follow(second: SecondOrder, direction: np.ndarray) -> Branch | None:
    """The part a short distance along a direction, with loops closed; None when it cannot get there."""
    closing, judged = second.closing, second.judged
    start = second.moved(WAY * direction)
    there, _, residual = closing.close(start, start)
    gone = judged.triangle @ closing.difference(there, second.coordinates)[judged.part.rates] / judged.part.reach
    if residual > closing.tolerance(closing.geometry.poses(there)) or gone @ direction < 0.5 * WAY:
        return None
    return Branch(direction, judge(closing.geometry, there, [judged.part])[0])

