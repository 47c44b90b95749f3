"""Control of the attitude of a body by a torque: the Euler-angle law of hemami2002 (17), and its counterpart on SO(3), without singularity."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from poinsot.control.gains import gain_matrix, positive_definite, positive_number
from poinsot.errors import ModelError
from poinsot.model.body import BODY, Body
from poinsot.model.feedback import Feedback
from poinsot.model.guard import TEXT, door
from poinsot.model.rotation import matrix, quaternion
from poinsot.model.wrenches import Torque

SINGULAR = 1e-9  # smallest |cos theta2| of the Euler-angle law


def _theta(x: Any) -> Any:
    """Euler angles of A = Rx(theta1) Ry(theta2) Rz(theta3), nine numbers, row by row."""
    return (
        math.atan2(-x[5], x[8]),
        math.atan2(x[2], math.sqrt(x[0] * x[0] + x[1] * x[1])),
        math.atan2(-x[1], x[0]),
    )


def euler_law(t, x, p, u):
    """N = -B' K Theta - L Omega (hemami2002, 17), body axes; K and L stand for the paper's K R_a and L R_a."""
    t1, t2, t3 = (
        math.atan2(-x[5], x[8]),
        math.atan2(x[2], math.sqrt(x[0] * x[0] + x[1] * x[1])),
        math.atan2(-x[1], x[0]),
    )
    c, s, c3, s3 = math.cos(t2), math.sin(t2), math.cos(t3), math.sin(t3)
    if abs(c) < SINGULAR:
        raise ValueError("the Euler-angle law is singular where theta2 is 90 degrees; use po.control.attitude")
    k0 = p.K[0, 0] * t1 + p.K[0, 1] * t2 + p.K[0, 2] * t3
    k1 = p.K[1, 0] * t1 + p.K[1, 1] * t2 + p.K[1, 2] * t3
    k2 = p.K[2, 0] * t1 + p.K[2, 1] * t2 + p.K[2, 2] * t3
    u[0] = -(c3 / c * k0 + s3 * k1 - s / c * c3 * k2)
    u[1] = -(-s3 / c * k0 + c3 * k1 + s / c * s3 * k2)
    u[2] = -k2
    for i in range(3):
        for j in range(3):
            u[i] -= p.L[i, j] * x[9 + j]


def _spinning(x: Any, p: Any) -> float:
    """Kinetic energy of rotation, J."""
    return 0.5 * float(x[9:12] @ p.J @ x[9:12])


def euler_lyapunov(t: float, x: Any, p: Any) -> float:
    """V = Omega' J Omega / 2 + Theta' K Theta / 2, J."""
    theta = np.array(_theta(x))
    return _spinning(x, p) + 0.5 * float(theta @ p.K @ theta)


def euler_lyapunov_rate(t: float, x: Any, p: Any) -> float:
    """V' = -Omega' L Omega, W."""
    return -float(x[9:12] @ p.L @ x[9:12])


def attitude_law(t, x, p, u):
    """N = -k_R e_R - k_W Omega with e_R = (P A - A' P)^v / 2 and A relative to the target, body axes."""
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        e = 0.0  # entry (k, j) of P A less entry (j, k), A = target' times the attitude
        for m in range(3):
            for n in range(3):
                e += p.P[k, m] * p.target[n, m] * x[3 * n + j] - p.P[j, m] * p.target[n, m] * x[3 * n + k]
        u[i] = -0.5 * p.k_R * e - p.k_W * x[9 + i]


def attitude_lyapunov(t: float, x: Any, p: Any) -> float:
    """V = Omega' J Omega / 2 + k_R tr(P (1 - A)) / 2, J."""
    A = p.target.T @ np.asarray(x[:9]).reshape(3, 3)
    return _spinning(x, p) + 0.5 * p.k_R * float(np.trace(p.P @ (np.eye(3) - A)))


def attitude_lyapunov_rate(t: float, x: Any, p: Any) -> float:
    """V' = -k_W |Omega|^2, W."""
    return -p.k_W * float(x[9:12] @ x[9:12])


def _torque(body: Body, name: str) -> tuple[Torque, list[str]]:
    if body.system is None:
        raise ModelError(f"{body.label()}: belongs to no system")
    torque = body.system.add(Torque(body, frame="body", name=f"{name or f'{body.name} attitude'} torque"))
    return torque, [f"{body.name}.rotation", f"{body.name}.angular_velocity_body"]


@door(body=BODY, name=TEXT)
def euler_attitude(body: Body, K: Any, L: Any, R_a: Any = 1.0, *, limits: Any = None, name: str = "") -> Feedback:
    """The law of hemami2002 (17) for a body: N = -B' K R_a Theta - L R_a Omega, with Theta its Euler angles (rad) about x, y and z in turn.

    It brings the body to rest at Theta = 0 with V = Omega' J Omega / 2 + Theta' K R_a Theta / 2, where K R_a must be symmetric and positive
    definite and L R_a positive definite. It is singular at theta2 = 90 degrees: the torque grows without bound, and the law fails there.

    Parameters
    ----------
    body : the body; the torque N acts on it, in its axes (N m)
    K, L : N m/rad and N m s/rad: numbers, diagonals or matrices
    R_a : without unit: a number, a diagonal or a matrix
    limits : of the torque, N m: a number (-limit to limit), or for each of three components a number or a pair
    name : of the feedback
    """
    where = f"euler_attitude of {body.label()}"
    R = gain_matrix(R_a, 3, f"{where}: R_a")
    stiffness = positive_definite(gain_matrix(K, 3, f"{where}: K") @ R, f"{where}: K R_a")
    damping = positive_definite(gain_matrix(L, 3, f"{where}: L") @ R, f"{where}: L R_a", symmetric=False)
    torque, outputs = _torque(body, name)
    params = {"K": stiffness, "L": damping, "J": body.inertia_matrix()}
    judged: dict[str, Any] = {"lyapunov": euler_lyapunov, "lyapunov_rate": euler_lyapunov_rate}
    assert body.system is not None
    return body.system.add(Feedback(euler_law, [torque], outputs, params, limits=limits, **judged, name=name or f"{body.name} attitude"))


@door(body=BODY, name=TEXT)
def attitude(
    body: Body, k_R: float, k_W: float, P: Any = 1.0, *, target: Any = None, limits: Any = None, name: str = ""
) -> Feedback:
    """A law on SO(3): N = -k_R e_R - k_W Omega, e_R = (P A - A' P)^v / 2, with A the attitude relative to `target` (a rotation).

    V = Omega' J Omega / 2 + k_R tr(P (1 - A)) / 2 falls with V' = -k_W |Omega|^2, and every attitude but the unstable ones half a turn
    away goes to the target.

    Parameters
    ----------
    body : the body; the torque N acts on it, in its axes (N m)
    k_R : N m
    k_W : N m s
    P : weights without unit: a number, a diagonal or a symmetric positive definite matrix
    target : attitude of the body, a rotation in any form; default: that of the world axes
    limits : of the torque, N m: a number (-limit to limit), or for each of three components a number or a pair
    name : of the feedback
    """
    where = f"attitude of {body.label()}"
    weights = positive_definite(gain_matrix(P, 3, f"{where}: P"), f"{where}: P")
    params: dict[str, Any] = {
        "k_R": positive_number(k_R, f"{where}: k_R"),
        "k_W": positive_number(k_W, f"{where}: k_W"),
        "P": weights,
        "target": matrix(quaternion(target, where)),
        "J": body.inertia_matrix(),
    }
    torque, outputs = _torque(body, name)
    judged: dict[str, Any] = {"lyapunov": attitude_lyapunov, "lyapunov_rate": attitude_lyapunov_rate}
    assert body.system is not None
    return body.system.add(Feedback(attitude_law, [torque], outputs, params, limits=limits, **judged, name=name or f"{body.name} attitude"))
