"""The collocation methods of Gauss with one to four stages: orders 2, 4, 6, 8, implicit, fixed steps.

They are symmetric and symplectic and conserve every quadratic invariant, so that quaternions keep unit length without
being normalised; energy is not among the invariants. E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration,
2nd ed. (2006), sections II.1.3, IV.2.1 and VIII.6.
"""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module

import numpy as np

from poinsot.integrators.contract import Method
from poinsot.integrators.gauss_ends import memory_size
from poinsot.integrators.gauss_step import GAUSS_HEADER, gauss_step, scratch_size
from poinsot.integrators.gauss_tableau import gauss_tableau


def method(stages: int, tolerance: float = 2e-17, stagnation: float = 1e-13, iterations: int = 50) -> Method:
    """The Gauss method with the given number of stages, of twice that order.

    Parameters
    ----------
    stages : 1 to 4
    tolerance : remaining error of the stage velocities, relative to the largest velocity; accumulates over steps
    stagnation : error below which stages count as converged when the iteration no longer improves them
    iterations : largest number of iterations before a step is retried at half its size
    """
    coefficients, weights, nodes, barycentric = gauss_tableau(stages)
    header = np.zeros(GAUSS_HEADER)
    header[:4] = stages, tolerance, stagnation, iterations
    constants = np.concatenate([header, coefficients.ravel(), nodes, weights, barycentric])
    plain = Method(
        name=f"gauss{stages}",
        order=2 * stages,
        step=gauss_step,
        constants=constants,
        memory=memory_size(stages),
        scratch=scratch_size(stages),
        lanes=lambda one: import_module("poinsot.integrators.gauss_lanes").method(one, stages),
    )
    return replace(plain, stiff=lambda sizes: import_module("poinsot.integrators.gauss_newton").method(plain, stages, sizes))
