"""Potentials between two frames at the stages of an energy-momentum step: any function of how the frames lie to each other.

At stage i the force and moment of the law act, and beside them -k (w1 v_i, w2 omega_i), with v_i and omega_i the relative velocity and
spin of the frames and the weights of the load. The number k is chosen for each step so that together they do exactly the work that
the potential loses. As a damper between the frames would, the correction acts equally and oppositely, and vanishes with relative motion.
"""

from __future__ import annotations

from poinsot.algebra.compile import helper
from poinsot.algebra.vectors import add, cross, dot, increase3, scale, sub, vector
from poinsot.elements.director_scalars import centre
from poinsot.elements.frame_laws import frame_law, frame_potential, relative
from poinsot.elements.states import point_state
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.bodies import body_state
from poinsot.formulations.absolute.changes import RESTING, beyond_rounding
from poinsot.formulations.absolute.work import TWIST
from poinsot.formulations.directors.stage_places import EM_WEIGHTS, forces_of_stage, stage


@helper
def two_states(load, layout, poses, twists, states):
    """The states of the two bodies of a load."""
    body_state(layout, poses, twists, states, load.first)
    body_state(layout, poses, twists, states, load.second)


@helper
def take(load, poses, place, force, moment, forces):
    """Take a force and a moment at a place on the second body, and the opposite on the first, from the forces on bodies."""
    for sign, b in ((1.0, load.second), (-1.0, load.first)):
        arm = sub(place, centre(poses, b))
        increase3(forces, TWIST * b, scale(-sign, force))
        increase3(forces, TWIST * b + 3, scale(-sign, add(moment, cross(arm, force))))


@helper
def add_frame_potential(k, step, y, layout, work):
    """Forces of one potential between frames at all stages, corrected so that they do exactly the work that its energy loses."""
    at = layout.places[0]
    load, states, powers = layout.loads[k], work[places.states(at)], work[places.powers(at)]
    s, method, h = step.stages, step.method, step.h
    w1, w2 = load.weights[0], load.weights[1]
    still = stage(at, work, 0)[1]
    two_states(load, layout, y, still, states)
    before = frame_potential(load, layout, states)
    two_states(load, layout, work[places.end(at)], still, states)
    after = frame_potential(load, layout, states)
    done, square, reach = 0.0, 0.0, 0.0
    for i in range(s):
        poses, twists = stage(at, work, i)
        two_states(load, layout, poses, twists, states)
        force, moment, _, _ = frame_law(load, layout, states)
        _, _, _, velocity, spin = relative(load, states)
        done += h * method[EM_WEIGHTS + i] * (dot(force, velocity) + dot(moment, spin))
        square += h * method[EM_WEIGHTS + i] * (w1 * dot(velocity, velocity) + w2 * dot(spin, spin))
        place, _, _ = point_state(states, load.second, vector(load.second_point))
        reach = max(reach, dot(force, force) * dot(place, place) + dot(moment, moment))
    size = abs(before) + abs(after) + reach**0.5
    correction = beyond_rounding(after - before + done, size) / square if square > RESTING else 0.0
    for i in range(s):
        poses, twists = stage(at, work, i)
        two_states(load, layout, poses, twists, states)
        force, moment, viscous, braking = frame_law(load, layout, states)
        _, _, _, velocity, spin = relative(load, states)
        place, _, _ = point_state(states, load.second, vector(load.second_point))
        power = dot(viscous, velocity) + dot(braking, spin)
        force = add(add(force, viscous), scale(-correction * w1, velocity))
        moment = add(add(moment, braking), scale(-correction * w2, spin))
        take(load, poses, place, force, moment, work[forces_of_stage(at, i)])
        powers[i] += power
