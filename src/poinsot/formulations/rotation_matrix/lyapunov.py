"""The first step of the elimination: multipliers that keep the directors of one body orthonormal, and the directors' accelerations.

A body turns by  D'' E = P + D^-T L,  with its directors D (columns), the principal values E of its Euler tensor, the forces on them
P (`point_forces.py`), and L = L' for D'D = 1 (dumitriu2016, eq. 22, with D^-T in place of D). The second derivative of D'D = 1
gives the Lyapunov equation (25),

    L E^-1 + E^-1 L = -(S E^-1 + E^-1 S' + G),     S = D'P,  G = 2 D''D' (rates of the directors),

which is diagonal in these axes. With D^-T it is exact wherever D is; with the printed D only where D'D = 1, and errors of D'D then grow
exponentially in bodies under compression.
"""

from __future__ import annotations

from poinsot.algebra.compile import kernel
from poinsot.algebra.matrices import column, transpose
from poinsot.algebra.vectors import add, add_scaled, cross, dot, scale


@kernel
def spin(D, Z):
    """Angular velocity of directors D with rates Z, world axes."""
    total = cross(column(D, 0), column(Z, 0))
    total = add(total, cross(column(D, 1), column(Z, 1)))
    return scale(0.5, add(total, cross(column(D, 2), column(Z, 2))))


@kernel
def reciprocal(D):
    """Columns of D^-T, as three vectors."""
    a, b, c = column(D, 0), column(D, 1), column(D, 2)
    bc = cross(b, c)
    volume = 1.0 / dot(a, bc)
    return scale(volume, bc), scale(volume, cross(c, a)), scale(volume, cross(a, b))


@kernel
def products(D, Z, P, damping):
    """S and G of (25), as rows; `damping` (1/s) adds Baumgarte's terms of D'D = 1 to G."""
    d = (column(D, 0), column(D, 1), column(D, 2))
    z = (column(Z, 0), column(Z, 1), column(Z, 2))
    p = (column(P, 0), column(P, 1), column(P, 2))
    S = (
        (dot(d[0], p[0]), dot(d[0], p[1]), dot(d[0], p[2])),
        (dot(d[1], p[0]), dot(d[1], p[1]), dot(d[1], p[2])),
        (dot(d[2], p[0]), dot(d[2], p[1]), dot(d[2], p[2])),
    )
    return S, (
        (strain(d[0], d[0], z[0], z[0], 1.0, damping), strain(d[0], d[1], z[0], z[1], 0.0, damping), strain(d[0], d[2], z[0], z[2], 0.0, damping)),
        (strain(d[1], d[0], z[1], z[0], 0.0, damping), strain(d[1], d[1], z[1], z[1], 1.0, damping), strain(d[1], d[2], z[1], z[2], 0.0, damping)),
        (strain(d[2], d[0], z[2], z[0], 0.0, damping), strain(d[2], d[1], z[2], z[1], 0.0, damping), strain(d[2], d[2], z[2], z[2], 1.0, damping)),
    )


@kernel
def strain(a, b, za, zb, one, damping):
    """An entry of G."""
    return 2.0 * dot(za, zb) + 2.0 * damping * (dot(a, zb) + dot(za, b)) + damping * damping * (dot(a, b) - one)


@kernel
def coefficient(S, G, E, i, k):
    """Part of D_k'' along the i-th column of D^-T: (S + L)_ik / E_k, with L from (25) and E_k cancelled, so that it may be zero."""
    return -0.5 * G[k][k] if i == k else (S[i][k] - S[k][i] - E[i] * G[i][k]) / (E[i] + E[k])


@kernel
def director_accelerations(E, D, Z, P, damping):
    """D'' of one body, with its multipliers eliminated."""
    S, G = products(D, Z, P, damping)
    r = reciprocal(D)
    columns = (
        along(r, coefficient(S, G, E, 0, 0), coefficient(S, G, E, 1, 0), coefficient(S, G, E, 2, 0)),
        along(r, coefficient(S, G, E, 0, 1), coefficient(S, G, E, 1, 1), coefficient(S, G, E, 2, 1)),
        along(r, coefficient(S, G, E, 0, 2), coefficient(S, G, E, 1, 2), coefficient(S, G, E, 2, 2)),
    )
    return transpose(columns)


@kernel
def body_multiplier(S, G, E, i, j):
    """An entry of L, N m; of a plate one of the principal values E is zero."""
    if i == j:
        return -S[i][i] - 0.5 * G[i][i] * E[i]
    return -(S[i][j] * E[i] + S[j][i] * E[j] + G[i][j] * E[i] * E[j]) / (E[i] + E[j])


@kernel
def along(r, a, b, c):
    """a r_0 + b r_1 + c r_2."""
    return add_scaled(add_scaled(scale(a, r[0]), b, r[1]), c, r[2])
