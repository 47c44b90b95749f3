"""Runs to an accuracy: what was asked for is reached, or an error says that it was not."""

from types import SimpleNamespace

import numpy as np
import pytest

import poinsot as po
from loops import four_bar
from poinsot.accuracy import refinement
from poinsot.accuracy.agreement import difference
from poinsot.results.error_estimate import differences
from poinsot.studies.dumitriu2016_stewart import FORCES, stewart
from poinsot.tables.types import HALVINGS
from systems import chain


def swinging():
    s = chain(3)
    s["joint1"].set(rotation=("x", 0.6))
    return s


def turning():
    s = four_bar()
    s["base"].set(rate=2.0)
    return s


def platform():
    return stewart(FORCES["A"])


@pytest.mark.parametrize("system", [swinging, turning, platform], ids=["open", "closed", "platform"])
@pytest.mark.parametrize("accuracy", [1e-3, 1e-6, 1e-9])
def test_what_is_asked_for_is_reached(system, accuracy):
    run = po.simulate(system(), 2.0, accuracy=accuracy, progress=False)
    best = po.simulate(system(), 2.0, rtol=1e-13, atol=1e-13, progress=False)
    error = max(differences(run, best))
    estimate = max(run.audit.error_position, run.audit.error_rotation)
    assert error <= estimate <= accuracy
    assert run.audit.accuracy == accuracy and f"(estimated; {accuracy:g} was asked for)" in str(run.audit)
    assert run.audit.integrator == ("adams" if accuracy < 1e-8 else "dop853") and len(run) == 201


def test_less_accurate_runs_take_fewer_steps():
    steps = [po.simulate(swinging(), 2.0, accuracy=a, progress=False).audit.steps for a in (1e-2, 1e-6, 1e-10)]
    assert steps[0] < steps[1] < steps[2]


