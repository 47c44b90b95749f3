"""Whole programs as users write them: chains, loops, drives, users' forces."""

import numpy as np
import pytest
from scipy.integrate import cumulative_simpson

import poinsot as po


def test_first_snippet(tmp_path, monkeypatch):
    s = po.System("pendulum", gravity=(0, 0, -9.81))
    parent = s.ground
    for k in range(4):
        z = -2.0 * k
        link = s.body(f"link{k + 1}", po.Box(0.2, 0.2, 2.0, mass=50.0), position=(0, 0, z - 1.0))
        s.spherical(parent, link, at=(0, 0, z), name=f"joint{k + 1}")
        parent = link
    s["joint1"].set(rotation=("x", 0.1))
    run = po.simulate(s, duration=10, step=0.01, formulation="tree", integrator="gauss3")
    assert "energy" in str(run.audit)
    n = len(run.t)
    body = run["link4"]
    assert body.position.shape == (n, 3) and body.rotation.shape == (n, 3, 3) and body.quaternion.shape == (n, 4)
    assert body.velocity.shape == body.angular_velocity.shape == body.angular_velocity_body.shape == (n, 3)
    tip = body.point((0, 0, -1.0))
    # saetran2018, four bodies
    assert tip[100, 1:] == pytest.approx([0.3051675955, -7.9886854236], abs=1e-9)
    assert tip[500, 1:] == pytest.approx([0.8779315249, -7.9440003170], abs=1e-9)
    assert tip[1000, 1:] == pytest.approx([0.5792846683, -7.9789604586], abs=1e-9)
    assert run["joint2"].force.shape == run["joint2"].torque.shape == (n, 3)
    assert run.energy[0] == pytest.approx(-7808.792689102, abs=1e-8)
    assert run.energy == pytest.approx(run.kinetic + run.potential)
    assert run.momentum.shape == run.angular_momentum.shape == (n, 3)
    assert run.audit.energy_drift < 1e-13 * 7808 and run.audit.corrections == run.audit.halvings == 0
    monkeypatch.chdir(tmp_path)
    energy = run.energy
    run.save("chain.h5"); run = po.load("chain.h5"); run.write_html("chain.html"); run.plot()  # noqa: E702
    assert np.array_equal(run.energy, energy) and (tmp_path / "chain.html").exists()


def test_the_reaction_carries_the_weight():
    """At rest every joint carries the weight of the bodies below it."""
    s = po.System("hanging", gravity=(0, 0, -9.81))
    parent = s.ground
    for k in range(3):
        link = s.body(f"link{k + 1}", po.Box(0.2, 0.2, 2.0, mass=50.0), position=(0, 0, -2.0 * k - 1.0))
        s.spherical(parent, link, at=(0, 0, -2.0 * k), name=f"joint{k + 1}")
        parent = link
    run = po.simulate(s, duration=0.1, step=0.01)
    for k in range(3):
        assert run[f"joint{k + 1}"].force == pytest.approx(np.tile([0, 0, (3 - k) * 50 * 9.81], (11, 1)), abs=1e-10)


def design_four_bar():
    s = po.System("four-bar", gravity=(0, 0, -9.81))
    crank = s.body("crank", po.Rod(radius=0.02, mass=1.0), between=((0, 0, 0), (0, 0, 1)))
    coupler = s.body("coupler", po.Rod(radius=0.02, mass=2.0), between=((0, 0, 1), (2, 0, 1.5)))
    rocker = s.body("rocker", po.Rod(radius=0.02, mass=1.5), between=((2, 0, 1.5), (2, 0, 0)))
    base = s.revolute(s.ground, crank, at=(0, 0, 0), axis="y", name="base")
    s.revolute(crank, coupler, at=(0, 0, 1), axis="y")
    s.revolute(coupler, rocker, at=(2, 0, 1.5), axis="y", name="knee")
    s.revolute(rocker, s.ground, at=(rocker.end, (2, 0, 0)), axis="y")
    base.set(rate=2.0)
    return s, crank, coupler, rocker, base


