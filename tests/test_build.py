"""Modules that several processes compile: each by one of them, after what it imports."""

import sys
import threading
import time

import pytest

from poinsot import _sources, build
from poinsot.formulations.registry import FORMULATIONS

GRAPH = {"a": set(), "b": {"a"}, "c": {"a"}, "d": {"a", "b", "c"}, "e": set(), "f": {"e", "a"}}


@pytest.fixture
def imported(monkeypatch):
    """Modules in the order in which their imports began and ended."""
    events = []

    def import_module(name):
        events.append(("begin", name))
        time.sleep(0.02)
        events.append(("end", name))

    monkeypatch.setattr(build, "compiling_modules", lambda modules: {name: set(below) for name, below in modules.items()})
    monkeypatch.setattr(build, "import_module", import_module)
    monkeypatch.setattr(build, "LOOK", 0.002)
    return events


def never():
    raise AssertionError("nobody else works")


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_every_module_is_compiled_once_after_what_it_imports(imported, tmp_path, workers):
    threads = [threading.Thread(target=build.Build(tmp_path, GRAPH).work, args=(lambda: True,)) for _ in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
        assert not thread.is_alive()
    assert sorted(name for what, name in imported if what == "begin") == sorted(GRAPH)
    for name, below in GRAPH.items():
        assert all(imported.index(("end", one)) < imported.index(("begin", name)) for one in below), name


def test_modules_that_import_each_other_are_compiled(imported, tmp_path):
    build.Build(tmp_path, {"a": {"b"}, "b": {"a"}, "c": {"a", "b"}}).work(never)
    assert [name for what, name in imported if what == "begin"][-1] == "c" and len(imported) == 6


def test_what_a_dead_process_had_taken_is_compiled_by_another(imported, tmp_path):
    (tmp_path / f"a{build.TAKEN}").touch()
    asked = iter([True, True, False])
    build.Build(tmp_path, GRAPH).work(lambda: next(asked))
    assert {name for _, name in imported} == set(GRAPH) and next(asked, None) is None


def test_modules_imported_before_are_not_waited_for(imported, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "a", build)
    build.Build(tmp_path, GRAPH).work(never)
    assert {name for _, name in imported} == set(GRAPH) - {"a"}


def test_modules_that_many_wait_for_come_first():
    order = build.by_urgency(build.compiling_modules([module for entry in FORMULATIONS.values() for module in entry.runs]))
    below = build.compiling_modules(order)
    assert len(order) > 8 and all(_sources.compiles(name) for name in order)
    assert all(order.index(one) < order.index(name) for name, ones in below.items() for one in ones if name not in below[one])
