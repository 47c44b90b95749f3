"""Functions with memory, integers that overflow, misbehaving functions: none of them falsifies a run silently."""

import math
import time
import warnings

import numpy as np
import pytest
from hostile import pendulum, run

import poinsot as po

TOTAL = 0.0
GAIN = np.array([2.0])


class Integral:
    """A PI controller that integrates in Python, with the time since its last call."""

    def __init__(self):
        self.t = self.sum = 0.0

    def __call__(self, t, angle, rate):
        self.sum += (angle - 0.3) * (t - self.t)
        self.t = t
        return -2.0 * (angle - 0.3) - 5.0 * self.sum


class Counted(Integral):
    """The same, with a fixed sampling time."""

    def law(self, t, angle, rate):
        self.sum += angle * 1e-3
        return -5.0 * self.sum


class Latch:
    """Switches on for good beyond an angle that is near."""

    on = False

    def __call__(self, t, angle, rate):
        self.on = self.on or angle > 0.35
        return -1.0 if self.on else 0.0


def with_global(t):
    global TOTAL
    TOTAL += 1e-3
    return TOTAL


def with_default(t, kept=[0.0]):  # noqa: B006
    kept[0] += 1e-3
    return kept[0]


def with_closure():
    total = 0.0

    def law(t):
        nonlocal total
        total += 1e-3
        return total

    return law


def with_attribute(t):
    with_attribute.total = getattr(with_attribute, "total", 0.0) + 1e-3
    return with_attribute.total


def with_generator():
    numbers = iter(np.linspace(0.0, 1.0, 10_000))
    return lambda t: next(numbers)


def with_seed():
    rng = np.random.default_rng(1)
    return lambda t: rng.normal()


BEGAN = time.perf_counter()
MEMORY = {
    "integral over time": lambda: Integral(),
    "integral over calls": lambda: Counted().law,
    "latch": lambda: Latch(),
    "global": lambda: with_global,
    "default": lambda: with_default,
    "closure": with_closure,
    "attribute": lambda: with_attribute,
    "iterator": with_generator,
    "generator of random numbers": with_seed,
    "random numbers": lambda: lambda t: np.random.normal(),  # noqa: NPY002
    "random numbers, compiled": lambda: lambda t: np.random.random() * t + 1.0,  # noqa: NPY002
    "clock": lambda: lambda t: time.perf_counter() - BEGAN,  # a large offset would hide its change
}


@pytest.mark.parametrize("name", MEMORY)
def test_a_law_with_memory_is_refused(name, tmp_path):
    with pytest.raises(po.ModelError, match="(?s)motor 'motor': its function gives .* and then .* for the same arguments.*np.interp.*run.state"):
        run(pendulum(MEMORY[name]()), stream=tmp_path / "run.h5")
    assert not list(tmp_path.iterdir())


def test_forces_and_signals_with_memory_are_refused():
    seen = []

    def force(t, x, params, out):
        seen.append(t)
        out[0, 0] = 1e-3 * len(seen)

    with pytest.raises(po.ModelError, match="user force 'user': its function gives"):
        run(pendulum(force=force))
    with pytest.raises(po.ModelError, match="force 'push': its function gives"):
        run(pendulum(vector=lambda t: np.random.normal(size=3)))  # noqa: NPY002
    s = pendulum(signal=lambda t: 0.1 + 1e-3 * len(seen))
    run(s)
    with pytest.raises(po.ModelError, match="motion 'motion': its function gives"):
        run(pendulum(signal=lambda t: seen.append(t) or 1e-9 * len(seen)))


def test_a_record_of_calls_is_no_record_of_the_run():
    calls = []

    def law(t):
        calls.append(t)
        return 0.5

    with pytest.warns(po.FunctionWarning, match="motor 'motor': its function writes to calls"):
        mine = run(pendulum(law))
    assert np.array_equal(mine.raw, run(pendulum(lambda t: 0.5)).raw) and len(calls) > 6 * len(mine)


def test_what_starts_from_the_last_result_may_differ_by_rounding():
    guess = [1.0]

    def root(t):
        for _ in range(40):
            guess[0] = 0.5 * (guess[0] + (2.0 + t) / guess[0])
        guess[0] *= 1.0 + 1e-13
        return guess[0]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", po.FunctionWarning)
        assert run(pendulum(root))["motor"].effort[0] == pytest.approx(math.sqrt(2.0))


def test_an_out_that_is_not_filled_is_noticed():
    def force(t, x, params, out):
        out = np.ones((1, 6))  # noqa: F841

    def in_place(t, x, params, out):
        out *= 0.0

    with pytest.warns(po.FunctionWarning, match=r"user force 'user': .* gives no force; fill it"):
        run(pendulum(force=force))
    run(pendulum(force=in_place))


def test_a_law_that_changes_on_the_way_is_told_after_the_run(tmp_path):
    """A latch that only the motion itself reaches: no check before the run can find it."""

    def make():
        state = {"on": False}

        def law(t, angle, rate):
            state["on"] = state["on"] or angle < -0.25
            return 1.0 if state["on"] else 0.0

        return law

    for settings in ({}, {"stream": tmp_path / "run.h5"}):
        with pytest.raises(po.CallbackError, match="motor 'motor': its function changed during the run") as caught:
            run(pendulum(make()), duration=1.0, **settings)
        assert len(caught.value.trajectory) == 101


