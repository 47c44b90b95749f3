"""Cholesky factor of a sparse Gram matrix, row by row in a given order, without the rows that depend on those before.

Stored as a skyline: row i, from its first non-zero column to the diagonal, begins at data[start[i]].
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from numba import float64, int64, void
from scipy import sparse

from poinsot.algebra.compile import compiled
from poinsot.tables.types import FLOATS, INTEGERS


@compiled(void(INTEGERS, INTEGERS, FLOATS, FLOATS, INTEGERS))
def factor(first, start, data, tolerance, kept):
    """Replace the lower half of G by its factor. kept[i] becomes 0 where the pivot is below tolerance[i] * G_ii, else 1."""
    for i in range(first.shape[0]):
        own = start[i] - first[i]
        pivot = data[own + i]
        bound = tolerance[i] * pivot
        for j in range(first[i], i):
            other = start[j] - first[j]
            total = data[own + j]
            for k in range(max(first[i], first[j]), j):
                total -= data[own + k] * data[other + k]
            entry = total / data[other + j] if kept[j] == 1 else 0.0
            data[own + j] = entry
            pivot -= entry * entry
        kept[i] = 1 if pivot > bound else 0
        data[own + i] = sqrt(pivot) if pivot > bound else 0.0


@compiled(int64(INTEGERS, INTEGERS, FLOATS, INTEGERS, int64, int64, float64, FLOATS))
def back(first, start, data, kept, low, top, tiny, c):
    """Solve factor' x = c in place, where c is non-zero only from `low` to below `top`; returns the lowest index reached."""
    j = top - 1
    while j >= low:
        if kept[j] == 1 and abs(c[j]) > tiny:
            other = start[j] - first[j]
            c[j] /= data[other + j]
            for k in range(first[j], j):
                c[k] -= data[other + k] * c[j]
            low = min(low, first[j])
        else:
            c[j] = 0.0
        j -= 1
    return low


class Skyline:
    """Factor of G = A A' of a sparse matrix A (n, m) whose rows are in the order of elimination."""

    def __init__(self, A: sparse.csr_matrix, tolerance: np.ndarray):
        G = sparse.tril(A @ A.T, format="csr")
        G.sort_indices()
        n = A.shape[0]
        rows = np.repeat(np.arange(n), np.diff(G.indptr))
        self.first = np.arange(n)
        np.minimum.at(self.first, rows, G.indices.astype(np.int64))
        length = np.arange(n) - self.first + 1
        self.start = np.cumsum(length) - length
        self.data = np.zeros(int(length.sum()))
        self.data[self.start[rows] + G.indices - self.first[rows]] = G.data
        self.kept = np.ones(n, np.int64)
        factor(self.first, self.start, self.data, tolerance, self.kept)

    @property
    def left_out(self) -> np.ndarray:
        """Rows that depend on those before them."""
        return np.nonzero(self.kept == 0)[0]

    def combination(self, rows: np.ndarray, factors: np.ndarray) -> np.ndarray:
        """Rows that make up a linear combination (`factors`) of rows that were left out."""
        c = np.zeros(len(self.first))
        for i, x in zip(rows.tolist(), factors.tolist()):
            c[self.first[i] : i] += x * self.data[self.start[i] : self.start[i] + i - self.first[i]]
        low, top = int(self.first[rows].min()), int(rows.max())
        back(self.first, self.start, self.data, self.kept, low, top, 1e-13, c)
        return np.nonzero(np.abs(c) > 1e-9)[0]
