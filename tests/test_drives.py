"""Coordinates that follow signals: efforts with known values, their orders, what holds exactly."""


import numpy as np
import pytest

import poinsot as po
from loops import parallelogram
from test_examples import FOLDER, load

G = 9.81
WAVE = po.Signal(
    lambda t: 0.4 * np.sin(3 * t) ** 2,
    lambda t: 1.2 * np.sin(6 * t),
    lambda t: 7.2 * np.cos(6 * t),
)  # starts at zero and at rest


# steps that balance energy and work exactly, and adaptive steps of the formulation with projection
WAYS = {"fixed": {"step": 0.02}, "adaptive": {"output_step": 0.02, "rtol": 1e-11, "atol": 1e-11}}


@pytest.fixture(params=WAYS)
def way(request):
    return WAYS[request.param]


def balance(exact, way, adaptive=1e-8):
    """How far what is balanced exactly, or met to rounding, by fixed steps may be off with adaptive ones."""
    return exact if "step" in way else adaptive


def wave(t):
    """Value, rate and acceleration of WAVE at all times."""
    return 0.4 * np.sin(3 * t) ** 2, 1.2 * np.sin(6 * t), 7.2 * np.cos(6 * t)


def pendulum():
    """A bar on a hinge about x; its inertia about the hinge, and its mass times the distance of its centre."""
    s = po.System("pendulum", gravity=(0, 0, -G))
    bar = s.body("bar", po.Box(0.1, 0.1, 1.0, mass=2.0), position=(0, 0, -0.5))
    hinge = s.revolute(s.ground, bar, at=(0, 0, 0), axis="x", name="hinge")
    return s, bar, hinge, 2.0 * (1.0 + 0.01) / 12 + 2.0 * 0.25, 2.0 * 0.5


def arm(lengths=(0.5, 0.4)):
    """Two links in a vertical plane, drawn bent."""
    s = po.System("arm", plane="xy", gravity=(0, -G))
    knee = np.array([lengths[0], 0.0])
    upper = s.body("upper", po.Rod(radius=0.02, mass=1.5), between=((0, 0), knee))
    lower = s.body("lower", po.Rod(radius=0.02, mass=1.0), between=(knee, knee + [0, lengths[1]]))
    return s, s.revolute(s.ground, upper, at=(0, 0), name="shoulder"), s.revolute(upper, lower, at=knee, name="elbow")


def cart_pole():
    """A pole that swings freely on a cart: inner dynamics, so that efforts depend on the step."""
    s = po.System("cart-pole", gravity=(0, 0, -G))
    cart = s.body("cart", po.Box(0.4, 0.2, 0.1, mass=3.0))
    pole = s.body("pole", po.Rod(radius=0.02, mass=1.0), between=((0, 0, 0), (0, 0, -0.8)))
    rail = s.prismatic(s.ground, cart, axis="x", at=(0, 0, 0), name="rail")
    s.revolute(cart, pole, at=(0, 0, 0), axis="y", name="pivot")
    s["pivot"].set(angle=0.5)
    return s, rail


@pytest.mark.parametrize("integrator", ["energy-momentum", "energy-momentum-6"])
def test_torque_of_a_pendulum_with_prescribed_angle(integrator):
    s, _, hinge, inertia, moment = pendulum()
    s.add(po.Motion(hinge.angle, WAVE, name="motion"))
    run = po.simulate(s, 1.0, step=0.02, integrator=integrator)
    angle, rate, acceleration = wave(run.t)
    torque = inertia * acceleration + G * moment * np.sin(angle)
    assert run["hinge"].angle == pytest.approx(angle, abs=1e-14) and run["hinge"].rate == pytest.approx(rate, abs=1e-13)
    assert run["motion"].effort == pytest.approx(torque, abs=1e-12)
    assert run["motion"].power == pytest.approx(torque * rate, abs=1e-12)
    assert run.work == pytest.approx(run.energy - run.energy[0], abs=1e-13)


def test_derived_derivatives_do_nearly_as_well():
    s, _, hinge, inertia, moment = pendulum()
    s.add(po.Motion(hinge.angle, lambda t: 0.4 * np.sin(3 * t) ** 2, name="motion"))
    run = po.simulate(s, 1.0, step=0.02)
    angle, _, acceleration = wave(run.t)
    assert run["motion"].effort == pytest.approx(inertia * acceleration + G * moment * np.sin(angle), abs=1e-9)
    assert run["hinge"].angle == pytest.approx(angle, abs=1e-13) and run.audit.energy_drift < 1e-12


