"""The process that helps to compile, and what users see in the meantime."""

import ast
import io
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from poinsot import _sources, build, warmup
from poinsot import notice as notices
from poinsot.formulations.registry import FORMULATIONS

RATES, OWN = FORMULATIONS["tree"].runs, FORMULATIONS["directors"].runs
STILL = "import sys; sys.stdin.readline(); import time; time.sleep(600)"


@pytest.fixture
def launched(monkeypatch, tmp_path):
    """Start a helper that runs given code; kernels count as missing, and importing them takes no time."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(warmup, "_helpers", [])
    monkeypatch.setattr(warmup, "_seen", set())
    monkeypatch.setattr(warmup, "MOST", 1)
    monkeypatch.setattr(warmup.os, "sched_getaffinity", lambda _: {0, 1}, raising=False)

    def launch(code):
        monkeypatch.setattr(warmup, "HELPER", code)
        warmup.start()
        return warmup._helpers[0] if warmup._helpers else None

    yield launch
    warmup.stop()


@pytest.fixture
def compiled(monkeypatch):
    """The modules that this process compiles."""
    found = []
    monkeypatch.setattr(build, "import_module", found.append)
    monkeypatch.setattr(build.Build, "__init__", forgetful(build.Build.__init__))
    return found


def forgetful(make):
    """Builds that do not see what was imported before."""

    def __init__(self, folder, modules):
        make(self, folder, modules)
        for path in folder.glob(f"*{build.DONE}"):
            path.unlink()

    return __init__


def gone(process):
    """Neither running nor a zombie."""
    try:
        os.kill(process.pid, 0)
    except ProcessLookupError:
        return True
    return False


def needed(modules):
    return set(build.compiling_modules([*modules, warmup.EVERY_RUN]))


def test_what_a_helper_without_progress_has_taken_is_compiled_here_and_it_is_ended(launched, compiled, monkeypatch):
    monkeypatch.setattr(warmup, "PATIENCE", 0.5)
    helper = launched(STILL)
    (warmup._folder / f"{warmup.EVERY_RUN}{build.TAKEN}").touch()
    warmup.compile_ahead(RATES)
    assert gone(helper) and not warmup._helpers and set(compiled) == needed(RATES)


@pytest.mark.parametrize("when", ["before it is told", "while it works"])
def test_a_helper_that_was_killed_is_waited_for(launched, compiled, when):
    helper = launched(STILL)
    folder = warmup._folder
    (folder / f"{warmup.EVERY_RUN}{build.TAKEN}").touch()
    if when == "before it is told":
        helper.kill()
        time.sleep(0.2)
    else:
        threading.Timer(0.5, helper.kill).start()
    began = time.monotonic()
    warmup.compile_ahead(OWN)
    assert gone(helper) and not warmup._helpers and set(compiled) == needed(OWN) and time.monotonic() - began < 30
    assert not folder.exists()


def test_a_helper_that_nobody_needs_ends_with_its_process(launched):
    helper = launched(STILL)
    warmup.stop()
    assert gone(helper)
    warmup.stop()


def test_a_copy_of_the_process_leaves_the_helper_alone(launched, monkeypatch):
    helper = launched(STILL)
    with monkeypatch.context() as patch:
        patch.setattr(warmup, "_owner", os.getpid() + 1)
        warmup.compile_ahead(RATES)
        warmup.stop()
    assert helper.poll() is None


def test_no_helper_where_kernels_are_on_disk(launched, compiled, tmp_path):
    names = [one for module in (warmup.EVERY_RUN, *RATES) for one in warmup._compiling(module)]
    (tmp_path / "integrators_1").mkdir()
    for stamp in (_sources.stamp(_sources.module_file(name)) for name in names):
        (tmp_path / "integrators_1" / f"march.march-1.py312-{stamp}.nbi").write_text("")
    assert launched(STILL) is None
    warmup.compile_ahead(RATES)
    assert not compiled
    warmup.compile_ahead(OWN)  # its step is not there
    assert compiled


RUNS = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from loops import four_bar
from systems import chain, pendulum, po
from poinsot import _sources, build, warmup
from poinsot.formulations.registry import FORMULATIONS, find
from poinsot.layout.freeze import freeze
told, ahead = [], warmup.compile_ahead
warmup.compile_ahead = told.extend
def systems(name):
    return [s for s in (four_bar(), chain(2), pendulum()) if not find(name).accepts(freeze(s))]
"""


@pytest.mark.parametrize("name", FORMULATIONS)
def test_first_runs_compile_nothing_on_their_own_and_nothing_in_vain(name):
    """What is not compiled ahead, one process would compile while the others have nothing to do; what is, runs must need."""
    code = f"""
name, entry = {name!r}, FORMULATIONS[{name!r}]
runs = [(system, {{"step": 0.01, "formulation": name}}) for system in systems(name)]
runs += [(system, {{"formulation": name}}) for system in systems(name) if name != "directors"]
runs += [(four_bar(), {{"step": 0.01, "formulation": name + ":spatial"}})] if hasattr(find(name), "variant") and entry.planar else []
for system, settings in runs:
    before = set(sys.modules)
    po.simulate(system, 0.02, progress=False, **settings).energy
    late = {{module for module in set(sys.modules) - before if module.startswith("poinsot.") and _sources.compiles(module)}}
    late -= set(build.compiling_modules([*told, warmup.EVERY_RUN]))
    assert not late, (system.name, settings, late)
named = (*told, entry.module, *entry.runs, *entry.closed, *entry.planar)
assert told and not [module for module in named if module not in sys.modules]
"""
    subprocess.run([sys.executable, "-c", RUNS + code], check=True, timeout=600)


