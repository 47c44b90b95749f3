"""Users' functions: all of Python is allowed, faults are reported before a run, and nothing they do corrupts it."""

import functools
import os
import re
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from hostile import ARITY, RAISES, WRONG, ordinary, pendulum, run, waits, yields

import poinsot as po

STREAMED = [False, True]


def settings_of(streamed, tmp_path):
    return {"stream": tmp_path / "run.h5"} if streamed else {}


@pytest.mark.parametrize("name", ordinary())
def test_ordinary_python_gives_the_same_run(name):
    reference = run(pendulum(lambda t: np.sin(t)))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        mine = run(pendulum(ordinary()[name]))
    assert not said
    assert mine["motor"].effort == pytest.approx(np.sin(mine.t), abs=1e-8 if name == "spline" else 1e-15)
    assert mine["hinge"].angle == pytest.approx(reference["hinge"].angle, abs=1e-8 if name == "spline" else 1e-14)


@pytest.mark.parametrize("streamed", STREAMED)
@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_number_is_named_before_the_run(name, streamed, tmp_path):
    law, words = WRONG[name]
    with pytest.raises(po.CallbackError, match=re.escape(words)) as caught:
        run(pendulum(law), **settings_of(streamed, tmp_path))
    assert "motor 'motor'" in str(caught.value) and "hostile.py" in str(caught.value)
    assert len(caught.value.trajectory) == 1 and not list(tmp_path.iterdir())
    assert "0 steps" in str(caught.value.trajectory.audit) and len(caught.value.trajectory["hinge"].angle) == 1


@pytest.mark.parametrize("streamed", STREAMED)
@pytest.mark.parametrize("name", RAISES)
def test_an_exception_at_the_start_is_the_functions_own(name, streamed, tmp_path):
    law, kind = RAISES[name]
    with pytest.raises(kind) as caught:
        run(pendulum(law), **settings_of(streamed, tmp_path))
    assert any("motor 'motor'" in note and "hostile.py" in note for note in caught.value.__notes__)
    assert len(caught.value.trajectory) == 1 and not list(tmp_path.iterdir())
    assert "0 steps" in str(caught.value.trajectory.audit) and len(caught.value.trajectory["hinge"].angle) == 1


@pytest.mark.parametrize("streamed", STREAMED)
@pytest.mark.parametrize("name", sorted(RAISES.keys() - {"recursion", "interrupt"}))
@pytest.mark.parametrize("formulation", ["tree", "directors"])
def test_an_exception_in_the_middle_is_the_functions_own(name, formulation, streamed, tmp_path):
    law, kind = RAISES[name]

    def late(t):
        return law(t) if t > 0.031 else 0.0

    with pytest.raises(kind) as caught:
        run(pendulum(late), formulation=formulation, **settings_of(streamed, tmp_path))
    assert any("motor 'motor'" in note for note in caught.value.__notes__)
    assert caught.value.trajectory.t[-1] == pytest.approx(0.03) and "3 steps" in str(caught.value.trajectory.audit)
    if streamed:
        assert len(po.load(tmp_path / "run.h5")) == 4


@pytest.mark.parametrize("streamed", STREAMED)
def test_an_exception_at_an_output_alone(streamed, tmp_path):
    """No stage of the method falls on an output: only outputs, and results computed later, are evaluated there."""

    def law(t):
        if t == 0.03:
            raise LookupError("not here")
        return 0.0

    if streamed:
        with pytest.raises(LookupError, match="not here") as caught:
            run(pendulum(law), stream=tmp_path / "run.h5")
        assert "motor 'motor'" in caught.value.__notes__[0] and "t = 0.03 s" in caught.value.__notes__[0]
        assert len(caught.value.trajectory) >= 1 and len(po.load(tmp_path / "run.h5")) >= 1
    else:
        found = run(pendulum(law))
        assert np.all(np.isfinite(found.energy))
        with pytest.raises(po.CallbackError, match="motor 'motor'.*output at t = 0.03 s: LookupError: not here") as caught:
            _ = found["motor"].effort
        assert isinstance(caught.value.__cause__, LookupError)


