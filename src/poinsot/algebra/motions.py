"""SE(3): rigid motions (R, p), y = R x + p. Twists are ordered (angular, linear), here (phi, rho): rad and m.

    exp(phi, rho) = (exp(phi), J(phi) rho)

The Jacobians are 6x6 of the form [[J, 0], [Q, J]]; the blocks (J, Q) are returned. They are those of SO(3) at the dual
vector phi + eps rho, so Q is the derivative of J(phi) along rho: no formula longer than that of SO(3) is needed.
"""

from __future__ import annotations

from poinsot.algebra.compile import kernel
from poinsot.algebra.matrices import apply, hat, outer, plus, times
from poinsot.algebra.rotations import (
    axial,
    exp_matrix,
    inverse_coefficients,
    left_jacobian,
    left_jacobian_inverse,
    log_matrix,
    stumpff,
)
from poinsot.algebra.vectors import dot, negate


@kernel
def exp_motion(phi, rho):
    """(R, p) of the motion with a constant twist (phi, rho) for a unit of time."""
    return exp_matrix(phi), apply(left_jacobian(phi), rho)


@kernel
def log_motion(R, p):
    """(phi, rho) with exp_motion(phi, rho) = (R, p) and |phi| <= pi."""
    phi = log_matrix(R)
    return phi, apply(left_jacobian_inverse(phi), p)


@kernel
def axial_derivative(a_rate, b, b_rate, c, c_rate, phi, rho):
    """Derivative of a I + b hat(phi) + c phi phi' along rho; rates are those of a, b, c along rho."""
    moved = axial(a_rate, b_rate, c_rate, phi)
    return plus(plus(moved, times(b, hat(rho))), times(c, plus(outer(phi, rho), outer(rho, phi))))


@kernel
def left_jacobian_motion(phi, rho):
    """Blocks (J, Q): the twist in the fixed frame is (J phi', Q phi' + J rho')."""
    c = stumpff(dot(phi, phi))
    x_rate = 2.0 * dot(phi, rho)
    rate1, rate2, rate3 = 0.5 * (c[3] - c[2]), 0.5 * (2.0 * c[4] - c[3]), 0.5 * (3.0 * c[5] - c[4])
    Q = axial_derivative(rate1 * x_rate, c[2], rate2 * x_rate, c[3], rate3 * x_rate, phi, rho)
    return axial(c[1], c[2], c[3], phi), Q


@kernel
def right_jacobian_motion(phi, rho):
    """Blocks (J, Q): the twist in the moving frame is (J phi', Q phi' + J rho')."""
    return left_jacobian_motion(negate(phi), negate(rho))


@kernel
def left_jacobian_motion_inverse(phi, rho):
    """Blocks (J, Q) of the inverse of `left_jacobian_motion`; singular at |phi| = 2 pi, Q as 1 / (2 pi - |phi|)^2."""
    x = dot(phi, phi)
    x_rate = 2.0 * dot(phi, rho)
    a, c, c_prime = inverse_coefficients(x)
    Q = axial_derivative(-(c + x * c_prime) * x_rate, -0.5, 0.0, c, c_prime * x_rate, phi, rho)
    return axial(a, -0.5, c, phi), Q


@kernel
def right_jacobian_motion_inverse(phi, rho):
    """Blocks (J, Q) of the inverse of `right_jacobian_motion`."""
    return left_jacobian_motion_inverse(negate(phi), negate(rho))
