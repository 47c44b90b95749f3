"""The oracle against closed forms, differences of its own kinematics, and the balances of mechanics."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from oracle import (
    FREEDOMS,
    GROUND,
    KINDS,
    OBody,
    OBushing,
    OForce,
    OJoint,
    OJointDamper,
    OModel,
    OMotor,
    OSpring,
    OTorque,
    OTorsionSpring,
    Twists,
    accelerations,
    axis_rotation,
    carried,
    com_position,
    energy,
    joint_accelerations,
    joint_motion,
    joint_state,
    kinematics,
    relative,
    rotation_log,
    skew,
)
from random_models import count_kinds, drawn_coordinates, drawn_poses, moved, random_loop, random_tree

X, Y, Z = np.eye(3)
G = np.array([0.0, 0.0, -9.81])
DOWN = axis_rotation(Y, np.pi / 2)  # body x along world -z
CASES = [(kind, seed) for kind in KINDS for seed in range(2)] + [("any", seed) for seed in range(16)]


def tree(kind, seed, loads=True, **options):
    """A random tree of one kind of joint (fixed: mixed with revolute) or of all."""
    rng = np.random.default_rng([seed, sum(map(ord, kind))])
    kinds = {"any": KINDS, "fixed": ("fixed", "revolute")}.get(kind, (kind,))
    return random_tree(rng, 6 if kind == "any" else 3, kinds, loads=loads, **options)


def solved(model, q, u):
    """Accelerations of a tree and the derivatives of its rates."""
    motion = kinematics(model, q, u)
    solution = accelerations(model, *motion, q, u)
    return solution, joint_accelerations(model, *motion, q, u, solution)


def along(model, q, u, a):
    """Coordinates and rates as functions of time with the given first and second derivatives at time 0."""
    return lambda t: (
        moved(model, q, [t * v + 0.5 * t * t * w for v, w in zip(u, a)]),
        [v + t * w for v, w in zip(u, a)],
    )


def derivative(f, h=1e-3):
    """First derivative at 0, sixth order."""
    near, mid, far = (f(k * h) - f(-k * h) for k in (1, 2, 3))
    return (45.0 * near - 9.0 * mid + far) / (60.0 * h)


def second_derivative(f, h=4e-3):
    """Second derivative at 0, sixth order."""
    near, mid, far = (f(k * h) + f(-k * h) for k in (1, 2, 3))
    return (270.0 * near - 27.0 * mid + 2.0 * far - 490.0 * f(0.0)) / (180.0 * h * h)


@pytest.mark.parametrize("angle", [1e-9, 1.0, 2.0, 3.0, np.pi - 1e-9])
def test_logarithm_of_rotations(angle):
    """Rotation vectors of all sizes and directions come back, half a turn included."""
    for axis in (X, Y, Z, np.array([-0.48, 0.6, 0.64])):
        assert_allclose(rotation_log(axis_rotation(axis, angle)), angle * axis, rtol=1e-7, atol=1e-15)


@pytest.mark.parametrize("swap", [False, True])
def test_pendulum(swap):
    """A compound pendulum (com 1 m below the pin): acceleration, reaction, and a motor, which is not part of the reaction."""
    angle, rate, sign = 0.7, 1.3, -1.0 if swap else 1.0
    inertia, position = np.diag([0.01, 1.0, 1.0]), np.array([0, 0, -0.75])
    rod = OBody("rod", 3.0, np.array([0.25, 0, 0]), inertia, position, DOWN)
    pin = OJoint("pin", "revolute", *((0, GROUND) if swap else (GROUND, 0)), np.zeros(3), Y)
    model = OModel([rod], [pin], [OMotor(0, 2.0)], G)
    solution, (a,) = solved(model, [np.array([sign * angle])], [np.array([sign * rate])])
    expected = (-3.0 * 9.81 * np.sin(angle) + sign * 2.0) / (1.0 + 3.0)
    assert_allclose(sign * a[0], expected, rtol=1e-12)
    outward = axis_rotation(Y, angle) @ -Z
    com = expected * np.cross(Y, outward) - rate**2 * outward
    assert_allclose(solution.com[0], com, atol=1e-12)
    assert_allclose(sign * solution.force[0], 3.0 * (com - G), atol=1e-12)
    assert_allclose(solution.torque[0], 0.0, atol=1e-12)


def test_bodies_in_flight():
    """A free body falls with gravity and turns by Euler's equations; so does one without any joint."""
    model, q, u = tree("free", 1, loads=False, relative_free=False)
    poses, twists = kinematics(model, q, u)
    for joints in (model.joints, []):
        flying = OModel(model.bodies, joints, [], model.gravity)
        solution = accelerations(flying, poses, twists, q[: len(joints)], u[: len(joints)])
        assert_allclose(solution.com, np.tile(model.gravity, (3, 1)), rtol=1e-12)
        assert_allclose(solution.force, 0.0, atol=1e-12)
        for body, r, w, a in zip(model.bodies, poses.rotation, twists.angular, solution.angular):
            w, a = r.T @ w, r.T @ a
            assert_allclose(body.inertia @ a + np.cross(w, body.inertia @ w), 0.0, atol=1e-12)