def test_an_angle_may_go_round(way):
    s, _, hinge, inertia, moment = pendulum()
    turns = po.signals.step(0.0, 2.0, 6 * np.pi)
    s.add(po.Motion(hinge.angle, turns, name="motion"))
    run = po.simulate(s, 2.0, **way)
    angle, _, acceleration = np.array([turns.at(t)[:, 0] for t in run.t]).T
    assert run["hinge"].angle == pytest.approx(angle, abs=1e-12)
    assert run["motion"].effort == pytest.approx(inertia * acceleration + G * moment * np.sin(angle), abs=1e-10)


def test_force_of_a_prescribed_displacement(way):
    s = po.System("lift", gravity=(0, 0, -G))
    cabin = s.body("cabin", po.Box(1, 1, 2, mass=5.0))
    slide = s.prismatic(s.ground, cabin, axis="z", name="slide")
    s.add(po.Motion(slide.displacement, WAVE, name="motion"))
    run = po.simulate(s, 1.0, **way)
    assert run["motion"].effort == pytest.approx(5.0 * (wave(run.t)[2] + G), abs=1e-12)


def test_force_on_a_prescribed_coordinate_of_a_point(way):
    s, bar, _, inertia, moment = pendulum()
    tip = bar.at((0, 0, -0.5))
    s.add(po.Motion(tip.y, WAVE, name="motion"))
    run = po.simulate(s, 1.0, **way)
    y, dy, ddy = wave(run.t)
    angle, cosine = np.arcsin(y), np.sqrt(1 - y**2)
    acceleration = (ddy + y * (dy / cosine) ** 2) / cosine
    torque = inertia * acceleration + G * moment * np.sin(angle)
    assert run["bar"].point((0, 0, -0.5))[:, 1] == pytest.approx(y, abs=balance(1e-14, way, 2e-14))
    assert run["motion"].effort == pytest.approx(torque / cosine, abs=1e-11)
    assert run["motion"].power == pytest.approx(torque / cosine * dy, abs=1e-11)


def test_servo_of_joint_angles_is_inverse_dynamics(way):
    s, shoulder, elbow = arm()
    other = po.Signal(lambda t: (-WAVE.function(t), 2 * WAVE.function(t)), lambda t: (-WAVE.rate(t), 2 * WAVE.rate(t)),
                      lambda t: (-WAVE.acceleration(t), 2 * WAVE.acceleration(t)))  # fmt: skip
    motors = [s.add(po.Motor(joint, name=f"{joint.name}_motor")) for joint in (shoulder, elbow)]
    s.add(po.Servo([shoulder.angle, elbow.angle], target=other, inputs=motors, name="servo"))
    run = po.simulate(s, 1.0, **way)
    chain = po.dynamics(arm()[0], "tree")
    q, v, a = np.multiply.outer(wave(run.t), np.array([-1.0, 2.0]))
    wanted = [chain.inverse(chain.state(*x[:2]), x[2]) for x in zip(q, v, a)]
    efforts = np.stack([run["shoulder_motor"].effort, run["elbow_motor"].effort], axis=1)
    assert efforts == pytest.approx(np.array(wanted), abs=1e-9)
    assert run["servo"].effort == pytest.approx(efforts, abs=0) and run["servo"].power.shape == efforts.shape
    assert run["servo"].power[:, 1] == pytest.approx(run["elbow_motor"].power, abs=0)


def test_servo_of_the_tip_is_inverse_dynamics(way):
    """Joint accelerations from those of the tip, a = J q'' + J' q', then tree's inverse dynamics at the states of the run."""
    s, shoulder, elbow = arm()
    tip = s["lower"].end

    def place(k):
        f = (WAVE.function, WAVE.rate, WAVE.acceleration)[k]
        return lambda t: np.array([-0.5, 0.3]) * f(t) + (np.array(tip.world[:2]) if k == 0 else 0.0)

    motors = [s.add(po.Motor(joint, name=f"{joint.name}_motor")) for joint in (shoulder, elbow)]
    s.add(po.Servo([tip.x, tip.y], target=po.Signal(*map(place, range(3))), inputs=motors))
    run = po.simulate(s, 1.0, **way)
    wanted = np.array([place(0)(t) for t in run.t])
    assert run["lower"].point(tip.position) == pytest.approx(wanted, abs=1e-13)
    chain = po.dynamics(arm()[0], "tree")
    for k in range(0, len(run.t), 5):
        q, v = ([getattr(run[name], what)[k] for name in ("shoulder", "elbow")] for what in ("angle", "rate"))
        links = np.array([[0.5 * np.cos(q[0]), 0.5 * np.sin(q[0])], [-0.4 * np.sin(q[0] + q[1]), 0.4 * np.cos(q[0] + q[1])]])
        turned = links @ np.array([[0.0, 1.0], [-1.0, 0.0]])  # each link's derivative by its angle
        jacobian = np.array([turned.sum(axis=0), turned[1]]).T
        bias = -links[0] * v[0] ** 2 - links[1] * (v[0] + v[1]) ** 2
        acceleration = np.linalg.solve(jacobian, place(2)(run.t[k]) - bias)
        torque = chain.inverse(chain.state(q, v), acceleration)
        assert [run["shoulder_motor"].effort[k], run["elbow_motor"].effort[k]] == pytest.approx(torque, abs=1e-9)


