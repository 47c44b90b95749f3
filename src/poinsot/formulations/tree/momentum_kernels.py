"""Rates and results of a tree whose state is y = (q, momenta, what controllers keep, work): see `momenta.py`.

Results are those of the tree at the same motion, whose state these kernels make first.
"""

from __future__ import annotations

from numba import float64, int64, void

from poinsot.algebra.compile import compiled, internal
from poinsot.algebra.vectors import ZERO, store3
from poinsot.elements.feedback import controls_out, end_samples, set_due
from poinsot.formulations.tree import at_state, observe, reactions
from poinsot.formulations.tree.forward import eliminate
from poinsot.formulations.tree.loads import apply_loads
from poinsot.formulations.tree.momenta import (
    load_momenta,
    momentum_rates,
    own_block,
    store_momenta,
    sum_subtrees,
    sums_block,
)
from poinsot.formulations.tree.rates import position_rate as tree_position_rate
from poinsot.formulations.tree.work import (
    ACCELERATION,
    ALPHA,
    EXTERNAL_FORCE,
    EXTERNAL_MOMENT,
    OMEGA,
    slots_block,
    spare_block,
    world_block,
)
from poinsot.formulations.tree.world import link_states
from poinsot.tables.records import N_Q, N_V
from poinsot.tables.types import FLOATS, LAYOUT, OK, RATE_SIGNATURE, SAMPLED

AT_STATE = int64(float64, FLOATS, FLOATS, LAYOUT, FLOATS, FLOATS)


@internal(void(FLOATS, LAYOUT, FLOATS))
def find_rates(y, layout, work):
    """Make the state of the tree with the coordinates and momenta in y: M v = p, by elimination without velocities and gravity."""
    nq, nv, own = layout.sizes[N_Q], layout.sizes[N_V], work[own_block(layout) : sums_block(layout)]
    for k in range(nq):
        own[k] = y[k]
    for k in range(nv):
        own[nq + k] = 0.0
    for k in range(2 * nq, y.shape[0]):
        own[nv + k - nq] = y[k]
    load_momenta(y, layout, work)
    for i in range(layout.links.shape[0]):
        store3(work, world_block(layout, i) + EXTERNAL_FORCE, ZERO)
        store3(work, world_block(layout, i) + EXTERNAL_MOMENT, ZERO)
    for k in (OMEGA, ALPHA, ACCELERATION):  # of the ground
        store3(work, k, ZERO)
    spare = work[spare_block(layout) : slots_block(layout)]
    eliminate(own, layout, False, work, spare)
    for k in range(nq, nq + nv):
        own[k] = spare[k]


@compiled(RATE_SIGNATURE)
def position_rate(t, y, layout, work, ydot):
    """Not called: coordinates and momenta change together."""
    return OK


@compiled(RATE_SIGNATURE)
def velocity_rate(t, y, layout, work, ydot):
    """q' = v, p', rates of controllers, and the power of non-conservative loads as the last entry."""
    find_rates(y, layout, work)
    own, last = work[own_block(layout) : sums_block(layout)], ydot.shape[0] - 1
    status = apply_loads(t, own, layout, work, ydot[last:])
    if status != OK:
        return status
    link_states(own, layout, work)
    sum_subtrees(layout, work)
    momentum_rates(y, layout, work, ydot)
    tree_position_rate(t, own, layout, work, ydot)
    controls_out(layout, 1, ydot)
    return OK


@compiled(void(FLOATS, LAYOUT, FLOATS, FLOATS))
def from_tree(given, layout, work, y):
    """The state y with momenta, from a state of the tree."""
    nq, nv = layout.sizes[N_Q], layout.sizes[N_V]
    link_states(given, layout, work)
    sum_subtrees(layout, work)
    for k in range(nq):
        y[k] = given[k]
    for k in range(2 * nq, y.shape[0]):
        y[k] = given[nv + k - nq]
    store_momenta(layout, work, y)


@compiled(void(FLOATS, LAYOUT, FLOATS, FLOATS))
def to_tree(y, layout, work, result):
    """The state of the tree, from a state y with momenta."""
    find_rates(y, layout, work)
    first = own_block(layout)
    for k in range(result.shape[0]):
        result[k] = work[first + k]


@compiled(RATE_SIGNATURE)
def observe_motion(t, y, layout, work, row):
    """Fill a motion row."""
    find_rates(y, layout, work)
    return observe.observe_motion(t, work[own_block(layout) : sums_block(layout)], layout, work, row)


@compiled(RATE_SIGNATURE)
def observe_loads(t, y, layout, work, row):
    """Fill a loads row."""
    find_rates(y, layout, work)
    return reactions.observe_loads(t, work[own_block(layout) : sums_block(layout)], layout, work, row)


@compiled(AT_STATE)
def acceleration(t, y, effort, layout, work, result):
    """Derivatives of the joint rates, as in the tree."""
    find_rates(y, layout, work)
    return at_state.acceleration(t, work[own_block(layout) : sums_block(layout)], effort, layout, work, result)


@compiled(AT_STATE)
def inverse(t, y, accelerations, layout, work, result):
    """Efforts that give the accelerations, as in the tree."""
    find_rates(y, layout, work)
    return at_state.inverse(t, work[own_block(layout) : sums_block(layout)], accelerations, layout, work, result)


@compiled(RATE_SIGNATURE)
def sample(t, y, layout, work, room):
    """Call the sampled laws whose time has come; y keeps their samples."""
    if not set_due(t, layout):
        return OK
    find_rates(y, layout, work)
    status = apply_loads(t, work[own_block(layout) : sums_block(layout)], layout, work, room[:1])
    end_samples(layout, y)
    return SAMPLED if status == OK else status