def test_screw_and_slide():
    """A nut on a vertical screw, and a block on a slope against a spring, by hand."""
    body = OBody("b", 2.0, np.zeros(3), np.diag([0.3, 0.4, 0.5]), np.zeros(3), np.eye(3))
    nut = OModel([body], [OJoint("s", "screw", GROUND, 0, np.zeros(3), Z, pitch=0.6)], [OMotor(0, 1.5)], G)
    lead = 0.6 / (2.0 * np.pi)
    solution, (a,) = solved(nut, [np.array([0.4])], [np.array([2.0])])
    assert_allclose(a[0], (1.5 - 2.0 * 9.81 * lead) / (0.5 + 2.0 * lead**2), rtol=1e-12)
    assert_allclose(solution.force[0, 2], 2.0 * (lead * a[0] + 9.81), rtol=1e-12)
    assert_allclose(solution.torque[0, 2], 0.5 * a[0] - 1.5, rtol=1e-12)
    down = np.array([0.8, 0.0, -0.6])
    spring = OSpring(GROUND, 0, -down, np.zeros(3), 7.0, 0.5, 0.9)
    block = OModel([body], [OJoint("p", "prismatic", GROUND, 0, np.zeros(3), down)], [spring], G)
    solution, (a,) = solved(block, [np.array([0.2])], [np.array([1.1])])
    assert_allclose(a[0], 9.81 * 0.6 - (7.0 * 0.3 + 0.5 * 1.1) / 2.0, rtol=1e-12)


@pytest.mark.parametrize("kind, seed", CASES)
def test_velocities_are_derivatives_of_places(kind, seed):
    """Twists of the recursion against differences of its poses; the rates against those of the coordinates."""
    model, q, u = tree(kind, seed, loads=False)
    at = along(model, q, u, [0.0 * v for v in u])
    poses, twists = kinematics(model, q, u)
    place = derivative(lambda t: com_position(model, kinematics(model, *at(t))[0]))
    turn = derivative(lambda t: kinematics(model, *at(t))[0].rotation)
    assert_allclose(twists.com, place, atol=1e-9)
    assert_allclose([skew(w) @ r for w, r in zip(twists.angular, poses.rotation)], turn, atol=1e-9)
    back_q, back_u = joint_state(model, poses, twists)
    assert_allclose(np.concatenate(back_q), np.concatenate(q), atol=1e-12)
    assert_allclose(np.concatenate(back_u), np.concatenate(u), atol=1e-12)


@pytest.mark.parametrize("kind, seed", CASES)
def test_accelerations_are_derivatives_of_the_motion(kind, seed):
    """The accelerations of the bodies fit those of the joints: second differences of places, first of spins."""
    model, q, u = tree(kind, seed)
    solution, a = solved(model, q, u)
    at = along(model, q, u, a)
    place = second_derivative(lambda t: com_position(model, kinematics(model, *at(t))[0]))
    spin = derivative(lambda t: kinematics(model, *at(t))[1].angular)
    velocity = derivative(lambda t: kinematics(model, *at(t))[1].com)
    scale = 1.0 + np.abs(np.concatenate(a)).max()
    assert_allclose(solution.com, place, atol=1e-6 * scale)
    assert_allclose(solution.com, velocity, atol=1e-9 * scale)
    assert_allclose(solution.angular, spin, atol=1e-9 * scale)


