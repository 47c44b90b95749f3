"""The collocation methods of Gauss with one to four stages: orders 2, 4, 6, 8, implicit, fixed steps.

They are symmetric and symplectic and keep every quadratic invariant, so that quaternions stay of unit length without
being normalised; energy is not among the invariants. E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration,
2nd ed. (2006), sections II.1.3, IV.2.1 and VIII.6.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from importlib import import_module

import numpy as np

from poinsot.integrators.contract import Method
from poinsot.integrators.gauss_step import HEADER, gauss_step, memory_size, scratch_size

DIGITS = 50  # of the arithmetic in which the tableau is computed before it is rounded


def shifted_legendre(s: int) -> list[Decimal]:
    """Coefficients, by ascending power, of the Legendre polynomial of degree s on [0, 1]."""
    coefficients, value = [], 1
    for k in range(s + 1):
        coefficients.append(Decimal((-1) ** (s + k) * value))
        value = value * (s - k) * (s + k + 1) // (k + 1) ** 2
    return coefficients


def evaluate(polynomial: list[Decimal], x: Decimal) -> Decimal:
    """Value of a polynomial given by ascending powers."""
    total = Decimal(0)
    for coefficient in reversed(polynomial):
        total = total * x + coefficient
    return total


def legendre_nodes(s: int) -> list[Decimal]:
    """Zeros of the Legendre polynomial on [0, 1]: Newton's method from values in double precision."""
    polynomial = shifted_legendre(s)
    slope = [k * a for k, a in enumerate(polynomial)][1:]
    nodes = []
    for guess in np.polynomial.legendre.leggauss(s)[0]:
        x = (Decimal(float(guess)) + 1) / 2
        for _ in range(4):
            x -= evaluate(polynomial, x) / evaluate(slope, x)
        nodes.append(x)
    return nodes


def lagrange_integral(nodes: list[Decimal], j: int) -> list[Decimal]:
    """Integral from 0 of the Lagrange polynomial of node j, by ascending powers."""
    polynomial = [Decimal(1)]
    for k, node in enumerate(nodes):
        if k != j:
            times_x = [Decimal(0), *polynomial]
            polynomial = [(a - node * b) / (nodes[j] - node) for a, b in zip(times_x, [*polynomial, Decimal(0)])]
    return [Decimal(0), *(a / (k + 1) for k, a in enumerate(polynomial))]


def gauss_tableau(s: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Tableau of the Gauss method of s stages, every entry correctly rounded.

    Returns
    -------
    coefficients : (s, s) of the stages, a[i, j] = integral of the Lagrange polynomial j from 0 to node i
    weights, nodes : (s,)
    barycentric : (s,) 1 / prod_k (c_j - c_k), with which polynomials through the stages are extrapolated
    """
    with localcontext() as context:
        context.prec = DIGITS
        nodes = legendre_nodes(s)
        integrals = [lagrange_integral(nodes, j) for j in range(s)]
        coefficients = [[float(evaluate(p, x)) for p in integrals] for x in nodes]
        weights = [float(evaluate(p, Decimal(1))) for p in integrals]
        barycentric = []
        for j, x in enumerate(nodes):
            product = Decimal(1)
            for k, other in enumerate(nodes):
                product *= x - other if k != j else 1
            barycentric.append(float(1 / product))
        return np.array(coefficients), np.array(weights), np.array([float(x) for x in nodes]), np.array(barycentric)


def method(stages: int, tolerance: float = 2e-17, stagnation: float = 1e-13, iterations: int = 50) -> Method:
    """The Gauss method of so many stages and of twice that order.

    Parameters
    ----------
    stages : 1 to 4
    tolerance : what may remain of the error of the stage velocities, relative to the largest velocity; adds up over steps
    stagnation : error below which stages count as converged when iterations bring no further improvement
    iterations : most iterations of a step before it is tried at half its size
    """
    coefficients, weights, nodes, barycentric = gauss_tableau(stages)
    header = np.zeros(HEADER)
    header[:4] = stages, tolerance, stagnation, iterations
    constants = np.concatenate([header, coefficients.ravel(), nodes, weights, barycentric])
    return Method(
        name=f"gauss{stages}",
        order=2 * stages,
        step=gauss_step,
        constants=constants,
        memory=memory_size(stages),
        scratch=scratch_size(stages),
        stiff=lambda sizes: import_module("poinsot.integrators.gauss_newton").method(stages, constants, sizes),
    )
