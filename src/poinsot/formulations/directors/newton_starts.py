"""Where Newton's method of an energy-momentum step begins: where the simple iteration ended, at the prediction, or at the first velocities."""

from __future__ import annotations

from math import isfinite

from poinsot.algebra.compile import helper
from poinsot.formulations.absolute import places
from poinsot.formulations.directors import stage_places
from poinsot.formulations.directors.energy_momentum_memory import RESCUES_LEFT, guess, note_at
from poinsot.formulations.directors.newton_equations import evaluate, largest_turn, restore
from poinsot.formulations.directors.step_ends import predict_stages
from poinsot.integrators.stages import all_finite, copy
from poinsot.tables.types import NOT_FINITE, OK

PREDICTED, REACHED, PLAIN = 0, 1, 2  # where it begins
LARGEST_TURN = 6.3  # rad: with more than a whole turn in a step, equations have solutions that mean nothing


@helper
def plain_guess(step, y, layout, work):
    """Stages with the velocities at the start of the step, without multipliers and efforts: where the extrapolation of earlier steps is poor."""
    at = layout.places[0]
    unknowns, first = work[stage_places.unknowns(at, step.stages)], step.stages * at.n_twists
    guess(step, y, y[places.velocities(at)], unknowns, unknowns[first:])


@helper
def start_left(equations, step, y, layout, buffers, room):
    """What is left of the equations at the present unknowns: a speed, 1e300 where they mean nothing; forces and gaps are in `left`."""
    at, s, work = layout.places[0], step.stages, buffers.work
    twists = work[stage_places.stage_twists(at, s)]
    if not (all_finite(work[stage_places.unknowns(at, s)]) and largest_turn(s * step.bodies, step.h, twists) < LARGEST_TURN):
        return 1e300  # nothing that users' functions should see
    status = evaluate(equations, step, y, layout, buffers, room, False)
    _, left = restore(step, layout, work, room)
    return left if status == OK and isfinite(left) else 1e300


@helper
def keep_start(layout, step, work, room):
    """Keep the present unknowns as the best so far, in `base`, and their forces and gaps, in `start`."""
    copy(work[stage_places.unknowns(layout.places[0], step.stages)], room.base)
    copy(room.left, room.start)


@helper
def best_start(equations, step, y, layout, buffers, room):
    """Begin with what leaves least of the equations: where the simple iteration ended, the prediction, or plain stages.

    Returns a status, and which of them it is (PREDICTED, REACHED, PLAIN); forces and gaps there are in `left`. Where the simple iteration was
    left out, it ended nowhere.
    """
    memory, work = buffers.memory, buffers.work
    unknowns = work[stage_places.unknowns(layout.places[0], step.stages)]
    copy(unknowns, room.direction)
    status = predict_stages(equations.second, step, y, memory, layout, work)
    least, best = start_left(equations, step, y, layout, buffers, room), PREDICTED
    keep_start(layout, step, work, room)
    if memory[note_at(memory, RESCUES_LEFT)] == 0.0:
        copy(room.direction, unknowns)
        reached = start_left(equations, step, y, layout, buffers, room)
        if reached < least:
            least, best = reached, REACHED
            keep_start(layout, step, work, room)
    plain_guess(step, y, layout, work)
    plain = start_left(equations, step, y, layout, buffers, room)
    if plain <= least:
        best = PLAIN
        keep_start(layout, step, work, room)
    copy(room.base, unknowns)
    copy(room.start, room.left)
    return status if status != OK or min(plain, least) < 1e300 else NOT_FINITE, best


@helper
def other_start(equations, step, y, layout, buffers, room, start):
    """Begin at the prediction or, if `start` is PLAIN, at the velocities of the beginning. Returns a status."""
    status = predict_stages(equations.second, step, y, buffers.memory, layout, buffers.work)
    if start == PLAIN:
        plain_guess(step, y, layout, buffers.work)
    if status != OK:
        return status
    return OK if start_left(equations, step, y, layout, buffers, room) < 1e300 else NOT_FINITE