def test_what_a_controller_keeps_is_updated_between_runs():
    """The remedy of the message, one sampling time after the other."""
    kept = {"sum": 0.0}
    found, s = None, pendulum(lambda t, angle, rate: -5.0 * kept["sum"])
    ready = po.prepare(s, step=0.01)
    for _ in range(5):
        found = ready.run(0.02, state=None if found is None else found.state())
        kept["sum"] += 0.02 * found["hinge"].angle[-1]
    assert found.t[-1] == pytest.approx(0.1) and kept["sum"] > 0.02


# whole numbers


def factorial(t):
    n = 1
    for k in range(1, 30):
        n *= k
    return n * 1e-30 + t


def power_of_time(t):
    return int(1e6 * t) ** 4 * 1e-24


def doubled(t):
    n = 1
    for _ in range(70):
        n = n + n
    return n * 1e-21


def converted(t):
    return int((t + 1.0) * 1e30) * 1e-30


LARGE = {
    "constant": (lambda t: 2**70, lambda t: 2.0**70 + 0 * t),
    "negative constant": (lambda t: -(2**63) - 1, lambda t: -(2.0**63) + 0 * t),
    "constant in a product": (lambda t: 10**20 * 1e-20, lambda t: 1.0 + 0 * t),
    "power": (lambda t: (int(t) + 10) ** 30 * 1e-30, lambda t: 1.0 + 0 * t),
    "shift": (lambda t: (int(t) + 1) << 70, lambda t: 2.0**70 + 0 * t),
    "negative power": (lambda t: (int(t) + 10) ** (int(t) - 1), lambda t: 0.1 + 0 * t),
    "factorial": (factorial, lambda t: math.factorial(29) * 1e-30 + t),
    "power of time": (power_of_time, lambda t: np.floor(1e6 * t) ** 4 * 1e-24),
    "doubled": (doubled, lambda t: 2.0**70 * 1e-21 + 0 * t),
    "converted": (converted, lambda t: 1.0 + t),
    "alternating": (lambda t: (-1) ** int(100 * t + 0.5), lambda t: (-1.0) ** np.floor(100 * t + 0.5)),
}


@pytest.mark.parametrize("formulation", ["tree", "directors"])
@pytest.mark.parametrize("name", LARGE)
def test_whole_numbers_have_any_size(name, formulation):
    law, expected = LARGE[name]
    strong = abs(expected(0.0)) > 1e6  # a short run, then
    found = run(pendulum(law), duration=1e-15 if strong else 0.02, step=1e-16 if strong else 1e-3, formulation=formulation)
    assert found["motor"].effort == pytest.approx(expected(found.t), rel=1e-12)


def test_alternating_signs_are_compiled():
    from poinsot.layout.freeze import freeze

    def series(t):
        total = 0.0
        for k in range(1, 20):
            total += (-1) ** k * math.sin(k * t) / k
        return total

    assert freeze(pendulum(series)).loads.callbacks[0].compiled
    assert not freeze(pendulum(LARGE["power"][0])).loads.callbacks[0].compiled


@pytest.mark.parametrize("formulation", ["tree", "directors"])
def test_a_compiled_law_sees_what_changed_around_it(formulation):
    """Numba uses global variables of a function as they were when it was compiled; Python uses their present values."""
    GAIN[0] = 2.0
    ready = po.prepare(pendulum(lambda t: GAIN[0]), step=0.01, formulation=formulation)
    assert ready.run(0.02)["motor"].effort == pytest.approx(2.0, abs=0)
    GAIN[0] = 3.0
    assert ready.run(0.02)["motor"].effort == pytest.approx(3.0, abs=0)


def test_single_precision_is_that_of_python():
    def law(t):
        return np.float32(0.1) * t

    found = run(pendulum(law))
    assert found["motor"].effort.tolist() == [float(law(t)) for t in found.t.tolist()]


# trouble


def test_a_law_may_run_another_simulation():
    def law(t):
        return float(run(pendulum(), 0.02).energy[0])

    found = run(pendulum(law), 0.03, integrator="rk4")
    assert found["motor"].effort == pytest.approx(run(pendulum(), 0.02).energy[0], abs=0)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # what is collected that deep in the stack
def test_a_law_that_runs_itself():
    systems = []

    def law(t):
        return float(run(systems[0], 0.02).energy[0])

    systems.append(pendulum(law))
    with pytest.raises(RecursionError) as caught:
        run(systems[0])
    assert any("motor 'motor'" in note for note in caught.value.__notes__)


@pytest.mark.parametrize("depth", range(10))
def test_the_fault_is_the_same_however_deep_it_is_found(depth):
    """Where calls end, nothing is said of values that are as they should be."""
    if depth:
        test_the_fault_is_the_same_however_deep_it_is_found(depth - 1)
        return
    test_a_law_that_runs_itself()


def test_looking_costs_little():
    calls = []

    def slow(t):
        calls.append(t)
        time.sleep(0.2)
        return 0.0

    ready = po.prepare(pendulum(slow), step=0.01)
    began = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ready.run(0.01, output_step=0.01)
    assert len(calls) < 60 and time.perf_counter() - began < 20.0
