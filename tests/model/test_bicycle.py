"""The Whipple bicycle against the published benchmark: growth and decay of small motions, and energy in large ones."""

import json
from pathlib import Path

import numpy as np
import pytest

import poinsot as po
from test_examples import FOLDER, load

EXAMPLE = load(FOLDER / "bicycle.py")
REFERENCE = json.loads((Path(__file__).parents[1] / "reference" / "bicycle_whipple.json").read_text())


def eigenvalues(speed):
    """Of the published matrices."""
    M, C1, K0, K2 = (np.array(REFERENCE["reference"][name]) for name in ("M", "C1", "K0", "K2"))
    g = REFERENCE["definition"]["parameters"]["g"]
    below = np.hstack([-np.linalg.solve(M, g * K0 + speed**2 * K2), -np.linalg.solve(M, speed * C1)])
    return np.linalg.eigvals(np.vstack([np.hstack([np.zeros((2, 2)), np.eye(2)]), below]))


@pytest.mark.parametrize("settings", [{"step": 0.002}, {"rtol": 1e-11, "atol": 1e-14}], ids=["energy-momentum-6", "adaptive"])
@pytest.mark.parametrize("speed", [4.0, 5.0, 10.0])
def test_rates_of_weave_capsize_and_castering(speed, settings):
    system = EXAMPLE.build(speed)
    system["steer"].set(rate=3e-5)
    found = EXAMPLE.rates(po.simulate(system, 0.6, output_step=0.01, progress=False, **settings))
    for value in eigenvalues(speed):
        assert np.abs(found - value).min() < 1e-4 * abs(value), value
    for value in EXAMPLE.PUBLISHED[speed]:
        assert np.abs(eigenvalues(speed) - value).min() < 1e-9


@pytest.mark.parametrize("speed, push", [(4.0, 0.05), (4.6, 0.5), (8.0, 0.05)])
def test_energy_of_the_uncontrolled_bicycle(speed, push):
    """Large motions, as those of the IFToMM benchmark: its energy must not drift by 1e-5; ours stays at rounding, and nothing slips."""
    system = EXAMPLE.build(speed)
    system["steer"].set(rate=push)
    run = po.simulate(system, 3.0, step=0.005, progress=False)
    assert run.audit.energy_drift < 1e-12 * run.audit.energy_scale
    for wheel in ("rear", "front"):
        arm = run[f"{wheel}_contact"].contact - run[wheel].position
        assert np.abs(run[wheel].velocity + np.cross(run[wheel].angular_velocity, arm)).max() < 1e-11
        assert np.abs(run[f"{wheel}_contact"].contact[:, 2]).max() < 1e-11
        assert run[f"{wheel}_contact"].force[:, 2].min() > 0
    found = system.check()
    assert (found.degrees_of_freedom, found.position_freedoms, len(found.redundant)) == (3, 7, 0)
