"""Tableaus of the Gauss methods, computed in many digits and rounded once."""

from __future__ import annotations

from decimal import Decimal, localcontext

import numpy as np

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


def inverse_tableau(s: int) -> tuple[np.ndarray, np.ndarray]:
    """A = a^-1 (s, s) and omega = b' A (s,) of the Gauss method of s stages, every entry correctly rounded."""
    with localcontext() as context:
        context.prec = DIGITS
        nodes = legendre_nodes(s)
        integrals = [lagrange_integral(nodes, j) for j in range(s)]
        rows = [
            [evaluate(p, x) for p in integrals] + [Decimal(int(i == j)) for j in range(s)] for i, x in enumerate(nodes)
        ]
        for k in range(s):  # Gauss-Jordan; the pivots of these matrices are far from zero
            rows[k] = [value / rows[k][k] for value in rows[k]]
            for i in range(s):
                if i != k:
                    rows[i] = [x - rows[i][k] * y for x, y in zip(rows[i], rows[k])]
        inverse = [row[s:] for row in rows]
        weights = [evaluate(p, Decimal(1)) for p in integrals]
        omega = [sum((weights[i] * inverse[i][j] for i in range(s)), Decimal(0)) for j in range(s)]
        return np.array([[float(x) for x in row] for row in inverse]), np.array([float(x) for x in omega])
