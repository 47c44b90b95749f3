"""Results of a run: views of bodies, joints and forces, quaternions without jumps, audits that apply."""

import numpy as np
import pytest

import poinsot as po
from systems import chain, oscillator, pendulum


def spinner(output_step):
    s = po.System("spinner", gravity=None)
    body = s.body("body", po.Box(1, 2, 3, mass=1.0), rotation=("x", 0.4))
    s.revolute(s.ground, body, at=(0, 0, 0), axis="z", name="hinge").set(rate=8.0)
    return po.simulate(s, 1.5, step=0.01, output_step=output_step)


def test_quaternions_are_continuous_whatever_the_output_step():
    fine, coarse = spinner(0.01), spinner(0.5)
    assert coarse["body"].quaternion[-1] == pytest.approx(fine["body"].quaternion[-1], abs=1e-12)
    assert np.abs(np.diff(fine["body"].quaternion, axis=0)).max() < 0.05
    assert fine["body"].quaternion[0] == pytest.approx([np.cos(0.2), np.sin(0.2), 0, 0])
    assert coarse["hinge"].angle[-1] == pytest.approx(12.0)  # nearly two turns


def test_views_agree_with_each_other():
    run = po.simulate(chain(3, 0.8), 1.0, step=0.01)
    body = run["link2"]
    h = 0.01
    velocity = (body.position[2:] - body.position[:-2]) / (2 * h)
    assert body.velocity[1:-1] == pytest.approx(velocity, abs=2e-3)
    acceleration = (body.velocity[2:] - body.velocity[:-2]) / (2 * h)
    assert body.acceleration[1:-1] == pytest.approx(acceleration, abs=2e-2)
    turn = (body.angular_velocity[2:] - body.angular_velocity[:-2]) / (2 * h)
    assert body.angular_acceleration[1:-1] == pytest.approx(turn, abs=2e-2)
    assert body.angular_velocity == pytest.approx(np.einsum("tij,tj->ti", body.rotation, body.angular_velocity_body))
    assert body.point((0, 0, -1)) == pytest.approx(run["link3"].point((0, 0, 1)), abs=1e-12)
    assert body.point_velocity((0, 0, -1)) == pytest.approx(run["link3"].point_velocity((0, 0, 1)), abs=1e-12)
    joint = run["joint2"]
    assert joint.rotation == pytest.approx(np.swapaxes(run["link1"].rotation, 1, 2) @ body.rotation, abs=1e-12)
    assert np.linalg.norm(joint.quaternion, axis=1) == pytest.approx(1.0)
    assert joint.rate is not None and joint.angular_velocity.shape == joint.rate.shape


def test_newton_holds_for_every_body():
    """Reactions, weight and inertia of the middle link balance at every output."""
    run = po.simulate(chain(3, 0.8), 1.0, step=0.01)
    body = run["link2"]
    force = run["joint2"].force - run["joint3"].force + 50 * np.array([0, 0, -9.81])
    assert force == pytest.approx(50 * body.acceleration, abs=1e-9)


def test_screw_results():
    s = po.System("screw", gravity=None)
    nut = s.body("nut", po.Sphere(0.1, mass=1.0))
    s.screw(s.ground, nut, at=(0, 0, 0), axis="z", pitch=0.1, name="thread").set(angle=1.0, rate=2 * np.pi)
    run = po.simulate(s, 1.0, step=0.1)
    assert run["thread"].displacement == pytest.approx(0.1 * run["thread"].angle / (2 * np.pi))
    assert run["nut"].position[:, 2] == pytest.approx(run["thread"].displacement)
    with pytest.raises(AttributeError, match="it has angle"):
        _ = run["thread"].rotation


def test_unknown_names_are_named():
    run = po.simulate(oscillator(), 0.1, step=0.1)
    with pytest.raises(po.ModelError, match="no element 'nobody'"):
        run["nobody"]
    with pytest.raises(po.SettingsError, match="no output at t = 0.05"):
        run.index(0.05)
    assert run.index(0.1) == 1


def test_the_audit_claims_only_what_applies():
    damped = po.simulate(oscillator(damping=0.5), 5.0, step=0.01).audit
    assert not damped.conservative and "energy - work" in str(damped)
    assert damped.energy_drift < 1e-12 and damped.momentum_drift is None and damped.unit_length is None
    hanging = po.simulate(chain(2, 0.8), 1.0, step=0.01).audit
    assert hanging.conservative and hanging.angular_momentum_drift < 1e-9 and hanging.momentum_drift is None
    planar = po.simulate(pendulum(), 1.0, step=0.01).audit
    assert planar.angular_momentum_drift is None and planar.error_position is None
    assert "not estimated" in str(planar) and planar.to_dict()["steps"] == 100


def test_a_damped_energy_goes_where_the_audit_says():
    run = po.simulate(oscillator(damping=0.5), 5.0, step=0.01)
    assert run.energy - run.work == pytest.approx(run.energy[0], abs=1e-12)
    assert run["damper"].power == pytest.approx(-0.5 * run["slide"].rate ** 2)
    assert run["damper"].effort == pytest.approx(-0.5 * run["slide"].rate)


def test_pictures(tmp_path):
    from poinsot.view.plots import energy_figure

    run = po.simulate(pendulum(), 1.0, step=0.05)
    run.snapshots([0.0, 0.5, 1.0]).savefig(tmp_path / "plane.png")
    energy_figure(run).savefig(tmp_path / "energy.svg")
    assert all(path.stat().st_size > 5000 for path in tmp_path.iterdir())
    with pytest.raises(po.SettingsError, match="between 0 and 1 s"):
        run.snapshots([2.0])
