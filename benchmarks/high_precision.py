"""Accelerations of a chain to 30 digits, by a way that shares nothing with the recursion under test.

Newton-Euler inverse dynamics in world axes gives the columns of the mass matrix and the bias; the mass matrix is solved
by elimination. All in decimal arithmetic, on NumPy arrays of objects.
"""

from __future__ import annotations

from decimal import Decimal, localcontext

import numpy as np
from models import GRAVITY, INERTIA, LENGTH, MASS, Chain

DIGITS = 50


def exact(values: object) -> np.ndarray:
    """The decimal numbers that floats are."""
    return np.vectorize(Decimal, otypes=[object])(np.asarray(values, float))


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Vector product along the last axis."""
    a, b = np.broadcast_arrays(a, b)
    pairs = ((1, 2), (2, 0), (0, 1))
    return np.stack([a[..., i] * b[..., j] - a[..., j] * b[..., i] for i, j in pairs], axis=-1)


def cosine_and_sine(angle: Decimal) -> tuple[Decimal, Decimal]:
    """Their series; meant for small angles."""
    terms = [Decimal(1)]
    while abs(terms[-1]) > Decimal(10) ** -DIGITS:
        terms.append(terms[-1] * angle / len(terms))
    signs = (1, 1, -1, -1)
    parts = [sum((signs[k % 4] * term for k, term in enumerate(terms) if k % 2 == odd), Decimal(0)) for odd in (0, 1)]
    return parts[0], parts[1]


def rotation(chain: Chain, k: int) -> np.ndarray:
    """Rotation matrix of joint k."""
    q = exact(chain.coordinates[k])
    if chain.joint == "spherical":
        w, v = q[0], q[1:]
        hat = np.array([[Decimal(0), -v[2], v[1]], [v[2], Decimal(0), -v[0]], [-v[1], v[0], Decimal(0)]])
        return exact(np.eye(3)) + (w * hat + hat @ hat) * (2 / (w * w + v @ v))
    c, s = cosine_and_sine(q[0])
    R = exact(np.eye(3))
    i, j = ((1, 2), (2, 0))[chain.axis(k)]
    R[i, i], R[i, j], R[j, i], R[j, j] = c, -s, s, c
    return R


def efforts(
    chain: Chain, turns: list[np.ndarray], rates: np.ndarray, vdot: np.ndarray, gravity: np.ndarray
) -> np.ndarray:
    """Joint efforts (columns, nv) for accelerations vdot (columns, nv); `turns` are the attitudes of the links."""
    f = chain.freedoms
    down = exact((0, 0, -LENGTH))
    omega, alpha, a = exact(np.zeros(3)), exact(np.zeros((len(vdot), 3))), exact(np.zeros((len(vdot), 3)))
    links = []
    for k, R in enumerate(turns):
        arm = turns[k - 1] @ down if k else exact(np.zeros(3))
        a = a + cross(alpha, arm) + cross(omega, cross(omega, arm))
        S = R if chain.joint == "spherical" else R[:, [chain.axis(k)]]
        spin = S @ rates[k]
        alpha = alpha + vdot[:, f * k : f * (k + 1)] @ S.T + cross(omega, spin)
        omega = omega + spin
        com = R @ (down / 2)
        J = R @ (exact(INERTIA)[:, None] * R.T)
        force = Decimal(MASS) * (a + cross(alpha, com) + cross(omega, cross(omega, com)) - gravity)
        links.append((S, arm, force, alpha @ J + cross(omega, J @ omega) + cross(com, force)))
    total, moment = exact(np.zeros((len(vdot), 3))), exact(np.zeros((len(vdot), 3)))
    result = []
    for S, arm, force, own in reversed(links):
        total, moment = total + force, moment + own
        result.append(moment @ S)
        moment = moment + cross(arm, total)
    return np.hstack(result[::-1])


def solve(M: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Solution of M x = b for a positive definite M, which is overwritten."""
    n = len(b)
    x = b.copy()
    for k in range(n - 1):
        factor = M[k + 1 :, k] / M[k, k]
        M[k + 1 :, k + 1 :] -= factor[:, None] * M[k, k + 1 :]
        x[k + 1 :] -= factor * x[k]
    for k in range(n - 1, -1, -1):
        x[k] = (x[k] - M[k, k + 1 :] @ x[k + 1 :]) / M[k, k]
    return x


def accelerations(chain: Chain) -> np.ndarray:
    """Derivatives of the joint rates (nv) under gravity alone, rounded once to float64."""
    with localcontext() as context:
        context.prec = DIGITS
        turns: list[np.ndarray] = []
        for k in range(chain.n):
            turn = rotation(chain, k)
            turns.append(turns[-1] @ turn if turns else turn)
        nv = chain.n * chain.freedoms
        still, rates = exact(np.zeros(chain.rates.shape)), exact(chain.rates)
        M = efforts(chain, turns, still, exact(np.eye(nv)), exact(np.zeros(3)))
        bias = efforts(chain, turns, rates, exact(np.zeros((1, nv))), exact(GRAVITY))[0]
        return solve(M, -bias).astype(float)
