"""Velocities that the constraints allow: the mass-orthogonal projection of director velocities onto twists."""

from __future__ import annotations

from poinsot.algebra.compile import helper
from poinsot.algebra.matrices import hat_times, load33, minus, plus, store33, times, transpose
from poinsot.algebra.vectors import ZERO, add_scaled, cross, load3, scale, store3, sub
from poinsot.elements.director_scalars import POSE
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.coordinates import ask_for_rates
from poinsot.formulations.absolute.rows import build, constrained
from poinsot.formulations.absolute.work import TWIST


@helper
def nearest(layout, poses, velocities, work, homogeneous):
    """Twists of all bodies nearest to the velocities, in `push`, with the factor at these poses in `work`.

    Rows have the rates that they must have, or zero, of differences of velocities (`homogeneous`).
    """
    at = layout.places[0]
    push, step = work[places.push(at)], work[places.step(at)]
    store3(push, 0, ZERO)
    store3(push, 3, ZERO)
    for b in range(1, layout.bodies.shape[0]):
        frame, k = layout.frames[b], POSE * b
        D, Z = transpose(load33(poses, k + 3)), transpose(load33(velocities, k + 3))
        moment = scale(frame.euler[0], cross(D[0], Z[0]))
        moment = add_scaled(moment, frame.euler[1], cross(D[1], Z[1]))
        moment = add_scaled(moment, frame.euler[2], cross(D[2], Z[2]))
        store3(push, TWIST * b, scale(frame.mass, load3(velocities, k)))
        store3(push, TWIST * b + 3, moment)
    ask_for_rates(layout, poses, step)
    if homogeneous:
        for k in range(step.shape[0]):
            step[k] = 0.0
    constrained(layout, work, step, push)


@helper
def project(layout, poses, velocities, work):
    """Twists of all bodies nearest to the velocities at a state, in `push`; the factor there stays in `work`. Returns its smallest pivot."""
    smallest = build(layout, poses, poses, work, 0.0, work)
    nearest(layout, poses, velocities, work, False)
    return smallest


@helper
def reflect(layout, poses, velocities, rest, work):
    """v <- 2 P v - v: keeps energy and momenta, and keeps the part that the constraints do not allow from growing when the number of stages is even.

    `rest` is room for the part that is not allowed, POSE numbers per body.
    """
    at = layout.places[0]
    smallest = project(layout, poses, velocities, work)
    push = work[places.push(at)]
    for b in range(1, layout.bodies.shape[0]):
        k, twist = POSE * b, TWIST * b
        v, Z = load3(velocities, k), load33(velocities, k + 3)
        allowed = hat_times(load3(push, twist + 3), load33(poses, k + 3))
        store3(rest, k, sub(load3(push, twist), v))
        store33(rest, k + 3, minus(allowed, Z))
    nearest(layout, poses, rest, work, True)  # refined: the small part that is not allowed must be orthogonal to the allowed one
    for b in range(1, layout.bodies.shape[0]):
        k, twist = POSE * b, TWIST * b
        v, Z = load3(velocities, k), load33(velocities, k + 3)
        again = hat_times(load3(push, twist + 3), load33(poses, k + 3))
        store3(velocities, k, add_scaled(v, 2.0, sub(load3(rest, k), load3(push, twist))))
        store33(velocities, k + 3, plus(Z, times(2.0, minus(load33(rest, k + 3), again))))
    return smallest
