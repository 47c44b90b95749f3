"""The linear problem of closing loops: the smallest motion of all bodies that closes given gaps."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

KEPT_DAMPING = 1e-22  # regularisation of rows that are enforced exactly, for nearly dependent directions
CLEAR = 1e-6  # smallest singular value, relative to the largest, of a motion that rows determine whatever the masses
SMALL = 150  # largest number of unknowns for which dense matrices are faster

Rows = tuple[np.ndarray, np.ndarray]  # blocks (n, slots, 6) on the twists of bodies (n, slots)


class LeastMotion:
    """min |x|_W^2 with keep x = 0 exactly and close x = right, the latter with damping; x: twists of all bodies but the ground.

    W (n - 1, 6, 6): mass matrices, made dimensionless by a length, `reach`; rows are scaled to equal size.
    """

    def __init__(self, W: np.ndarray, reach: float, keep: Sequence[Rows], close: Sequence[Rows]):
        self._W = W / (float(np.mean(W[:, 0, 0])) * reach**2 or 1.0)
        inverse = np.concatenate([np.zeros((1, 6, 6)), np.linalg.inv(self._W)])
        self._scale = np.concatenate([_scale(blocks, bodies, inverse) for blocks, bodies in [*keep, *close]])
        self._n, self._m = 6 * len(W), len(self._scale)
        self._kept = sum(len(blocks) for blocks, _ in keep)
        self._places, self._values = _entries([*keep, *close])
        self._values = self._values * self._scale[self._places[0]]
        self._sparse: tuple[float, object] | None = None

    def solve(self, right: np.ndarray, damping: float) -> np.ndarray:
        """Twists (n, 6) of all bodies, the ground first, for the right-hand side of the closing rows."""
        r = self._scale[self._kept :] * right
        x = self._solve_dense(r, damping) if self._n + self._m <= SMALL else self._solve_sparse(r, damping)
        return np.concatenate([np.zeros((1, 6)), x.reshape(-1, 6)])

    @property
    def determined(self) -> bool:
        """Whether the rows leave no freedom, and clearly so: masses then have no influence. Not looked at for large problems."""
        if self._n + self._m > SMALL:
            return False
        s, _, _, allowed = self._singular
        return len(s) == allowed and bool(s.min(initial=np.inf) > CLEAR * s.max(initial=0.0))

    @cached_property
    def _singular(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
        """Singular values of the closing rows on motions that the other rows allow, and their vectors: gaps (m, k), twists (n, k); the number
        of these motions.
        """
        J = np.zeros((self._m, self._n))
        np.add.at(J, tuple(self._places), self._values)
        half = np.linalg.inv(np.linalg.cholesky(self._W))  # of W^-1 = half' half
        J = np.einsum("mbj,bij->mbi", J.reshape(self._m, len(half), 6), half).reshape(self._m, self._n)
        _, s, V = np.linalg.svd(J[: self._kept])
        allowed = V[int((s > KEPT_DAMPING**0.5).sum()) :].T
        gaps, s, V = np.linalg.svd(J[self._kept :] @ allowed, full_matrices=False)
        motions = (allowed @ V.T).reshape(len(half), 6, len(s))
        return s, gaps, np.einsum("bij,bik->bjk", half, motions).reshape(self._n, len(s)), allowed.shape[1]

    def _solve_dense(self, r: np.ndarray, damping: float) -> np.ndarray:
        s, gaps, motions, _ = self._singular
        return motions @ (s / (s * s + damping) * (gaps.T @ r))

    def _solve_sparse(self, r: np.ndarray, damping: float) -> np.ndarray:
        n, total = self._n, self._n + self._m
        if self._sparse is None or self._sparse[0] != damping:
            own = np.arange(n).reshape(-1, 6, 1)
            masses = np.reshape(np.broadcast_arrays(own, own.transpose(0, 2, 1)), (2, -1))
            row, column = self._places[0] + n, self._places[1]
            D = np.full(self._m, -KEPT_DAMPING)
            D[self._kept :] = -damping
            last = np.arange(n, total)
            places = np.concatenate([masses, [row, column], [column, row], [last, last]], axis=1)
            values = np.concatenate([self._W.reshape(-1), self._values, self._values, D])
            self._sparse = (damping, splu(sparse.csc_matrix((values, tuple(places)), (total, total))))
        b = np.zeros(total)
        b[n + self._kept :] = r
        return self._sparse[1].solve(b)[:n]  # type: ignore[attr-defined]


def _scale(blocks: np.ndarray, bodies: np.ndarray, inverse: np.ndarray) -> np.ndarray:
    """Scale factor of every row: 1 / sqrt(b W^-1 b); a body may occur in several slots of a row."""
    turned = np.matmul(inverse[bodies], blocks[..., None])[..., 0]
    products = np.matmul(turned, blocks.transpose(0, 2, 1))
    size = np.sqrt((products * (bodies[:, :, None] == bodies[:, None, :])).sum(axis=(1, 2)))
    return 1.0 / np.where(size > 0, size, 1.0)


def _entries(groups: Sequence[Rows]) -> tuple[np.ndarray, np.ndarray]:
    """Row and column indices (2, n) of all nonzero entries, and the entries."""
    places, values, first = [], [], 0
    for blocks, bodies in groups:
        row = np.broadcast_to(first + np.arange(len(bodies))[:, None, None], blocks.shape)
        column = 6 * (bodies[:, :, None] - 1) + np.arange(6)
        there = (bodies > 0)[:, :, None] & (blocks != 0)
        places.append(np.array([row[there], column[there]]))
        values.append(blocks[there])
        first += len(bodies)
    return np.concatenate(places, axis=1), np.concatenate(values)
