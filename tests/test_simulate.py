"""Running: outputs, chaining, events, error estimates, interruption, failures of users' functions, prepared runs."""

import os
import signal
import threading
import time

import numpy as np
import pytest

import poinsot as po
from systems import chain, oscillator, pendulum


def test_outputs_come_at_the_output_step_and_at_the_end():
    run = po.simulate(oscillator(), 1.0, step=0.01, output_step=0.3)
    assert run.t == pytest.approx([0, 0.3, 0.6, 0.9, 1.0], abs=1e-14)
    assert run["slide"].displacement == pytest.approx(np.cos(2 * run.t), abs=1e-12)


def test_a_duration_that_is_no_multiple_of_the_step_ends_with_a_shorter_step():
    run = po.simulate(oscillator(), 0.995, step=0.01)
    assert run.t[-1] == 0.995 and len(run.t) == 101
    assert run["slide"].displacement[-1] == pytest.approx(np.cos(2 * 0.995), abs=1e-12)
    short = po.simulate(oscillator(), 0.004, step=0.01)
    assert short.t == pytest.approx([0, 0.004])


@pytest.mark.parametrize("integrator", ["dopri5", "dop853"])
def test_adaptive_runs_have_dense_output(integrator):
    run = po.simulate(oscillator(), 10.0, rtol=1e-10, atol=1e-12, output_step=0.01, integrator=integrator)
    assert len(run.t) == 1001
    assert run["slide"].displacement == pytest.approx(np.cos(2 * run.t), abs=1e-7)
    assert run.audit.steps < 1001


@pytest.mark.parametrize("integrator", ["rk4", "gauss1", "gauss3", "dop853"])
def test_chained_runs_give_the_same_bits(integrator):
    whole = po.simulate(chain(2), 0.4, step=0.01, integrator=integrator)
    first = po.simulate(chain(2), 0.2, step=0.01, integrator=integrator)
    second = po.simulate(chain(2), 0.2, step=0.01, integrator=integrator, state=first.state())
    assert second.t[0] == first.t[-1]
    assert np.array_equal(whole.raw[20:], second.raw)


def test_the_same_input_gives_the_same_bits_whatever_the_chunks(monkeypatch):
    runs = []
    for chunk in (0.05, 1e-9):
        monkeypatch.setattr("poinsot.driver.CHUNK", chunk)
        runs.append(po.simulate(chain(2), 0.3, step=0.01).raw)
    assert np.array_equal(*runs)


def test_a_state_of_another_run_starts_an_adaptive_one():
    first = po.simulate(pendulum(), 0.5, step=0.01)
    second = po.simulate(pendulum(), 0.5, rtol=1e-12, atol=1e-12, state=first.state())
    whole = po.simulate(pendulum(), 1.0, step=0.01)
    assert second["pin"].angle[-1] == pytest.approx(whole["pin"].angle[-1], abs=1e-10)


@pytest.mark.parametrize("settings", [{"step": 0.01}, {"step": 0.01, "output_step": 0.1}, {"rtol": 1e-12, "atol": 1e-12}])
def test_until_finds_where_a_function_crosses_zero(settings):
    run = po.simulate(oscillator(), 10.0, until=lambda t, x: x["slide"].displacement, **settings)
    assert run.t[-1] == pytest.approx(np.pi / 4, abs=1e-11)
    assert run["slide"].displacement[-1] == pytest.approx(0, abs=1e-11)
    assert np.all(np.diff(run.t) > 0)
    assert "until" in run.audit.stopped


def test_until_goes_on_from_where_it_stopped():
    run = po.simulate(oscillator(), 10.0, step=0.01, until=lambda t, x: x["slide"].displacement)
    for k in range(1, 6):
        run = po.simulate(oscillator(), 10.0, step=0.01, state=run.state(), until=lambda t, x: x["slide"].displacement)
        assert run.t[-1] == pytest.approx(np.pi / 4 + k * np.pi / 2, abs=1e-10)


def test_until_that_never_happens_changes_nothing():
    free = po.simulate(oscillator(), 0.5, step=0.01)
    watched = po.simulate(oscillator(), 0.5, step=0.01, until=lambda t, x: 1.0)
    assert np.array_equal(free.raw, watched.raw) and watched.audit.stopped is None


