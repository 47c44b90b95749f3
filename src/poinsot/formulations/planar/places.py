"""Where things lie in a state and in the work array of a planar chain, for all variants.

A state is y = (attitudes, turns, mark, velocities, what controllers keep, work). Attitudes are unit vectors (cos, sin), or rotation matrices row by
row. The turns of the joints tell how often they have gone round, in quarters at the end of the last step. Within a step they grow with the rates of
the joints, so that angles are counted rightly however far a joint turns. They are stored as multiples of a tiny number, so that they do not count
where the size of a state is measured, and half a quarter is added, so that none is zero where errors are measured relative to a state. Velocities
are rates, momenta, or vectors conjugate to the attitudes.

A state tells its variant, so that all variants share their kernels: by its length, whether attitudes are matrices and whether momenta are canonical;
by its mark, which never changes, whether attitudes are relative and whether velocities are momenta.

The work array is that of the tree, then a state of the tree, then BLOCK numbers per body, the mass matrix and one right-hand side. Vectors of the
plane are complex numbers, so that turning them is a product.
"""

from __future__ import annotations

from math import pi

import numpy as np

from poinsot.algebra.compile import kernel
from poinsot.formulations.tree.work import room_block
from poinsot.tables.records import N_CONTROL, N_Q, N_ROOM, N_V

RELATIVE, MOMENTUM, MATRIX, CANONICAL = 1, 2, 4, 8  # a variant is a sum of these
MARKS = 4  # how many are the sums of the first two

# block of a body. In the drawing: image of the link's x axis, 1 where its z axis is the normal or -1, arm to the next joint, mass times centre of
# mass with all bodies beyond at the next joint, inertia likewise. Then its own attitude, the absolute one, arm and moment turned by that; absolute
# rate, generalized force
IMAGE, SIDE, ARM, MOMENT, INERTIA, OWN, WHOLE, TURNED_ARM, TURNED_MOMENT, RATE, FORCE = 0, 2, 3, 5, 7, 8, 10, 12, 14, 16, 17
BLOCK = 18

HALF_PI = 0.5 * pi
QUARTER = 2.0**-60  # a quarter turn in a state


def mark(variant: int) -> float:
    """The number in a state that tells its variant."""
    return QUARTER * (variant % MARKS + 0.5)


def numbers(variant: int) -> int:
    """Numbers of one attitude."""
    return 4 if variant & MATRIX else 2


def turns(bodies: int, variant: int) -> slice:
    """Where the turns lie in a state."""
    return slice(bodies * numbers(variant), bodies * (numbers(variant) + 1))


def speeds(bodies: int, variant: int) -> slice:
    """Where the velocities lie in a state; the mark is before them."""
    first = turns(bodies, variant).stop + 1
    return slice(first, first + bodies * (numbers(variant) if variant & CANONICAL else 1))


def chain_size(bodies: int, tree_state: int) -> int:
    """Numbers of the work array after the tree's."""
    return tree_state + bodies * (BLOCK + bodies + 1)


@kernel
def attitude_size(variant):
    """Numbers of one attitude."""
    return 4 if variant & MATRIX else 2


@kernel
def turns_at(layout, variant):
    """First position of the turns in a state."""
    return layout.sizes[N_V] * attitude_size(variant)


@kernel
def speeds_at(layout, variant):
    """First position of the velocities in a state."""
    return layout.sizes[N_V] * (attitude_size(variant) + 1) + 1


@kernel
def variant_of(y, layout):
    """The variant of a state."""
    n = layout.sizes[N_V]
    size = y.shape[0] - 2 - layout.sizes[N_CONTROL]  # attitude, turn and velocity of a body are 2+1+1, 2+1+2, 4+1+1 or 4+1+4 numbers
    matrix, canonical = size > 5 * n, size == 5 * n or size == 9 * n
    return int(y[n * (5 if matrix else 3)] / QUARTER) + (MATRIX if matrix else 0) + (CANONICAL if canonical else 0)


@kernel
def nearest_turn(angle):
    """The quarter turns nearest to an angle, as a state has them."""
    return QUARTER * (np.rint(angle / HALF_PI) + 0.5)


@kernel
def turned_by(turns):
    """The angle of quarter turns of a state, rad: whole quarters."""
    return np.rint(turns / QUARTER - 0.5) * HALF_PI


@kernel
def turn_rate(rate):
    """Rate of the turns of a joint, from that of its angle, rad/s."""
    return QUARTER / HALF_PI * rate


@kernel
def tree_block(layout):
    """First position of the state of the tree."""
    return room_block(layout) + layout.sizes[N_ROOM]


@kernel
def body_block(layout, i):
    """First position of the block of body i, counted from 0; with the number of bodies: the mass matrix."""
    return tree_block(layout) + layout.sizes[N_Q] + layout.sizes[N_V] + layout.sizes[N_CONTROL] + 1 + i * BLOCK


@kernel
def matrix_block(layout):
    """First position of the mass matrix: its lower triangle; above the diagonal, the derivatives of its entries."""
    return body_block(layout, layout.sizes[N_V])


@kernel
def right_block(layout):
    """First position of the right-hand side."""
    return matrix_block(layout) + layout.sizes[N_V] * layout.sizes[N_V]


@kernel
def load2(work, k):
    """A vector of the plane."""
    return complex(work[k], work[k + 1])


@kernel
def store2(work, k, z):
    """Store a vector of the plane."""
    work[k] = z.real
    work[k + 1] = z.imag
