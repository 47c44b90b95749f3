"""One-step elimination: the multipliers of all rows and of all bodies from one dense system (dumitriu2016, eq. 18 to 21).

Here D L, the gradient of D'D = 1, is exact wherever D is: nothing is assumed about D'D.
"""

from __future__ import annotations

from poinsot.algebra.compile import helper, kernel
from poinsot.algebra.matrices import column, load33
from poinsot.algebra.vectors import ZERO, add, cross, dot, load3, scale, vector
from poinsot.elements.director_scalars import POSE, directors
from poinsot.formulations.absolute.coordinates import gradient_of
from poinsot.formulations.rotation_matrix.lyapunov import products
from poinsot.formulations.rotation_matrix.point_forces import term_sides
from poinsot.formulations.rotation_matrix.variant_places import MULTIPLIERS
from poinsot.linear.dense import lu_factor, lu_solve
from poinsot.tables.types import OK, SINGULAR

PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


@kernel
def divided(P, E):
    """Columns of P / E: accelerations of the directors under P."""
    return scale(1.0 / E[0], column(P, 0)), scale(1.0 / E[1], column(P, 1)), scale(1.0 / E[2], column(P, 2))


@helper
def respond(layout, y, b, moved, turned, A, first, stride):
    """Add to a column of A what all rows, and D'D = 1 of this body, see of accelerations of its position and directors."""
    D = directors(y, b)
    d = (column(D, 0), column(D, 1), column(D, 2))
    alpha = scale(0.5, add(cross(d[0], turned[0]), add(cross(d[1], turned[1]), cross(d[2], turned[2]))))
    for k in range(layout.terms.shape[0]):
        term = layout.terms[k]
        if term.first == b or term.second == b:
            fa, ma, fb, mb = gradient_of(term, layout, y, y)
            rate = 0.0
            if term.first == b:
                rate += dot(fa, moved) + dot(ma, alpha)
            if term.second == b:
                rate += dot(fb, moved) + dot(mb, alpha)
            A[first + stride * term.row] += term.factor * rate
    row = layout.places[0].n_rows + MULTIPLIERS * b
    for k in range(MULTIPLIERS):
        i, j = PAIRS[k]
        A[first + stride * (row + k)] += dot(d[i], turned[j]) + dot(d[j], turned[i])


@helper
def fill_system(layout, y, A, n):
    """The matrix: accelerations that each multiplier causes, as the constraints see them."""
    rows = layout.places[0].n_rows
    for k in range(n * n):
        A[k] = 0.0
    for k in range(layout.terms.shape[0]):
        term = layout.terms[k]
        fa, Pa, fb, Pb = term_sides(term, layout, y)
        for side in range(2):
            b = term.first if side == 0 else term.second
            if b > 0:
                frame = layout.frames[b]
                force, P = (fa, Pa) if side == 0 else (fb, Pb)
                turned = divided(P, vector(frame.euler))
                respond(layout, y, b, scale(1.0 / frame.mass, force), turned, A, term.row, n)
    for b in range(1, layout.bodies.shape[0]):
        E, D = vector(layout.frames[b].euler), directors(y, b)
        x = (column(D, 0), column(D, 1), column(D, 2))
        for k in range(MULTIPLIERS):
            i, j = PAIRS[k]
            on_i = scale(-1.0 / E[i], x[j])
            on_j = scale(-1.0 / E[j], x[i])
            turned = (
                add(on_i if i == 0 else ZERO, on_j if j == 0 and i != 0 else ZERO),
                add(on_i if i == 1 else ZERO, on_j if j == 1 and i != 1 else ZERO),
                add(on_i if i == 2 else ZERO, on_j if j == 2 and i != 2 else ZERO),
            )
            respond(layout, y, b, ZERO, turned, A, rows + MULTIPLIERS * b + k, n)
    for row in range(rows + MULTIPLIERS):  # rows of groups that are not full, and those of the ground, have no multiplier
        if A[row * n + row] == 0.0:
            A[row * n + row] = 1.0


@helper
def eliminate_at_once(y, layout, loaded, biases, dense, result):
    """Multipliers of all rows and bodies, from forces and dyads of the loads and the biases of the rows. Returns a status."""
    at, n = layout.places[0], result.shape[0]
    A, pivots = dense[: n * n], dense[n * n : n * n + n]
    for k in range(n):
        result[k] = biases[k] if k < at.n_rows else 0.0
    for b in range(1, layout.bodies.shape[0]):
        frame, k = layout.frames[b], POSE * b
        P = load33(loaded, k + 3)
        respond(layout, y, b, scale(1.0 / frame.mass, load3(loaded, k)), divided(P, vector(frame.euler)), result, 0, 1)
        G = products(directors(y, b), load33(y, at.velocities + k + 3), P, at.damping)[1]
        for m in range(MULTIPLIERS):
            i, j = PAIRS[m]
            result[at.n_rows + MULTIPLIERS * b + m] += G[i][j]
    fill_system(layout, y, A, n)
    if not lu_factor(A, n, pivots) > 0.0:
        return SINGULAR
    lu_solve(A, n, pivots, result)
    return OK
