"""Every printed equation of hemami2002, tried with numbers: whether it holds as printed, and the residual of the correct one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from poinsot.studies import hemami2002_models as m
from poinsot.studies.hemami2002_runs import bound, row, yes
from poinsot.studies.table import Section

TINY = 1e-30  # complex step: derivatives to rounding
HOLDS = 1e-10  # largest residual of an equation that holds
THETA, OMEGA = np.array([0.3, -0.5, 0.8]), np.array([0.7, -0.4, 1.1])
OMEGA_RATE = np.array([-0.2, 0.9, 0.5])
R, MASS = np.array([0.1, -0.2, 0.3]), 2.0
J = np.diag([0.05, 0.06, 0.03])
FORCE, TORQUE = np.array([1.0, -2.0, 0.5]), np.array([0.3, 0.1, -0.2])
GRAVITY = np.array([0.0, 0.0, -MASS * 9.81])


def along(function: Callable[[Any], Any], direction: Any) -> np.ndarray:
    """Derivative of a function of Theta along a direction."""
    return np.imag(function(THETA + 1j * TINY * np.asarray(direction))) / TINY


def by_theta(function: Callable[[Any], Any]) -> np.ndarray:
    """Jacobian of a vector function of Theta."""
    return np.stack([along(function, e) for e in np.eye(3)], axis=-1)


def residuals() -> dict[str, tuple[float, float | None]]:
    """Largest residual of each equation as printed, and corrected (None where the printed one is right)."""
    A, B, Bi = m.A(THETA), m.B(THETA), m.B_inverse(THETA)
    o, r, turn = m.hat(OMEGA), m.hat(R), B @ OMEGA
    worst = lambda x: float(np.abs(x).max())  # noqa: E731
    A_rate, Bi_rate = along(m.A, turn), along(m.B_inverse, turn)
    found: dict[str, tuple[float, float | None]] = {
        "A is a rotation": (worst(A @ A.T - np.eye(3)), None),
        "B^-1 is the inverse of B": (worst(B @ Bi - np.eye(3)), None),
    }
    change = np.linalg.solve(J, -o @ J @ OMEGA + TORQUE + r @ A.T @ FORCE)
    moment = A_rate @ J @ OMEGA + A @ J @ change
    found["(1) is the balance of angular momentum"] = (worst(moment - A @ TORQUE - np.cross(A @ R, FORCE)), None)
    found["(2) A' = A Omega^"] = (worst(A_rate - A @ o), None)
    found["(3) (A Omega)^ = A Omega^ A'"] = (worst(m.hat(A @ OMEGA) - A @ o @ A.T), None)
    right = by_theta(lambda theta: m.B_inverse(theta) @ turn)
    found["(4) d(B^-1)/dt + Omega^ B^-1"] = (worst(Bi + o @ Bi - right), worst(Bi_rate + o @ Bi - right))
    found["(5) d(A R)/dTheta = -A R^ B^-1"] = (worst(by_theta(lambda theta: m.A(theta) @ R) + A @ r @ Bi), None)
    found["(6) applied to R"] = (worst(o @ r @ o - r @ o @ o), worst((o @ r @ o - r @ o @ o) @ R))
    speed = -A_rate @ R
    found["(7) V = -A Omega^ R"] = (worst(speed - A @ o @ R), worst(speed + A @ o @ R))
    push = -A_rate @ o @ R - A @ m.hat(OMEGA_RATE) @ R
    found["(8) V' = A Omega^ R^ Omega + A R^ Omega'"] = (worst(push - A @ o @ r @ OMEGA - A @ r @ OMEGA_RATE), None)
    found["(9), (13) -Omega^ J1 Omega"] = _turning(A, o, r)
    tau, C = np.array(m.defined("axis")["tau"]), np.array(m.defined("axis")["C_cols"]).T
    w = 1.7
    found["(11) C' A B^-1 Theta' = 0 where A Omega = tau w"] = (worst(C.T @ A @ Bi @ (B @ A.T @ tau * w)), None)
    found["(18) with J^-1: C'A Omega+ = 0"] = _impulse(A, C)
    found["(20) Omega = A' tau w"] = (worst(A @ B @ A.T @ tau * w - tau * w), worst(A @ A.T @ tau * w - tau * w))
    return found


def _turning(A: np.ndarray, o: np.ndarray, r: np.ndarray) -> tuple[float, float]:
    """Omega' of the pinned body by all equations with Lambda, against (9) as printed and corrected."""
    full = np.zeros((9, 9))  # unknown: V', Omega', Lambda
    full[:3, :3], full[:3, 6:] = MASS * np.eye(3), -np.eye(3)
    full[3:6, 3:6], full[3:6, 6:] = J, -r @ A.T
    full[6:, :3], full[6:, 3:6] = np.eye(3), -A @ r
    change = np.linalg.solve(full, np.concatenate([GRAVITY, TORQUE - o @ J @ OMEGA, A @ o @ r @ OMEGA]))[3:6]
    J1 = J - MASS * r @ r
    rest = TORQUE - r @ A.T @ GRAVITY
    printed, right = (np.linalg.solve(J1, sign * o @ J1 @ OMEGA + rest) for sign in (1.0, -1.0))
    return float(np.abs(printed - change).max()), float(np.abs(right - change).max())


