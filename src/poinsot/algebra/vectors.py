"""3-vectors as tuples. Numba passes tuples by value, LLVM keeps them in registers, and no number type is fixed."""

from __future__ import annotations

from poinsot.algebra.compile import kernel

ZERO = (0.0, 0.0, 0.0)


@kernel
def add(a, b):
    """Return a + b."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@kernel
def sub(a, b):
    """Return a - b."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@kernel
def scale(s, a):
    """Return s a."""
    return (s * a[0], s * a[1], s * a[2])


@kernel
def add_scaled(a, s, b):
    """Return a + s b."""
    return (a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2])


@kernel
def negate(a):
    """Return -a."""
    return (-a[0], -a[1], -a[2])


@kernel
def dot(a, b):
    """Return a . b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def cross(a, b):
    """Return a x b."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


@kernel
def load3(array, k):
    """The three numbers of a flat array from position k on."""
    return (array[k], array[k + 1], array[k + 2])


@kernel
def store3(array, k, a):
    """Write a vector into a flat array from position k on."""
    array[k] = a[0]
    array[k + 1] = a[1]
    array[k + 2] = a[2]


@kernel
def increase3(array, k, a):
    """Add a vector to the three numbers of a flat array from position k on."""
    array[k] += a[0]
    array[k + 1] += a[1]
    array[k + 2] += a[2]


@kernel
def vector(field):
    """The three numbers of a record's field."""
    return (field[0], field[1], field[2])
