"""Rotations as users write them, turned into a unit quaternion (w, x, y, z) that maps body to world."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from poinsot.algebra.bounds import LARGEST, within
from poinsot.errors import ModelError
from poinsot.model.guard import Kind, as_numbers, is_number
from poinsot.model.words import short_repr

Quaternion = tuple[float, float, float, float]
Vector = tuple[float, float, float]

DEEPEST = 8  # nesting depth of lists of rotations
IDENTITY: Quaternion = (1.0, 0.0, 0.0, 0.0)
AXES: dict[str, Vector] = {
    "x": (1.0, 0.0, 0.0),
    "y": (0.0, 1.0, 0.0),
    "z": (0.0, 0.0, 1.0),
    "-x": (-1.0, 0.0, 0.0),
    "-y": (0.0, -1.0, 0.0),
    "-z": (0.0, 0.0, -1.0),
}


def _legible(value: Any, depth: int = 0) -> bool:
    """Whether this is made of numbers and texts, as rotations are in all of their forms; what it means is read later."""
    if isinstance(value, list | tuple):
        return depth < DEEPEST + 3 and all(_legible(part, depth + 1) for part in value)  # in the innermost list a matrix, or a pair with a vector
    return isinstance(value, str) or as_numbers(value) is not None


FORMS = 'a quaternion (w, x, y, z), a rotation vector, a 3x3 matrix, ("x", angle), (vector, angle), or a list of these'
ROTATION = Kind(_legible, f"a rotation, as {FORMS}")


def multiply(p: Quaternion, q: Quaternion) -> Quaternion:
    """Product p q: first q, then p."""
    return (
        p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
        p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
        p[0] * q[2] + p[2] * q[0] + p[3] * q[1] - p[1] * q[3],
        p[0] * q[3] + p[3] * q[0] + p[1] * q[2] - p[2] * q[1],
    )


def about(axis: Sequence[float], angle: float) -> Quaternion:
    """Rotation by an angle (rad) about a unit axis."""
    s = math.sin(0.5 * angle)
    return (math.cos(0.5 * angle), s * axis[0], s * axis[1], s * axis[2])


def smallest_turn(direction: Sequence[float]) -> Quaternion:
    """The smallest rotation that takes the x axis to a direction; half a turn about y when it is -x."""
    x, y, z = direction
    n = math.hypot(x, y, z)
    x, y, z = x / n, y / n, z / n
    off = y * y + z * z
    if x < 0.0 and off < 1e-30:
        return (0.0, 0.0, 1.0, 0.0)
    # cos(angle / 2); near -x the sum 1 + x would lose all digits; the axis is x cross direction
    w = math.sqrt(0.5 * (1.0 + x)) if x >= 0.0 else math.sqrt(0.5 * off / (1.0 - x))
    return (w, 0.0, -z / (2.0 * w), y / (2.0 * w))


def matrices(quaternions: np.ndarray) -> np.ndarray:
    """Rotation matrices (n, 3, 3) of unit quaternions (n, 4)."""
    w, x, y, z = np.moveaxis(np.asarray(quaternions, float), -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def matrix(q: Quaternion) -> np.ndarray:
    """Rotation matrix (3, 3) of a unit quaternion."""
    return matrices(np.array(q))


def from_matrix(R: np.ndarray) -> Quaternion:
    """Unit quaternion of a rotation matrix: eigenvector of the largest eigenvalue of Bar-Itzhack's matrix, w >= 0."""
    (a, b, c), (d, e, f), (g, h, i) = np.asarray(R, float)
    k = np.array(
        [
            [a + e + i, h - f, c - g, d - b],
            [h - f, a - e - i, d + b, c + g],
            [c - g, d + b, e - a - i, h + f],
            [d - b, c + g, h + f, i - a - e],
        ]
    )
    q = np.linalg.eigh(k)[1][:, -1]
    q = q if q[0] >= 0 else -q
    return (float(q[0]), float(q[1]), float(q[2]), float(q[3]))


def quaternion(rotation: Any, where: str, depth: int = 0) -> Quaternion:
    """Read a rotation given as None, quaternion, rotation vector, 3x3, (axis, angle) or a list of these (intrinsic product).

    `where` names the element in errors.
    """
    if rotation is None:
        return IDENTITY
    pair = isinstance(rotation, tuple | list) and len(rotation) == 2
    if isinstance(rotation, tuple | list) and rotation and isinstance(rotation[0], str):
        if not pair or rotation[0] not in AXES:
            raise ModelError(
                f"{where}: rotation {short_repr(rotation)} must be (axis, angle) with an axis among {', '.join(AXES)}"
            )
        return about(AXES[rotation[0]], _angle(rotation, where))
    if pair and isinstance(rotation, tuple) and is_number(rotation[1]):
        axis = as_numbers(rotation[0])
        if axis is None or axis.shape != (3,) or not 0 < np.linalg.norm(axis) < np.inf:
            raise ModelError(f"{where}: the axis of rotation {short_repr(rotation)} must be three numbers, not all zero")
        return about((axis / np.linalg.norm(axis)).tolist(), _angle(rotation, where))
    array = as_numbers(rotation)
    several = array is None or (array.ndim > 1 and array.shape != (3, 3))  # three rotation vectors in a list cannot be told from a matrix
    if several and isinstance(rotation, list) and depth < DEEPEST:
        product = IDENTITY
        for part in rotation:
            product = multiply(product, quaternion(part, where, depth + 1))
        return product
    if array is None or array.shape not in ((3,), (4,), (3, 3)):
        raise ModelError(
            f"{where}: cannot read the rotation {short_repr(rotation)}; give {FORMS}"
        )
    if not np.all(np.abs(array) <= LARGEST):
        raise ModelError(f"{where}: rotation has a number that is not finite, or beyond {LARGEST:g}: {short_repr(rotation)}")
    if array.shape == (4,):
        return _normalised(array, where)
    if array.shape == (3,):
        angle = float(np.linalg.norm(array))
        return IDENTITY if angle == 0.0 else about((array / angle).tolist(), angle)
    if np.abs(array.T @ array - np.eye(3)).max() > 1e-8 or np.linalg.det(array) < 0:
        raise ModelError(
            f"{where}: the 3x3 rotation is not a rotation matrix (R'R = 1, det R = 1 is required); write three rotation vectors as (vector, angle)"
        )
    return from_matrix(array)


def _angle(rotation: Any, where: str) -> float:
    """The angle (rad) of an (axis, angle)."""
    if not is_number(rotation[1]) or not within(float(rotation[1])):
        raise ModelError(f"{where}: the angle of rotation {short_repr(rotation)} must be a finite number of radians")
    return float(rotation[1])


def _normalised(q: np.ndarray, where: str) -> Quaternion:
    length = float(np.linalg.norm(q))
    if abs(length - 1.0) > 1e-6:
        raise ModelError(f"{where}: the quaternion has length {length:.6g}, not 1; give (w, x, y, z) of unit length")
    w, x, y, z = (q / length).tolist()
    return (w, x, y, z)
