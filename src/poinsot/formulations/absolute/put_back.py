"""Accepted states put back onto the constraints, and with drives onto their signals: poses first, then twists."""

from __future__ import annotations

from poinsot.algebra.compile import helper
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.closing import WORSE, allow_twists, close_poses, move
from poinsot.formulations.absolute.coordinates import keep_coordinates, rows_failed, set_clock
from poinsot.formulations.absolute.drives import build_responses, drive_solution, follow
from poinsot.formulations.absolute.openings import POSITION_ROUNDING, farthest
from poinsot.formulations.absolute.weak_rows import rows_weaken
from poinsot.integrators.stages import copy
from poinsot.tables.types import CALLBACK, NOT_CONVERGED, OK, PROJECTED, WEAKENED

ROUNDS = 8  # of closing joints and meeting signals


@helper
def put_back(t, y, layout, work, twists):
    """Poses of a configuration and twists become the nearest that the rows allow. Returns a status."""
    set_clock(layout, t)
    status = close_poses(y, layout, work)
    allow_twists(y, layout, twists, work)
    return CALLBACK if rows_failed(layout) else status


@helper
def meet_signals(t, y, layout, work):
    """Poses at which outputs have the values of their signals and all rows in use hold, reached along the forces of the inputs. A status."""
    at = layout.places[0]
    push, step, gaps = work[places.push(at)], work[places.step(at)], work[places.drive_gaps(at)]
    far, last = farthest(y, layout), 1e300
    for _ in range(ROUNDS):
        status = close_poses(y, layout, work)
        if status == OK:
            status = build_responses(y, y, layout, work)
        if status == OK:
            status = follow(t, y, layout, work, 0, push, gaps)
        if status != OK:
            return status
        largest = 0.0
        for k in range(gaps.shape[0]):
            largest = max(largest, abs(gaps[k]))
        if largest <= POSITION_ROUNDING * (1.0 + far) or (largest <= WORSE and largest > 0.5 * last):
            return OK
        for k in range(push.shape[0]):
            push[k] = 0.0
        for k in range(step.shape[0]):
            step[k] = 0.0
        drive_solution(y, y, layout, work, push, step, gaps)
        move(layout.bodies.shape[0], push, y)
        keep_coordinates(layout, y, y)
        last = largest
    return NOT_CONVERGED


@helper
def put_back_driven(t, y, layout, work, twists):
    """The same with drives: outputs have the values and rates of their signals then; `push` holds the twists as well. Returns a status."""
    at = layout.places[0]
    push, step, gaps = work[places.push(at)], work[places.step(at)], work[places.drive_gaps(at)]
    set_clock(layout, t)
    status = meet_signals(t, y, layout, work)
    if status == OK:
        allow_twists(y, layout, twists, work)
        status = follow(t, y, layout, work, 1, twists, gaps)
    if status == OK:
        copy(twists, push)
        drive_solution(y, y, layout, work, push, step, gaps)
        copy(push, twists)
    return status


@helper
def accepted(status, y, layout, work):
    """What a projection returns: `status`, and where it is OK whether rows should be re-selected; `y[at.efforts]` remembers the last look."""
    if status != OK:
        return status
    at = layout.places[0]
    weaken = rows_weaken(work[at.pivot], y, at.efforts)
    return WEAKENED if weaken and at.n_left_out > 0 else PROJECTED


@helper
def near_singular(y, layout):
    """Whether rows were nearly dependent at the beginning of a step: the same at all its stages.

    Stages lie a little beside the constraints. Where branches of a mechanism meet, accelerations there differ by these gaps over the
    distance from that position, so that adaptive steps would become ever smaller before it. On the constraints accelerations stay
    smooth: near such positions rates are taken at stages that were put back.
    """
    return y[layout.places[0].efforts] != 0.0