def test_every_scalar_coordinate_of_a_chain(way):
    """Motions on all twelve scalars of seven joints, a spring and a force: inverse dynamics in joint coordinates gives the same efforts."""

    def build():
        rng = np.random.default_rng(1)
        s = po.System("mix", gravity=(1.0, -2.0, -G))
        parent = s.ground
        for k, kind in enumerate(("cylindrical", "universal", "screw", "prismatic", "revolute", "cylindrical", "planar")):
            at, axis = np.array([0.3, 0.1, -0.2]) * k, rng.normal(size=3)
            other = np.cross(axis, rng.normal(size=3))
            more = {"universal": {"axis2": other}, "screw": {"pitch": 0.3}, "planar": {"direction": other}}.get(kind, {})
            body = s.body(f"b{k}", mass=1.0 + rng.random(), inertia=(0.2, 0.25, 0.3), com=0.1 * rng.normal(size=3),
                          position=at + 0.1 * rng.normal(size=3), rotation=rng.normal(size=3))  # fmt: skip
            getattr(s, kind)(parent, body, at=at, axis=axis, **more)
            parent = body
        s.add(po.Spring(s["b0"], s["b6"], at=((0, 0, 0.2), (1, 1, -1)), stiffness=20.0, length=0.5))
        s.add(po.Force(s["b3"], (1, 2, 3)))
        return s

    s, sizes = build(), 0.5 + 0.2 * np.arange(12)
    scalars = [joint.coordinate(name) for joint in s.joints for name in joint.names]
    for k, (scalar, a) in enumerate(zip(scalars, sizes)):
        parts = (WAVE.function, WAVE.rate, WAVE.acceleration)
        s.add(po.Motion(scalar, po.Signal(*(lambda t, f=f, a=a: a * f(t) for f in parts)), name=f"m{k}"))
    run = po.simulate(s, 0.5, **way)
    chain = po.dynamics(build(), "tree")
    q, v, a = np.multiply.outer(wave(run.t), sizes)
    wanted = np.array([chain.inverse(chain.state(*x[:2]), x[2]) for x in zip(q, v, a)])
    efforts = np.stack([run[f"m{k}"].effort for k in range(12)], axis=1)
    print(f"twelve scalars: efforts up to {np.abs(wanted).max():.0f}, off by {np.abs(efforts - wanted).max():.1e}")
    assert np.abs(wanted).max() > 100 and efforts == pytest.approx(wanted, abs=1e-9)
    assert run.audit.energy_drift < balance(1e-12, way) * run.audit.energy_scale


def test_place_and_angle_of_a_planar_body(way):
    """Newton and Euler for a body whose centre of mass is not its origin, through more than two turns."""
    p = po.System("plate", plane="xz", gravity=(0, -G))
    plate = p.body("plate", mass=1.0, inertia=0.1, com=(0.1, 0.05), rotation=0.3)
    for coordinate, to in ((plate.x, 1.0), (plate.z, -0.5), (plate.angle, 15.0)):
        p.add(po.Motion(coordinate, po.signals.step(0, 2, to), name=f"m{coordinate.name}"))
    run = po.simulate(p, 2.0, **way)
    signal = po.signals.step(0, 2, (1.0, -0.5, 15.0))
    value, rate, acceleration = np.array([signal.at(t) for t in run.t]).transpose(1, 0, 2)
    turn, spin = value[:, 2] + 0.3, acceleration[:, 2]
    arm = np.stack([0.1 * np.cos(turn) - 0.05 * np.sin(turn), 0.1 * np.sin(turn) + 0.05 * np.cos(turn)], axis=1)
    crosswise = np.stack([-arm[:, 1], arm[:, 0]], axis=1)
    force = acceleration[:, :2] + spin[:, None] * crosswise - rate[:, 2:] ** 2 * arm + np.array([0, G])
    assert run["plate"].angle == pytest.approx(value[:, 2], abs=1e-12)
    assert np.stack([run["mx"].effort, run["mz"].effort], axis=1) == pytest.approx(force, abs=1e-11)
    assert run["mangle"].effort == pytest.approx(0.1 * spin + np.sum(crosswise * force, axis=1), abs=1e-11)