@pytest.mark.parametrize("settings", [{"step": 0.02, "integrator": "gauss2"}, {"rtol": 1e-6, "atol": 1e-8}])
def test_the_estimated_error_is_the_error(settings):
    run = po.simulate(pendulum(1.5), 5.0, estimate_error=True, **settings)
    exact = po.simulate(pendulum(1.5), 5.0, step=0.001, output_step=run.t[1] - run.t[0], integrator="gauss4")
    error = np.linalg.norm(run["bob"].position - exact["bob"].position, axis=1).max()
    assert 0.5 * error < run.audit.error_position < 2 * error


def test_ctrl_c_raises_with_what_was_computed():
    before = signal.getsignal(signal.SIGINT)
    system = chain(4)
    po.simulate(system, 0.01, step=0.01)  # compiled before the clock starts
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    began = time.perf_counter()
    with pytest.raises(KeyboardInterrupt) as caught:
        po.simulate(system, 1e4, step=0.001, output_step=1.0, formulation="tree")
    run = caught.value.trajectory
    assert time.perf_counter() - began < 5.0
    assert 0 < run.t[-1] < 1e4 and "Ctrl-C" in run.audit.stopped
    assert signal.getsignal(signal.SIGINT) is before


def drive(law):
    s = pendulum()
    s.add(po.Motor(s["pin"], law, name="motor"))
    return s


def test_motors_by_number_by_time_and_by_feedback():
    for law in (0.5, lambda t: 0.5, lambda t, angle, rate: 0.5):
        run = po.simulate(drive(law), 1.0, step=0.01)
        assert run["motor"].effort == pytest.approx(0.5)
        assert run["motor"].power == pytest.approx(0.5 * run["pin"].rate)
        assert run.audit.energy_drift < 1e-12
    feedback = po.simulate(drive(lambda t, angle, rate: -3.0 * angle - 2.0 * rate), 1.0, step=0.01)
    expected = -3.0 * feedback["pin"].angle - 2.0 * feedback["pin"].rate
    assert feedback["motor"].effort == pytest.approx(expected, abs=1e-13)


class Missing(Exception):
    pass


def test_a_function_that_raises_has_its_own_exception_and_the_run_until_then():
    table = {}

    def interpreted(t):
        if t > 0.5:
            raise Missing("no value")
        return table.get("effort", 0.0)

    def compiled(t):
        if t > 0.5:
            raise ValueError("too late")
        return 0.0

    for law, error in ((interpreted, Missing), (compiled, ValueError)):
        with pytest.raises(error) as caught:
            po.simulate(drive(law), 1.0, step=0.01)
        assert caught.value.trajectory.t[-1] == pytest.approx(0.5, abs=0.011)
        assert "motor 'motor'" in caught.value.__notes__[0]


def test_a_function_that_returns_nan_is_named():
    with pytest.raises(po.CallbackError, match="motor 'motor'") as caught:
        po.simulate(drive(lambda t: float("nan") if t > 0.5 else 0.0), 1.0, step=0.01)
    assert caught.value.trajectory.t[-1] == pytest.approx(0.5, abs=0.011)


def servo(gain):
    """A mass of 1 kg held by a motor that acts like a spring, which no stiffness matrix knows of."""
    s = po.System("servo", gravity=None)
    slide = s.prismatic(s.ground, s.body("mass", po.Sphere(0.1, mass=1.0)), axis="x", name="slide")
    s.add(po.Motor(slide, lambda t, x, rate: -gain * x))
    slide.set(displacement=1.0)
    return s


def test_a_function_that_fails_when_results_are_asked_for_is_an_error_too():
    calls = []

    def law(t):
        if calls:
            raise Missing("gone")
        return 0.0

    run = po.simulate(drive(law), 0.1, step=0.01)
    calls.append("later")
    with pytest.raises(po.CallbackError, match="output at t = 0 s"):
        _ = run["pin"].force


def test_stages_that_do_not_converge_raise_with_the_partial_run():
    s = servo(1e16)
    with pytest.raises(po.ConvergenceError, match="smaller step") as caught:
        po.simulate(s, 1.0, step=0.1, integrator="gauss3")
    assert np.all(np.isfinite(caught.value.trajectory.raw))


def test_stiff_steps_are_halved_and_counted():
    run = po.simulate(servo(4e4), 0.02, step=0.02, integrator="gauss3")
    assert run.audit.halvings > 0 and "halved" in str(run.audit)
    assert run["slide"].displacement[-1] == pytest.approx(np.cos(200 * 0.02), abs=5e-3)