def _impulse(A: np.ndarray, C: np.ndarray) -> tuple[float, float]:
    """Forbidden angular velocity that is left by (18) as printed and corrected."""
    left = []
    inverse = np.linalg.inv(J)
    for middle in (J, inverse):
        size = -np.linalg.solve(C.T @ A @ middle @ A.T @ C, C.T @ A @ OMEGA)
        left.append(float(np.abs(C.T @ A @ (OMEGA + inverse @ A.T @ C @ size)).max()))
    return left[0], left[1]


def section() -> Section:
    """Whether every equation holds as printed, and the residual of what is correct."""
    rows = []
    for name, (printed, corrected) in residuals().items():
        if corrected is None:
            rows.append(bound(f"{name}: residual", "1e-14", printed))
        else:
            rows.append(yes(f"{name.split(') ')[0]}) holds as printed", False, printed < HOLDS))
            rows.append(bound(f"{name}, corrected: residual", "1e-14", corrected))
    return Section("Printed equations", "one set of angles and rates; derivatives by complex steps", rows)


def theta_of_xi(values: Any) -> tuple[np.ndarray, np.ndarray]:
    """Theta(Xi) by its closed form A = exp(tau^ Xi), and by integrating dTheta/dXi = B A' tau as the paper does; values rise from 0."""
    tau = np.array(m.defined("axis")["tau"])
    fine = np.union1d(np.linspace(0, values[-1], 400), values)
    closed = m.angles(Rotation.from_rotvec(fine[:, None] * tau).as_matrix())[np.searchsorted(fine, values)]
    slope = lambda xi, theta: m.B(theta) @ m.A(theta).T @ tau  # noqa: E731
    found = solve_ivp(slope, (0, values[-1]), np.zeros(3), "DOP853", t_eval=values, rtol=1e-12, atol=1e-13)
    return closed, found.y.T


def curve() -> Section:
    """Figure 1: Theta(Xi) of one axis; and for two axes there is no such function."""
    known = m.reference()["axis"]["Theta of Xi"]
    closed, integrated = theta_of_xi(known["Xi"])
    rows = []
    for xi, numbers, ours in zip(known["Xi"], known["Theta"], closed):
        rows += [row(f"Theta({xi:.4g}), {k + 1}", x, y, 1e-13) for k, (x, y) in enumerate(zip(numbers, ours))]
    rows.append(bound("integrated (15) against the closed form (rad)", "1e-10", np.abs(integrated - closed).max()))
    first, second = (Rotation.from_rotvec(0.5 * np.array(c)) for c in m.defined("axis")["C_cols"])
    gap = np.linalg.norm((second * first).as_matrix() - (first * second).as_matrix())
    rows.append(row("(16), 0.5 rad along one axis, then the other: distance of the two A", m.reference()["path difference"], gap, 1e-14))
    rows.append(yes("(16) defines a function Theta(Xi)", False, gap < HOLDS))
    return Section("Figure 1: Theta as a function of Xi", "closed form", rows)


def feedback() -> Section:
    """(17): v' = -Omega' L R_a Omega only if K R_a is symmetric."""
    rows = []
    weights = {"symmetric": np.diag([20.0, 25.0, 15.0]), "not symmetric": np.diag([20.0, 25.0, 15.0]) + 4 * m.hat((0.2, 0.5, 1.0))}
    for name, K in weights.items():
        torque = -m.B(THETA).T @ K @ THETA - 2.0 * OMEGA
        inertia = np.diag(m.defined("axis")["J"])
        change = np.linalg.solve(inertia, torque - np.cross(OMEGA, inertia @ OMEGA))
        turn = m.B(THETA) @ OMEGA
        rate = OMEGA @ inertia @ change + 0.5 * (turn @ K @ THETA + THETA @ K @ turn)
        rows.append(yes(f"K R_a {name}: v' = -Omega' L R_a Omega", name == "symmetric", abs(rate + 2.0 * OMEGA @ OMEGA) < 1e-12))
    return Section("Feedback (17)", "K R_a must be symmetric, and L R_a positive definite", rows)


def sections() -> list[Section]:
    """All equations, figure 1 and the feedback."""
    return [section(), curve(), feedback()]
