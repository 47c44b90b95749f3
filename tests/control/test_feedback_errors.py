"""What is wrong with a feedback is said in words, before a run where that is possible."""

import numpy as np
import pytest

import poinsot as po
from fed_arms import arm, fed, pd, sampled


def bad(**given):
    s, (j1, j2), motors = arm()
    arguments = {"law": pd, "inputs": motors, "outputs": [j1.angle, j1.rate, j2.angle, j2.rate], "params": {"kp": 1.0, "kd": 1.0}}
    return s, arguments | given


@pytest.mark.parametrize(
    "given, words",
    [
        ({"outputs": ["j1.force"]}, "cannot see 'force' of revolute 'j1'.*it can see angle, rate"),
        ({"outputs": ["a.acceleration"]}, "depends on the efforts.*it can see position, com"),
        ({"outputs": ["m1.effort"]}, "it can see those of bodies and joints"),
        ({"outputs": ["a.positon"]}, "did you mean 'position'"),
        ({"outputs": ["q.position"]}, "there is no 'q.position'"),
        ({"outputs": [3.0]}, "not something a law can see"),
        ({"inputs": []}, "has no inputs"),
        ({"params": {"kp": float("nan"), "kd": 1.0}}, "params must be finite"),
        ({"period": -1.0}, "period must be a positive time"),
        ({"limits": [1.0]}, "2 efforts and 1 limits"),
        ({"limits": (2.0, (3.0, 1.0))}, "limits of m2 must be a pair"),
        ({"law": lambda t, x, u: None}, r"takes the wrong arguments.*law\(t, x, p, u\)"),
        ({"states": [0.0]}, r"law\(t, x, p, u, z, dz\)"),
        ({"lyapunov": lambda x: 0.0}, r"V\(t, x, p\)"),
    ],
)
def test_errors_of_the_model(given, words):
    s, arguments = bad(**given)
    with pytest.raises(po.ModelError, match=words):
        s.add(po.Feedback(**arguments))
        po.simulate(s, 0.1, step=0.01)


def test_inputs_must_be_free():
    s, (j1, _), motors = arm(law=1.0)
    with pytest.raises(po.ModelError, match="input motor 'm1' has a law of its own"):
        s.add(po.Feedback(pd, motors, [j1.angle, j1.rate, j1.angle, j1.rate], {"kp": 1.0, "kd": 1.0}))
        s.check().raise_faults()
    s = fed()
    s.add(po.Feedback(lambda t, x, p, u: None, [s["m1"]], [s["j1"].angle], name="second"))
    with pytest.raises(po.ModelError, match="also an input of"):
        s.check().raise_faults()
    s, _, _ = arm()
    with pytest.raises(po.ModelError, match="po.Servo or po.Feedback"):
        po.simulate(s, 0.1, step=0.01)
    other, _, motors = arm()
    with pytest.raises(po.ModelError, match="not part of this system"):
        s.add(po.Feedback(pd, motors, [s["j1"].angle]))


def test_errors_of_runs():
    with pytest.raises(po.SettingsError, match="sampled every 0.025 s, which is not a multiple of the step of 0.01 s"):
        po.simulate(sampled(0.025), 0.1, step=0.01)
    with pytest.raises(po.SettingsError, match="start at a multiple of the step"):
        po.simulate(sampled(), 0.1, step=0.01, start=0.003)


def small(t, x, p, u):
    u[2] = 1.0


def none(t, x, p, u):
    u[0] = np.inf


def returns(t, x, p, u):
    return x[0]


@pytest.mark.parametrize("period", [None, 0.02])
@pytest.mark.parametrize(
    "law, error, words",
    [(small, IndexError, "bounds"), (none, po.CallbackError, "not finite"), (returns, po.CallbackError, "must fill its efforts u")],
)
def test_laws_that_fail_say_so_at_the_start(law, error, words, period):
    s, (j1, _), motors = arm()
    s.add(po.Feedback(law, motors, [j1.angle], name="c", period=period))
    with pytest.raises(error, match=words) as caught:
        po.simulate(s, 0.1, step=0.01)
    assert "feedback 'c'" in "".join([str(caught.value), *getattr(caught.value, "__notes__", [])])


@pytest.mark.parametrize("period", [None, 0.02])
@pytest.mark.parametrize("formulation", ["tree", "directors"])
def test_laws_that_fail_later_leave_the_results_so_far(period, formulation):
    s, (j1, _), motors = arm()

    def law(t, x, p, u):
        u[0] = 1.0 if t < 0.05 else np.inf

    s.add(po.Feedback(law, motors, [j1.angle], name="c", period=period))
    with pytest.raises(po.CallbackError, match="not finite") as caught:
        po.simulate(s, 0.1, step=0.01, formulation=formulation)
    assert 0.02 < caught.value.trajectory.t[-1] <= 0.07
