"""Gains: read as matrices, and refused when they are not positive definite."""

from __future__ import annotations

from typing import Any

import numpy as np

from poinsot.algebra.bounds import LARGEST
from poinsot.errors import ModelError
from poinsot.model.guard import as_numbers
from poinsot.model.words import short_repr

LEAST = 1e-12  # smallest eigenvalue of a positive definite matrix, relative to the largest


def gain_matrix(given: Any, size: int, where: str) -> np.ndarray:
    """A square matrix from a number, a diagonal or a matrix."""
    numbers = as_numbers(given)
    if numbers is None or not (np.abs(numbers) <= LARGEST).all() or numbers.shape not in ((), (size,), (size, size)):
        raise ModelError(f"{where} must be a number, {size} numbers or a {size} x {size} matrix, not {short_repr(given)}")
    return numbers if numbers.ndim == 2 else np.diag(np.broadcast_to(numbers, size))


def positive_definite(matrix: np.ndarray, where: str, symmetric: bool = True) -> np.ndarray:
    """The same matrix; raises unless it is positive definite, and symmetric where that is asked for."""
    if symmetric and not np.allclose(matrix, matrix.T, rtol=1e-12, atol=1e-14 * np.abs(matrix).max()):
        raise ModelError(f"{where} must be symmetric, not {matrix.tolist()}")
    values = np.linalg.eigvalsh(0.5 * (matrix + matrix.T))
    if not values[0] > LEAST * abs(values[-1]):
        raise ModelError(f"{where} must be positive definite; its eigenvalues are {', '.join(f'{v:.4g}' for v in values)}")
    return matrix


def positive_number(given: Any, where: str) -> float:
    """A positive number."""
    numbers = as_numbers(given)
    if numbers is None or numbers.shape != () or not 0 < float(numbers) <= LARGEST:
        raise ModelError(f"{where} must be a positive number, not {short_repr(given)}")
    return float(numbers)