@pytest.mark.parametrize("kind, seed", CASES)
def test_virtual_power(kind, seed):
    """Kane: for every rate, inertia forces balance minus the slope of the potential plus the other loads' power.

    Every quantity but the accelerations comes from places and energies, so signs of forces cannot hide.
    """
    model, q, u = tree(kind, seed)
    solution, _ = solved(model, q, u)
    poses, twists = kinematics(model, q, u)
    sizes = [v.size for v in u]
    for unit in np.eye(sum(sizes)):
        virtual = np.split(unit, np.cumsum(sizes)[:-1])
        rate = kinematics(model, q, virtual)[1]

        def potential(t, virtual=virtual):
            p = moved(model, q, [t * v for v in virtual])
            return energy(model, *kinematics(model, p, u), p).potential

        inertial = 0.0
        for k, (body, r, w) in enumerate(zip(model.bodies, poses.rotation, twists.angular)):
            inertia = r @ body.inertia @ r.T
            inertial += body.mass * solution.com[k] @ rate.com[k]
            inertial += (inertia @ solution.angular[k] + np.cross(w, inertia @ w)) @ rate.angular[k]
        power = load_power(model, q, u, virtual)
        assert_allclose(inertial, power - derivative(potential), atol=1e-8 * (1.0 + abs(power)))


class Motion:
    """Virtual rates `steps` of a tree at q, u: what Load.power asks for, from differences of places."""

    def __init__(self, model, q, u, steps):
        self.position, self.rate = q.__getitem__, steps.__getitem__
        self.angular = kinematics(model, q, steps)[1].angular.__getitem__

        def place(body, point, t):
            p = moved(model, q, [t * v for v in steps])
            return carried(model, kinematics(model, p, u)[0], body, point)[0]

        self.place = place

    def velocity(self, body, point):
        return derivative(lambda t: self.place(body, point, t))

    def stretching(self, first, first_point, second, second_point):
        return derivative(lambda t: np.linalg.norm(self.place(first, first_point, t) - self.place(second, second_point, t)))


def load_power(model, q, u, virtual):
    """Power of all non-conservative loads at state q, u on virtual rates."""
    return sum(load.power(Motion(model, q, u, u), Motion(model, q, u, virtual)) for load in model.loads)


@pytest.mark.parametrize("kind, seed", CASES)
def test_energy_balance(kind, seed):
    """The energy changes by the power of the loads without potential."""
    model, q, u = tree(kind, seed)
    at = along(model, q, u, solved(model, q, u)[1])

    def total(t):
        p, v = at(t)
        e = energy(model, *kinematics(model, p, v), p)
        return e.kinetic + e.potential

    assert_allclose(derivative(total), load_power(model, q, u, u), rtol=1e-8, atol=1e-8)


def balance(model, poses, solution):
    """Force and moment about the world origin from gravity and from the joints to the ground."""
    coms = com_position(model, poses)
    force = sum(b.mass for b in model.bodies) * model.gravity
    moment = sum(b.mass * np.cross(c, model.gravity) for b, c in zip(model.bodies, coms))
    for joint, f, m in zip(model.joints, solution.force, solution.torque):
        sign = (joint.first == GROUND) - (joint.second == GROUND) * 1.0
        place = carried(model, poses, joint.second, joint.at)[0]  # the second frame's origin, whichever is ground
        force = force + sign * f
        moment = moment + sign * (m + np.cross(place, f))
    return force, moment


@pytest.mark.parametrize("kind, seed", CASES)
def test_momentum_balance(kind, seed):
    """Momentum and angular momentum change by gravity and the reactions of the ground alone."""
    model, q, u = tree(kind, seed, loads=False)
    solution, a = solved(model, q, u)
    at = along(model, q, u, a)

    def momenta(t):
        p, v = at(t)
        return np.array(energy(model, *kinematics(model, p, v), p)[2:])

    assert_allclose(derivative(momenta), balance(model, kinematics(model, q, u)[0], solution), rtol=1e-9, atol=1e-8)


