"""Configurations and twists a little aside, on the constraints, for derivatives next to singular positions (`around.py`)."""

from __future__ import annotations

from poinsot.algebra.compile import helper
from poinsot.elements.states import TWIST
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.closing import allow_twists, close_poses, move
from poinsot.formulations.absolute.coordinates import keep_coordinates, rows_failed, set_clock
from poinsot.formulations.absolute.rows import constrained
from poinsot.integrators.stages import copy
from poinsot.tables.types import OK


@helper
def close_aside(t, y, layout, work, twists, ahead):
    """Move a configuration by twists, as displacements in a time `ahead`, onto the constraints, and allow the twists there.

    One more correction than others need leaves gaps of rounding errors alone. Returns the pivot; 0: there is no such configuration.
    """
    at, n = layout.places[0], layout.bodies.shape[0]
    push, step = work[places.push(at)], work[places.step(at)]
    set_clock(layout, t)
    for k in range(push.shape[0]):
        push[k] = ahead * twists[k]
    move(n, push, y)
    keep_coordinates(layout, y, y)
    if close_poses(y, layout, work) != OK:
        return 0.0
    for k in range(push.shape[0]):
        push[k] = 0.0
    copy(work[places.row_gaps(at)][: step.shape[0]], step)
    constrained(layout, work, step, push)
    move(n, push, y)
    keep_coordinates(layout, y, y)
    allow_twists(y, layout, twists, work)
    return 0.0 if rows_failed(layout) else work[at.pivot]


@helper
def fastest_spin(twists):
    """Largest component of an angular velocity, rad/s."""
    fastest = 0.0
    for k in range(TWIST, twists.shape[0]):
        if k % TWIST >= 3:
            fastest = max(fastest, abs(twists[k]))
    return fastest
