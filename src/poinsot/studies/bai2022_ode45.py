"""The paper's method: MATLAB's ode45, the formulas of Dormand and Prince with steps controlled by the largest error of all components.

L. F. Shampine, M. W. Reichelt, The MATLAB ODE suite, SIAM J. Sci. Comput. 18 (1997). Our `dopri5` has the same formulas; it measures errors by their
root mean square and controls steps by two errors in turn, so that its steps differ.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

import poinsot as po
from poinsot.integrators.dopri5 import COEFFICIENTS, ERROR, NODES

REFINE = 4  # outputs per step
DENSE = np.array(
    [
        [1, -183 / 64, 37 / 12, -145 / 128],
        [0, 0, 0, 0],
        [0, 1500 / 371, -1000 / 159, 1000 / 371],
        [0, -125 / 32, 125 / 12, -375 / 64],
        [0, 9477 / 3392, -729 / 106, 25515 / 6784],
        [0, -11 / 7, 11 / 3, -55 / 28],
        [0, 3 / 2, -4, 5 / 2],
    ]
)


class Solution(NamedTuple):
    """Times (s) and states, four per step; numbers of accepted steps and of failed attempts."""

    t: np.ndarray
    y: np.ndarray
    steps: int
    fails: int


def equations(system: po.System, formulation: str) -> tuple[Callable[[float, np.ndarray], np.ndarray], np.ndarray]:
    """y' = f(t, y) of a system and its initial state: attitudes, then rates or momenta."""
    d = po.dynamics(system, formulation)
    made, layout = d.formulation, d.frozen.layout
    start, work = made.pack(d.start.coordinates, d.start.rates), np.zeros(made.work_size)
    assert made.rates is not None and made.velocities is not None and made.attitudes is not None
    kept = np.r_[0 : len(made.attitudes.places) * made.attitudes.numbers, made.velocities]
    kernels = made.rates.kernels

    def rate(t: float, x: np.ndarray) -> np.ndarray:
        y, ydot = start.copy(), np.zeros_like(start)
        y[kept] = x
        for kernel in kernels:
            kernel(t, y, layout, work, ydot)
        return ydot[kept]

    return rate, start[kept]


def ode45(f: Callable[[float, np.ndarray], np.ndarray], y: np.ndarray, duration: float, rtol: float, atol: float) -> Solution:
    """Solve y' = f(t, y) from 0 to `duration` (s)."""
    floor, largest, t = atol / rtol, 0.1 * duration, 0.0
    slope = f(t, y)
    steepness = np.abs(slope / np.maximum(np.abs(y), floor)).max() / (0.8 * rtol**0.2)
    h = min(largest, duration, 1.0 / steepness if steepness > 0 else np.inf)
    times, states, steps, fails = [0.0], [y], 0, 0
    parts = np.arange(1, REFINE) / REFINE
    while t < duration:
        h = min(largest, h)
        last, failed = 1.1 * h >= duration - t, False
        h = duration - t if last else h
        while True:
            rates = [slope]
            for node, row in zip(NODES[1:], COEFFICIENTS[1:]):
                end = y + h * np.tensordot(row, rates, 1)
                rates.append(f(t + node * h, end))
            K = np.array(rates)
            error = h * np.abs(np.array(ERROR) @ K / np.maximum(np.maximum(np.abs(y), np.abs(end)), floor)).max()
            if error <= rtol:
                break
            fails += 1
            h *= 0.5 if failed else max(0.1, 0.8 * (rtol / error) ** 0.2)
            last, failed = False, True
        steps += 1
        times += [*(t + parts * h), duration if last else t + h]
        states += [*(y + h * (np.vander(parts, 5, increasing=True)[:, 1:] @ DENSE.T @ K)), end]
        t, y, slope = times[-1], end, K[-1]
        if not failed:
            growth = 1.25 * (error / rtol) ** 0.2
            h = h / growth if growth > 0.2 else 5.0 * h
    return Solution(np.array(times), np.array(states), steps, fails)
