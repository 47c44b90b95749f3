"""Rank of the rows that close loops, by singular values, in the motions that the tree's joints allow.

The rows of tree joints are always independent, so only the rows that close loops are judged, on an orthonormal basis of the motions
that the tree's joints in loops allow: G = (rows scaled to unit length) (basis), lengths relative to the size of the part. A
singular value of G near zero is a redundant row; their number does not depend on the order of rows, nor on how
small others are. Parts of a system that are connected only through the ground are judged separately.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse
from scipy.linalg import qr
from scipy.sparse.csgraph import connected_components

from poinsot.analysis.constraints import Geometry
from poinsot.analysis.held import in_loops
from poinsot.layout.extent import reach
from poinsot.tables.records import N_R, RATES

REDUNDANT = 1e-9  # singular values up to this are redundant rows; a row left out for that opens by less than a run tolerates
INDEPENDENT = 1e-5  # singular values from here on are independent rows; in between they are doubtful
CLEAR = (0.3, 0.1)  # a row is chosen when this fraction of it is independent of those before
LARGEST = 800  # largest number of joint rates in loops of a part that is judged by dense matrices


@dataclass
class Part:
    """A part of a system that has loops.

    Attributes
    ----------
    rows : its rows that close loops, in `layout.rows`
    rates : rates of the tree's joints that lie in its loops
    bodies : those that these joints carry, and those that the rows connect
    reach : a characteristic length, m
    """

    rows: np.ndarray
    rates: np.ndarray
    bodies: np.ndarray
    reach: float

    @property
    def large(self) -> bool:
        """Whether dense matrices would take too long."""
        return len(self.rates) > LARGEST


def parts_of(geometry: Geometry) -> list[Part]:
    """The parts of a system that have loops."""
    if geometry.parts is None:
        geometry.parts = _parts(geometry)
    return geometry.parts


def _parts(geometry: Geometry) -> list[Part]:
    layout, topology, closing = geometry.layout, geometry.frozen.topology, geometry.closing
    label = part_labels(geometry)
    at = geometry.row_bodies.max(axis=1)
    looped = in_loops(geometry.frozen)
    joint_of = np.array(topology.joint)  # by body
    carried = np.nonzero((np.arange(geometry.n) > 0) & looped[np.maximum(joint_of, 0)])[0]
    motion = np.repeat(np.arange(len(layout.motions)), RATES[layout.motions["kind"]])
    owner = layout.motions["joint"][motion]
    in_tree = layout.motions["link"][motion] >= 0
    carries = np.zeros(len(topology.joints), np.int64)
    carries[joint_of[1:]] = np.arange(1, geometry.n)
    rates = np.nonzero(in_tree & looped[owner])[0]
    found = []
    for part in np.unique(label[at[closing]]):
        rows = np.nonzero(closing & (label[at] == part))[0]
        own = np.union1d(carried[label[carried] == part], geometry.row_bodies[rows])
        own = own[own > 0]
        found.append(
            Part(
                rows,
                rates[label[carries[owner[rates]]] == part],
                own,
                reach(layout, own) if len(own) else 1.0,
            )
        )
    return found


def part_labels(geometry: Geometry) -> np.ndarray:
    """For every body the number of its part; parts are connected without the ground."""
    bodies = geometry.row_bodies
    most = bodies.max(axis=1)
    edges = np.concatenate([np.stack([bodies[:, k], most], axis=1) for k in range(bodies.shape[1])])
    edges = edges[(edges > 0).all(axis=1)]
    graph = sparse.csr_matrix((np.ones(len(edges)), (edges[:, 0], edges[:, 1])), (geometry.n, geometry.n))
    return connected_components(graph, directed=False)[1]


@dataclass
class Judged:
    """One part at one position.

    Attributes
    ----------
    matrix : (rows, rates) G, see above
    triangle : (rates, rates) R of the basis: basis coordinates = R rates
    sizes : lengths of the rows before they were scaled to unit length
    """

    part: Part
    matrix: np.ndarray
    triangle: np.ndarray
    sizes: np.ndarray

    @cached_property
    def _split(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        if self.matrix.size == 0:
            return np.eye(self.matrix.shape[0]), np.zeros(0), np.eye(self.matrix.shape[1])
        u, s, vt = np.linalg.svd(self.matrix)
        return u, s, vt

    @property
    def values(self) -> np.ndarray:
        """Singular values, the largest first."""
        return self._split[1]

    @property
    def rank(self) -> int:
        """Number of independent rows."""
        return int(np.count_nonzero(self.values > REDUNDANT))

    @property
    def doubtful(self) -> np.ndarray:
        """Singular values of rows that are neither redundant nor independent."""
        return self.values[(self.values > REDUNDANT) & (self.values < INDEPENDENT)]

    def combinations(self, rank: int) -> np.ndarray:
        """(rows, n) combinations of rows that vanish when `rank` rows are independent."""
        return self._split[0][:, rank:]

    def basis_motions(self, rank: int) -> np.ndarray:
        """(rates, n) orthonormal motions in the basis that the rows allow when `rank` of them are independent."""
        return self._split[2][rank:].T

    def motions(self, rank: int) -> np.ndarray:
        """The same motions as joint rates."""
        return np.linalg.solve(self.triangle, self.basis_motions(rank))

    def choose(self, count: int) -> np.ndarray:
        """`count` rows: the first that are clearly independent of those before, or else the most independent ones (pivoted QR)."""
        for clear in CLEAR:
            found = self._first(clear)
            if len(found) == count:
                return self.part.rows[found]
        order = qr(self.matrix.T, mode="r", pivoting=True)[1] if count else np.zeros(0, np.int64)
        return np.sort(self.part.rows[order[:count]])

    def _first(self, clear: float) -> list[int]:
        """Rows with more than a fraction `clear` independent of those before, orthogonalised twice."""
        known, found = np.zeros((0, self.matrix.shape[1])), []
        for k, row in enumerate(self.matrix):
            for _ in range(2):
                row = row - known.T @ (known @ row)
            size = np.linalg.norm(row)
            if size > clear:
                known = np.vstack([known, row / size])
                found.append(k)
        return found

    def clearest(self, rows: np.ndarray) -> float:
        """Smallest singular value of some of the rows."""
        chosen = self.matrix[np.isin(self.part.rows, rows)]
        if len(chosen) > chosen.shape[1]:
            return 0.0
        return float(np.linalg.svd(chosen, compute_uv=False)[-1]) if len(chosen) else 1.0


def judge(geometry: Geometry, coordinates: np.ndarray, parts: list[Part]) -> list[Judged]:
    """Parts, none of them large, at joint coordinates that close their loops."""
    if not parts:
        return []
    poses = geometry.poses(coordinates)
    blocks = geometry.rows(poses, coordinates)[1]
    moves = [np.zeros((len(part.bodies), 6, len(part.rates))) for part in parts]
    for k in range(max(len(part.rates) for part in parts)):  # parts do not move each other: one rate of every part at a time
        rates = np.zeros(int(geometry.layout.sizes[N_R]))
        moving = [(part, move) for part, move in zip(parts, moves) if k < len(part.rates)]
        for part, _ in moving:
            rates[part.rates[k]] = 1.0
        twists = geometry.states(coordinates, rates)[1]
        for part, move in moving:
            move[:, :, k] = twists[part.bodies]
    return [_judged(geometry, part, move, blocks) for part, move in zip(parts, moves)]


def _judged(geometry: Geometry, part: Part, moves: np.ndarray, blocks: np.ndarray) -> Judged:
    scale = np.array([1.0, 1, 1, *3 * (part.reach,)])
    rows = blocks[part.rows] / scale
    size = np.sqrt((rows**2).sum(axis=(1, 2)))
    size = np.where(size > 0, size, 1.0)
    rows /= size[:, None, None]
    shape = moves.shape
    basis, triangle = np.linalg.qr((moves * scale[:, None]).reshape(shape[0] * 6, shape[2]))
    place = np.full(geometry.n, -1)
    place[part.bodies] = np.arange(len(part.bodies))
    basis = basis.reshape(shape)
    matrix = np.zeros((len(part.rows), len(part.rates)))
    for slot in range(geometry.slots):
        at = place[geometry.row_bodies[part.rows, slot]]
        here = np.nonzero(at >= 0)[0]
        matrix[here] += np.einsum("ri,rik->rk", rows[here, slot], basis[at[here]])
    return Judged(part, matrix, triangle, size)
