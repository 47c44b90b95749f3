"""Accelerations of the bodies and reactions of the joints."""

from collections import namedtuple

import numpy as np

from oracle.description import GROUND
from oracle.joints import joint_motion
from oracle.kinematics import com_position, relative
from oracle.loads import State

# Accelerations: the derivatives of Twists, and for each joint the reaction (joints, 3): force and torque on the second
# body at the origin of its joint frame, world axes, constraint part only.
Accelerations = namedtuple("Accelerations", "com angular force torque")


def applied(model, poses, twists, coordinates, rates):
    """Gravity and loads as a wrench on each body: force and torque about the com (n, 6), world axes."""
    coms, state = com_position(model, poses), State(model, poses, twists, coordinates, rates)
    wrench = np.zeros((len(model.bodies), 6))
    for k, body in enumerate(model.bodies):
        wrench[k, :3] = body.mass * model.gravity
    for load in model.loads:
        for body, force, place, torque in load.wrenches(state):
            if body != GROUND:
                wrench[body] += np.r_[force, np.cross(place - coms[body], force) + torque]
    return wrench


def accelerations(model, poses, twists, coordinates, rates, tolerance=1e-6):
    """Accelerations of bodies and joint reactions at a consistent state; loops and redundant joints are welcome.

    ValueError if bodies and joints disagree about places or velocities by more than tolerance.
    """
    n = len(model.bodies)
    wrench = applied(model, poses, twists, coordinates, rates)
    root = np.zeros((6 * n, 6 * n))  # mass matrix = root root^T
    for k, (body, r, w) in enumerate(zip(model.bodies, poses.rotation, twists.angular)):
        inertia = r @ body.inertia @ r.T
        wrench[k, 3:] -= np.cross(w, inertia @ w)
        root[6 * k : 6 * k + 3, 6 * k : 6 * k + 3] = np.sqrt(body.mass) * np.eye(3)
        root[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] = np.linalg.cholesky(inertia)
    rows, right, blocks = [np.zeros((0, 6 * n))], [np.zeros(0)], []
    for joint, q, u in zip(model.joints, coordinates, rates):
        rel = relative(model, joint, poses, twists)
        p, r, s, s_bias = joint_motion(joint, q, u)
        if max(np.abs(gap).max() for gap in (rel.p - p, rel.r - r, rel.twist - s @ u)) > tolerance:
            raise ValueError(f"joint {joint.name}: the poses and twists do not satisfy it")
        forbidden = np.linalg.svd(s)[0][:, s.shape[1] :] if s.shape[1] else np.eye(6)
        row = np.zeros((forbidden.shape[1], 6 * n))
        for body, jacobian in ((joint.first, rel.first), (joint.second, rel.second)):
            if body != GROUND:
                row[:, 6 * body : 6 * body + 6] += forbidden.T @ jacobian
        rows.append(row)
        right.append(forbidden.T @ (s_bias - rel.bias))
        blocks.append((rel.turn, forbidden))
    scaled = np.linalg.solve(root, np.vstack(rows).T).T  # rows root^-T, acting on root^T acceleration
    target = np.concatenate(right)
    left, values, span = np.linalg.svd(scaled, full_matrices=False)
    keep = values > 1e-11 * values.max(initial=0.0)
    left, values, span = left[:, keep], values[keep], span[keep]
    unconstrained = np.linalg.solve(root, wrench.ravel())
    gap = left.T @ (target - scaled @ unconstrained)
    multipliers = left @ (gap / values**2)
    solution = unconstrained + span.T @ (gap / values)
    body_accelerations = np.linalg.solve(root.T, solution).reshape(n, 6)
    force, torque, start = [], [], 0
    for turn, forbidden in blocks:
        reaction = forbidden @ multipliers[start : start + forbidden.shape[1]]
        start += forbidden.shape[1]
        force.append(turn @ reaction[:3])
        torque.append(turn @ reaction[3:])
    reactions = np.array(force).reshape(-1, 3), np.array(torque).reshape(-1, 3)
    return Accelerations(body_accelerations[:, :3], body_accelerations[:, 3:], *reactions)


def joint_accelerations(model, poses, twists, coordinates, rates, solution):
    """Derivatives of the rates, a list with one array per joint, from the Accelerations of the bodies."""
    result = []
    for joint, q, u in zip(model.joints, coordinates, rates):
        rel = relative(model, joint, poses, twists)
        s, s_bias = joint_motion(joint, q, u)[2:]
        change = rel.bias - s_bias
        for body, jacobian in ((joint.first, rel.first), (joint.second, rel.second)):
            if body != GROUND:
                change = change + jacobian @ np.r_[solution.com[body], solution.angular[body]]
        result.append(np.linalg.pinv(s) @ change)
    return result
