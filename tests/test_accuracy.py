"""Runs to an accuracy: what was asked for is reached, or an error says that it was not."""

import numpy as np
import pytest

import poinsot as po
from loops import four_bar
from poinsot import accuracy as module
from poinsot.results.error_estimate import differences
from systems import chain


def swinging():
    s = chain(3)
    s["joint1"].set(rotation=("x", 0.6))
    return s


def turning():
    s = four_bar()
    s["base"].set(rate=2.0)
    return s


@pytest.mark.parametrize("system", [swinging, turning], ids=["open", "closed"])
@pytest.mark.parametrize("accuracy", [1e-3, 1e-6, 1e-9])
def test_what_is_asked_for_is_reached(system, accuracy):
    run = po.simulate(system(), 2.0, accuracy=accuracy, progress=False)
    best = po.simulate(system(), 2.0, rtol=1e-13, atol=1e-13, progress=False)
    error = max(differences(run, best))
    estimate = max(run.audit.error_position, run.audit.error_rotation)
    assert error <= estimate <= accuracy
    assert run.audit.accuracy == accuracy and f"(estimated; {accuracy:g} was asked for)" in str(run.audit)
    assert run.audit.integrator == "dop853" and len(run) == 201


def test_less_accurate_runs_take_fewer_steps():
    steps = [po.simulate(swinging(), 2.0, accuracy=a, progress=False).audit.steps for a in (1e-2, 1e-6, 1e-10)]
    assert steps[0] < steps[1] < steps[2]


def test_tolerances_are_tightened_until_runs_agree():
    """The first tolerance is far from enough for a motion whose errors grow; an estimate that is not met is not returned."""
    s = chain(3)
    s["joint1"].set(rotation=("x", 2.5))
    run = po.simulate(s, 8.0, accuracy=1e-6, progress=False)
    assert run.record.settings["rtol"] < module.FIRST * module.FINER * 1e-6
    best = po.simulate(s, 8.0, rtol=1e-14, atol=1e-14, progress=False)
    assert max(differences(run, best)) <= 1e-6


def test_chaos_is_not_taken_for_a_result():
    s = chain(3)
    s["joint1"].set(rotation=("x", 2.8))
    s["joint2"].set(rotation=("y", 1.0))
    with pytest.raises(po.ConvergenceError, match=r"accuracy of 0.001 was not reached: runs with tolerances down to 1e-14 still differ by") as caught:
        po.simulate(s, 60.0, accuracy=1e-3, progress=False)
    assert caught.value.trajectory.t[-1] == 60.0


def test_files_keep_it(tmp_path):
    run = po.simulate(swinging(), 0.5, accuracy=1e-4, progress=False)
    run.save(tmp_path / "run.h5")
    again = po.load(tmp_path / "run.h5")
    assert str(again.audit) == str(run.audit) and np.array_equal(again.raw, run.raw)


def test_a_start_and_outputs_are_kept():
    first = po.simulate(swinging(), 0.5, accuracy=1e-8, output_step=0.1, progress=False)
    second = po.simulate(swinging(), 0.5, accuracy=1e-8, output_step=0.1, state=first.state(), progress=False)
    whole = po.simulate(swinging(), 1.0, accuracy=1e-8, output_step=0.1, progress=False)
    assert second.t == pytest.approx(0.5 + 0.1 * np.arange(6))
    assert np.abs(second["link3"].position - whole["link3"].position[5:]).max() < 3e-8


@pytest.mark.parametrize(
    "settings, words",
    [
        ({"accuracy": 0.0}, "accuracy must be between 1e-12 and 1 .*, not 0.0"),
        ({"accuracy": -1e-3}, "not -0.001"),
        ({"accuracy": float("nan")}, "not nan"),
        ({"accuracy": True}, "accuracy"),
        ({"accuracy": "1e-3"}, "accuracy"),
        ({"accuracy": 1e-3, "step": 0.01}, "leave out step="),
        ({"accuracy": 1e-3, "rtol": 1e-9, "estimate_error": True}, "leave out rtol=, estimate_error="),
        ({"accuracy": 1e-3, "until": lambda t, x: t - 0.1}, "leave out until="),
        ({"accuracy": 1e-3, "stream": "run.h5"}, "leave out stream="),
        ({"accuracy": 1e-3, "integrator": "rk4"}, "rk4"),
        ({"accuracy": 1e-3, "formulation": "directors", "integrator": "energy-momentum"}, "energy-momentum"),
    ],
)  # fmt: skip
def test_settings_that_contradict_it(settings, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(po.SettingsError, match=words):
        po.simulate(swinging(), 0.5, progress=False, **settings)
    assert not list(tmp_path.iterdir())