RECORDED = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
import poinsot as po
import poinsot.algebra.compile as settings
from poinsot import warmup
warmup.start = warmup.compile_ahead = lambda *_: None
found = []
def recording(plain):
    return lambda signature: lambda f: found.append((f.__module__, f.__name__)) or plain(signature)(f)
for name in ("compiled", "handed", "internal"):
    setattr(settings, name, recording(getattr(settings, name)))
from loops import four_bar
from systems import chain
"""
# last parts of names of modules that few methods need
OF_FEW = ("nearby", "once", "by_freedoms", "corrections", "momentum_kernels", "stiffness", "lanes")


def kernels_of(run):
    """Whole kernels that a process compiles for this run, if none is on disk."""
    done = subprocess.run([sys.executable, "-c", RECORDED + run + "\nprint(found)"], capture_output=True, text=True, check=True, timeout=600)
    return ast.literal_eval(done.stdout)


@pytest.mark.parametrize(
    "run, count",
    [
        ("po.simulate(chain(4), 0.02, step=0.01).energy", 21),
        ("po.simulate(four_bar(), 0.02, step=0.01).energy", 25),
        ("po.simulate(four_bar(), 0.02).energy", 29),
        ("po.simulate(four_bar(), 0.02, formulation='tree:spatial').energy", 39),
    ],
)
def test_first_runs_compile_no_kernels_for_others(run, count):
    """Neither what only other methods call, nor what other systems need: kernels are counted."""
    found = kernels_of(run)
    modules = {module for module, _ in found}
    assert not [name for name in modules if name.rpartition(".")[2] in OF_FEW]
    assert "poinsot.analysis.skyline" not in modules or "four_bar" in run
    assert len(found) == count, sorted(found)


def test_methods_that_take_rates_nearby_and_single_corrections_compile_them():
    """Where few motions are free neither, but what takes the place of both."""
    many = "import poinsot.formulations.tree.loops.freedoms as few; few.MOST_FREE = 0; "
    modules = {module for module, _ in kernels_of(many + "po.simulate(four_bar(), 0.02, integrator='adams').energy")}
    assert {f"poinsot.formulations.tree.plane.loops.{name}" for name in ("nearby", "once")} <= modules
    assert "poinsot.formulations.tree.plane.loops.by_freedoms" not in modules
    modules = {module for module, _ in kernels_of("po.simulate(four_bar(), 0.02, integrator='adams').energy")}
    assert not {f"poinsot.formulations.tree.plane.loops.{name}" for name in ("nearby", "once")} & modules
    assert "poinsot.formulations.tree.plane.loops.by_freedoms" in modules
    modules = {module for module, _ in kernels_of("po.simulate(four_bar(), 0.02, integrator='dopri5').energy")}
    assert "poinsot.formulations.tree.plane.loops.nearby" in modules and "poinsot.formulations.tree.plane.loops.once" not in modules


class Terminal(io.StringIO):
    def isatty(self):
        return True


def told(monkeypatch, stream, count=3):
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(notices, "IN_PLACE", 0.0)
    monkeypatch.setattr(notices, "IN_LINES", 0.0)
    notice = notices.Notice()
    for _ in range(count):
        notice.begin()
        notice.count()
    notice.end()
    return stream.getvalue()


def test_a_terminal_shows_a_count_that_goes(monkeypatch):
    text = told(monkeypatch, Terminal())
    first, rest = text.split("\n")
    assert first.startswith("poinsot: compiling kernels; this takes some seconds")
    assert "\r\x1b[Kpoinsot: compiled 3 of about " in rest and rest.endswith("\r\x1b[K")


def test_a_notebook_shows_lines(monkeypatch):
    """Its stderr is not a terminal."""
    lines = told(monkeypatch, io.StringIO()).splitlines()
    assert len(lines) == 4 and "compiling kernels" in lines[0] and lines[3].startswith("poinsot: compiled 3 of about ")
    assert not any("\x1b" in line or "\r" in line for line in lines)


def test_nothing_is_said_when_nothing_is_compiled(monkeypatch):
    assert told(monkeypatch, io.StringIO(), 0) == ""
    monkeypatch.setattr(sys, "stderr", None)  # as in programs without a console
    notice = notices.Notice()
    notice.begin()
    notice.count()
    notice.end()


def test_the_helper_ends_when_its_parent_is_killed():
    code = f"""
import time
from poinsot import warmup
from poinsot.formulations.registry import FORMULATIONS
warmup.HELPER = {STILL.replace("import time; time.sleep(600)", "pass")!r}
warmup._kept = lambda module: False
warmup.os.sched_getaffinity = lambda _: {{0, 1}}
warmup.start()
print(warmup._helpers[0].pid, flush=True)
time.sleep(600)
"""
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    helper = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    parent.stdout.close()
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            os.kill(helper, 0)
        except ProcessLookupError:
            return
        with open(f"/proc/{helper}/stat") as file:
            if file.read().split(") ")[1][0] == "Z":  # nobody waits for orphans here
                return
        time.sleep(0.1)
    pytest.fail("the helper still runs")