def test_gears_and_dampers_pass_the_effort_on(way):
    s = po.System("gear", gravity=None)
    joints = []
    for k, (x, radius, mass) in enumerate(((0.0, 0.1, 1.0), (0.3, 0.2, 2.0))):
        wheel = s.body(f"wheel{k}", po.Cylinder(radius, 0.05, mass=mass), position=(x, 0, 0))
        joints.append(s.revolute(s.ground, wheel, at=(x, 0, 0), axis="z", name=f"axle{k}"))
    s.add(po.Gear(joints[0].angle, joints[1].angle, -2.0))
    s.add(po.JointDamper(joints[1], 0.3))
    s.add(po.Motion(joints[0].angle, WAVE, name="motion"))
    run = po.simulate(s, 1.0, **way)
    angle, rate, acceleration = wave(run.t)
    assert run["axle1"].angle == pytest.approx(-angle / 2, abs=1e-14)
    torque = (0.5 * 0.01 + 0.25 * 0.5 * 2.0 * 0.04) * acceleration + 0.25 * 0.3 * rate
    assert run["motion"].effort == pytest.approx(torque, abs=1e-13) and run.audit.energy_drift < balance(1e-13, way)


def test_closed_and_redundant(way):
    """A beam on three parallel bars moves as one inertia."""
    s = parallelogram()
    s.add(po.Motion(s["low0"].angle, WAVE, name="motion"))
    run = po.simulate(s, 1.0, **way)
    inertia = 3 * (1 / 3 + 0.02**2 / 4) + 1.0
    assert run["motion"].effort == pytest.approx(inertia * wave(run.t)[2], abs=1e-11)
    assert run.audit.redundant > 0 and run.audit.constraint_metres < 1e-14 and run.audit.energy_drift < balance(1e-12, way)


def test_afloat(way):
    """Two bodies hinged at their centres of mass turn against each other; the momenta stay zero."""
    s = po.System("gyrostat", gravity=None)
    first = s.body("first", mass=2.0, inertia=(0.3, 0.3, 0.5))
    second = s.body("second", mass=1.0, inertia=(0.1, 0.1, 0.2))
    hinge = s.revolute(first, second, at=(0, 0, 0), axis="z", name="hinge")
    motor = s.add(po.Motor(hinge, name="motor"))
    s.add(po.Servo([hinge.angle], target=WAVE, inputs=[motor]))
    run = po.simulate(s, 1.0, **way)
    _, rate, acceleration = wave(run.t)
    assert run["motor"].effort == pytest.approx(0.5 * 0.2 / 0.7 * acceleration, abs=1e-12)
    assert run["first"].angular_velocity[:, 2] == pytest.approx(-0.2 / 0.7 * rate, abs=balance(1e-13, way, 1e-10))
    assert run.audit.momentum_drift < 1e-14 and run.audit.angular_momentum_drift < balance(1e-14, way, 1e-10)


@pytest.mark.parametrize("integrator, order, steps", [("energy-momentum", 2, (0.04, 0.02)), ("energy-momentum-6", 6, (0.1, 0.05))])
def test_order_of_the_efforts(integrator, order, steps, request):
    s, rail = cart_pole()
    s.add(po.Motion(rail.displacement, WAVE, name="motion"))
    best = po.simulate(s, 2.0, step=0.005, output_step=0.1, integrator="energy-momentum-6")["motion"].effort
    errors = []
    for step in steps:
        run = po.simulate(s, 2.0, step=step, output_step=0.2 if order == 2 else 0.1, integrator=integrator)
        errors.append(np.abs(run["motion"].effort - best[:: 2 if order == 2 else 1]).max())
        assert run.audit.energy_drift < 1e-12 and run["rail"].displacement == pytest.approx(wave(run.t)[0], abs=1e-13)
    measured = np.log2(errors[0] / errors[1])
    print(f"{integrator}: effort errors {errors[0]:.2e}, {errors[1]:.2e} N at {steps} s, order {measured:.2f}")
    assert measured == pytest.approx(order, abs=0.25)


