"""LU factorisation in 3x3 blocks of an unsymmetric matrix with the symmetric pattern of `pattern.py`.

The matrix is S = W L', with the 3x6 blocks of W (`weighted`) and of L (`legs`) leg by leg. Of two blocks that mirror each other, the one
below the diagonal is in `blocks` and the one above it, transposed, at the same place in `mirrored`, so that both are treated alike. A factored
diagonal block is stored as its two triangles, the lower one with a unit diagonal that is not stored, and the upper one with inverse
pivots. Pivots that are rounding errors are treated as in `cholesky.py`.
"""

from __future__ import annotations

from poinsot.algebra.compile import helper, kernel
from poinsot.algebra.matrices import increase33, load33, matmul, minus, plus, store33, transpose
from poinsot.algebra.vectors import load3, store3
from poinsot.linear.cholesky import NOTHING, not_denormal
from poinsot.linear.pattern import BLOCKS, COLUMN_ROW, COLUMN_START, EMPTY, GROUPS, PAIR, PAIRS, UPDATE


@kernel
def product(legs, i, weighted, j, size):
    """3x3 product of a leg of `size` numbers, in one or two 3x3 parts, with a weighted one, transposed."""
    P = matmul(load33(legs, size * i), transpose(load33(weighted, size * j)))
    if size > 9:
        P = plus(P, matmul(load33(legs, size * i + 9), transpose(load33(weighted, size * j + 9))))
    return P


@helper
def assemble_both(pattern, legs, weighted, size, blocks, mirrored, diagonal):
    """Blocks of S from its legs of `size` numbers, 18 in space and 9 in a plane; empty rows get a one on the diagonal, and `diagonal` that of S."""
    groups = pattern[GROUPS]
    for k in range(9 * pattern[BLOCKS]):
        blocks[k] = 0.0
        mirrored[k] = 0.0
    for n in range(pattern[PAIRS]):
        p = pattern[PAIR] + 3 * n
        block, i, j = pattern[p], pattern[p + 1], pattern[p + 2]
        increase33(blocks, 9 * block, product(weighted, i, legs, j, size))
        if block >= groups:
            increase33(mirrored, 9 * block, product(legs, i, weighted, j, size))
    for t in range(groups):
        for k in range(3):
            if pattern[pattern[EMPTY] + 3 * t + k] == 1:
                blocks[9 * t + 4 * k] = 1.0
            diagonal[3 * t + k] = blocks[9 * t + 4 * k]


@kernel
def inverse_of(pivot, diagonal):
    """1 / pivot, or zero when the pivot is a rounding error. Pivots of nearly dependent rows may be negative."""
    return 1.0 / pivot if abs(pivot) > NOTHING * abs(diagonal) else 0.0


@kernel
def triangles(S, d):
    """Both triangles of a 3x3 block with inverse pivots on the diagonal, and the smallest pivot relative to its diagonal entry."""
    a = inverse_of(S[0][0], d[0])
    u01, u02 = S[0][1], S[0][2]
    l10, l20 = S[1][0] * a, S[2][0] * a
    p1 = S[1][1] - l10 * u01
    b = inverse_of(p1, d[1])
    u12 = S[1][2] - l10 * u02
    l21 = (S[2][1] - l20 * u01) * b
    p2 = S[2][2] - l20 * u02 - l21 * u12
    c = inverse_of(p2, d[2])
    return ((a, u01, u02), (l10, b, u12), (l20, l21, c)), min(abs(S[0][0] / d[0]), abs(p1 / d[1]), abs(p2 / d[2]))


@kernel
def through_lower(T, x):
    """L^-1 x with the lower triangle of a factored block."""
    b = x[1] - T[1][0] * x[0]
    return x[0], b, x[2] - T[2][0] * x[0] - T[2][1] * b


@kernel
def through_upper_transposed(T, x):
    """U'^-1 x with the upper triangle."""
    a = x[0] * T[0][0]
    b = (x[1] - T[0][1] * a) * T[1][1]
    return a, b, (x[2] - T[0][2] * a - T[1][2] * b) * T[2][2]


@kernel
def through_upper(T, x):
    """U^-1 x."""
    c = x[2] * T[2][2]
    b = (x[1] - T[1][2] * c) * T[1][1]
    return (x[0] - T[0][1] * b - T[0][2] * c) * T[0][0], b, c


@helper
def factor_both(pattern, blocks, mirrored, diagonal):
    """Factor assembled blocks in place. Returns the smallest pivot relative to its diagonal entry."""
    groups, start, update = pattern[GROUPS], pattern[COLUMN_START], pattern[UPDATE]
    smallest = 1.0
    for t in range(groups):
        T, ratio = triangles(load33(blocks, 9 * t), load3(diagonal, 3 * t))
        smallest = min(smallest, ratio)
        store33(blocks, 9 * t, T)
        first, last = pattern[start + t], pattern[start + t + 1]
        for n in range(first, last):
            b = 9 * (groups + n)
            B, C = load33(blocks, b), load33(mirrored, b)
            store33(blocks, b, (through_upper_transposed(T, B[0]), through_upper_transposed(T, B[1]), through_upper_transposed(T, B[2])))
            store33(mirrored, b, (through_lower(T, C[0]), through_lower(T, C[1]), through_lower(T, C[2])))
        for n in range(first, last):
            own = 9 * (groups + n)
            A, C = transpose(load33(blocks, own)), transpose(load33(mirrored, own))
            for m in range(n, last):
                b, other = 9 * pattern[update], 9 * (groups + m)
                update += 1
                store33(blocks, b, minus(load33(blocks, b), matmul(load33(blocks, other), C)))
                if m > n:
                    store33(mirrored, b, minus(load33(mirrored, b), matmul(load33(mirrored, other), A)))
    return smallest


@helper
def solve_both(pattern, blocks, mirrored, x):
    """Replace x (3 per group) by S^-1 x."""
    groups, start, rows = pattern[GROUPS], pattern[COLUMN_START], pattern[COLUMN_ROW]
    for t in range(groups):
        v = not_denormal(through_lower(load33(blocks, 9 * t), load3(x, 3 * t)))
        store3(x, 3 * t, v)
        for n in range(pattern[start + t], pattern[start + t + 1]):
            B, r = load33(blocks, 9 * (groups + n)), 3 * pattern[rows + n]
            x[r] -= B[0][0] * v[0] + B[0][1] * v[1] + B[0][2] * v[2]
            x[r + 1] -= B[1][0] * v[0] + B[1][1] * v[1] + B[1][2] * v[2]
            x[r + 2] -= B[2][0] * v[0] + B[2][1] * v[1] + B[2][2] * v[2]
    for t in range(groups - 1, -1, -1):
        v0, v1, v2 = load3(x, 3 * t)
        for n in range(pattern[start + t], pattern[start + t + 1]):
            B, w = load33(mirrored, 9 * (groups + n)), load3(x, 3 * pattern[rows + n])
            v0 -= B[0][0] * w[0] + B[1][0] * w[1] + B[2][0] * w[2]
            v1 -= B[0][1] * w[0] + B[1][1] * w[1] + B[2][1] * w[2]
            v2 -= B[0][2] * w[0] + B[1][2] * w[1] + B[2][2] * w[2]
        store3(x, 3 * t, not_denormal(through_upper(load33(blocks, 9 * t), (v0, v1, v2))))
