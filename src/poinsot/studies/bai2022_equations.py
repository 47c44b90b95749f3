"""Every printed equation of bai2022, tried with numbers: whether it holds as printed, and the residual of the correct one.

What is true comes from the kinetic and the potential energy of two bodies alone, by complex steps. q1 = (l1, 0) is the arm to the second joint; in
(5.1) to (6.15) of the paper q1 is also the attitude of the first body, here p1.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from poinsot.studies.table import Row, Section

TINY = 1e-30  # complex step: derivatives to rounding
HOLDS = 1e-10  # largest residual of an equation that holds
S = np.array([[0.0, -1.0], [1.0, 0.0]])
T1, T2 = np.diag([1.0, -1.0]), np.array([[0.0, 1.0], [1.0, 0.0]])
E1, E2 = np.eye(2)
M1, M2, J1, J2, L1, G = 0.7, 1.3, 0.9, 1.7, 1.1, 9.8
RHO1, RHO2, Q1 = np.array([0.25, 0.4]), np.array([-0.35, 0.6]), np.array([L1, 0.0])
ANGLES, RATES = np.array([0.6, 1.4]), np.array([1.2, -2.3])  # absolute
SUM = np.array([[1.0, 0.0], [1.0, 1.0]])  # absolute rates from relative ones
Pair = tuple[float, float | None]


def turn(angle: Any) -> np.ndarray:
    """Rotation matrix of an angle, which may be complex."""
    return np.cos(angle) * np.eye(2) + np.sin(angle) * S


def kinetic(angles: Any, rates: Any) -> Any:
    """Kinetic energy at absolute angles and rates."""
    v1 = rates[0] * turn(angles[0]) @ S @ RHO1
    v2 = rates[0] * turn(angles[0]) @ S @ Q1 + rates[1] * turn(angles[1]) @ S @ RHO2
    return 0.5 * (M1 * v1 @ v1 + M2 * v2 @ v2 + J1 * rates[0] ** 2 + J2 * rates[1] ** 2)


def lagrangian(angles: Any, rates: Any) -> Any:
    """L = T - V, gravity along +e2."""
    height = M1 * turn(angles[0]) @ RHO1 + M2 * (turn(angles[0]) @ Q1 + turn(angles[1]) @ RHO2)
    return kinetic(angles, rates) + G * E2 @ height


def mass_matrix(angles: Any) -> np.ndarray:
    """Of the absolute rates, from the kinetic energy."""
    e = np.eye(2)
    return np.array([[kinetic(angles, a + b) - kinetic(angles, a) - kinetic(angles, b) for a in e] for b in e])


def along(function: Any, direction: Any) -> np.ndarray:
    """Derivative of a function of the absolute angles along a direction."""
    return np.imag(function(ANGLES + 1j * TINY * np.asarray(direction))) / TINY


def truth() -> SimpleNamespace:
    """Accelerations, momenta and their derivatives, and derivatives of L by the angles; absolute, and relative (r)."""
    M, force = mass_matrix(ANGLES), np.array([along(lambda x: lagrangian(x, RATES), e) for e in np.eye(2)])
    M_rate = along(mass_matrix, RATES)
    change = np.linalg.solve(M, force - M_rate @ RATES)
    known = SimpleNamespace(P=M @ RATES, P_rate=force, force=force, w=RATES, a=change)
    for name in ("P", "P_rate", "force"):
        setattr(known, f"{name}r", SUM.T @ getattr(known, name))
    known.wr, known.ar = np.linalg.solve(SUM, RATES), np.linalg.solve(SUM, change)
    return known


def worst(*values: Any) -> float:
    """The largest of some numbers."""
    return float(max(np.abs(value).max() for value in values))


def residuals() -> dict[str, Pair]:
    """Largest residual of each equation as printed, and corrected (None where the printed one is right)."""
    k = truth()
    return {**relative_matrix(k), **absolute_matrix(k), **relative_vector(k), **absolute_vector(k)}


def relative_matrix(k: SimpleNamespace) -> dict[str, Pair]:
    """Section 3, (6.3) to (6.9)."""
    (w1, w2), (a1, a2), R1 = k.wr, k.ar, turn(ANGLES[0])
    R2 = turn(ANGLES[1] - ANGLES[0])
    d, h = RHO2 @ R2.T @ S @ Q1, RHO2 @ R2.T @ Q1
    JD = J2 + M2 * RHO2 @ RHO2
    JB = JC = JD + M2 * h
    JA = J1 + M1 * RHO1 @ RHO1 + M2 * Q1 @ Q1 + JB + M2 * h
    G1 = M2 * G * E2 @ (R1 @ S @ Q1 + R1 @ S @ R2 @ RHO2) + M1 * G * E2 @ R1 @ S @ RHO1
    weight = M2 * G * E2 @ R1 @ R2 @ S @ RHO2
    G2, centrifugal = weight - M2 * (w1 + w2) * w1 * Q1 @ S.T @ R2 @ RHO2, -M2 * d * w2**2 - 2 * M2 * d * w1 * w2
    right, wrong = np.array([[JA, JB], [JC, JD]]), np.array([[JB, JA], [JC, JD]])
    QA = np.array([-centrifugal, M2 * d * w1 * w2])
    T = np.array([-centrifugal + G1, M2 * d * w1 * w2 + weight + M2 * (w1 + w2) * w1 * Q1 @ S @ R2 @ RHO2])
    inverse = np.array([[JD, -JA], [-JC, JD]]) / (JB * JD - JA * JC)
    G_1 = R1.T @ E2
    columns = np.array([-S @ G_1, G_1])
    return {
        "(3.6) Pi1": (worst(JA * w2 + JB * w1 - k.Pr[0]), worst(JA * w1 + JB * w2 - k.Pr[0])),
        "(3.7) its derivative": (
            worst(JA * a2 + JB * a1 + centrifugal - k.P_rater[0]),
            worst(JA * a1 + JB * a2 + centrifugal - k.P_rater[0]),
        ),
        "(3.8) Pi2": (worst(JC * w1 + JD * w2 - k.Pr[1]), None),
        "(3.9) its derivative": (worst(JC * a1 + JD * a2 - M2 * d * w1 * w2 - k.P_rater[1]), None),
        "(3.10) derivatives by the attitudes": (worst(np.array([G1, G2]) - k.forcer), None),
        "(3.11), (3.12) L-R-L": (
            worst(wrong @ k.ar + QA - [G1, G2]),
            worst(right @ k.ar + [centrifugal - G1, M2 * d * w1**2 - weight]),
        ),
        "(3.13) L-R-H": (worst(k.P_rater - [G1, G2]), None),
        "(6.5) L-R-L": (worst(wrong @ k.ar - T), worst(right @ k.ar - T)),
        "(6.6) the inverse": (worst(inverse @ right - np.eye(2)), worst(np.array([[JD, -JB], [-JC, JA]]) @ right / (JA * JD - JB * JC) - np.eye(2))),
        "(6.9) R from Gamma": (worst(columns.T - R1), worst(columns - R1)),
    }


def absolute_matrix(k: SimpleNamespace) -> dict[str, Pair]:
    """Section 4, (6.10) and (6.11)."""
    (wA, wB), RA, RB = k.w, turn(ANGLES[0]), turn(ANGLES[1])
    f, c = Q1 @ RA.T @ RB @ S @ RHO2, Q1 @ S @ RA.T @ RB @ RHO2
    weights = M1 * G * E2 @ RA @ S @ RHO1 + M2 * G * E2 @ RA @ S @ Q1, M2 * G * E2 @ RB @ S @ RHO2
    KA = np.array([-M2 * wA * wB * f + weights[0], M2 * wA * wB * c + weights[1]])
    cross = -M2 * Q1 @ S @ RA.T @ RB @ S @ RHO2
    JK = np.array([[J1 + M1 * RHO1 @ RHO1 + M2 * Q1 @ Q1, cross], [cross, J2 + M2 * RHO2 @ RHO2]])
    K = np.array([weights[0] - M2 * c * wB**2, M2 * f * wA**2 + weights[1]])
    cross_rate = along(lambda x: M2 * Q1 @ S.T @ turn(x[0]).T @ turn(x[1]) @ S @ RHO2, RATES)
    lhs = JK @ k.a + [M2 * c * wB**2 - weights[0], -M2 * f * wA**2 - weights[1]]
    Gamma, rate = RA.T @ E2, along(lambda x: turn(x[0]).T @ E2, RATES)
    return {
        "(4.6) Pi": (worst(JK @ k.w - k.P), None),
        "(4.7) derivative of the coupling": (worst(cross_rate - M2 * f * (wA - wB)), worst(cross_rate - M2 * f * (wB - wA))),
        "(4.8) derivatives by the attitudes, q1 for q2": (worst(KA - k.force), None),
        "(4.9) L-A-L, q1 for q2": (worst(lhs), None),
        "(4.10) L-A-H": (worst(k.P_rate + KA), worst(k.P_rate - KA)),
        "(6.10) rates": (worst(JK @ k.a - K), None),
        "(6.10) Gamma'": (worst(rate - S @ Gamma * wA), worst(rate + S @ Gamma * wA)),
        "(6.11) L-A-H": (worst(k.P_rate + KA), worst(k.P_rate - KA)),
    }


def relative_vector(k: SimpleNamespace) -> dict[str, Pair]:
    """Section 5 with relative attitudes, (6.12) and (6.13)."""
    (w1, w2), wB = k.wr, k.w[1]
    p1, p2, pB = (turn(x) @ E1 for x in (ANGLES[0], ANGLES[1] - ANGLES[0], ANGLES[1]))
    Tr1, Tr2 = np.column_stack([RHO1, S @ RHO1]), np.column_stack([RHO2, S @ RHO2])
    h, kk = pB @ Tr2.T @ p1, pB @ Tr2.T @ S @ p1
    QA = J2 + M2 * RHO2 @ RHO2
    QB = QA + M2 * L1 * h
    J = np.array([[J1 + M2 * L1**2 + M1 * RHO1 @ RHO1 + QA + 2 * M2 * L1 * h, QB], [QB, QA]])
    N, x1, x2 = np.array([[2, 1], [1, 0]]), p1 @ T1 @ p2, p1 @ T2 @ p2
    way = x1 * E2 - x2 * E1
    v1 = M2 * L1 * wB * w1 * p1 @ Tr2 + M2 * G * E2 @ Tr2
    v3 = M2 * L1 * wB * w1 * pB @ Tr2.T + M1 * G * E2 @ Tr1 + M2 * G * L1 * E2
    W = np.array([v1 @ way + v3 @ S @ p1, v1 @ way])
    QB_rate = -M2 * L1 * w2 * kk
    pull = M2 * G * (x2 * E2 @ Tr2 @ E1 - L1 * E1 @ p1 - x1 * E2 @ Tr2 @ E2)  # of (5.20), (6.12) and (6.13)
    spin = M2 * L1 * wB * w1 * (x2 * E1 - x1 * E2) @ Tr2.T @ p1
    first = M1 * G * E2 @ Tr1 @ S @ p1
    fall = M2 * G * E2 @ Tr2 @ way

    def hamilton(sign: float) -> np.ndarray:  # of the terms with m2 g
        return k.P_rater + [spin - M2 * L1 * wB * w1 * kk - first - sign * pull, spin + sign * fall]

    def rates(sign: float) -> np.ndarray:
        W1 = M2 * L1 * (2 * w1 + w2) * (w1 - wB) * kk + spin - M2 * L1 * wB * w1 * kk - sign * pull - first
        W2 = sign * fall - M2 * L1 * wB * w1 * (pB @ S + x1 * E2 - x2 * E1) @ Tr2.T @ p1 + M2 * L1 * w1**2 * kk
        return J @ k.ar + [W1, W2]

    def momenta(sign: float) -> np.ndarray:
        U = [M2 * L1 * wB * w1 * kk + sign * (-first + pull) - spin, -spin - sign * fall]
        return k.P_rater - U

    return {
        "(5.2) product of attitudes": (worst(x1 * E1 + x2 * E2 - pB), None),
        "(5.7) Pi": (worst(J @ k.wr - k.Pr), None),
        "(5.14) derivatives by the attitudes": (worst(W - k.forcer), None),
        "(5.15) A-R-L": (worst(J @ k.ar + QB * N @ k.wr - W), worst(J @ k.ar + QB_rate * N @ k.wr - W)),
        "(5.20) A-R-H": (worst(hamilton(1.0)), worst(hamilton(-1.0))),
        "(6.12) A-R-L": (worst(rates(1.0)), worst(rates(-1.0))),
        "(6.13) A-R-H": (worst(momenta(1.0)), worst(momenta(-1.0))),
    }


def absolute_vector(k: SimpleNamespace) -> dict[str, Pair]:
    """Section 5 with absolute attitudes, (6.14) and (6.15)."""
    w1, wB = k.w
    p1, pB = (turn(x) @ E1 for x in ANGLES)
    Tr1, Tr2 = np.column_stack([RHO1, S @ RHO1]), np.column_stack([RHO2, S @ RHO2])
    h, kk = M2 * L1 * pB @ Tr2.T @ p1, M2 * L1 * pB @ Tr2.T @ S @ p1

    def JZ(rho: np.ndarray) -> np.ndarray:
        return np.array([[J1 + M1 * RHO1 @ RHO1 + M2 * L1**2, h], [h, J2 + M2 * rho @ rho]])

    def force(sign: float) -> np.ndarray:
        weights = (M1 * G * E2 @ Tr1 + M2 * G * L1 * E2) @ S @ p1, M2 * G * E2 @ Tr2 @ S @ pB
        return np.array([w1 * wB * kk + sign * weights[0], M2 * L1 * wB * w1 * p1 @ Tr2 @ S @ pB + sign * weights[1]])

    rate = (w1 - wB) * kk * T2
    middle = w1 * h - wB * M2 * L1 * pB @ S @ Tr2.T @ p1
    return {
        "(5.16) Pi": (worst(JZ(RHO1) @ k.w - k.P), worst(JZ(RHO2) @ k.w - k.P)),
        "(5.18) derivatives by the attitudes": (worst(force(1.0) - k.force), None),
        "(5.19) A-A-L": (worst(JZ(RHO2) @ k.a + rate @ k.w - force(-1.0)), worst(JZ(RHO2) @ k.a + rate @ k.w - force(1.0))),
        "(5.21), (6.15) A-A-H": (worst(k.P_rate - force(-1.0)), worst(k.P_rate - force(1.0))),
        "(6.14) A-A-L": (worst(JZ(RHO2) @ (k.a + k.w) - force(-1.0)), worst(JZ(RHO2) @ k.a + rate @ k.w - force(1.0))),
        "(6.14) dJ_Z/dt, as first written": (worst(middle - rate[0, 1]), worst(w1 * kk - wB * M2 * L1 * pB @ S @ Tr2.T @ p1 - rate[0, 1])),
    }


def section() -> Section:
    """Whether each equation holds as printed, and the residual of the right one."""
    rows = []
    for name, (printed, corrected) in residuals().items():
        good = corrected is None
        rows.append(Row(f"{name}: holds as printed (1 yes, 0 no)", str(int(good)), float(printed < HOLDS), allowed=0.0))
        left = printed if corrected is None else corrected
        rows.append(Row(f"{name}: residual{'' if good else ', corrected'}", f"{HOLDS:.0e}", float(left), at_most=True))
    return Section("Equations as printed", "two bodies at a random state; what is true by derivatives of the energies", rows)
