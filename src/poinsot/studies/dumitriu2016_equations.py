"""The printed equations of dumitriu2016, evaluated with our positions, accelerations and multipliers: what is left of each."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg import solve_continuous_lyapunov, solve_discrete_lyapunov

from poinsot.studies import dumitriu2016_models as m
from poinsot.studies.dumitriu2016_runs import (
    Runs,
    angles,
    bound,
    joint_multipliers,
    multipliers,
    rates,
    rotation,
    translation,
)
from poinsot.studies.table import Row, Section

LEAST = "1e-10"  # K^-1 magnifies rounding by up to 1e6
DOWN = np.array([1.0, 0.0, 0.0])


class Bar:
    """A bar of the double pendulum in space: the paper's quantities at all outputs, in its notation."""

    def __init__(self, run: Any, name: str):
        body, view = run.system[name], run[name]
        turn = m.drawn_turn(body)
        J = turn @ body.inertia_matrix() @ turn.T
        self.K = 0.5 * np.trace(J) * np.eye(3) - J
        self.inverse = np.linalg.inv(self.K)
        self.mass, self.OG = body.mass, np.array(body.position)
        self.R, self.T = rotation(run, name), translation(run, name)
        spin, change = _hat(view.angular_velocity), _hat(view.angular_acceleration)
        self.R1 = spin @ self.R
        self.R2 = (change + spin @ spin) @ self.R
        self.T2 = view.acceleration - self.R2 @ self.OG
        self.Lambda = multipliers(run, name)


def _hat(w: np.ndarray) -> np.ndarray:
    """j(w) of (6) for each of w (n, 3)."""
    return np.cross(w[:, None, :], np.eye(3)).swapaxes(1, 2)