def test_a_closed_loop_of_3d_revolutes():
    s, crank, coupler, rocker, base = design_four_bar()
    text = str(s.check())
    assert "1 degree of freedom, 3 redundant constraints." in text and "No gaps." in text
    assert "revolute2: translation along y, rotation about x, rotation about z are redundant" in text
    run = po.simulate(s, duration=10, step=0.01, formulation="directors", integrator="energy-momentum-4")
    n = len(run.t)
    assert run[base].angle.shape == run[base].rate.shape == (n,) and run["knee"].force.shape == (n, 3)
    assert run[base].rate[0] == pytest.approx(2.0, abs=1e-14) and run[base].angle[-1] > 12 * np.pi
    # the rate of the crank follows from its angle: the energy of a planar four-bar, from its geometry alone
    k = slice(0, n, 50)
    b = np.stack([np.sin(run[base].angle[k]), np.cos(run[base].angle[k])])
    c = run[rocker].point((-0.75, 0, 0))[k, ::2].T
    assert np.hypot(*(c - b)) == pytest.approx(np.full(b.shape[1], np.hypot(2, 0.5)), abs=1e-12)
    assert np.hypot(c[0] - 2, c[1]) == pytest.approx(np.full(b.shape[1], 1.5), abs=1e-12)
    assert run.energy == pytest.approx(np.full(n, run.energy[0]), abs=1e-9)
    # the knee carries the rocker: moments about its foot
    mid, alpha = run[rocker].position, run[rocker].angular_acceleration[:, 1]
    arm, weight = run[rocker].point((-0.75, 0, 0)) - [2, 0, 0], np.array([0, 0, -1.5 * 9.81])
    moment = np.cross(arm, run["knee"].force) + np.cross(mid - [2, 0, 0], weight)
    about_foot = rocker.inertia[1] + 1.5 * 0.75**2
    assert moment[:, 1] == pytest.approx(about_foot * alpha, abs=1e-8)


def my_force(t, x, params, out):
    for k in range(2):
        out[k, 0] = -params[0] * x[k, 7]


def assert_work_is_that_of_the_powers(s, base):
    run = po.simulate(s, 1.0, step=0.005)
    assert run["motor"].effort == pytest.approx(0.5) and run["motor"].power == pytest.approx(0.5 * run[base].rate)
    assert run.audit.energy_drift < 1e-9
    power = sum(run[load.name].power for load in s.loads)
    work = cumulative_simpson(power, dx=0.005, initial=0)
    assert run.work == pytest.approx(work, abs=1e-4)


def test_springs_dampers_drives_and_user_forces():
    s, crank, coupler, rocker, base = design_four_bar()
    s.add(po.Spring(crank, rocker, at=((0, 0, 0.5), (2, 0, 0.5)), stiffness=10.0, damping=0.1, length=2.0))
    s.add(po.TorsionSpring(base, stiffness=5.0))
    s.add(po.JointDamper(base, 0.1))
    s.add(po.Force(coupler, (0, 0, 1), at=(1, 0, 1.2)))
    s.add(po.Motor(base, lambda t: 0.5, name="motor"))
    s.add(po.UserForce(my_force, bodies=[crank, coupler], params=[3.0]))
    assert_work_is_that_of_the_powers(s, base)


def test_the_same_forces_on_an_open_system():
    s = po.System("bar", gravity=(0, 0, -9.81))
    crank = s.body("crank", po.Rod(radius=0.02, mass=1.0), between=((0, 0, 0), (0, 0, 1)))
    coupler = s.body("coupler", po.Rod(radius=0.02, mass=2.0), between=((0, 0, 1), (2, 0, 1.5)))
    base = s.revolute(s.ground, crank, at=(0, 0, 0), axis="y", name="base")
    s.revolute(crank, coupler, at=(0, 0, 1), axis="y")
    s.add(po.Spring(crank, coupler, at=((0, 0, 0.5), (2, 0, 1.5)), stiffness=10.0, damping=0.1, length=2.0))
    s.add(po.TorsionSpring(base, stiffness=5.0))
    s.add(po.JointDamper(base, 0.1))
    s.add(po.Force(coupler, (0, 0, 1), at=(1, 0, 1.2)))
    s.add(po.Motor(base, lambda t: 0.5, name="motor"))
    s.add(po.UserForce(my_force, bodies=[crank, coupler], params=[3.0]))
    base.set(rate=2.0)
    assert_work_is_that_of_the_powers(s, base)


