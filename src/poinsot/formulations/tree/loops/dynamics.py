"""Accelerations of a closed tree, and the multipliers of its rows."""

from __future__ import annotations

from numba import float64, int64

from poinsot.algebra.compile import helper, internal, kernel
from poinsot.algebra.matrices import apply, load33
from poinsot.algebra.vectors import add, cross, load3, store3
from poinsot.elements.states import TWIST
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.coordinates import rows_failed, rows_power
from poinsot.formulations.tree.loops import places as own
from poinsot.formulations.tree.loops.folds import accelerate_links, fold_tree
from poinsot.formulations.tree.loops.rows import factor_rows, from_link, push_joints, set_rows
from poinsot.formulations.tree.work import ACCELERATION, ALPHA, ATTITUDE, BLOCK, world_block
from poinsot.integrators.stages import copy
from poinsot.linear.cholesky import solve
from poinsot.tables.types import CALLBACK, FLOATS, LAYOUT, OK


@kernel
def body_acceleration(b, layout, work, accelerations):
    """Acceleration of the centre of mass of body b, and its angular one, in the world, from those of its link."""
    at, gravity = layout.places[0], load3(layout.values, 0)
    configuration, twists, i = work[own.configuration(at)], work[places.twists(at)], layout.bodies[b].link
    R, spin = load33(work, world_block(layout, i) + ATTITUDE), load3(twists, TWIST * b + 3)
    alpha, a = apply(R, load3(work, i * BLOCK + ALPHA)), apply(R, load3(work, i * BLOCK + ACCELERATION))
    arm = from_link(b, layout, configuration, work)
    a = add(add(a, gravity), add(cross(alpha, arm), cross(spin, cross(spin, arm))))
    store3(accelerations, TWIST * b, a)
    store3(accelerations, TWIST * b + 3, alpha)


@helper
def body_accelerations(layout, work, accelerations):
    """Those of all bodies."""
    for b in range(layout.bodies.shape[0]):
        body_acceleration(b, layout, work, accelerations)


@helper
def seen_accelerations(layout, work, accelerations):
    """Those of the bodies that rows or loads see."""
    p, first = layout.pattern, own.seen(layout)
    for n in range(p[first]):
        body_acceleration(p[first + 1 + n], layout, work, accelerations)


@internal(int64(FLOATS, LAYOUT, FLOATS, FLOATS, float64[::1]))
def accelerate_closed(y, layout, work, ydot, report):
    """Accelerations ydot[nq:nq+nv] at the state y, whose bodies are placed and loads applied; multipliers in `step`, and kept. Returns a status.

    The power of the rows' forces is added to report[0].
    """
    at = layout.places[0]
    step = work[places.step(at)]
    fold_tree(y, layout, work)
    accelerate_links(layout, work, ydot)
    seen_accelerations(layout, work, work[places.push(at)])
    set_rows(layout, True, work)
    work[at.pivot] = factor_rows(layout, False, work)
    solve(layout.pattern, work[places.factor(at)], step)
    copy(step, work[own.multipliers(at)])
    push_joints(layout, work)
    accelerate_links(layout, work, ydot)
    report[0] += rows_power(layout, work[own.configuration(at)], step)
    return CALLBACK if rows_failed(layout) else OK