def _outer(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a (n, 3) times b (3,)."""
    return a[:, :, None] * b


def _moved(x: np.ndarray) -> np.ndarray:
    return x.swapaxes(1, 2)


def sections(runs: Runs) -> list[Section]:
    """The equations, and where they hold."""
    return [equations(runs), lyapunov(runs)]


def equations(runs: Runs) -> Section:
    """Largest entries of left minus right sides over the double pendulum in space, 2 s; (26) in the plane, 10 s."""
    run = runs.spatial()
    one, two = Bar(run, "bar1"), Bar(run, "bar2")
    L01, L12 = joint_multipliers(run, "O"), joint_multipliers(run, "H1")
    g, OH = m.GRAVITY * DOWN, 2 * one.OG
    GH, HG = OH - one.OG, two.OG - OH
    X = one.mass * g - L01 + L12, two.mass * g - L12
    Y = (
        _outer(one.mass * g + 0 * L01, one.OG) + _outer(L12, OH),
        _outer(two.mass * g + 0 * L12, two.OG) - _outer(L12, OH),
    )
    sides: dict[str, list[tuple[Any, Any]]] = {"(9), (21)": [], "(12), (17)": [], "(2), (19)": [], "(23)": []}
    for bar, x, y in ((one, X[0], Y[0]), (two, X[1], Y[1])):
        K0, pushed = bar.K + bar.mass * np.outer(bar.OG, bar.OG), y + bar.R @ bar.Lambda
        sides["(9), (21)"].append((bar.mass * (bar.T2 + bar.R2 @ bar.OG), x))
        sides["(9), (21)"].append((bar.R2 @ K0 + bar.mass * _outer(bar.T2, bar.OG), pushed))
        shift = x / bar.mass - pushed @ bar.inverse @ bar.OG + (bar.inverse @ bar.OG) @ bar.OG * x
        sides["(12), (17)"] += [(bar.R2, (pushed - _outer(x, bar.OG)) @ bar.inverse), (bar.T2, shift)]
        sides["(2), (19)"].append((_moved(bar.R) @ bar.R, np.eye(3)))
        sides["(23)"].append((_moved(bar.R2) @ bar.R + _moved(bar.R) @ bar.R2, -2 * _moved(bar.R1) @ bar.R1))
    sides["(13), (20)"] = [(one.T, 0.0), (two.T + two.R @ OH, one.R @ OH)]
    sides["(24)"] = [(one.T2, 0.0), (two.T2 + two.R2 @ OH, one.R2 @ OH)]
    RL1, RL2 = one.R @ one.Lambda, two.R @ two.Lambda
    first = 1 / one.mass + one.inverse @ one.OG @ one.OG, 1 / one.mass - one.inverse @ one.OG @ GH
    second = 1 / two.mass + two.inverse @ two.OG @ HG
    sides["(22)"] = [
        (one.R2, (_outer(L01, one.OG) + _outer(L12, GH) + RL1) @ one.inverse),
        (two.R2, (_outer(L12, HG) + RL2) @ two.inverse),
        (one.T2, g - first[0] * L01 + first[1] * L12 - RL1 @ one.inverse @ one.OG),
        (two.T2, g - second * L12 - RL2 @ two.inverse @ two.OG),
    ]
    both = _lyapunov_sides(run, one, two)
    sides["(25), where R'R = I"] = [(bar.Lambda @ bar.inverse + bar.inverse @ bar.Lambda, right) for bar, right in both]
    sides["(26), in the plane"] = _minimal(runs.pendulum())
    rows = [
        bound(f"{name}: left and right side differ by", LEAST, max(map(_apart, pairs))) for name, pairs in sides.items()
    ]
    return Section(
        "The printed equations with our accelerations and multipliers, double pendulum in space", "zero", rows
    )


def _apart(pair: tuple[Any, Any]) -> float:
    """Largest difference of two sides, relative to the larger one where that is above 1."""
    return float(np.abs(pair[0] - pair[1]).max() / max(1.0, np.abs(pair[0]).max(), np.abs(pair[1]).max()))


def _lyapunov_sides(run: Any, one: Bar, two: Bar) -> list[tuple[Bar, np.ndarray]]:
    """Right sides of (25)."""
    L01, L12 = joint_multipliers(run, "O"), joint_multipliers(run, "H1")
    GH, HG = one.OG, two.OG - 2 * one.OG
    found = []
    for bar, pushed in ((one, _outer(L01, one.OG) + _outer(L12, GH)), (two, _outer(L12, HG))):
        part = _moved(bar.R) @ pushed @ bar.inverse
        found.append((bar, -2 * _moved(bar.R1) @ bar.R1 - part - _moved(part)))
    return found


def _minimal(run: Any) -> list[tuple[np.ndarray, np.ndarray]]:
    """Both sides of (26), the equations of the angles, divided by m l^2."""
    phi, psi = angles(run).T
    dphi, dpsi = rates(run).T
    ddphi, ddpsi = (run[name].angular_acceleration[:, 2] for name in ("bar1", "bar2"))
    size = m.MASS * m.LENGTH**2
    C, weight = m.MASS * (m.LENGTH**2 + m.WIDTH**2) / 12 / size, 0.5 * m.MASS * m.GRAVITY * m.LENGTH / size
    c, s = np.cos(phi - psi), np.sin(phi - psi)
    first = (C + 1.25) * ddphi + 0.5 * (c * ddpsi + s * dpsi**2), -3 * weight * np.sin(phi)
    second = (C + 0.25) * ddpsi + 0.5 * (c * ddphi - s * dphi**2), -weight * np.sin(psi)
    return [first, second]


def lyapunov(runs: Runs) -> Section:
    """(25) is a continuous Lyapunov equation, and exact off the manifold only with R^-T Lambda."""
    run, k = runs.spatial(), 100
    one, two = Bar(run, "bar1"), Bar(run, "bar2")
    bar, right = _lyapunov_sides(run, one, two)[0]
    solved = solve_continuous_lyapunov(bar.inverse, right[k])
    size = np.abs(bar.Lambda[k]).max()
    rows = [
        bound(
            "AX + XA = B solved as continuous Lyapunov equation: Lambda1 off by, relative",
            "1e-12",
            np.abs(solved - bar.Lambda[k]).max() / size,
        )
    ]
    scaled = bar.inverse / np.linalg.norm(bar.inverse, 2) / 2
    discrete = np.abs(solve_discrete_lyapunov(scaled, right[k]) - bar.Lambda[k]).max() / size
    rows.append(
        Row("AXA' - X + B = 0, a discrete one: Lambda1 off by, relative", "0", discrete, remark="another equation")
    )
    R, rate = bar.R[k] @ np.diag([1 + 1e-3, 1 - 1e-3, 1 + 2e-3]), bar.R1[k]
    L01, L12 = joint_multipliers(run, "O")[k], joint_multipliers(run, "H1")[k]
    pushed = np.outer(L01, bar.OG) + np.outer(L12, bar.OG)
    part = R.T @ pushed @ bar.inverse
    Lambda = solve_continuous_lyapunov(bar.inverse, -2 * rate.T @ rate - part - part.T)
    scale = np.abs(part).max()
    for name, factor in (("R", R), ("R^-T", np.linalg.inv(R).T)):
        acceleration = (pushed + factor @ Lambda) @ bar.inverse
        left = np.abs(acceleration.T @ R + R.T @ acceleration + 2 * rate.T @ rate).max() / scale
        title = f"R'R off by 2e-3: (R'R)'' with {name} Lambda in (22), relative"
        rows.append(bound(title, "1e-13", left) if name != "R" else Row(title, "0", left, remark="not zero"))
    return Section("Equation (25): which Lyapunov equation, and where it is exact", "linear algebra", rows)