@pytest.mark.parametrize("kind, seed", CASES)
def test_reactions_do_no_work(kind, seed):
    """A reaction has no power on its joint's rates; its size is seen by the momentum balance."""
    model, q, u = tree(kind, seed)
    motion = kinematics(model, q, u)
    solution = accelerations(model, *motion, q, u)
    for joint, p, v, f, m in zip(model.joints, q, u, solution.force, solution.torque):
        turn = relative(model, joint, *motion).turn
        motions = joint_motion(joint, p, v)[2]
        assert motions.shape == (6, FREEDOMS[joint.kind])
        assert_allclose(motions.T @ np.r_[turn.T @ f, turn.T @ m], 0.0, atol=1e-10 * (1.0 + np.abs(f).max()))


def test_internal_loads_keep_momentum():
    """Springs, dampers and motors inside a floating part change neither momentum nor angular momentum."""
    rng = np.random.default_rng(5)
    for _ in range(8):
        model, q, u = random_tree(rng, 5, KINDS[1:-1], gravity=False, chain=True)
        root = next(j for j in model.joints if GROUND in (j.first, j.second))
        root.kind, root.axis, root.axis2 = "free", None, None
        k = model.joints.index(root)
        q[k], u[k] = drawn_coordinates(model)[k], rng.normal(size=6)
        springs = [x for x in model.loads if isinstance(x, OSpring) and GROUND not in (x.first, x.second)]
        model.loads = springs + [x for x in model.loads if getattr(x, "joint", k) != k]
        assert model.loads
        at = along(model, q, u, solved(model, q, u)[1])

        def momenta(t, model=model, at=at):
            p, v = at(t)
            return np.array(energy(model, *kinematics(model, p, v), p)[2:])

        assert_allclose(derivative(momenta), 0.0, atol=1e-8)


def test_parallelogram():
    """A loop of four parallel revolutes (three redundant rows) moves as its one angle must."""
    length, rod, bar = 1.2, 1.5, 2.0
    inertia = np.diag([0.02, rod * length**2 / 12.0, rod * length**2 / 12.0])
    bodies = [
        OBody("left", rod, np.zeros(3), inertia, np.array([0, 0, -0.6]), DOWN),
        OBody("right", rod, np.zeros(3), inertia, np.array([2.0, 0, -0.6]), DOWN),
        OBody("bar", bar, np.zeros(3), np.diag([0.1, 0.7, 0.7]), np.array([1.0, 0, -1.2]), np.eye(3)),
    ]
    ends = [(GROUND, 0, 0.0, 0.0), (1, GROUND, 2.0, 0.0), (0, 2, 0.0, -1.2), (2, 1, 2.0, -1.2)]
    joints = [OJoint(f"j{k}", "revolute", a, b, np.array([x, 0, z]), Y) for k, (a, b, x, z) in enumerate(ends)]
    model = OModel(bodies, joints, [OTorsionSpring(0, 3.0, 0.1)], G)
    angle, rate = 0.6, 1.7
    open_chain = OModel(bodies, joints[:3], [], G)
    signs = np.array([[1.0], [-1.0], [-1.0]])
    motion = kinematics(open_chain, angle * signs, rate * signs)
    q, u = joint_state(model, *motion)
    assert_allclose(np.concatenate(q), angle * np.array([1, -1, -1, 1]), rtol=1e-12)
    solution = accelerations(model, *motion, q, u)
    a = np.concatenate(joint_accelerations(model, *motion, q, u, solution))
    torque = -9.81 * np.sin(angle) * length * (rod + bar) - 3.0 * (angle - 0.1)
    assert_allclose(a, torque / (length**2 * (2.0 * rod / 3.0 + bar)) * np.array([1, -1, -1, 1]), rtol=1e-10)
    with pytest.raises(ValueError, match="closes a loop"):
        kinematics(model, q, u)
    wrong = Twists(motion[1].com, motion[1].angular + [[0, 0, 0], [0, 0, 0], [0, 5.0, 0]])
    with pytest.raises(ValueError, match="do not satisfy"):
        accelerations(model, motion[0], wrong, *joint_state(model, motion[0], wrong))


