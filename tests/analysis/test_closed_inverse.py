"""Inverse dynamics and kinematics of a closed mechanism: a five-bar whose tip follows a circle by two motors."""

import numpy as np
import pytest

import poinsot as po

EIGHTH = np.array([1 / 280, -4 / 105, 1 / 5, -4 / 5, 0, 4 / 5, -1 / 5, 4 / 105, -1 / 280])  # first derivative, 9 points
STEP = 0.005


def five_bar():
    s = po.System("five-bar", plane="xy", gravity=(0, -9.81))
    rods = [((0, 0), (-0.3, 0.4)), ((-0.3, 0.4), (0.25, 0.8)), ((0.5, 0), (0.8, 0.4)), ((0.8, 0.4), (0.25, 0.8))]
    a, b, c, d = (s.body(n, po.Rod(radius=0.02, mass=1.0), between=ends) for n, ends in zip("abcd", rods))
    left = s.revolute(s.ground, a, at=(0, 0), name="left")
    s.revolute(a, b, at=(-0.3, 0.4), name="elbow1")
    right = s.revolute(s.ground, c, at=(0.5, 0), name="right")
    s.revolute(c, d, at=(0.8, 0.4), name="elbow2")
    s.revolute(b, d, at=(0.25, 0.8), name="tip")
    motors = [s.add(po.Motor(joint, name=name)) for joint, name in ((left, "m1"), (right, "m2"))]
    way = po.signals.step(0.0, 1.0, to=(0.35, 0.7), begin=(0.25, 0.8))
    s.add(po.Servo([b.end.x, b.end.y], way, motors, name="servo"))
    return s


def test_efforts_of_a_run_are_those_of_inverse_dynamics_at_its_states():
    s = five_bar()
    run, d = po.simulate(s, 1.0, step=STEP), po.dynamics(s, "directors")
    assert d.input_names == ["m1", "m2"]
    rates = np.stack([run["left"].rate, run["right"].rate], axis=1)
    for k in (20, 77, 120, 180):
        wanted = EIGHTH @ rates[k - 4 : k + 5] / STEP
        found = d.inverse(run.state(k), wanted)
        assert found == pytest.approx([run["m1"].effort[k], run["m2"].effort[k]], abs=1e-6)
    with pytest.raises(po.ModelError, match="2 entries, those of m1, m2"):
        d.inverse(acceleration=[1.0])
    with pytest.raises(po.FormulationError, match="prescribes accelerations"):
        d.acceleration()


def test_positions_along_a_path_by_holding_the_driven_joints():
    """Held at the angles of a run, assembly puts the tip where the run had it; the grip measures the distance from a singular position."""
    s = five_bar()
    run = po.simulate(s, 1.0, step=STEP)
    for k in (50, 100, 200):
        found = po.assemble(s, hold={"left.angle": run["left"].angle[k], "right.angle": run["right"].angle[k]})
        assert found["tip.angle"] == pytest.approx(run["tip"].angle[k], abs=1e-9)
    assert run["servo"].grip.shape == (len(run.t), 2, 2)
    assert np.all(run["servo"].conditioning < 20.0)
