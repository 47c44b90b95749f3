"""Every mutation of the catalogue still fits the sources, and kernels that one reaches are known; `make mutate` sees whether it is caught."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import poinsot

sys.path.insert(0, str(Path(__file__).parent / "mutations"))
import bench  # noqa: E402
from catalogue import MUTATIONS  # noqa: E402
from dependents import Uses  # noqa: E402
from mutation import Mutation  # noqa: E402

SOURCE = Path(poinsot.__file__).parent
ALGEBRA = '''
from poinsot.marks import kernel
SCALE = 2.0
@kernel
def twice(x):
    return SCALE * x
@kernel
def half(x):
    """Half."""
    return x / 2
'''
RUN = "room.energy room.run.energy room.run.run room.run.TABLE"
PACKAGE = {
    "__init__.py": "",
    "marks.py": "def kernel(f):\n    return f\n",
    "algebra.py": ALGEBRA,
    "energy.py": "from poinsot.algebra import half as part\ndef energy(x):\n    return part(x * x)\n",
    "power.py": "from poinsot import algebra as of\ndef power(twice):\n    return of.half(twice)\ndef effort(x):\n    return of.twice(x)\n",
    "room/__init__.py": "from poinsot.energy import energy\n",
    "room/run.py": "from poinsot.room import energy\ndef run(x):\n    return energy(x)\nTABLE = {'run': run}\ndef plain():\n    return 1\n",
}


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: f"{m.file}: {m.what}")
def test_mutation_fits(mutation):
    text = (SOURCE / mutation.file).read_text()
    assert text.count(mutation.old) == 1
    assert mutation.old != mutation.new
    compile(text.replace(mutation.old, mutation.new), mutation.file, "exec")


@pytest.mark.parametrize(
    "file, old, new, reached",
    [
        ("algebra.py", "SCALE = 2.0", "SCALE = 3.0", "algebra.SCALE algebra.twice power.of power.effort"),
        ("algebra.py", "x / 2", "x / 3", f"algebra.half energy.part energy.energy power.of power.power {RUN}"),
        ("algebra.py", "SCALE = 2.0", "# the same\nSCALE = 2.0", ""),
        ("room/run.py", "return 1", "return 2", "room.run.plain"),
        ("marks.py", "return f", "return 0", None),
    ],
)  # fmt: skip
def test_what_a_change_reaches(file, old, new, reached, tmp_path):
    package = tmp_path / "poinsot"
    for name, text in PACKAGE.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(text)
    found = {".".join(name) for name in Uses(package).dependents(file, (package / file).read_text().replace(old, new))}
    if reached is None:  # a decorator
        assert {"algebra.twice", "algebra.half", "energy.energy", "power.power", "power.effort", "room.run.run"} < found
        assert "room.run.plain" not in found
    else:
        assert found == set(reached.split())


# who names whom, as Python sees it; without Numba's compiler, which is not needed for that
CALLS = """
import dis, pkgutil
from importlib import import_module
from types import FunctionType, ModuleType
import poinsot
for room in "algebra elements linear formulations integrators analysis results".split():
    for found in pkgutil.walk_packages([f"{poinsot.__path__[0]}/{room}"], f"poinsot.{room}."):
        for function in list(vars(import_module(found.name)).values()):
            if isinstance(function, FunctionType) and function.__globals__["__name__"] == found.name:
                steps = list(dis.get_instructions(function))
                for step, then in zip(steps, steps[1:]):
                    value = function.__globals__.get(step.argval) if step.opname == "LOAD_GLOBAL" else None
                    if isinstance(value, ModuleType):
                        value = getattr(value, str(then.argval), None)
                    if isinstance(value, FunctionType) and value.__module__.startswith("poinsot."):
                        print(found.name, function.__qualname__.split(".")[0], value.__module__, value.__name__)
"""


def test_calls_are_seen():
    uses = Uses(SOURCE)
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(SOURCE.parent)}
    printed = subprocess.run([sys.executable, "-c", CALLS], env=environment, capture_output=True, text=True, check=True).stdout
    calls = {tuple(line.replace("poinsot.", "").split()) for line in printed.splitlines()}
    assert len(calls) > 1000
    assert ("formulations.tree.folding", "fold_ball", "algebra.matrices", "apply") in calls
    for module, caller, home, callee in calls:
        used = {name for definition in uses.definitions[module] if caller in definition.binds for name in definition.uses}
        assert (home, callee) in used, f"{module}.{caller} calls {home}.{callee}"


PROJECT = {
    "src/poinsot/__init__.py": "import os\nos.environ.setdefault('NUMBA_CACHE_DIR', os.environ['POINSOT_CACHE'])\n",
    "src/poinsot/_sources.py": (SOURCE / "_sources.py").read_text(),
    "src/poinsot/build.py": (SOURCE / "build.py").read_text(),
    "src/poinsot/room.py": "import time\ndef three():\n    return 3\ndef wait():\n    time.sleep(0)\ndef unseen():\n    return 3\n",
    "tests/test_room.py": "import poinsot.room as room\ndef test_three():\n    room.wait()\n    assert room.three() == 3\n",
    "pyproject.toml": "",
}
THREE = Mutation("room.py", "three", "three():\n    return 3", "three():\n    return 4", "tests/test_room.py")


@pytest.fixture
def project(tmp_path, monkeypatch):
    for name, text in PROJECT.items():
        (tmp_path / "project" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "project" / name).write_text(text)
    monkeypatch.setenv("POINSOT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(bench, "ROOT", tmp_path / "project")
    monkeypatch.setattr(bench, "PARTS", ("src", "tests"))
    (tmp_path / "bench").mkdir()
    made = bench.Bench(tmp_path / "bench")
    yield made
    made.close()
    for name, text in PROJECT.items():
        assert (tmp_path / "project" / name).read_text() == text
    assert {path.name for path in (tmp_path / "bench").iterdir()} <= {"plain", "kernels"}


def test_verdicts_on_mutations(project):
    verdict, outcome = project.attempt(THREE)
    assert (verdict, outcome.failed) == ("caught", ["tests/test_room.py::test_three"])
    assert project.attempt(THREE._replace(old="unseen():\n    return 3", new="unseen():\n    return 4"))[0] == "SURVIVED"
    assert project.attempt(THREE._replace(test="tests/test_room.py -k nothing"))[0] == "BROKEN"
    assert project.attempt(THREE._replace(new=THREE.old + "\n1 / 0"))[0] == "BROKEN"
    assert not project.mutated(THREE._replace(new="three(:"))
    assert not project.mutated(THREE._replace(old="return 3"))
    assert not project.mutated(THREE._replace(file="elsewhere.py"))
    assert project.pytest(["tests/test_room.py"]).code == 0


def test_mutations_that_are_stopped_leave_nothing_behind(project):
    timer = threading.Timer(1.0, project.stop)
    timer.start()
    verdict, outcome = project.attempt(THREE._replace(old="sleep(0)", new="sleep(3600)"))
    assert verdict == "BROKEN" and outcome.code < 0 and outcome.seconds < bench.PATIENCE
