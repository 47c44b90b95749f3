"""An independent reference for rigid multibody dynamics: maximal coordinates, dense, slow and simple.

It imports nothing from the package. SI units. A model is a drawing: bodies in world poses, joints at world points.
Every joint has a frame on each of its two bodies; in the drawing both sit at `at` and are parallel to the world axes.
Joint coordinates give the second frame seen from the first, in the first frame's axes, zero (identity) in the drawing:

    kind         positions                             rates
    fixed        -                                     -
    revolute     angle                                 its derivative
    prismatic    displacement                          its derivative
    cylindrical  displacement, angle                   their derivatives
    screw        angle (displacement pitch angle/2pi)  its derivative
    universal    a1, a2: R = R(axis, a1) R(axis2, a2)  their derivatives
    spherical    quaternion wxyz                       angular velocity of the second in the first, second's axes
    planar       x, y (along axis2, axis x axis2),     their derivatives
                 angle about axis
    free         position, quaternion wxyz             derivative of position (first's axes), angular velocity as above

Body accelerations are those nearest to the free ones in the metric of the masses among all that obey the joints
(Gauss), found with a singular value decomposition: redundant rows are allowed, and then the reactions are the ones
of least norm.
"""

from collections import namedtuple
from dataclasses import make_dataclass

import numpy as np

KINDS = ("fixed", "revolute", "prismatic", "cylindrical", "screw", "universal", "spherical", "planar", "free")
FREEDOMS = dict(zip(KINDS, (0, 1, 1, 2, 1, 2, 3, 3, 6)))
GROUND = -1


# The description. Vectors and matrices are arrays; bodies and joints are named by their index, -1 is the ground.
# OBody: com in the body frame; inertia about the com, body axes; position (of the origin) and rotation (body to world)
# in the drawing.
OBody = make_dataclass("OBody", ["name", "mass", "com", "inertia", "position", "rotation"])
# OJoint: at is a world point of the drawing, axis and axis2 unit world vectors of the drawing (universal: axis fixed in
# the first body, axis2 in the second; planar: the normal and the first in-plane direction). pitch in metres per turn.
_AXES = [("axis", object, None), ("axis2", object, None), ("pitch", float, 0.0)]
OJoint = make_dataclass("OJoint", ["name", "kind", "first", "second", "at", *_AXES])
# OSpring: spring-damper between two body-fixed points, given as world points of the drawing; N/m, N s/m, m.
_POINTS = ["first", "second", "first_point", "second_point"]
OSpring = make_dataclass("OSpring", [*_POINTS, "stiffness", "damping", "length"])
# OTorsionSpring: revolute or screw, effort -stiffness (angle - rest); spherical, torque -stiffness log(R), no rest, or with
# law "euler-angles" torque -stiffness (phi, theta, psi) in first's axes, R = Rz(psi) Ry(theta) Rx(phi), which has no potential.
OTorsionSpring = make_dataclass("OTorsionSpring", ["joint", "stiffness", ("rest", float, 0.0), ("law", str, "rotation-vector")])
# OJointDamper: effort -damping rate on every rate of a joint.
OJointDamper = make_dataclass("OJointDamper", ["joint", "damping"])
# OMotor: constant effort on the coordinate of a joint with one freedom (screw: a torque, it works on the angle).
OMotor = make_dataclass("OMotor", ["joint", "effort"])
# OForce: constant in the world, at a body-fixed point (given as world point of the drawing). OTorque: likewise.
OForce = make_dataclass("OForce", ["body", "force", "point"])
OTorque = make_dataclass("OTorque", ["body", "torque"])
OModel = make_dataclass("OModel", ["bodies", "joints", "loads", "gravity"])

# Poses: body origins in the world (n, 3), rotations body to world (n, 3, 3).
Poses = namedtuple("Poses", "position rotation")
# Twists: velocities of the centres of mass (n, 3) and angular velocities (n, 3), world axes.
Twists = namedtuple("Twists", "com angular")
# Accelerations: the derivatives of Twists, and for each joint the reaction (joints, 3): force and torque on the second
# body at the origin of its joint frame, world axes, constraint part only.
Accelerations = namedtuple("Accelerations", "com angular force torque")
# Energy: gravity's potential is zero at the world origin; angular momentum is about the world origin.
Energy = namedtuple("Energy", "kinetic potential momentum angular_momentum")
# Relative: motion of a joint's second frame in its first. place: origin of the second in the world; turn: first's axes
# to world; the rest in first's axes: p, r: place and rotation of the second; twist: (derivative of p, relative angular
# velocity), whose derivative is first @ (com, angular accelerations of the first body) + second @ (...) + bias.
Relative = namedtuple("Relative", "place turn p r twist first second bias")