def test_torques_of_the_manipulator(way):
    """uhlar2008, example 3: converged torques, and what stays."""
    example = load(FOLDER / "rpr_manipulator.py")
    run = po.simulate(example.build(), 1.0, **way)
    for t in (0.5, 1.0):
        torques = [run[f"motor{k}"].effort[run.index(t)] for k in (1, 2, 3)]
        assert torques == pytest.approx(example.REFERENCE[t], abs=1e-8)
    assert np.abs(run.angular_momentum).max() < balance(1e-14, way, 1e-10) and run.audit.energy_drift < balance(1e-12, way)


def test_the_audit_calls_work_work():
    """Efforts of drives do work, and those on points push from outside."""
    s, _, hinge, _, _ = pendulum()
    s.add(po.Motion(hinge.angle, WAVE))
    assert "energy - work" in str(po.simulate(s, 0.1, step=0.02).audit)
    s = po.System("pushed", gravity=None)
    ball = s.body("ball", po.Sphere(0.1, mass=1.0))
    s.add(po.Motion(ball.x, WAVE, name="motion"))
    run = po.simulate(s, 0.1, step=0.02)
    assert run.audit.momentum_drift is None and run["motion"].effort == pytest.approx(wave(run.t)[2], abs=1e-12)


def test_long_runs_with_drives_and_losses_go_to_directors():
    s, _, hinge, _, _ = pendulum()
    s.add(po.Motion(hinge.angle, WAVE))
    s.add(po.JointDamper(hinge, 0.1))
    assert po.prepare(s, step=0.01, formulation="auto, long").formulation.name == "directors"


def test_runs_go_on_and_start_later():
    s, _, hinge, _, _ = pendulum()
    s.add(po.Motion(hinge.angle, WAVE, name="motion"))
    whole, first = po.simulate(s, 0.4, step=0.02), po.simulate(s, 0.2, step=0.02)
    second = po.simulate(s, 0.2, step=0.02, state=first.state())
    assert np.array_equal(second["motion"].effort[-1:], whole["motion"].effort[-1:])
    assert po.simulate(s, 0.2, step=0.02, start=0.7)["hinge"].angle[0] == pytest.approx(WAVE.function(0.7), abs=1e-15)


def test_motors_with_torque_and_force():
    s, rail = cart_pole()
    s.add(po.Motor(rail, force=3.0, name="push"))
    s.add(po.Motor(s["pivot"], torque=lambda t: 0.2 * t, name="turn"))
    run = po.simulate(s, 0.5, step=0.02)
    assert run["push"].effort == pytest.approx(3.0) and run["turn"].effort == pytest.approx(0.2 * run.t)
    same, rail = cart_pole()
    same.add(po.Motor(rail, 3.0))
    same.add(po.Motor(same["pivot"], lambda t: 0.2 * t))
    assert np.array_equal(po.simulate(same, 0.5, step=0.02)["pole"].position, run["pole"].position)
    changed = po.prepare(s, step=0.02).run(0.1, change={"push.law": 4.0})
    assert changed["push"].effort == pytest.approx(4.0)


@pytest.mark.parametrize("formulation", ["tree", "rotation-matrix"])
@pytest.mark.parametrize("integrator, order, steps", [("rk4", 4, (0.01, 0.005)), ("gauss3", 6, (0.1, 0.05))])
def test_order_of_the_efforts_by_methods_for_rates(integrator, order, steps, formulation):
    s, rail = cart_pole()
    s.add(po.Motion(rail.displacement, WAVE, name="motion"))
    best = po.simulate(s, 2.0, step=0.005, output_step=0.1, integrator="energy-momentum-6")["motion"].effort
    errors = []
    for step in steps:
        run = po.simulate(s, 2.0, step=step, output_step=0.1, integrator=integrator, formulation=formulation)
        assert run["rail"].displacement == pytest.approx(wave(run.t)[0], abs=1e-13)
        errors.append(np.abs(run["motion"].effort - best).max())
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.4)


def test_efforts_of_adaptive_steps_cannot_be_replayed():
    s, rail = cart_pole()
    s.add(po.Motion(rail.displacement, WAVE, name="motion"))
    run = po.simulate(s, 0.2)
    with pytest.raises(po.SettingsError, match="a replay needs the efforts at the stages .*run with step= and an energy-momentum method"):
        _ = run["motion"].signal


def test_adaptive_steps_with_drives_continue_to_the_bit(tmp_path):
    s, rail = cart_pole()
    s.add(po.Motion(rail.displacement, WAVE, name="motion"))
    whole = po.simulate(s, 0.5)
    streamed = po.simulate(s, 0.5, stream=tmp_path / "run.h5")
    assert np.array_equal(streamed["motion"].effort, whole["motion"].effort)
    assert np.array_equal(po.load(tmp_path / "run.h5")["pivot"].angle, whole["pivot"].angle)
