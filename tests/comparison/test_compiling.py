"""Compiling before a comparison: shared by the processes where kernels are missing, and not repeated where they are on disk."""

import os
from pathlib import Path

from test_compare import double_pendulum

from poinsot import _sources, warmup
from poinsot.comparison import compiling
from poinsot.formulations.registry import FORMULATIONS
from poinsot.layout.freeze import freeze

NAMES, METHODS = ["tree", "tree:momentum", "moving-frame", "newton-euler"], ["rk4", "gauss2"]


def shared(monkeypatch, missing, workers=2):
    """What processes are given when the kernels of these formulations are missing: names by kind."""
    modules, given = [FORMULATIONS[name].module for name in missing], {}

    def recorded(task, pieces, count):
        for piece in pieces:
            given.setdefault(piece.kind, []).append(piece.arguments[0])
        assert count == workers
        return iter(())

    monkeypatch.setattr(warmup, "compiled_before", lambda module: module not in modules)
    monkeypatch.setattr(compiling, "results", recorded)
    monkeypatch.setattr(compiling.notice, "begin", lambda: None)
    compiling.compile_ahead(freeze(double_pendulum()), NAMES, METHODS, workers)
    return given


def test_missing_kernels_are_shared_out(monkeypatch):
    found = shared(monkeypatch, ["tree", "moving-frame", "newton-euler"])
    assert found == {"0": ["tree", "tree:momentum"], "1": ["moving-frame", "newton-euler"], "integrators": METHODS}


def test_nothing_is_compiled_ahead_where_it_does_not_help(monkeypatch):
    assert not shared(monkeypatch, []) and not shared(monkeypatch, ["tree"]) and not shared(monkeypatch, ["tree", "moving-frame"], workers=1)


def test_kernels_on_disk_are_found(tmp_path, monkeypatch):
    """One file of the package in its present version is enough; none of another version is."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    module = FORMULATIONS["moving-frame"].module
    assert not warmup.compiled_before(module)
    kernels = _sources.module_file(f"{module}.rates")
    (tmp_path / "x").mkdir()
    Path(tmp_path / "x" / f"rates.f-1.py311-{'0' * 16}.nbi").touch()
    assert not warmup.compiled_before(module)
    Path(tmp_path / "x" / f"rates.f-1.py311-{_sources.stamp(kernels)}.nbi").touch()
    assert warmup.compiled_before(module)
    monkeypatch.delitem(os.environ, "NUMBA_CACHE_DIR")
    assert warmup.compiled_before(module)
