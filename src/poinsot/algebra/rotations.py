"""SO(3): exponential and logarithm. A rotation vector phi (rad) turns by |phi| about phi.

Everything is expressed in the Stumpff functions c_k(x) = 1/k! - x/(k+2)! + x^2/(k+4)! - ..., x = |phi|^2:

    c_0 = cos|phi|,  c_1 = sin|phi| / |phi|,  c_k = 1/k! - x c_{k+2},  dc_k/dx = (k c_{k+2} - c_{k+1}) / 2
    exp(phi) = c_0 I + c_1 hat(phi) + c_2 phi phi'
    J(phi)   = c_1 I + c_2 hat(phi) + c_3 phi phi'          the Jacobian, exp(phi)' = hat(J phi') exp(phi)
"""

from __future__ import annotations

import math

from poinsot.algebra.compile import kernel
from poinsot.algebra.quaternions import from_matrix, rotation_matrix
from poinsot.algebra.vectors import dot, scale

# Below this x the series is more accurate than the closed form; eleven terms leave less than 1e-17 of the first.
_SERIES = 4.0
_C4 = tuple((-1.0) ** j / math.factorial(2 * j + 4) for j in reversed(range(11)))
_C5 = tuple((-1.0) ** j / math.factorial(2 * j + 5) for j in reversed(range(11)))


@kernel
def stumpff(x):
    """Return (c_0, ..., c_5) at x >= 0, to a few units in the last place (c_0 absolutely)."""
    if x < _SERIES:
        c4, c5 = 0.0, 0.0
        for k in range(len(_C4)):
            c4 = c4 * x + _C4[k]
            c5 = c5 * x + _C5[k]
        c2, c3 = 1.0 / 2.0 - x * c4, 1.0 / 6.0 - x * c5
        return (1.0 - x * c2, 1.0 - x * c3, c2, c3, c4, c5)
    angle = math.sqrt(x)
    s, c = math.sin(0.5 * angle), math.cos(0.5 * angle)
    c1, c2 = 2.0 * s * c / angle, 2.0 * s * s / x
    c3 = (1.0 - c1) / x
    return (c * c - s * s, c1, c2, c3, (1.0 / 2.0 - c2) / x, (1.0 / 6.0 - c3) / x)


@kernel
def inverse_coefficients(x):
    """Return (a, c, dc/dx) of the inverse Jacobian a I - hat(phi) / 2 + c phi phi', x = |phi|^2.

    With h = |phi| / 2: a = h cot h and c = (1 - a) / x, written in the Stumpff functions of h^2 to avoid
    cancellation. Towards a full turn, where the Jacobian is singular, a and c grow as 1 / (2 pi - |phi|), and so do their
    relative errors: about 1e-15 / (2 pi - |phi|).
    """
    c0, c1, c2, c3, c4, c5 = stumpff(0.25 * x)
    n = c2 - c3
    n_rate = 0.5 * (3.0 * c4 - c3 - 3.0 * c5)
    return (c0 / c1, 0.25 * n / c1, 0.0625 * (n_rate * c1 + 0.5 * n * n) / (c1 * c1))


@kernel
def axial(a, b, c, v):
    """a I + b hat(v) + c v v'."""
    x, y, z = scale(c, v)
    bx, by, bz = scale(b, v)
    xy, xz, yz = x * v[1], x * v[2], y * v[2]
    return ((a + x * v[0], xy - bz, xz + by), (xy + bz, a + y * v[1], yz - bx), (xz - by, yz + bx, a + z * v[2]))


@kernel
def exp_quaternion(phi):
    """Unit quaternion (w, x, y, z) of the rotation vector phi."""
    x = dot(phi, phi)
    if x < 1e-16:  # the next terms are below rounding; x may underflow
        return (1.0, 0.5 * phi[0], 0.5 * phi[1], 0.5 * phi[2])
    angle = math.sqrt(x)
    k = math.sin(0.5 * angle) / angle
    return (math.cos(0.5 * angle), k * phi[0], k * phi[1], k * phi[2])


@kernel
def exp_matrix(phi):
    """Rotation matrix of the rotation vector phi."""
    return rotation_matrix(exp_quaternion(phi))


@kernel
def log_quaternion(q):
    """Shortest rotation vector of q / |q|: |phi| <= pi. The length of q may be anything from 1e-150 to 1e150.

    q and -q are the same rotation and give the same vector, except at exactly half a turn (w = 0), where phi and -phi
    are both shortest and the one along the vector part is returned.
    """
    w, n2 = q[0], q[1] * q[1] + q[2] * q[2] + q[3] * q[3]
    if n2 <= 1e-16 * w * w:  # the next term is below rounding; n2 may underflow
        k = 2.0 / w
    else:
        n = math.sqrt(n2)
        k = 2.0 * math.atan2(n, abs(w)) / n
        if w < 0.0:
            k = -k
    return (k * q[1], k * q[2], k * q[3])


@kernel
def euler_angles(R):
    """Angles (phi, theta, psi), rad, with R = Rz(psi) Ry(theta) Rx(phi): phi, psi within +-pi, theta within +-pi/2.

    Singular at theta = +-pi/2 (gimbal lock): there phi and psi jump.
    """
    theta = math.atan2(-R[2][0], math.hypot(R[2][1], R[2][2]))
    return (math.atan2(R[2][1], R[2][2]), theta, math.atan2(R[1][0], R[0][0]))


@kernel
def log_matrix(R):
    """Shortest rotation vector of a rotation matrix, |phi| <= pi; relative accuracy near 0, absolute near pi."""
    return log_quaternion(from_matrix(R))


@kernel
def left_jacobian_inverse(phi):
    """Rate of phi per angular velocity in world axes; singular at |phi| = 2 pi (see `inverse_coefficients`)."""
    a, c, _ = inverse_coefficients(dot(phi, phi))
    return axial(a, -0.5, c, phi)
