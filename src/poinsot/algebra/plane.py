"""A plane: angles (rad), and vectors as pairs."""

from __future__ import annotations

import math

import numpy as np

from poinsot.algebra.compile import kernel

TURN = 2.0 * math.pi


@kernel
def unwrap(angle, old):
    """The angle that differs from the given one by whole turns and is nearest to the old one."""
    return angle + TURN * np.rint((old - angle) / TURN)


@kernel
def dot2(a, b):
    """Return a . b."""
    return a[0] * b[0] + a[1] * b[1]


@kernel
def cross2(a, b):
    """The part of a x b along the normal."""
    return a[0] * b[1] - a[1] * b[0]


@kernel
def add2(a, b):
    """Return a + b."""
    return (a[0] + b[0], a[1] + b[1])


@kernel
def sub2(a, b):
    """Return a - b."""
    return (a[0] - b[0], a[1] - b[1])


@kernel
def scale2(s, a):
    """Return s a."""
    return (s * a[0], s * a[1])


@kernel
def add_scaled2(a, s, b):
    """Return a + s b."""
    return (a[0] + s * b[0], a[1] + s * b[1])


@kernel
def across(s, a):
    """s n x a, with the normal n: a turned by a quarter, times s."""
    return (-s * a[1], s * a[0])


@kernel
def turned(turn, a):
    """A vector turned by the angle whose cosine and sine are given."""
    return (turn[0] * a[0] - turn[1] * a[1], turn[1] * a[0] + turn[0] * a[1])


@kernel
def apply2(S, a):
    """Product of a symmetric matrix (xx, xy, yy) with a vector."""
    return (S[0] * a[0] + S[1] * a[1], S[1] * a[0] + S[2] * a[1])


@kernel
def load2(array, k):
    """The two numbers of a flat array from position k on."""
    return (array[k], array[k + 1])


@kernel
def store2(array, k, a):
    """Write a vector into a flat array from position k on."""
    array[k], array[k + 1] = a


@kernel
def increase2(array, k, a):
    """Add a vector to two numbers of a flat array."""
    array[k] += a[0]
    array[k + 1] += a[1]


@kernel
def pair(a):
    """The first two numbers of an array as a tuple."""
    return (a[0], a[1])
