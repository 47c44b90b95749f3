"""Objects that are no values at all, for every argument of every element and of runs: they are refused in words, wherever that is."""

import traceback

import numpy as np
import pytest

import poinsot as po
from poinsot.files.models.elements import entries
from poinsot.files.models.laws import LAW
from poinsot.files.models.numbers import DIRECTION, LIST, NUMBER, ROTATION, TRUTH, WORD
from poinsot.files.models.references import BODIES, BODY, COORDINATE, PART, PLACE, TARGET

GUARDS = ("model/guard.py", "model/words.py")
RUNS = ("step", "rtol", "atol", "tolerance", "output_step", "start", "state", "formulation", "integrator", "until", "events", "accuracy", "duration")


class Closed:
    """Cannot be looked into."""

    __module__ = None
    __slots__ = ()


class Failing:
    """Fails when it is looked into."""

    def __getattribute__(self, name):
        if name == "__class__":
            return Failing
        raise RuntimeError(name)


def odd():
    """Objects by name; some hold themselves, or have no end that can be reached."""
    own, known, deep = [], {}, ()
    own.append(own)
    known["a"] = known
    for _ in range(5000):
        deep = (deep,)
    record = np.ma.array([(1.0, 2.0)], dtype=[("a", float), ("b", float)])[0]
    missing = {"missing": np.ma.masked, "part missing": np.ma.array([1.0, 2.0, 3.0], mask=[0, 1, 0]), "list": [np.ma.masked] * 3, "record": record}
    return missing | {"pair": ("x", np.ma.masked), "own": own, "known": known, "deep": deep, "closed": Closed(), "failing": Failing(), "type": Closed}


ODD = odd()


def mechanism():
    s = po.System("s", gravity=(0, 0, -9.81))
    a, b = (s.body(name, po.Box(0.1, 0.2, 0.3, mass=1), position=(0, 0, k)) for k, name in enumerate("ab"))
    s.revolute(s.ground, a, at=(0, 0, 0), axis="y", name="j")
    s.spherical(a, b, at=(0, 0, 0.5), name="k")
    return s


def sane(entry, s):
    """Values for the arguments that an element needs."""
    kinds = {
        BODY: s["b"], PART: s["b"], BODIES: [s["b"]], PLACE: (0, 0, 0.7), NUMBER: 0.5, TARGET: s["j"], COORDINATE: s["j"].angle,
        ROTATION: (0, 0, 0.1), DIRECTION: "y", LAW: 0.3, WORD: "world", TRUTH: True, LIST: [0.5],
    }  # fmt: skip
    return {"mass": 1.0, "inertia": (1, 1, 1)} if entry.word == "body" else {name: kinds.get(entry.arguments[name]) for name in entry.required}


def in_words(call):
    """What a call returns; None if it refuses. Any other error is a fault."""
    try:
        return call()
    except po.PoinsotError as error:
        assert str(error).strip()
    except TypeError as error:
        if not traceback.extract_tb(error.__traceback__)[-1].filename.endswith(GUARDS):
            raise
    return None


@pytest.mark.parametrize("name", ODD)
def test_elements_refuse_it_in_words(name):
    for entry in entries().values():
        for argument in entry.arguments:
            s = mechanism()
            given = sane(entry, s) | {argument: ODD[name]} | ({"name": "q"} if entry.word == "body" else {})
            if in_words(lambda: entry.make(s, given)) is None:  # noqa: B023
                continue
            for call in (s.check, s.copy, s.to_yaml, lambda: po.simulate(s, 0.02, step=0.01, progress=False)):  # noqa: B023
                in_words(call)


@pytest.mark.parametrize("name", ODD)
def test_runs_refuse_it_in_words(name):
    for argument in RUNS:
        given = {"duration": 0.02, "step": 0.01} | ({"step": None} if argument in ("rtol", "atol", "accuracy") else {}) | {argument: ODD[name]}
        with pytest.raises((po.PoinsotError, TypeError), match=f"{argument}|event"):
            po.simulate(mechanism(), progress=False, **given)


@pytest.mark.parametrize("given", ["rtol", "atol"])
def test_numbers_of_any_precision_are_tolerances(given):
    single, run = np.float32(1e-6), po.simulate(mechanism(), 0.02, **{given: float(np.float32(1e-6))})
    for number in (single, np.longdouble(single)):
        assert np.array_equal(po.simulate(mechanism(), 0.02, **{given: number}).raw, run.raw)
