"""The process that helps to compile, and what users see in the meantime."""

import io
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from poinsot import notice as notices
from poinsot import warmup
from poinsot.formulations.registry import FORMULATIONS

RATES, OWN = FORMULATIONS["tree"].steps, FORMULATIONS["directors"].steps
STILL = "import sys; sys.stdin.readline(); import time; time.sleep(600)"


@pytest.fixture
def launched(monkeypatch, tmp_path):
    """Start a helper that runs given code; kernels count as missing."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(warmup, "_second", None)
    monkeypatch.setattr(warmup.os, "cpu_count", lambda: 2)

    def launch(code):
        monkeypatch.setattr(warmup, "SECOND", code)
        warmup.start()
        return warmup._second

    yield launch
    warmup.stop()


def gone(process):
    """Neither running nor a zombie."""
    try:
        os.kill(process.pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_a_helper_that_makes_no_progress_is_ended_and_waited_for(launched, monkeypatch):
    monkeypatch.setattr(warmup, "PATIENCE", 0.5)
    helper = launched(STILL)
    warmup.share(RATES)
    warmup.finish(())
    assert gone(helper) and warmup._second is None


@pytest.mark.parametrize("when", ["before it is told", "while it works"])
def test_a_helper_that_was_killed_is_waited_for(launched, when):
    helper = launched(STILL)
    if when == "before it is told":
        helper.kill()
        time.sleep(0.2)
    warmup.share(OWN)
    if when == "while it works":
        helper.kill()
    began = time.monotonic()
    warmup.finish(())
    assert gone(helper) and warmup._second is None and time.monotonic() - began < 30


def test_a_helper_that_nobody_needs_ends_with_its_process(launched):
    helper = launched(STILL)
    warmup.stop()
    assert gone(helper)
    warmup.stop()


def test_a_copy_of_the_process_leaves_the_helper_alone(launched, monkeypatch):
    helper = launched(STILL)
    with monkeypatch.context() as patch:
        patch.setattr(warmup, "_owner", os.getpid() + 1)
        warmup.share(RATES)
        warmup.finish(())
        warmup.stop()
    assert helper.poll() is None


def test_no_helper_where_kernels_are_on_disk(launched, tmp_path):
    stamps = [warmup._sources.stamp(warmup._sources.module_file(name)) for name in ("poinsot.integrators.march", "poinsot.integrators.gauss_step")]
    (tmp_path / "integrators_1").mkdir()
    for stamp in stamps:
        (tmp_path / "integrators_1" / f"march.march-1.py312-{stamp}.nbi").write_text("")
    assert launched(STILL) is None
    warmup.share(RATES)
    assert warmup._second is None
    warmup.share(OWN)  # its step is not there
    assert warmup._second is not None


def test_what_formulations_compile_ahead_is_what_their_runs_import():
    """The modules that a line of the registry names are there, and a run of a system that the formulation takes imports them anyway."""
    code = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from loops import four_bar
from systems import chain, pendulum, po
from poinsot.formulations.registry import FORMULATIONS, find
from poinsot.layout.freeze import freeze
from poinsot import warmup
warmup.finish = lambda besides: None
for name, entry in FORMULATIONS.items():
    system = next(s for s in (four_bar(), chain(2), pendulum()) if not find(name).accepts(freeze(s)))
    po.simulate(system, 0.02, step=0.01, formulation=name, progress=False).energy
    if entry.closed:
        po.simulate(four_bar(), 0.02, formulation=name, progress=False).energy
        po.simulate(chain(2), 0.02, step=0.01, formulation=name, progress=False)
    if entry.planar:
        po.simulate(four_bar(), 0.02, step=0.01, formulation=name + ":spatial", progress=False)
    named = (entry.module, *entry.steps, *entry.besides, *entry.closed, *entry.planar)
    assert not [module for module in named if module not in sys.modules], name
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=600)


def test_the_last_module_of_the_helper_is_compiled_here_while_it_is_busy(launched, monkeypatch):
    imported = []
    monkeypatch.setattr(warmup, "import_module", imported.append)
    monkeypatch.setattr(warmup, "PATIENCE", 0.5)
    launched(STILL)
    warmup.share(OWN)
    warmup.finish(("first", "second"))
    assert imported == ["first", "second", warmup.EVERY_RUN]


def test_a_closed_system_compiles_nothing_after_the_helper_has_ended():
    """What would be compiled then, one process would compile while the other has nothing to do."""
    code = f"""
import sys
from importlib import import_module
sys.path.insert(0, {str(Path(__file__).parent)!r})
from loops import four_bar, po
from poinsot import _sources, warmup
from poinsot.formulations.registry import FORMULATIONS
known = set()
def finish(besides):
    for module in (*besides, *FORMULATIONS["directors"].planar, warmup.EVERY_RUN):
        import_module(module)
    known.update(sys.modules)
warmup.finish = finish
po.simulate(four_bar(), 0.02, step=0.01, progress=False).energy
late = [name for name in sys.modules if name not in known and name.startswith("poinsot.")]
assert known and not [name for name in late if "@compiled(" in _sources.module_file(name).read_text()], late
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=600)


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
warmup.SECOND = {STILL.replace("import time; time.sleep(600)", "pass")!r}
warmup._kept = lambda module: False
warmup.os.cpu_count = lambda: 2
warmup.start()
print(warmup._second.pid, flush=True)
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