def skew(a):
    """Matrix of the cross product: skew(a) @ b = a x b."""
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def axis_rotation(axis, angle):
    """Rotation matrix about a unit axis."""
    k = skew(axis)
    return np.eye(3) + np.sin(angle) * k + (1.0 - np.cos(angle)) * k @ k


def quaternion_matrix(q):
    """Rotation matrix of a quaternion wxyz (normalised here)."""
    q = np.asarray(q) / np.linalg.norm(q)
    k = skew(q[1:])
    return np.eye(3) + 2.0 * q[0] * k + 2.0 * k @ k


def matrix_quaternion(r):
    """Quaternion wxyz with w >= 0 of a rotation matrix, from the largest column of 4 q q^T."""
    trace = np.trace(r)
    s = np.empty((4, 4))
    s[0, 0] = 1.0 + trace
    s[1:, 0] = s[0, 1:] = r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]
    s[1:, 1:] = r + r.T + (1.0 - trace) * np.eye(3)
    q = s[np.argmax(np.diag(s))]
    return q / np.linalg.norm(q) * (1.0 if q[0] >= 0.0 else -1.0)


def rotation_log(r):
    """Rotation vector, at most pi long, of a rotation matrix."""
    q = matrix_quaternion(r)
    sine = np.linalg.norm(q[1:])
    return 2.0 * q[1:] if sine < 1e-300 else q[1:] * (2.0 * np.arctan2(sine, q[0]) / sine)


def euler_angles(r):
    """Angles (phi, theta, psi) of a rotation matrix Rz(psi) Ry(theta) Rx(phi), away from theta = +-pi/2."""
    return np.array([np.arctan2(r[2, 1], r[2, 2]), np.arcsin(-r[2, 0]), np.arctan2(r[1, 0], r[0, 0])])


def joint_motion(joint, q, u):
    """Place p and rotation R of the second frame in the first, motions S with twist = S u, and dS/dt u.

    Twists are (derivative of p, relative angular velocity), both in the first frame's axes.
    """
    p, r = np.zeros(3), np.eye(3)
    s, bias = np.zeros((6, FREEDOMS[joint.kind])), np.zeros(6)
    a, b = joint.axis, joint.axis2
    match joint.kind:
        case "revolute":
            r = axis_rotation(a, q[0])
            s[3:, 0] = a
        case "prismatic":
            p = a * q[0]
            s[:3, 0] = a
        case "cylindrical":
            p, r = a * q[0], axis_rotation(a, q[1])
            s[:3, 0] = s[3:, 1] = a
        case "screw":
            lead = joint.pitch / (2.0 * np.pi)
            p, r = a * lead * q[0], axis_rotation(a, q[0])
            s[:, 0] = np.r_[lead * a, a]
        case "universal":
            r1 = axis_rotation(a, q[0])
            r = r1 @ axis_rotation(b, q[1])
            s[3:, 0], s[3:, 1] = a, r1 @ b
            bias[3:] = np.cross(a, r1 @ b) * (u[0] * u[1])
        case "spherical":
            r = quaternion_matrix(q)
            s[3:] = r  # dR/dt u = R (u x u) = 0
        case "planar":
            c = np.cross(a, b)
            p, r = q[0] * b + q[1] * c, axis_rotation(a, q[2])
            s[:3, 0], s[:3, 1], s[3:, 2] = b, c, a
        case "free":
            p, r = np.array(q[:3], dtype=float), quaternion_matrix(q[3:])
            s[:3, :3], s[3:, 3:] = np.eye(3), r
        case "fixed":
            pass
        case _:
            raise ValueError(f"joint {joint.name}: no kind {joint.kind!r}")
    return p, r, s, bias


def joint_position(joint, p, r):
    """Coordinates of a joint from the place and rotation of its second frame in the first; angles within +-pi."""
    a, b, quaternion = joint.axis, joint.axis2, matrix_quaternion(r)
    if joint.kind in ("fixed", "spherical", "free"):
        return {"fixed": np.zeros(0), "spherical": quaternion, "free": np.r_[p, quaternion]}[joint.kind]
    if joint.kind == "universal":  # r b is b turned by a1 about a; a is r^T a turned by a2 about b
        turns = ((a, b, r @ b), (b, r.T @ a, a))
        return np.array([np.arctan2(n @ np.cross(x, y), x @ y - (n @ x) * (n @ y)) for n, x, y in turns])
    angle = 2.0 * np.arctan2(a @ quaternion[1:], quaternion[0])
    if joint.kind == "planar":
        return np.array([b @ p, np.cross(a, b) @ p, angle])
    coordinates = {"prismatic": [a @ p], "cylindrical": [a @ p, angle], "revolute": [angle], "screw": [angle]}
    return np.array(coordinates[joint.kind])


