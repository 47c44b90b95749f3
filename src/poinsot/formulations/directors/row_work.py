"""Work of the forces of users' rows in a step: they do some where the rates of rows must not be zero."""

from __future__ import annotations

from poinsot.algebra.compile import helper
from poinsot.elements.director_scalars import POSE
from poinsot.formulations.absolute.coordinates import right_side, rows_power, set_clock
from poinsot.formulations.directors import stage_places
from poinsot.formulations.directors.give_back import energy
from poinsot.formulations.directors.project import reflect
from poinsot.formulations.directors.stage_places import EM_NODES, EM_WEIGHTS, parts_of, stage


@helper
def work_of_rows(step, layout, work):
    """Work of the multipliers of all stages, J."""
    at, s, total = layout.places[0], step.stages, 0.0
    if at.clock > 0:
        multipliers = parts_of(work[stage_places.unknowns(at, s)], at, s).multipliers
        for i in range(s):
            set_clock(layout, step.t + step.method[EM_NODES + i] * step.h)
            power = rows_power(layout, stage(at, work, i)[0], multipliers[i * at.n_rows :])
            total += step.h * step.method[EM_WEIGHTS + i] * power
    return total


@helper
def whole_energy(layout, velocities):
    """Kinetic energy of all bodies, J."""
    whole = 0.0
    for b in range(1, layout.bodies.shape[0]):
        whole += 0.5 * energy(layout.frames[b], velocities, POSE * b)
    return whole


@helper
def reflect_with_work(layout, poses, velocities, rest, work):
    """Reflect velocities (`project.py`); returns the work that this does, J, which is none where all rows must have zero rates."""
    moving = False
    if layout.places[0].clock > 0:
        for k in range(layout.terms.shape[0]):
            moving = moving or right_side(layout.terms[k], layout, poses) != 0.0
    before = whole_energy(layout, velocities) if moving else 0.0
    reflect(layout, poses, velocities, rest, work)
    return whole_energy(layout, velocities) - before if moving else 0.0
