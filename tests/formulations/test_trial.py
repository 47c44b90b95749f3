"""A formulation added from outside runs with every method of ordinary differential equations, open and closed, and agrees with the others."""

from pathlib import Path

import numpy as np
import pytest

import poinsot as po
import serial_joints
from loops import four_bar
from poinsot.formulations import registry
from systems import chain


def turning():
    system = four_bar()
    system["base"].set(rate=2.0)
    return system


def gimbal():
    """A joint of three turns in series, and a body without mass that is welded to another."""
    system, _ = serial_joints.chain(np.random.default_rng(1), serial_joints.gimbal)
    system.fixed(system.bodies[-1], system.body("eye", mass=0.0, position=(1.5, 0.2, 0.1)))
    return system


SYSTEMS = {"chain": lambda: chain(3), "four-bar": turning, "gimbal": gimbal}

SETTINGS = [
    {"integrator": "rk4", "step": 0.001},
    {"integrator": "gauss3", "step": 0.005},
    {"integrator": "dop853", "rtol": 1e-11, "atol": 1e-11},
]


@pytest.fixture(autouse=True)
def trial(monkeypatch):
    monkeypatch.setitem(registry.FORMULATIONS, "trial", registry.Entry("trial_formulation"))
    monkeypatch.syspath_prepend(Path(__file__).parent)


def test_it_is_short():
    assert len(Path(__file__).with_name("trial_formulation.py").read_text().splitlines()) <= 100


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda s: s["integrator"])
@pytest.mark.parametrize("name", SYSTEMS)
def test_it_agrees(name, settings):
    system = SYSTEMS[name]()
    ours = po.simulate(system, 1.0, formulation="trial", output_step=0.05, progress=False, **settings)
    best = po.simulate(system, 1.0, formulation="directors", step=0.0025, output_step=0.05, progress=False)
    assert np.abs(ours.t - best.t).max() < 1e-12
    for body in system.bodies:
        assert np.abs(ours[body].position - best[body].position).max() < 1e-8, body.name
        assert np.abs(ours[body].velocity - best[body].velocity).max() < 1e-7, body.name
    for joint in system.joints:
        if joint.name not in ours.ambiguous:
            assert np.abs(ours[joint].force - best[joint].force).max() < 1e-5 * max(np.abs(best[joint].force).max(), 1e-3), joint.name
    audit = ours.audit
    assert max(audit.constraint_metres, audit.constraint_radians) < 1e-12
    assert audit.energy_drift < 1e-8 * audit.energy_scale
    assert audit.corrections > 0