def test_tolerances_are_tightened_until_runs_agree():
    """The first tolerance is far from enough for a motion whose errors grow; an estimate that is not met is not returned."""
    s = chain(3)
    s["joint1"].set(rotation=("x", 2.5))
    run = po.simulate(s, 8.0, accuracy=1e-6, progress=False)
    assert run.record.settings["rtol"] < refinement.FIRST * refinement.FINER * 1e-6
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
        ({"accuracy": 1e-3, "integrator": "rk5"}, "there is no integrator 'rk5'"),
        ({"accuracy": 1e-3, "formulation": "directors", "integrator": "dop853"}, "dop853"),
        ({"accuracy": 1e-3, "output_step": 0.3}, "multiple of output_step"),
        ({"accuracy": 1e-3, "stream": "run.csv"}, "h5"),
    ],
)  # fmt: skip
def test_settings_that_contradict_it(settings, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(po.SettingsError, match=words):
        po.simulate(swinging(), 0.5, progress=False, **settings)
    assert not list(tmp_path.iterdir())


def damped(links, damping):
    """A chain whose joints are damped, so that the twist of its links decays at 12 damping 1/s; a spring at its tip bends it sideways."""
    s = chain(links, np.pi / 8)
    for k in range(links):
        s.add(po.JointDamper(s[f"joint{k + 1}"], damping))
    tip = s[f"link{links}"]
    s.add(po.Spring(s.ground, tip, at=((10, 0, 2 - 2 * links), tip.at((0, 0, -1.0))), stiffness=800.0, damping=50.0, length=5.0))
    return s


def damped_bar():
    s = turning()
    s.add(po.JointDamper(s["base"], 3e5))
    s.add(po.JointDamper(s["knee"], 3e5))
    return s


@pytest.mark.parametrize("accuracy", [1e-3, 1e-6])
def test_stiff_chains_take_implicit_steps(accuracy):
    """Explicit steps are limited to 0.1 ms by the dampers, whatever the tolerance."""
    run = po.simulate(damped(4, 7000.0), 2.0, accuracy=accuracy, progress=False)
    best = po.simulate(damped(4, 7000.0), 2.0, step=0.0005, output_step=0.01, integrator="gauss4", progress=False)
    error, estimate = max(differences(run, best)), max(run.audit.error_position, run.audit.error_rotation)
    assert error <= estimate <= accuracy
    assert run.audit.integrator == {1e-3: "gauss2", 1e-6: "gauss3"}[accuracy]
    assert "limited by stability at t = 0.0" in run.audit.chosen and run.audit.chosen in str(run.audit)
    assert run.audit.steps < 0.2 * 2.0 / 1e-4


def test_stiff_loops_take_energy_momentum_steps():
    run = po.simulate(damped_bar(), 0.5, accuracy=1e-3, progress=False)
    best = po.simulate(damped_bar(), 0.5, step=0.5 / 12800, output_step=0.0025, integrator="energy-momentum-6", progress=False)
    assert max(differences(run, best)) <= 1e-3
    assert (run.audit.formulation, run.audit.integrator) == ("directors", "energy-momentum-6")


def test_a_little_stiff_is_not_enough():
    """Steps of 8 ms are limited by stability, yet cheaper than implicit ones: what is chosen depends on the cost of both."""
    run = po.simulate(damped(16, 70.0), 3.0, accuracy=1e-3, progress=False)
    assert run.audit.integrator == "dop853"


def test_systems_alike_are_not_mistaken_for_each_other():
    found = [po.simulate(damped(3, c), 0.5, accuracy=1e-6, progress=False)["link3"].position[-1] for c in (1.0, 10.0)]
    fine = [po.simulate(damped(3, c), 0.5, rtol=1e-12, atol=1e-12, progress=False)["link3"].position[-1] for c in (1.0, 10.0)]
    assert np.abs(np.array(found) - fine).max() < 1e-6 and np.abs(fine[0] - fine[1]).max() > 1e-4


def test_ends_of_runs_are_accurate_too():
    def reaches(t, state):
        return state["link3"].position[1] - 1.0

    run = po.simulate(swinging(), 2.0, accuracy=1e-7, until=reaches, progress=False)
    best = po.simulate(swinging(), 2.0, rtol=1e-13, atol=1e-13, until=reaches, progress=False)
    assert len(run) == len(best) < 201 and run.t[-1] == pytest.approx(best.t[-1], abs=1e-7)
    assert 0 < max(differences(run, best)) <= max(run.audit.error_position, run.audit.error_rotation) <= 1e-7


def test_events_happen_in_accurate_runs():
    def ball():
        s = po.System("ball", gravity=(0, 0, -9.81))
        s.body("ball", po.Sphere(0.1, mass=1.0), position=(0, 0, 1))
        return s

    def bouncing(s):
        return [po.Event(lambda t, x: x["ball"].position[2], po.Impulse(s["ball"], (0, 0, 9.0)), direction=-1)]

    s = ball()
    runs = [po.simulate(s, 1.0, events=bouncing(s), progress=False, **how) for how in ({"accuracy": 1e-6}, {"rtol": 1e-13, "atol": 1e-13})]
    assert runs[0].audit.impulses == runs[1].audit.impulses > 0
    assert max(differences(*runs)) <= 1e-6


def test_changes_of_prepared_systems():
    ready = po.prepare(swinging())
    run = ready.run(1.0, accuracy=1e-6, change={"link3.mass": 70.0}, progress=False)
    best = po.prepare(swinging(), rtol=1e-13, atol=1e-13).run(1.0, change={"link3.mass": 70.0}, progress=False)
    plain = ready.run(1.0, accuracy=1e-6, progress=False)
    assert max(differences(run, best)) <= 1e-6 < max(differences(plain, best))
    with pytest.raises(po.SettingsError, match="leave out step="):
        po.prepare(swinging(), step=0.01).run(1.0, accuracy=1e-6)


def test_streams_hold_the_last_run(tmp_path):
    kept = po.simulate(swinging(), 0.5, accuracy=1e-5, progress=False)
    stored = po.simulate(swinging(), 0.5, accuracy=1e-5, progress=False, stream=tmp_path / "run.h5")
    again = po.load(tmp_path / "run.h5")
    assert np.array_equal(stored.raw, kept.raw) and np.array_equal(again.raw, kept.raw)
    assert again.audit.error_position == kept.audit.error_position and again.audit.chosen == kept.audit.chosen
    with pytest.raises(po.SettingsError, match=r"path of an \.h5 file"):
        po.simulate(swinging(), 0.5, accuracy=1e-5, progress=False, stream=tmp_path / "run.txt")


@pytest.mark.parametrize("formulation, integrator", [("auto", "rk4"), ("directors", "energy-momentum"), ("directors", "auto")])
def test_methods_that_are_asked_for(formulation, integrator):
    """Fixed steps are made smaller; the order of rk4 and of energy-momentum steps is 4 and 2."""
    run = po.simulate(swinging(), 0.5, accuracy=1e-4, progress=False, formulation=formulation, integrator=integrator)
    best = po.simulate(swinging(), 0.5, rtol=1e-13, atol=1e-13, progress=False)
    assert max(differences(run, best)) <= 1e-4 and len(run) == 201
    assert run.audit.integrator == (integrator if integrator != "auto" else "energy-momentum-6")


def test_runs_with_other_events_do_not_agree():
    one, other = (po.simulate(swinging(), 0.1, rtol=1e-9, progress=False) for _ in range(2))
    assert max(difference(one, other)) == 0.0
    other.record.stopped = "by until="
    assert max(difference(one, other)) == np.inf
    other.record.stopped, other.record.impulses = None, [SimpleNamespace(event="bounce")]
    assert max(difference(one, other)) == np.inf


def bar_on_stop():
    """A bar that falls onto a stop: long implicit steps are halved there until they can be solved."""
    s = po.System("bar", plane="xy", gravity=(0, -9.81))
    bar = s.body("bar", mass=1.0, inertia=0.1, position=(1, 0))
    hinge = s.revolute(s.ground, bar, at=(0, 0), name="hinge")
    s.add(po.Stop(hinge, lower=-1.0, upper=1.5, stiffness=100.0))
    hinge.set(rate=1.0)
    return s


@pytest.mark.parametrize("integrator", ["gauss3", "gauss4", "energy-momentum-4", "energy-momentum-6"])
def test_runs_whose_steps_were_halved_to_the_same_size_do_not_agree(integrator):
    best = po.simulate(bar_on_stop(), 3.0, rtol=1e-12, atol=1e-12, output_step=3.0)
    run = po.simulate(bar_on_stop(), 3.0, accuracy=1e-4, output_step=3.0, integrator=integrator)
    assert max(differences(run, best)) <= 1e-4
    coarse = po.simulate(bar_on_stop(), 3.0, step=3.0, integrator=integrator, estimate_error=True)
    assert coarse.record.counters[HALVINGS] > 0
    assert coarse.audit.error_rotation > 0.1 * max(differences(coarse, best)) > 1e-3
