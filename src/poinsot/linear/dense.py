"""Small dense systems, in place: LU with row exchanges, and Cholesky's method."""

from __future__ import annotations

from math import sqrt

from poinsot.algebra.compile import helper
from poinsot.algebra.vectors import add_scaled, load3, scale, store3


@helper
def lu_factor(A, n, pivots):
    """Factor an n by n matrix stored row by row; returns the smallest pivot relative to the largest entry (zero: singular)."""
    largest = 0.0
    for k in range(n * n):
        largest = max(largest, abs(A[k]))
    smallest = 1.0 if largest > 0.0 else 0.0
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if abs(A[i * n + k]) > abs(A[best * n + k]):
                best = i
        pivots[k] = best
        if best != k:
            for j in range(n):
                A[k * n + j], A[best * n + j] = A[best * n + j], A[k * n + j]
        pivot = A[k * n + k]
        if not abs(pivot) > 0.0:
            return 0.0
        smallest = min(smallest, abs(pivot) / largest)
        for i in range(k + 1, n):
            A[i * n + k] /= pivot
            for j in range(k + 1, n):
                A[i * n + j] -= A[i * n + k] * A[k * n + j]
    return smallest


@helper
def lu_solve(A, n, pivots, x):
    """Replace x by A^-1 x, with A factored."""
    for k in range(n):  # all exchanges first: whole rows of the factor were exchanged
        other = int(pivots[k])
        x[k], x[other] = x[other], x[k]
    for k in range(n):
        for i in range(k + 1, n):
            x[i] -= A[i * n + k] * x[k]
    for k in range(n - 1, -1, -1):
        for j in range(k + 1, n):
            x[k] -= A[k * n + j] * x[j]
        x[k] /= A[k * n + k]


@helper
def lu_solve_three(A, n, pivots, X):
    """Replace the three columns of X, stored row by row, by A^-1 X, with A factored."""
    for k in range(n):
        other = 3 * int(pivots[k])
        row = load3(X, 3 * k)
        store3(X, 3 * k, load3(X, other))
        store3(X, other, row)
    for k in range(n):
        row = load3(X, 3 * k)
        for i in range(k + 1, n):
            store3(X, 3 * i, add_scaled(load3(X, 3 * i), -A[i * n + k], row))
    for k in range(n - 1, -1, -1):
        row = load3(X, 3 * k)
        for j in range(k + 1, n):
            row = add_scaled(row, -A[k * n + j], load3(X, 3 * j))
        store3(X, 3 * k, scale(1.0 / A[k * n + k], row))


@helper
def solve_cholesky(matrix, right, nv, work):
    """Solve a symmetric system in the work array in place, with the Cholesky factor of the lower triangle; NaN when it is not positive definite."""
    for j in range(nv):
        for k in range(j + 1):
            total = work[matrix + j * nv + k]
            for i in range(k):
                total -= work[matrix + j * nv + i] * work[matrix + k * nv + i]
            work[matrix + j * nv + k] = sqrt(total) if j == k else total / work[matrix + k * nv + k]
    for j in range(nv):
        for k in range(j):
            work[right + j] -= work[matrix + j * nv + k] * work[right + k]
        work[right + j] /= work[matrix + j * nv + j]
    for j in range(nv - 1, -1, -1):
        for k in range(j + 1, nv):
            work[right + j] -= work[matrix + k * nv + j] * work[right + k]
        work[right + j] /= work[matrix + j * nv + j]
