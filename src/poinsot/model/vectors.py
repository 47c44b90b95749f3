"""Vectors, directions and inertias as users write them, in space or in the plane of a planar system."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from poinsot.errors import ModelError
from poinsot.model.guard import as_numbers, is_number
from poinsot.model.rotation import AXES, Vector
from poinsot.model.words import short_repr

PLANES = {"xy": (0, 1, 2), "yz": (1, 2, 0), "zx": (2, 0, 1), "xz": (0, 2, 1)}


def normal(plane: str) -> Vector:
    """Normal of a plane, such that its angles turn the first axis towards the second."""
    first, second, _ = PLANES[plane]
    x, y, z = np.cross(np.eye(3)[first], np.eye(3)[second]).tolist()
    return (x, y, z)


def about_normal(plane: str, angle: float) -> np.ndarray:
    """The rotational vector of a number about the normal of a plane; non-finite values are kept, and refused by later checks."""
    with np.errstate(invalid="ignore"):
        return float(angle) * np.array(normal(plane))


def read_vector(plane: str | None, value: Any, where: str) -> Vector:
    """Three numbers; in a plane two, embedded in it."""
    array = as_numbers(value)
    if plane is not None and array is not None and array.shape == (2,):
        flat, array = array, np.zeros(3)
        array[list(PLANES[plane][:2])] = flat
    if array is None or array.shape != (3,):
        raise ModelError(f"{where}: must be {'two' if plane else 'three'} numbers, not {short_repr(value)}")
    vector = _three(array)
    if plane is not None and vector[PLANES[plane][2]] != 0.0:
        raise ModelError(f"{where}: {short_repr(value)} lies outside the plane '{plane}' of the system; give two numbers")
    return vector


def read_spin(plane: str | None, value: Any, where: str) -> Vector:
    """A rotational vector: three numbers, or in a plane one about the normal."""
    array = as_numbers(value)
    if plane is not None and array is not None and array.shape == ():
        array = about_normal(plane, float(array))
    if array is None or array.shape != (3,):
        raise ModelError(f"{where}: must be {'one number' if plane else 'three numbers'}, not {short_repr(value)}")
    return _three(array)


def read_axis(plane: str | None, value: Any, where: str) -> Vector:
    """A direction, given as "x", "-z" or a vector, of unit length; a zero vector is returned unchanged."""
    if isinstance(value, str):
        if value not in AXES:
            raise ModelError(f"{where}: axis must be a vector or one of {', '.join(AXES)}, not {short_repr(value)}")
        return AXES[value]
    array = as_numbers(value)
    spatial = array is not None and array.shape == (3,)
    x, y, z = _three(array) if spatial else read_vector(plane, value, f"{where}: axis")
    n = math.hypot(x, y, z)
    return (x / n, y / n, z / n) if n > 0 else (x, y, z)


def read_inertia(plane: str | None, value: Any, where: str) -> np.ndarray:
    """Inertia (3, 3), kg m^2, from three principal values, a symmetric 3x3, or in a plane one number."""
    array = as_numbers(value)
    if array is None:
        array = np.zeros(0)
    if array.shape == () and plane is not None:  # a lamina: Ixx + Iyy = Izz
        n = np.abs(normal(plane))
        return np.diag(float(array) * (0.5 * (1 - n) + n))
    if array.shape == (3,):
        return np.diag(array)
    if array.shape == (3, 3):
        with np.errstate(all="ignore"):  # check() reports numbers that are not finite
            if np.abs(array - array.T).max() > 1e-10 * np.abs(array).max():
                raise ModelError(f"{where}: the 3x3 inertia is not symmetric")
            return 0.5 * array + 0.5 * array.T
    raise ModelError(f"{where}: inertia must be 3 principal values or a symmetric 3x3 (kg m^2), not {short_repr(value)}")


def is_pair(value: Any) -> bool:
    """Whether this is a pair of anything other than numbers."""
    some = isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim > 0)
    return some and len(value) == 2 and not is_number(value[0])


def two_points(value: Any, where: str) -> Any:
    """A pair of points."""
    if not is_pair(value):
        raise ModelError(f"{where} must be a pair of points, not {short_repr(value)}")
    return value


def _three(array: Any) -> Vector:
    x, y, z = array.tolist()
    return (x, y, z)