def test_a_motion_without_inertia_is_an_error():
    s = po.System("needle", gravity=(0, 0, -9.81))
    body = s.body("body", mass=1.0, inertia=(0, 0, 0), position=(0, 0, -1))
    s.spherical(s.ground, body, at=(0, 0, 0))
    with pytest.raises(po.PoinsotError, match="inertia"):
        po.simulate(s, 1.0, step=0.01)


@pytest.mark.parametrize(
    "settings, words",
    [
        ({"duration": -1, "step": 0.1}, "duration"),
        ({"duration": 1, "step": -0.1}, "step"),
        ({"duration": 1, "step": "fine"}, "step must be"),
        ({"duration": 1, "step": 0.1, "state": 3}, "run.state"),
        ({"duration": 1, "step": 0.1, "output_step": 0.25}, "multiple"),
        ({"duration": 1, "step": 0.1, "output_step": 1e300}, r"output_step 1e\+300 s is more than 1e\+15 steps of 0.1 s; leave it out"),
        ({"duration": 1, "integrator": "gauss3"}, "fixed steps"),
        ({"duration": 1, "step": 0.1, "rtol": 1e-6, "integrator": "dop853"}, "not both"),
        ({"duration": 1, "step": 0.1, "integrator": "gauss9"}, "gauss4"),
        ({"duration": 1, "step": 0.1, "formulation": "best"}, "tree"),
    ],
)
def test_settings_that_do_not_fit_are_named(settings, words):
    with pytest.raises(po.PoinsotError, match=words):
        po.simulate(oscillator(), **settings)


def test_prepared_runs_take_other_parameters_and_leave_the_system_alone():
    s = oscillator(damping=0.1)
    ready = po.prepare(s, step=0.01)
    soft = ready.run(1.0, change={"damper.damping": 0.0})
    stiff = ready.run(1.0, change={"damper.damping": 0.0, "spring.stiffness": 9.0, "mass.mass": 4.0, "slide.displacement": 2.0})
    again = ready.run(1.0)
    assert soft["slide"].displacement == pytest.approx(np.cos(2 * soft.t), abs=1e-12)
    assert stiff["slide"].displacement == pytest.approx(2 * np.cos(1.5 * stiff.t), abs=1e-12)
    assert np.array_equal(again.raw, po.simulate(s, 1.0, step=0.01).raw)
    for key in ("spring.length", "nothing.stiffness", "stiffness", "mass.position", "slide.angle"):
        with pytest.raises(po.ModelError):
            ready.run(1.0, change={key: 1.0})


def test_gravity_can_change_between_prepared_runs():
    ready = po.prepare(pendulum(1e-4), step=0.01)
    for g in (9.81, 1.62):
        run = ready.run(2.0, change={"gravity": (0, -g)})
        assert run["pin"].angle == pytest.approx(1e-4 * np.cos(np.sqrt(g) * run.t), abs=1e-11)


def test_a_bar_shows_time_to_go(capsys):
    po.simulate(oscillator(), 0.1, step=0.01, progress=True)
    assert "oscillator" in capsys.readouterr().err


def test_auto_chooses_by_the_system_and_the_length_of_the_run():
    """Open: tree with gauss4; closed, or conservative with many steps: directors with order 6."""
    s = chain(1)
    assert str(po.simulate(s, 0.1, step=0.01).audit).find("tree with gauss4") > 0
    long = po.simulate(s, 100.0, step=0.001, output_step=10.0)
    assert (long.audit.formulation, long.audit.integrator) == ("directors", "energy-momentum-6")
    assert long.audit.energy_drift < 1e-12 * long.audit.energy_scale
    s.add(po.JointDamper(s["joint1"], 1.0))
    assert po.simulate(s, 100.0, step=0.001, output_step=10.0).audit.formulation == "tree"


@pytest.mark.parametrize("settings", [{"step": 0.01}, {"output_step": 0.01}, {"step": 0.01, "formulation": "directors"}])
def test_what_fails_after_an_event_does_not_matter(settings):
    s = oscillator()

    def law(t):
        if t > 0.5:
            raise RuntimeError("enough")
        return 0.0

    s.add(po.Motor(s.joints[0], law))
    run = po.simulate(s, 10.0, until=lambda t, state: t - 0.3, **settings)
    assert abs(run.t[-1] - 0.3) < 1e-12 and "until" in run.audit.stopped
    with pytest.raises(RuntimeError, match="enough"):
        po.simulate(s, 1.0, **settings)
