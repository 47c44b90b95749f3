"""Results of closed systems: reactions of constraints, what is not unique, drift, quaternions without jumps."""

import warnings

import numpy as np
import pytest

import poinsot as po
from loops import four_bar


def rod_pendulum():
    """A ball on a massless rod of 2 m, held by a Distance only, swinging in x-z."""
    s = po.System("rod", gravity=(0, 0, -10.0))
    ball = s.body("ball", po.Sphere(0.1, mass=3.0), position=(2, 0, 0))
    rod = s.add(po.Distance(s.ground, ball, at=((0, 0, 0), (2, 0, 0)), name="rod"))
    return s, ball, rod


def test_a_distance_pulls_as_a_pendulum_does():
    """Tension m g cos + m v^2 / L, with v^2 = 2 g L cos from the horizontal: 3 m g at the bottom."""
    s, ball, rod = rod_pendulum()
    run = po.simulate(s, 1.5, step=0.005)
    depth = -run["ball"].position[:, 2] / 2.0
    assert run[rod].tension == pytest.approx(3 * 3.0 * 10.0 * depth, abs=1e-7)
    assert np.linalg.norm(run["rod"].force, axis=1) == pytest.approx(np.abs(run["rod"].tension), abs=1e-9)
    assert run.audit.constraint_metres < 1e-14
    with pytest.raises(AttributeError, match="distance 'rod' has no result 'effort'"):
        _ = run["rod"].effort


def test_gears_share_a_torque():
    """Two wheels, ratio -2, a torque on the first: both turn, and the gear's effort is what the second one needs."""
    s = po.System("wheels", gravity=None)
    a = s.body("a", po.Cylinder(0.1, 0.1, mass=2.0), position=(0, 0, 0))
    b = s.body("b", po.Cylinder(0.2, 0.1, mass=3.0), position=(0.3, 0, 0))
    first = s.revolute(s.ground, a, at=(0, 0, 0), axis="z", name="first")
    second = s.revolute(s.ground, b, at=(0.3, 0, 0), axis="z", name="second")
    s.add(po.Motor(first, 0.02))
    s.add(po.Gear(first.angle, second.angle, -2.0, name="gear"))
    run = po.simulate(s, 2.0, step=0.01)
    Ja, Jb = a.inertia_matrix()[2, 2], b.inertia_matrix()[2, 2]
    spin = 0.02 / (Ja + Jb / 4)  # angle1 = -2 angle2
    assert run["first"].angle == pytest.approx(0.5 * spin * run.t**2, abs=1e-11)
    assert run["second"].angle == pytest.approx(-0.25 * spin * run.t**2, abs=1e-11)
    assert run["gear"].effort == pytest.approx(Ja * spin - 0.02, abs=1e-10)
    assert run.audit.energy_drift < 1e-12 * run.audit.energy_scale


def test_what_is_not_unique_is_flagged():
    s = four_bar()
    run = po.simulate(s, 0.5, step=0.01)
    assert run.audit.redundant == 3 and "reactions are not unique in" in str(run.audit)
    assert not run["knee"].unique and "knee" in run.ambiguous
    assert run.audit.constraint_metres < 1e-13 and run.audit.constraint_radians < 1e-13
    open_run = po.simulate(rod_pendulum()[0], 0.1, step=0.01)
    assert open_run.ambiguous == []


def test_a_run_never_snaps_silently():
    """Closing loops before the run is reported, as a warning and in the audit; a closed drawing gives no warning."""
    s, ball, rod = rod_pendulum()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        po.simulate(s, 0.01, step=0.01)
        with pytest.raises(po.AssemblyWarning, match="bodies were moved by up to 0.1 m"):
            po.prepare(s, step=0.01).run(0.01, change={"rod.length": 2.1})
    with pytest.warns(po.AssemblyWarning):
        run = po.prepare(s, step=0.01).run(0.01, change={"rod.length": 2.1})
    assert run.audit.moved_metres == pytest.approx(0.1) and "bodies moved by up to 0.1 m" in str(run.audit)


def test_quaternions_do_not_jump():
    s = po.System("top", gravity=None)
    s.body("top", po.Box(0.1, 0.2, 0.3, mass=1.0)).set(angular_velocity=(1.0, 9.0, 2.0))
    run = po.simulate(s, 5.0, step=0.01, formulation="directors")
    tree = po.simulate(s, 5.0, step=0.01)
    assert np.abs(np.diff(run["top"].quaternion, axis=0)).max() < 0.1
    assert np.abs(run["top"].quaternion - tree["top"].quaternion).max() < 1e-6


def test_a_chained_run_goes_on_bit_for_bit():
    s = four_bar()
    whole = po.simulate(s, 1.0, step=0.01)
    half = po.simulate(s, 0.5, step=0.01)
    rest = po.simulate(s, 0.5, step=0.01, state=half.state())
    assert np.array_equal(rest.raw[-1], whole.raw[-1])
    by_hand = po.State(0.5, half.state().coordinates, half.state().rates)
    assert np.abs(po.simulate(s, 0.5, step=0.01, state=by_hand)["coupler"].position[-1] - whole["coupler"].position[-1]).max() < 1e-9


def test_motion_that_the_joints_forbid_is_told():
    """With fast rotations and large steps the energy is conserved, but part of it goes into forbidden velocities; small steps prevent it."""
    s = four_bar()
    s["base"].set(rate=12.0)
    large, small = (po.simulate(s, 20.0, step=h, integrator="energy-momentum") for h in (0.04, 0.002))
    assert large.audit.energy_drift < 1e-10 * large.audit.energy_scale
    assert large.audit.forbidden > 1e-4 and "that the joints do not allow" in str(large.audit)
    assert small.audit.forbidden < 0.01 * large.audit.forbidden and "forbid" not in str(small.audit)
    assert po.simulate(po_chain(), 1.0, step=0.01).audit.forbidden is None


def po_chain():
    s = po.System("pendulum", gravity=(0, 0, -10.0))
    s.revolute(s.ground, s.body("rod", po.Rod(radius=0.02, mass=1.0), between=((0, 0, 0), (1, 0, 0))), at=(0, 0, 0), axis="y")
    return s
