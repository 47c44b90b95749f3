"""Energy that a step next to a singular position left in velocities that the joints do not allow, given back to those they allow.

Where branches of a mechanism meet, the stages of a step lie a little beside them, and joints there turn part of the
velocity away from the branch that is followed. That part would swing from step to step for ever. It is taken out by
projection, and the velocities of the bodies that are joined with each other are enlarged by what that costs of their
energy. Bodies that are joined with the ground only through each other keep no momentum that this could change; parts that
float freely are left as they are.
"""

from __future__ import annotations

from math import sqrt

from poinsot.algebra.compile import helper, kernel
from poinsot.algebra.matrices import hat_times, load33, store33, transpose
from poinsot.algebra.vectors import dot, load3, store3
from poinsot.elements.director_scalars import POSE
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.work import TWIST
from poinsot.formulations.directors.project import project

SHARE = 1e-13  # of the energy of a part: less is rounding
CLEAR = 1e-9  # smallest pivot with which a projection means something
ON_GROUND = 0.0  # label of parts that are joined with the ground


@helper
def label_parts(layout, labels):
    """The smallest number of a body that a body is joined with, directly or not; ON_GROUND when the ground is among them."""
    for b in range(layout.bodies.shape[0]):
        labels[b] = float(b)
    changed = True
    while changed:
        changed = False
        for k in range(layout.terms.shape[0]):
            term = layout.terms[k]
            least = min(labels[term.first], labels[term.second])
            for b in (term.first, term.second):
                if labels[b] > least:
                    labels[b] = least
                    changed = True


@kernel
def energy(frame, velocities, k):
    """Twice the kinetic energy of a body with director velocities at k."""
    v, Z = load3(velocities, k), transpose(load33(velocities, k + 3))
    turning = frame.euler[0] * dot(Z[0], Z[0]) + frame.euler[1] * dot(Z[1], Z[1]) + frame.euler[2] * dot(Z[2], Z[2])
    return frame.mass * dot(v, v) + turning


@helper
def give_back(layout, poses, velocities, room, work):
    """Replace velocities by allowed ones of the same energy, in parts that are joined with the ground; `room`: POSE + 1 numbers per body."""
    at = layout.places[0]
    n, push = layout.bodies.shape[0], work[places.push(at)]
    allowed, labels = room[: POSE * n], room[POSE * n : (POSE + 1) * n]
    if project(layout, poses, velocities, work) < CLEAR:
        return
    label_parts(layout, labels)
    whole, kept = 0.0, 0.0
    for b in range(1, n):
        k, twist = POSE * b, TWIST * b
        store3(allowed, k, load3(push, twist))
        store33(allowed, k + 3, hat_times(load3(push, twist + 3), load33(poses, k + 3)))
        if labels[b] == ON_GROUND:
            whole += energy(layout.frames[b], velocities, k)
            kept += energy(layout.frames[b], allowed, k)
    if not 0.5 * whole < kept < (1.0 - SHARE) * whole:
        return
    larger = sqrt(whole / kept)
    for b in range(1, n):
        if labels[b] == ON_GROUND:
            for k in range(POSE * b, POSE * (b + 1)):
                velocities[k] = larger * allowed[k]
