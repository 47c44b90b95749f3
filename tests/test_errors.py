"""Errors keep their attributes between processes; those that cannot be pickled become None, and nothing hangs."""

import multiprocessing
import pickle

import numpy as np
import pytest

import poinsot as po
from loops import four_bar
from poinsot import errors
from systems import chain

CLASSES = [c for c in vars(errors).values() if isinstance(c, type) and issubclass(c, Exception)]
ARGUMENTS = {"ModelError": (["one", "two"],), "AssemblyError": ("open", {"knee": (0.1, 0.2)}), "RunError": ("stopped", None)}


def broken_loop():
    s = four_bar()
    s["base"].set(angle=0.5)
    s["knee"].set(angle=0.9)
    return s


def in_a_worker(what):
    """Raise an error in a process of a pool."""
    if what == "assembly":
        po.assemble(broken_loop())
    if what == "model":
        s = po.System("two faults", gravity=None)
        s.body("a", mass=-1.0)
        s.body("a", mass=1.0)
        po.simulate(s, 1.0, step=0.1)
    if what == "convergence":
        run = po.simulate(chain(2), 0.1, step=0.05)
        raise po.ConvergenceError("stages do not converge", run)
    raise po.SettingsError("no such thing")


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_every_error_comes_back(cls):
    error = cls(*ARGUMENTS.get(cls.__name__, ("message",)))
    error.add_note("a note")
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(error, protocol))
        assert type(again) is cls and str(again) == str(error) and again.args == error.args and vars(again) == vars(error)


def test_what_cannot_travel_stays_behind():
    run = po.simulate(chain(2), 0.1, step=0.05)
    error = po.ConvergenceError("stages do not converge", run)
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == "stages do not converge" and again.trajectory is None and error.trajectory is run
    odd = po.RunError("a function", lambda t: t)
    assert pickle.loads(pickle.dumps(odd)).trajectory is None


def test_a_pool_passes_errors_on():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        with pytest.raises(po.AssemblyError, match="cannot be assembled") as caught:
            pool.apply_async(in_a_worker, ("assembly",)).get(120)
        assert max(max(pair) for pair in caught.value.residuals.values()) > 1e-3
        with pytest.raises(po.ModelError) as caught:
            pool.apply_async(in_a_worker, ("model",)).get(60)
        assert len(caught.value.faults) == 2
        with pytest.raises(po.ConvergenceError) as caught:
            pool.apply_async(in_a_worker, ("convergence",)).get(60)
        assert caught.value.trajectory is None
        with pytest.raises(po.SettingsError, match="no such thing"):
            pool.apply_async(in_a_worker, ("settings",)).get(60)
        assert pool.apply_async(np.sum, ([1, 2],)).get(60) == 3  # the worker is still there
