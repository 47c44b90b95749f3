"""States of controllers in an energy-momentum step: z_i = z + h sum a_ij z'_j at the stages, z + h sum b_j z'_j at the end.

For given stages of the bodies they are found by fixed-point iteration, so that a step that has converged has converged in them as well.
"""

from __future__ import annotations

from math import isfinite

from poinsot.algebra.compile import helper
from poinsot.elements.feedback import F_CONTROL, F_CONTROLS, F_STATE, tail_of
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.bodies import body_states
from poinsot.formulations.absolute.loads import Instant, feedback
from poinsot.formulations.directors.stage_places import EM_MATRIX, EM_NODES, EM_WEIGHTS, forces_of_stage, stage
from poinsot.tables.records import N_CONTROL, N_FEEDBACKS
from poinsot.tables.types import CALLBACK, NOT_CONVERGED, OK

CONTROL_SWEEPS = 60  # most iterations
FOUND_RATES = 1e-15  # change of a state of a controller, relative to its size, below which it is found
STAGE_RATES = 2  # blocks before those of the stages: what is kept, and its rates


@helper
def set_controls(i, step, y, layout):
    """Set what controllers keep to its values at stage i, by the rates known so far; at the end of the step where i is the number of stages."""
    first = layout.places[0].state - 1 - layout.sizes[N_CONTROL]
    at_end = i == step.stages
    for k in range(layout.sizes[N_FEEDBACKS]):
        tail = tail_of(layout.loads[k])
        place, count, own = layout.members[tail + F_CONTROL], layout.members[tail + F_CONTROLS], layout.members[tail + F_STATE]
        for m in range(count):
            value = y[first + own + m]
            for j in range(step.stages):
                weight = step.method[EM_WEIGHTS + j] if at_end else step.method[EM_MATRIX + 3 * i + j]
                value += step.h * weight * layout.values[place + (STAGE_RATES + j) * count + m]
            layout.values[place + m] = value


@helper
def keep_rates(i, step, layout):
    """Keep the rates of controllers at stage i; returns the largest relative change that they make."""
    change = 0.0
    for k in range(layout.sizes[N_FEEDBACKS]):
        tail = tail_of(layout.loads[k])
        place, count = layout.members[tail + F_CONTROL], layout.members[tail + F_CONTROLS]
        for m in range(count):
            rate, old = layout.values[place + count + m], place + (STAGE_RATES + i) * count + m
            size = max(abs(layout.values[place + m]), step.h * abs(rate))
            difference = step.h * abs(rate - layout.values[old])
            change = max(change, difference / size if size > 0.0 else 0.0)
            layout.values[old] = rate
    return change


@helper
def settle_controls(step, y, layout, work):
    """Find the rates of all controllers at all stages. Returns a status."""
    at = layout.places[0]
    states = work[places.states(at)]
    last = 1e300
    for sweep in range(CONTROL_SWEEPS):
        change = 0.0
        for i in range(step.stages):
            poses, twists = stage(at, work, i)
            instant = Instant(step.t + step.method[EM_NODES + i] * step.h, y, poses, twists, work[forces_of_stage(at, i)], work[places.room(at)])
            set_controls(i, step, y, layout)
            body_states(layout, poses, twists, states)
            for k in range(layout.sizes[N_FEEDBACKS]):
                if not isfinite(feedback(layout.loads[k], layout, instant, states, step.h if step.stages == 1 else 0.0)):
                    return CALLBACK
            change = max(change, keep_rates(i, step, layout))
        if change <= FOUND_RATES or (sweep > 8 and change >= last and change < 1e-13):
            return OK
        last = change
    return NOT_CONVERGED


@helper
def add_controls(step, y, layout, end):
    """What controllers keep at the end of the step."""
    if layout.sizes[N_CONTROL] > 0:
        set_controls(step.stages, step, y, layout)
        first = layout.places[0].state - 1 - layout.sizes[N_CONTROL]
        for k in range(layout.sizes[N_FEEDBACKS]):
            tail = tail_of(layout.loads[k])
            place, count, own = layout.members[tail + F_CONTROL], layout.members[tail + F_CONTROLS], layout.members[tail + F_STATE]
            for m in range(count):
                end[first + own + m] = layout.values[place + m]
