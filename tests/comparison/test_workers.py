"""Processes: the same numbers as without them; one that dies costs its own piece; Ctrl-C leaves what is done."""

import multiprocessing
import os
import signal
import time

import numpy as np
import pytest
from test_compare import double_pendulum

import poinsot as po
from poinsot.comparison import compare as module
from poinsot.comparison.workers import Crash, Piece, results


def square(task, x):
    return task * x**2


def die(task, x):
    os.kill(os.getpid(), signal.SIGKILL)


def fail(task, x):
    raise ValueError("wrong number")


def linger(task, x):
    time.sleep(30)


def test_pieces_are_done_by_several_processes():
    pieces = [Piece(square, (k,), str(k % 3)) for k in range(20)]
    for workers in (1, 2, 3):
        assert dict(results(2, pieces, workers)) == {k: 2 * k**2 for k in range(20)}
    assert not multiprocessing.active_children()


def test_a_process_that_dies_costs_one_piece():
    pieces = [Piece(die if k == 3 else fail if k == 5 else square, (k,), "same") for k in range(8)]
    found = dict(results(1, pieces, 2))
    assert isinstance(found[3], Crash) and "ended unexpectedly (exit code -9)" in str(found[3])
    assert isinstance(found[5], Crash) and "wrong number" in str(found[5])
    assert {k: v for k, v in found.items() if k not in (3, 5)} == {k: k**2 for k in (0, 1, 2, 4, 6, 7)}


def test_processes_end_when_nobody_listens():
    work = results(1, [Piece(square, (1,), "a"), Piece(linger, (1,), "b")], 2)
    began = time.monotonic()
    assert next(work) == (0, 1)
    work.close()
    assert time.monotonic() - began < 10 and not multiprocessing.active_children()


CHOSEN = {"formulations": ["tree", "newton-euler"], "integrators": ["rk4", "gauss2"], "steps": [0.02, 0.01], "progress": False}



def test_the_number_of_processes_does_not_change_the_numbers():
    one, two = (po.compare(double_pendulum(), 0.4, workers=workers, **CHOSEN) for workers in (1, 2))
    for a, b in zip(one.rows, two.rows):
        assert (a.name, a.step, a.error, a.energy_drift, a.steps) == (b.name, b.step, b.error, b.energy_drift, b.steps)
        assert all(np.array_equal(a.curves[name], b.curves[name]) for name in a.curves)
    assert "one run at a time" in one.timing and "up to 2 runs at a time" in two.timing


def test_ctrl_c_leaves_what_is_done(monkeypatch):
    real, seen = module.results, []

    def interrupted(task, pieces, workers):
        for k, result in real(task, pieces, workers):
            if len(seen) == 6:
                raise KeyboardInterrupt
            seen.append(k)
            yield k, result

    monkeypatch.setattr(module, "results", interrupted)
    with pytest.raises(KeyboardInterrupt) as stopped:
        po.compare(double_pendulum(), 0.4, workers=2, **CHOSEN)
    part = stopped.value.comparison
    assert not part.complete and "unfinished" in str(part) and 0 < len(part.rows) < 8
    assert not multiprocessing.active_children() and "of 8 runs" in stopped.value.__notes__[0]
