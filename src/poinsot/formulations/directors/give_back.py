"""Energy that steps next to singular positions gain or lose by what is no motion of the mechanism, and that is put right.

Where branches of a mechanism meet, multipliers are large. The gaps of joints that a step closes are rounding, but such
multipliers do work on them: what they gain is taken from the velocities. And the stages of a step lie a little beside the
branches: joints there turn part of the velocity away from the branch that is followed. That part would swing from step to step
for ever. It is removed by projection, and the velocities are enlarged by what that costs of their energy. Both is done to bodies
that are joined with the ground, directly or through others, which keep no momentum that this could change; parts that float
freely are left as they are.
"""

from __future__ import annotations

from math import sqrt

from poinsot.algebra.compile import helper, kernel
from poinsot.algebra.matrices import hat_times, load33, store33, transpose
from poinsot.algebra.vectors import dot, load3, store3
from poinsot.elements.director_scalars import POSE
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.work import TWIST
from poinsot.formulations.directors import stage_places
from poinsot.formulations.directors.project import project
from poinsot.formulations.directors.stage_places import EM_WEIGHTS, parts_of

SHARE = 1e-13  # of the energy of a part: less is rounding
CLEAR = 1e-9  # smallest pivot with which a projection means something
GAINED_AT_MOST = 1e-6  # of the energy: more than this cannot come from gaps that are rounding


@kernel
def energy(frame, velocities, k):
    """Twice the kinetic energy of a body with director velocities at k."""
    v, Z = load3(velocities, k), transpose(load33(velocities, k + 3))
    turning = frame.euler[0] * dot(Z[0], Z[0]) + frame.euler[1] * dot(Z[1], Z[1]) + frame.euler[2] * dot(Z[2], Z[2])
    return frame.mass * dot(v, v) + turning


@helper
def grounded_energy(layout, velocities):
    """Twice the kinetic energy of all bodies that are joined with the ground."""
    whole = 0.0
    for b in range(1, layout.bodies.shape[0]):
        if layout.frames[b].grounded == 1:
            whole += energy(layout.frames[b], velocities, POSE * b)
    return whole


@helper
def enlarge(layout, factor, allowed, velocities):
    """Velocities of bodies that are joined with the ground become a multiple of others."""
    for b in range(1, layout.bodies.shape[0]):
        if layout.frames[b].grounded == 1:
            for k in range(POSE * b, POSE * (b + 1)):
                velocities[k] = factor * allowed[k]


@helper
def take_back(step, layout, work, velocities):
    """Take from velocities at the end of a step the energy that its multipliers gained on the gaps which it closed."""
    at, s = layout.places[0], step.stages
    multipliers, gaps = parts_of(work[stage_places.unknowns(at, s)], at, s).multipliers, work[places.row_gaps(at)]
    gained = 0.0
    for i in range(s):
        for k in range(gaps.shape[0]):
            gained += step.method[EM_WEIGHTS + i] * multipliers[i * gaps.shape[0] + k] * gaps[k]
    whole = grounded_energy(layout, velocities)
    if abs(2.0 * gained) < GAINED_AT_MOST * whole:
        enlarge(layout, sqrt(1.0 - 2.0 * gained / whole), velocities, velocities)


@helper
def give_back(layout, poses, velocities, allowed, work):
    """Replace velocities by allowed ones of the same energy, for which there is room for POSE numbers per body."""
    push = work[places.push(layout.places[0])]
    if project(layout, poses, velocities, work) < CLEAR:
        return
    for b in range(1, layout.bodies.shape[0]):
        k, at = POSE * b, TWIST * b
        store3(allowed, k, load3(push, at))
        store33(allowed, k + 3, hat_times(load3(push, at + 3), load33(poses, k + 3)))
    whole, kept = grounded_energy(layout, velocities), grounded_energy(layout, allowed)
    if 0.5 * whole < kept < (1.0 - SHARE) * whole:
        enlarge(layout, sqrt(whole / kept), allowed, velocities)
