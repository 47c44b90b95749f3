"""Scalars of two frames: what rows and coordinates share, whatever their kind.

A marker is (p, A): a point in m and a matrix whose columns are its axes, in the world; A need not be orthonormal. A
pair is (pa, Aa, pb, Ab). A gradient (dpa, dAa, dpb, dAb) has the shape of a pair, dA_ij = d value / d A_ij, and so has a
velocity. The first marker is fixed in a body with centre of mass xa (m), its velocity va (m/s) and angular velocity wa
(rad/s), world axes; the second in another with xb, vb, wb.
"""

from __future__ import annotations

from poinsot.algebra.compile import kernel
from poinsot.algebra.matrices import apply, matmul
from poinsot.algebra.vectors import add, cross, dot, sub


@kernel
def marker(origin, directors, s, B):
    """(p, A) = (origin + D s, D B): the marker with coordinates s and axes B in a frame with directors D (columns)."""
    return add(origin, apply(directors, s)), matmul(directors, B)


@kernel
def twist_row(p, A, x, dp, dA):
    """Force and moment (dp, (p - x) x dp + sum of A_k x dA_k over the columns): value' = force . v + moment . w.

    Times a multiplier they are the force and the moment about the centre of mass x that act on the body, world axes.
    """
    spin = (
        dot(A[1], dA[2]) - dot(A[2], dA[1]),
        dot(A[2], dA[0]) - dot(A[0], dA[2]),
        dot(A[0], dA[1]) - dot(A[1], dA[0]),
    )
    return dp, add(cross(sub(p, x), dp), spin)


@kernel
def twist_rows(pair, gradient, xa, xb):
    """Row on the twists of both bodies: (force_a, moment_a, force_b, moment_b)."""
    fa, ma = twist_row(pair[0], pair[1], xa, gradient[0], gradient[1])
    fb, mb = twist_row(pair[2], pair[3], xb, gradient[2], gradient[3])
    return fa, ma, fb, mb
