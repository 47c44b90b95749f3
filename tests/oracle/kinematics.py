"""Poses and twists of the bodies from joint coordinates and rates, and back."""

from collections import namedtuple

import numpy as np

from oracle.description import FREEDOMS, GROUND, Poses, Twists
from oracle.joints import joint_motion, joint_position
from oracle.rotations import skew

# Relative: motion of a joint's second frame in its first. place: origin of the second in the world; turn: first's axes
# to world; the rest in first's axes: p, r: place and rotation of the second; twist: (derivative of p, relative angular
# velocity), whose derivative is first @ (com, angular accelerations of the first body) + second @ (...) + bias.
Relative = namedtuple("Relative", "place turn p r twist first second bias")


def carried(model, poses, body, point):
    """Where a world point of the drawing, fixed in a body, is now, and the rotation of the body since the drawing."""
    if body == GROUND:
        return np.array(point, dtype=float), np.eye(3)
    b = model.bodies[body]
    turn = poses.rotation[body] @ b.rotation.T
    return poses.position[body] + turn @ (point - b.position), turn


def com_position(model, poses):
    """Centres of mass in the world (n, 3)."""
    return np.array([x + r @ b.com for b, x, r in zip(model.bodies, *poses)]).reshape(-1, 3)


def point_velocity(model, poses, twists, body, place):
    """World velocity of the point of a body that is now at a world place."""
    if body == GROUND:
        return np.zeros(3)
    return twists.com[body] + np.cross(twists.angular[body], place - com_position(model, poses)[body])


def kinematics(model, coordinates, rates):
    """Poses and Twists of an open tree, joint by joint outwards from the ground; ValueError on loops."""
    n = len(model.bodies)
    poses = Poses(np.full((n, 3), np.nan), np.full((n, 3, 3), np.nan))
    twists = Twists(np.full((n, 3), np.nan), np.full((n, 3), np.nan))
    known, waiting = {GROUND}, list(range(len(model.joints)))
    while waiting:
        ready = [k for k in waiting if {model.joints[k].first, model.joints[k].second} & known]
        if not ready:
            raise ValueError("some bodies are not joined to the ground, not even by a free joint")
        k = ready[0]
        waiting.remove(k)
        joint = model.joints[k]
        if {joint.first, joint.second} <= known:
            raise ValueError(f"joint {joint.name} closes a loop")
        p, r, s, _ = joint_motion(joint, coordinates[k], rates[k])
        twist = s @ rates[k]
        outward = joint.first in known
        base, child = (joint.first, joint.second) if outward else (joint.second, joint.first)
        place, turn = carried(model, poses, base, joint.at)
        spin = np.zeros(3) if base == GROUND else twists.angular[base]
        velocity = point_velocity(model, poses, twists, base, place)
        if outward:
            arm, new_turn, new_spin = turn @ p, turn @ r, spin + turn @ twist[3:]
            new_place, new_velocity = place + arm, velocity + np.cross(spin, arm) + turn @ twist[:3]
        else:
            new_turn = turn @ r.T
            arm, new_spin = new_turn @ p, spin - new_turn @ twist[3:]
            new_place, new_velocity = place - arm, velocity - np.cross(new_spin, arm) - new_turn @ twist[:3]
        body = model.bodies[child]
        poses.rotation[child] = new_turn @ body.rotation
        poses.position[child] = new_place + new_turn @ (body.position - joint.at)
        twists.angular[child] = new_spin
        com = poses.position[child] + poses.rotation[child] @ body.com
        twists.com[child] = new_velocity + np.cross(new_spin, com - new_place)
        known.add(child)
    if len(known) != n + 1:
        raise ValueError("some bodies have no joint, not even a free one")
    return poses, twists


def relative(model, joint, poses, twists):
    """Relative of a joint at given poses and twists; body accelerations are (com, angular), world."""
    coms = com_position(model, poses)
    origin, turn = carried(model, poses, joint.first, joint.at)
    place, turn2 = carried(model, poses, joint.second, joint.at)
    velocity, spin, jacobian, centripetal = [], [], [], []
    for body in (joint.first, joint.second):
        w = np.zeros(3) if body == GROUND else twists.angular[body]
        arm = place if body == GROUND else place - coms[body]
        spin.append(w)
        velocity.append(point_velocity(model, poses, twists, body, place))
        jacobian.append(np.block([[turn.T, -turn.T @ skew(arm)], [np.zeros((3, 3)), turn.T]]))
        centripetal.append(np.cross(w, np.cross(w, arm)))
    slip = velocity[1] - velocity[0]  # both at the second frame's origin, so free of the rotation of the first
    linear = centripetal[1] - centripetal[0] - 2.0 * np.cross(spin[0], slip)
    bias = np.r_[turn.T @ linear, -turn.T @ np.cross(spin[0], spin[1])]
    twist = np.r_[turn.T @ slip, turn.T @ (spin[1] - spin[0])]
    p, r = turn.T @ (place - origin), turn.T @ turn2
    return Relative(place, turn, p, r, twist, -jacobian[0], jacobian[1], bias)


def joint_state(model, poses, twists):
    """Coordinates (angles in +-pi) and rates of every joint from the bodies; for loops and for results."""
    coordinates, rates = [], []
    for joint in model.joints:
        rel = relative(model, joint, poses, twists)
        q = joint_position(joint, rel.p, rel.r)
        s = joint_motion(joint, q, np.zeros(FREEDOMS[joint.kind]))[2]
        coordinates.append(q)
        rates.append(np.linalg.pinv(s) @ rel.twist)
    return coordinates, rates