def test_dynamics_and_prepare():
    s = po.System("slide", gravity=(0, 0, -9.81))
    mass = s.body("mass", po.Sphere(0.1, mass=2.0))
    slide = s.prismatic(s.ground, mass, axis="z", name="slide")
    s.add(po.Spring(s.ground, mass, at=((0, 0, 2), (0, 0, 0)), stiffness=30.0, length=1.0, name="spring1"))
    d = po.dynamics(s, "tree")
    assert d.acceleration() == pytest.approx([(30.0 - 2 * 9.81) / 2])
    assert d.acceleration(state=None, effort=None) == pytest.approx(d.acceleration())
    assert d.inverse(state=None, acceleration=[1.0]) == pytest.approx([2.0 - 30.0 + 2 * 9.81])
    assert d.mass_matrix() == pytest.approx(np.array([[2.0]]))
    force, torque = d.reactions()["slide"]
    assert force == pytest.approx([0, 0, 0], abs=1e-12) and torque == pytest.approx([0, 0, 0], abs=1e-12)
    assert d.rates == ["slide.rate"]
    with pytest.raises(po.ModelError):
        d.inverse(acceleration=[1.0, 2.0])
    ready = po.prepare(s, step=0.01)
    run = ready.run(duration=1, change={"spring1.stiffness": 20.0})
    assert run[slide].displacement[-1] == pytest.approx((20 - 19.62) / 20 * (1 - np.cos(np.sqrt(10.0))), abs=1e-9)


def five_bar():
    """The linkage of the snippet: two cranks on the ground, two rods that meet in the tip."""
    p = po.System("five-bar", plane="xy", gravity=None)
    tip = (0.1, 0.7)
    rods, joints = [], []
    for name, x, knee in (("left", 0.0, -0.2), ("right", 0.2, 0.4)):
        crank = p.body(f"{name}_crank", po.Rod(radius=0.01, mass=0.6), between=((x, 0), (knee, 0.35)))
        rods.append(p.body(f"{name}_rod", po.Rod(radius=0.01, mass=0.4), between=((knee, 0.35), tip)))
        joints.append(p.revolute(p.ground, crank, at=(x, 0), name=name))
        p.revolute(crank, rods[-1], at=(knee, 0.35), name=f"{name}_elbow")
    p.revolute(*rods, at=tip, name="pen")
    return p, *joints, rods[0].end


def test_servo():
    def path(t):
        s = 2 * np.sin(t) ** 3
        return 0.1 + 0.05 * np.sin(s), 0.6 + 0.1 * np.cos(s)

    p, left, right, tip = five_bar()
    m1, m2 = p.add(po.Motor(left, name="m1")), p.add(po.Motor(right, name="m2"))
    p.add(po.Servo([tip.x, tip.y], target=po.Signal(path), inputs=[m1, m2]))
    run = po.simulate(p, 2.0, step=0.02)
    assert (run.formulation.name, run.record.integrator) == ("directors", "energy-momentum-6")
    assert run["left_rod"].point(tip.position) == pytest.approx(np.array([path(t) for t in run.t]), abs=1e-13)
    assert run.audit.energy_drift < 1e-12
    power = run["m1"].effort * run["left"].rate + run["m2"].effort * run["right"].rate
    assert run["m1"].power + run["m2"].power == pytest.approx(power, abs=1e-12) and np.abs(power).max() > 0.01
    assert run.work == pytest.approx(cumulative_simpson(power, dx=0.02, initial=0), abs=1e-5)


def test_motion():
    p, left, _, _ = five_bar()
    p.add(po.Motion(left.angle, po.Signal(lambda t: 0.3 * t)))
    run = po.simulate(p, 1.0, step=0.02)
    assert run["left"].angle == pytest.approx(0.3 * run.t, abs=1e-13) and run["left"].rate == pytest.approx(0.3, abs=1e-12)
    assert run["motion1"].power == pytest.approx(0.3 * run["motion1"].effort, abs=1e-12)
    assert run.audit.energy_drift < 1e-12 and np.abs(run["motion1"].effort).max() > 1e-3