def effort_wrench(joint, s, effort):
    """Wrench (force, torque; first's axes, at the second frame's origin) on the second body of a joint's efforts.

    It lies in the span of the motions, except that a screw gets a pure torque: its coordinate is the angle.
    """
    if joint.kind == "screw":
        return np.r_[np.zeros(3), joint.axis * effort[0]]
    return s @ np.linalg.solve(s.T @ s, effort)


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


def applied(model, poses, twists, coordinates, rates):
    """Gravity and loads as a wrench on each body: force and torque about the com (n, 6), world axes."""
    coms = com_position(model, poses)
    wrench = np.zeros((len(model.bodies), 6))

    def push(body, force, place, torque=0.0):
        if body != GROUND:
            wrench[body] += np.r_[force, np.cross(place - coms[body], force) + torque]

    for k, body in enumerate(model.bodies):
        wrench[k, :3] = body.mass * model.gravity
    for load in model.loads:
        if isinstance(load, OForce):
            push(load.body, load.force, carried(model, poses, load.body, load.point)[0])
        elif isinstance(load, OTorque):
            wrench[load.body, 3:] += load.torque
        elif isinstance(load, OSpring):
            a = carried(model, poses, load.first, load.first_point)[0]
            b = carried(model, poses, load.second, load.second_point)[0]
            along = (b - a) / np.linalg.norm(b - a)
            slip = point_velocity(model, poses, twists, load.second, b)
            slip = slip - point_velocity(model, poses, twists, load.first, a)
            pull = load.stiffness * (np.linalg.norm(b - a) - load.length) + load.damping * (slip @ along)
            push(load.first, pull * along, a)
            push(load.second, -pull * along, b)
        else:
            joint, q, u = model.joints[load.joint], coordinates[load.joint], rates[load.joint]
            rel = relative(model, joint, poses, twists)
            s = joint_motion(joint, q, u)[2]
            if isinstance(load, OJointDamper):
                on_second = effort_wrench(joint, s, -load.damping * u)
            elif isinstance(load, OMotor):
                on_second = effort_wrench(joint, s, np.array([load.effort]))
            elif joint.kind == "spherical":
                on_second = np.r_[np.zeros(3), -load.stiffness * (euler_angles if load.law == "euler-angles" else rotation_log)(rel.r)]
            else:
                on_second = effort_wrench(joint, s, -load.stiffness * (q - load.rest))
            force, torque = rel.turn @ on_second[:3], rel.turn @ on_second[3:]
            push(joint.second, force, rel.place, torque)
            push(joint.first, -force, rel.place, -torque)
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


def energy(model, poses, twists, coordinates):
    """Energy of a state: gravity and springs are potential; constant forces and torques and Euler-angle springs are not."""
    coms = com_position(model, poses)
    kinetic, potential, momentum, moment = 0.0, 0.0, np.zeros(3), np.zeros(3)
    for body, r, c, v, w in zip(model.bodies, poses.rotation, coms, *twists):
        spin = r @ body.inertia @ r.T @ w
        kinetic += 0.5 * body.mass * (v @ v) + 0.5 * (w @ spin)
        potential -= body.mass * (model.gravity @ c)
        momentum = momentum + body.mass * v
        moment = moment + body.mass * np.cross(c, v) + spin
    for load in model.loads:
        if isinstance(load, OSpring):
            a = carried(model, poses, load.first, load.first_point)[0]
            b = carried(model, poses, load.second, load.second_point)[0]
            potential += 0.5 * load.stiffness * (np.linalg.norm(b - a) - load.length) ** 2
        elif isinstance(load, OTorsionSpring) and load.law != "euler-angles":
            joint, q = model.joints[load.joint], coordinates[load.joint]
            stretch = rotation_log(quaternion_matrix(q)) if joint.kind == "spherical" else q - load.rest
            potential += 0.5 * load.stiffness * (stretch @ stretch)
    return Energy(float(kinetic), float(potential), momentum, moment)