@pytest.mark.parametrize("name", ARITY)
def test_other_arguments_are_a_fault_of_the_model(name):
    s = pendulum(ARITY[name])
    with pytest.raises(po.ModelError, match=r"motor 'motor': its function takes the wrong arguments, lambda.*f\(t\) or f\(t, coordinate, rate\)"):
        run(s)
    assert not s.check().ok
    with pytest.raises(po.ModelError, match=r"user 'user'|user force 'user': .*f\(t, x, params, out\)"):
        run(pendulum(force=ARITY[name] if name != "four" else lambda t, x, params: None))
    with pytest.raises(po.ModelError, match=r"force 'push': its function takes the wrong arguments"):
        run(pendulum(vector=ARITY[name]))
    with pytest.raises(po.ModelError, match="takes the wrong arguments"):
        pendulum(signal=ARITY[name])
    with pytest.raises(po.SettingsError, match=r"until= takes the wrong arguments.*g\(t, state\)"):
        run(pendulum(), until=ARITY[name] if name != "two" else lambda t: 1.0)


def test_wrappers_are_called_as_they_ask_to_be():
    def feedback(t, angle, rate):
        return -2.0 * angle

    def scaled(t, gain):
        return gain * t

    @functools.wraps(scaled)
    def one(t):
        return scaled(t, 3.0)

    @functools.wraps(feedback)
    def through(*arguments):
        return feedback(*arguments)

    assert run(pendulum(one))["motor"].effort == pytest.approx(3.0 * np.arange(6) / 100)
    for law in (through, functools.cache(feedback), functools.partial(feedback), lambda t, angle, rate, k=2.0: -k * angle):
        found = run(pendulum(law))
        assert found["motor"].effort == pytest.approx(-2.0 * found["hinge"].angle)
    assert run(pendulum(lambda t, k=4.0, w=2.0: k * w))["motor"].effort == pytest.approx(8.0)


@pytest.mark.parametrize("law", [waits, yields])
def test_functions_that_only_promise_a_number(law):
    with pytest.raises(po.ModelError, match=f"motor 'motor': .*{'async' if law is waits else 'uses yield'}"):
        run(pendulum(law))


VECTORS = {
    "two": lambda t: (1.0, 2.0),
    "four": lambda t: (1.0, 2.0, 3.0, 4.0),
    "number": lambda t: 1.0,
    "column": lambda t: np.zeros((3, 1)),
    "array of four": lambda t: np.zeros(4),
    "list of two": lambda t: [1.0, 2.0],
    "text": lambda t: "123",
    "none inside": lambda t: (1.0, None, 2.0),
    "nan inside": lambda t: (1.0, np.nan, 2.0),
    "none": lambda t: None,
}


@pytest.mark.parametrize("vector", VECTORS.values(), ids=VECTORS)
@pytest.mark.parametrize("formulation", ["tree", "directors"])
def test_vectors_have_as_many_numbers_as_they_should(vector, formulation):
    with pytest.raises(po.CallbackError, match="the function of force 'push' "):
        run(pendulum(vector=vector), formulation=formulation)


@pytest.mark.parametrize("formulation", ["tree", "directors"])
def test_vectors_of_any_kind(formulation):
    good = [lambda t: (1, 2.0, 3.0), lambda t: [1.0, 2.0, 3.0], lambda t: np.array([1.0, 2.0, 3.0]), lambda t: (np.array([1.0]), 2, np.float32(3))]
    runs = [run(pendulum(vector=f), formulation=formulation) for f in good]
    for each in runs:
        assert each["push"].effort == pytest.approx(np.tile([1.0, 2.0, 3.0], (6, 1)), abs=0)


def returns_wrench(t, x, params, out):
    return np.array([[1.0, 0, 0, 0, 0, 0]])


def returns_number(t, x, params, out):
    return 5


def writes_state(t, x, params, out):
    x[:] = 5.0


def writes_parameter(t, x, params, out):
    params[0] += 1.0
    out[0, 0] = params[0]


def writes_text(t, x, params, out):
    out[0, 0] = "a"


def writes_nan(t, x, params, out):
    out[0, 5] = np.nan


def resizes(t, x, params, out):
    out.resize((0,))


def reshapes(t, x, params, out):
    out.shape = (6, 1)


