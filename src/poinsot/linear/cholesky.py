"""Cholesky factorisation in 3x3 blocks with a fixed pattern (see `pattern.py`).

The matrix is S = J M^-1 J': `legs` holds the 3x6 blocks of J, `weighted` those of J M^-1, leg by leg. A factored diagonal
block is stored as its lower triangle with inverse pivots. A pivot that is rounding error relative to its diagonal entry is
taken as infinite: the row then does not contribute to the solution.
"""

from __future__ import annotations

from math import sqrt

from poinsot.algebra.compile import helper, kernel
from poinsot.algebra.matrices import increase33, load33, matmul, minus, plus, store33, transpose
from poinsot.algebra.vectors import load3, store3
from poinsot.linear.pattern import BLOCKS, COLUMN_ROW, COLUMN_START, EMPTY, GROUPS, PAIR, PAIRS, UPDATE

NOTHING = 1e-14  # relative to the diagonal entry: smaller pivots are rounding errors
VANISHED = 1e-140  # negligible in any unit, while its square is not yet a denormal number


@kernel
def leg_product(legs, i, weighted, j):
    """3x3 product of a leg (3x6) with a weighted one, transposed."""
    A, B = load33(legs, 18 * i), load33(legs, 18 * i + 9)
    C, D = load33(weighted, 18 * j), load33(weighted, 18 * j + 9)
    return plus(matmul(A, transpose(C)), matmul(B, transpose(D)))


@helper
def assemble(pattern, legs, weighted, blocks, diagonal):
    """Blocks of S from its legs; empty rows get a one on the diagonal. `diagonal` becomes the diagonal of S."""
    for k in range(9 * pattern[BLOCKS]):
        blocks[k] = 0.0
    for n in range(pattern[PAIRS]):
        p = pattern[PAIR] + 3 * n
        b = 9 * pattern[p]
        increase33(blocks, b, leg_product(legs, pattern[p + 1], weighted, pattern[p + 2]))
    for t in range(pattern[GROUPS]):
        for k in range(3):
            if pattern[pattern[EMPTY] + 3 * t + k] == 1:
                blocks[9 * t + 4 * k] = 1.0
            diagonal[3 * t + k] = blocks[9 * t + 4 * k]


@kernel
def inverse_pivot(pivot, diagonal):
    """1 / sqrt(pivot), or zero when the pivot is a rounding error."""
    return 1.0 / sqrt(pivot) if pivot > NOTHING * diagonal else 0.0


@kernel
def lower(S, d):
    """Rows of the Cholesky factor of a 3x3 block with inverse pivots, and the smallest pivot relative to its diagonal entry."""
    a = inverse_pivot(S[0][0], d[0])
    l10, l20 = S[1][0] * a, S[2][0] * a
    p1 = S[1][1] - l10 * l10
    b = inverse_pivot(p1, d[1])
    l21 = (S[2][1] - l20 * l10) * b
    p2 = S[2][2] - l20 * l20 - l21 * l21
    c = inverse_pivot(p2, d[2])
    return ((a, 0.0, 0.0), (l10, b, 0.0), (l20, l21, c)), min(S[0][0] / d[0], p1 / d[1], p2 / d[2])


@kernel
def forward3(L, x):
    """L^-1 x with inverse pivots on the diagonal of L."""
    a = x[0] * L[0][0]
    b = (x[1] - L[1][0] * a) * L[1][1]
    return a, b, (x[2] - L[2][0] * a - L[2][1] * b) * L[2][2]


@kernel
def backward3(L, x):
    """L'^-1 x."""
    c = x[2] * L[2][2]
    b = (x[1] - L[2][1] * c) * L[1][1]
    return (x[0] - L[1][0] * b - L[2][0] * c) * L[0][0], b, c


@helper
def factor(pattern, blocks, diagonal):
    """Factor assembled blocks in place. Returns the smallest pivot relative to its diagonal entry."""
    groups, start, update = pattern[GROUPS], pattern[COLUMN_START], pattern[UPDATE]
    smallest = 1.0
    for t in range(groups):
        L, ratio = lower(load33(blocks, 9 * t), load3(diagonal, 3 * t))
        smallest = min(smallest, ratio)
        store33(blocks, 9 * t, L)
        first, last = pattern[start + t], pattern[start + t + 1]
        for n in range(first, last):
            b = 9 * (groups + n)
            B = load33(blocks, b)
            store33(blocks, b, (forward3(L, B[0]), forward3(L, B[1]), forward3(L, B[2])))
        for n in range(first, last):
            A = transpose(load33(blocks, 9 * (groups + n)))
            for m in range(n, last):
                b = 9 * pattern[update]
                update += 1
                store33(blocks, b, minus(load33(blocks, b), matmul(load33(blocks, 9 * (groups + m)), A)))
    return smallest


@kernel
def not_denormal(v):
    """v, with zeros for numbers whose squares are denormal, which slow processors down: solutions decay to such values far from their source."""
    x, y, z = v
    return (  # NaN is propagated
        0.0 if abs(x) <= VANISHED else x,
        0.0 if abs(y) <= VANISHED else y,
        0.0 if abs(z) <= VANISHED else z,
    )


@helper
def solve(pattern, blocks, x):
    """Replace x (3 per group) by S^-1 x."""
    groups, start, rows = pattern[GROUPS], pattern[COLUMN_START], pattern[COLUMN_ROW]
    for t in range(groups):
        v = not_denormal(forward3(load33(blocks, 9 * t), load3(x, 3 * t)))
        store3(x, 3 * t, v)
        for n in range(pattern[start + t], pattern[start + t + 1]):
            B, r = load33(blocks, 9 * (groups + n)), 3 * pattern[rows + n]
            x[r] -= B[0][0] * v[0] + B[0][1] * v[1] + B[0][2] * v[2]
            x[r + 1] -= B[1][0] * v[0] + B[1][1] * v[1] + B[1][2] * v[2]
            x[r + 2] -= B[2][0] * v[0] + B[2][1] * v[1] + B[2][2] * v[2]
    for t in range(groups - 1, -1, -1):
        v0, v1, v2 = load3(x, 3 * t)
        for n in range(pattern[start + t], pattern[start + t + 1]):
            B, w = load33(blocks, 9 * (groups + n)), load3(x, 3 * pattern[rows + n])
            v0 -= B[0][0] * w[0] + B[1][0] * w[1] + B[2][0] * w[2]
            v1 -= B[0][1] * w[0] + B[1][1] * w[1] + B[2][1] * w[2]
            v2 -= B[0][2] * w[0] + B[1][2] * w[1] + B[2][2] * w[2]
        store3(x, 3 * t, not_denormal(backward3(load33(blocks, 9 * t), (v0, v1, v2))))
