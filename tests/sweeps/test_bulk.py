"""Variants done together are those that runs of their own give, to the bit; what is not ordinary is left to such runs."""

import numpy as np
import pytest
from test_sweep import same

import poinsot as po
from poinsot.sweeps import bulk, work
from systems import chain, oscillator, pendulum

ANGLES = [("x", float(angle)) for angle in np.linspace(0.1, 1.5, 9)]
KEPT = [
    *("energy", "link2.position", po.mean("link2.velocity"), po.largest("joint2.force"), po.last("link2.quaternion")),
    *(po.last("joint1.rate"), po.smallest("momentum"), po.mean("angular_momentum")),
]


def floating():
    s = po.System("floating", gravity=(0, 0, -9.81))
    body = s.body("body", po.Box(1, 2, 3, mass=2.0))
    s.free(s.ground, body, name="joint")
    return s



CASES = {
    "gauss": (lambda: chain(2), {"joint1.rotation": ANGLES}, KEPT, {"step": 0.01}),
    "rk4 with masses": (lambda: chain(2), {"link2.mass": [10.0, 60.0], "joint1.rotation": ANGLES}, KEPT, {"step": 0.02, "integrator": "rk4"}),
    "adaptive": (lambda: chain(2), {"joint2.rotation": ANGLES}, KEPT, {"rtol": 1e-7, "atol": 1e-9, "output_step": 0.05}),
    "in the plane": (pendulum, {"pin.angle": np.linspace(-9, 9, 5), "pin.rate": [0.0, 3.0, 40.0]}, ["bob.angle", "pin.torque"], {"step": 0.01}),
    "floating": (floating, {"joint.angular_velocity_body": [(0.3 * k, 1.0, 0.2) for k in range(5)]}, ["body.position", "momentum"], {"step": 0.01}),
    "with a damper": (lambda: oscillator(damping=0.3), {"slide.displacement": np.linspace(0, 1, 5)}, ["energy", "work"], {"step": 0.01}),
}


def alone(monkeypatch, *args, **settings):
    with monkeypatch.context() as patched:
        patched.setattr(work, "suits", lambda ready, task: False)
        return po.sweep(*args, **settings)


@pytest.mark.parametrize("case", CASES)
def test_together_and_alone_give_the_same_bits(case, monkeypatch):
    build, vary, record, settings = CASES[case]
    counted = []
    original = bulk.Bulk.run
    monkeypatch.setattr(bulk.Bulk, "run", lambda self, changes: counted.append(len(changes)) or original(self, changes))
    monkeypatch.setattr("poinsot.sweeps.sweep.FEWEST", 1)
    found = po.sweep(build(), vary, 0.2, record=record, workers=1, **settings)
    assert sum(counted) == len(found)
    assert same(alone(monkeypatch, build(), vary, 0.2, record=record, workers=1, **settings), found)


def test_runs_that_need_newtons_method_or_fail_are_done_alone(monkeypatch):
    """A stiff damper: steps by Newton's method; values out of range, and a state that explodes: their own errors."""
    s = chain(2)
    s.add(po.JointDamper(s["joint2"], 3e4))
    monkeypatch.setattr("poinsot.sweeps.sweep.FEWEST", 1)
    vary = {"joint2.rate": [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1e60, 0.0, 0.0), (2.0, 0.0, 1.0)]}
    settings = {"step": 0.02, "integrator": "gauss2", "record": [po.last("energy")], "workers": 1}
    found = po.sweep(s, vary, 0.2, **settings)
    assert same(alone(monkeypatch, s, vary, 0.2, **settings), found)
    assert [failure.variant for failure in found.failures] == [2] and np.nanmax(found.figure_values("newton_steps")) > 0


def test_a_run_whose_step_fails_is_done_alone_and_the_others_together(monkeypatch):
    """Stages of a fast rotation converge in smaller steps only."""
    s, done, plain = chain(2), [], bulk.Bulk.run
    monkeypatch.setattr(bulk.Bulk, "run", lambda self, changes: done.append((found := plain(self, changes)).done.tolist()) or found)
    vary = {"joint2.rate": [(0.0, 0.0, 0.0), (300.0, 0.0, 40.0), (1.0, 0.0, 0.0), (2.0, 0.0, 1.0)]}
    settings = {"step": 0.02, "integrator": "gauss2", "record": [po.last("energy")], "workers": 1}
    monkeypatch.setattr("poinsot.sweeps.sweep.FEWEST", 1)
    found = po.sweep(s, vary, 0.2, **settings)
    assert done == [[True, False, True, True]] and not found.failures
    assert same(alone(monkeypatch, s, vary, 0.2, **settings), found)


def test_a_variant_does_not_depend_on_those_before_it():
    """Nor on how many are done together."""
    vary = {"joint1.rotation": ANGLES}
    whole = po.sweep(chain(3), vary, 0.3, step=0.01, record=["link3.position"], workers=1)
    part = po.sweep(chain(3), {"joint1.rotation": ANGLES[4:]}, 0.3, step=0.01, record=["link3.position"], workers=1)
    assert np.array_equal(whole.values("link3.position")[4:], part.values("link3.position"))


@pytest.mark.parametrize("name, initial", [("joint1.rotation", True), ("joint1.rate", True), ("link1.mass", False), ("gravity", False)])
def test_what_is_an_initial_value(name, initial):
    assert bulk.is_initial(chain(2), name) == initial