@pytest.mark.parametrize("seed", range(8))
def test_random_loops(seed):
    """On loops the joints hold to second order along the motion, and the energy obeys the loads."""
    model, q, u = random_loop(np.random.default_rng(seed), 6, 2)
    model.loads = [load for load in model.loads if not isinstance(load, OForce | OTorque | OMotor)]
    for bushing in (load for load in model.loads if isinstance(load, OBushing)):
        bushing.damping[:] = 0.0  # its power is tested with all others'
    n = len(model.bodies)
    open_tree = OModel(model.bodies, model.joints[:n], [], model.gravity)
    motion = kinematics(open_tree, q, u)
    assert_allclose(motion[0].position, drawn_poses(model).position, atol=1e-12)
    solution = accelerations(model, *motion, q, u)
    a = joint_accelerations(model, *motion, q, u, solution)
    at = along(open_tree, q[:n], u[:n], a[:n])

    def closing(t):
        """How far the closing joints are from their own prediction."""
        poses = kinematics(open_tree, *at(t))[0]
        predicted = along(model, q, u, a)(t)[0]
        gaps = []
        for joint, p in zip(model.joints[n:], predicted[n:]):
            place, turn = joint_motion(joint, p, np.zeros(6))[:2]
            rel = relative(model, joint, poses, motion[1])
            gaps.append(np.r_[rel.p - place, rotation_log(turn.T @ rel.r)])
        return np.array(gaps)

    assert_allclose(derivative(closing), 0.0, atol=1e-9)
    scale = 1.0 + np.abs(np.concatenate(a)).max()
    assert_allclose(second_derivative(closing, 1e-3), 0.0, atol=1e-7 * scale)
    power = kinetic_power(model, motion, solution)

    def potential(t):
        p = along(model, q, u, a)(t)[0]
        return energy(model, kinematics(open_tree, *at(t))[0], motion[1], p).potential

    damped = sum(x.damping * (u[x.joint] @ u[x.joint]) for x in model.loads if isinstance(x, OJointDamper))
    for load in (x for x in model.loads if isinstance(x, OSpring)):
        ends = ((load.first, load.first_point), (load.second, load.second_point))

        def length(t, ends=ends):
            poses = kinematics(open_tree, *at(t))[0]
            return np.linalg.norm(np.subtract(*(carried(model, poses, *end)[0] for end in ends)))

        damped += load.damping * derivative(length) ** 2
    assert_allclose(power + derivative(potential), -damped, rtol=1e-8, atol=1e-8)


def kinetic_power(model, motion, solution):
    """Derivative of the kinetic energy from accelerations."""
    poses, twists = motion
    power = 0.0
    for k, (body, r) in enumerate(zip(model.bodies, poses.rotation)):
        power += body.mass * solution.com[k] @ twists.com[k]
        power += twists.angular[k] @ (r @ body.inertia @ r.T @ solution.angular[k])
    return power


def test_random_models_are_physical_and_cover_everything():
    """Inertias obey the triangle inequality strictly, springs are not short, and every kind occurs often."""
    models = []
    for seed in range(220):
        rng = np.random.default_rng(seed)
        model, q, u = random_tree(rng, int(rng.integers(1, 9)), thin=[1.0, 0.1][seed % 2])
        models.append(model)
        poses = kinematics(model, q, u)[0]
        for body in model.bodies:
            small, middle, large = np.linalg.eigvalsh(body.inertia)
            assert small > 0.0 and small + middle > large * (1.0 + 1e-6)
        for load in (x for x in model.loads if isinstance(x, OSpring)):
            a = carried(model, poses, load.first, load.first_point)[0]
            assert np.linalg.norm(carried(model, poses, load.second, load.second_point)[0] - a) > 0.25
    counts = count_kinds(models)
    print(counts)
    assert min(counts.values()) >= 15
    again = random_tree(np.random.default_rng(3), 5)
    assert_allclose(again[1][0], random_tree(np.random.default_rng(3), 5)[1][0], rtol=0)