FORCES = {
    returns_wrench: (po.CallbackError, "must fill `out`"),
    returns_number: (po.CallbackError, "must fill `out`"),
    writes_state: (ValueError, "read-only"),
    writes_parameter: (ValueError, "read-only"),
    writes_text: (ValueError, "could not convert"),
    writes_nan: (po.CallbackError, r"out\[0, 5\]"),
    resizes: (ValueError, "resize"),
    reshapes: (po.CallbackError, "shape"),
}


@pytest.mark.parametrize("formulation", ["tree", "directors"])
@pytest.mark.parametrize("force", FORCES)
def test_forces_fill_out_and_change_nothing_else(force, formulation):
    kind, words = FORCES[force]
    with pytest.raises(kind, match=words) as caught:
        run(pendulum(force=force), formulation=formulation)
    assert "user force 'user'" in str(caught.value) + "".join(caught.value.__notes__)


def test_a_force_may_return_out_and_keep_what_it_was_given():
    seen = []

    def force(t, x, params, out):
        out[0, 2] = 3.0
        seen[:] = [x]
        return out

    def plain(t, x, params, out):
        out[0, 2] = 3.0

    mine = run(pendulum(force=force))
    assert np.array_equal(mine.raw, run(pendulum(force=plain)).raw)
    assert np.all(np.isfinite(seen[0])) and abs(np.linalg.norm(seen[0][0, 3:7]) - 1.0) < 1e-12


OUT_OF_BOUNDS = {
    "row": "out[1, 0] = 1.0",
    "column": "out[0, 7] = 1.0",
    "negative row": "out[-2, 0] = 1.0",
    "negative column": "out[0, -7] = 1.0",
    "many rows": "for k in range(100000): out[k, 0] = 1.0",
    "computed": "out[int(t * 1e9) + 1, 0] = 1.0",
    "parameter": "out[0, 0] = params[3]",
    "negative parameter": "out[0, 0] = params[-2]",
    "far state": "out[0, 0] = x[100000, 3]",
    "column of a state": "out[0, 0] = x[0, 13]",
    "own array": "a = np.zeros(3); out[0, 0] = a[int(t) + 5]",
    "write to an own array": "a = np.zeros(3); a[int(t) + 50000000] = 1.0; out[0, 0] = a[0]",
    "global array": "out[0, 0] = TABLE[int(t) + 3]",
    "array of places": "out[0, 0] = TABLE[np.array([1, 7])][0]",
    "flat": "out[0, 0] = out.ravel()[int(t) + 6]",
    "compiled helper": "out[0, 0] = helper(int(t) + 1000000)",
    "empty slice": "out[0, 0] = TABLE[5:][0]",
    "list": "a = [1.0, 2.0]; out[0, 0] = a[int(t) + 2]",
    "tuple": "a = (1.0, 2.0); out[0, 0] = a[int(t) + 2]",
}
HEAD = """
import numpy as np, numba
from hostile import pendulum, run
TABLE = np.array([1.0, 2.0, 3.0])
@numba.njit
def helper(k):
    return TABLE[k]
def tried(force, late, formulation):
    try:
        run(pendulum(force=force), formulation=formulation)
        return "ran"
    except IndexError as error:
        assert "user force 'user' (`force`, " in error.__notes__[0], error.__notes__
        assert f"program.py:{force.__code__.co_firstlineno + 2}" in error.__notes__[0], error.__notes__
        assert len(error.trajectory) == (4 if late else 1), len(error.trajectory)
        return "named"
"""
CASE = """
def force(t, x, params, out):
    if t >= {begin}:
        {line}
print("{name}:", tried(force, {begin} > 0, "{formulation}"), flush=True)
"""


@pytest.mark.parametrize("begin, formulation", [(0.0, "directors"), (0.0301, "tree")])
def test_no_index_reaches_beyond_an_array(begin, formulation, tmp_path):
    """In a process of its own, which must not crash."""
    program = tmp_path / "program.py"
    cases = [CASE.format(begin=begin, line=line, name=name, formulation=formulation) for name, line in OUT_OF_BOUNDS.items()]
    program.write_text(HEAD + "".join(cases))
    path = os.pathsep.join([str(Path(po.__file__).parents[1]), str(Path(__file__).parent)])
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=300, env={**os.environ, "PYTHONPATH": path})
    assert done.stdout.splitlines() == [f"{name}: named" for name in OUT_OF_BOUNDS], done.stderr[-2000:]
    assert done.returncode == 0
