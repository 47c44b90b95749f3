"""Kernels are recompiled when something changed that they depend on, and only then; the cache on disk is bounded."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import poinsot as po
from poinsot import _cache, _sources

SOURCE = Path(po.__file__).parent
STAMPS = """
from poinsot import _sources
for file in sorted(_sources.PACKAGE.rglob("*.py")):
    if _sources.KERNEL.search(file.read_text()):
        print(file.relative_to(_sources.PACKAGE).as_posix(), _sources.stamp(file))
"""


def python(code, folder, **environment):
    kept = {k: v for k, v in os.environ.items() if k not in ("NUMBA_CACHE_DIR", "POINSOT_CACHE", "XDG_CACHE_HOME")}
    done = subprocess.run(
        [sys.executable, "-c", code], env=kept | {"PYTHONPATH": str(folder)} | environment, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done


def stamps(folder):
    return dict(line.split() for line in python(STAMPS, folder, POINSOT_CACHE=str(folder / "cache")).stdout.splitlines())


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    folder = tmp_path_factory.mktemp("package")
    shutil.copytree(SOURCE, folder / "poinsot", ignore=shutil.ignore_patterns("__pycache__", "web"))
    return folder, stamps(folder)


def with_change(package, path, old, new):
    """Modules whose kernels would be recompiled if a source were changed."""
    folder, before = package
    file = folder / "poinsot" / path
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))
    try:
        after = stamps(folder)
    finally:
        file.write_text(text)
    assert before.keys() == after.keys()
    return {name for name in before if before[name] != after[name]}


@pytest.mark.parametrize("path", ["model/shapes.py", "model/system.py", "layout/freeze.py", "analysis/check.py", "results/views.py", "simulation.py"])
def test_a_comment_where_no_kernels_are_recompiles_nothing(package, path):
    assert with_change(package, path, "import annotations\n", "import annotations\n# a comment\n") == set()


def test_a_constant_of_the_tables_recompiles_all_that_see_it(package):
    changed = with_change(package, "tables/records.py", "import annotations\n", "import annotations\n# as a change would\n")
    assert "integrators/march.py" in changed and "elements/wrenches.py" in changed and "algebra/vectors.py" not in changed
    assert "elements/states.py" in changed, "it is given the tables, though it does not import them"


def test_a_callee_recompiles_its_callers_however_far_away(package):
    changed = with_change(package, "algebra/vectors.py", "import annotations\n", "import annotations\n# as a change would\n")
    assert {"algebra/matrices.py", "elements/director_scalars.py", "elements/wrenches.py", "formulations/tree/forward.py"} <= changed
    assert changed < set(package[1])
    assert with_change(package, "algebra/compile.py", "import annotations\n", "import annotations\n# settings\n") == set(package[1])


ONE = """
from numba import njit
from numba.core import event
from poinsot.algebra.vectors import dot
with event.install_recorder("numba:compile") as recorder:
    njit("f8(UniTuple(f8, 3))")(lambda x: dot(x, x))
print([e.data["dispatcher"].py_func.__name__ for _, e in recorder.buffer if e.is_end])
"""


def test_copies_of_the_package_share_what_they_have_in_common(package, tmp_path):
    """The location of a source does not matter; its content does."""
    compiled = [python(ONE, folder, NUMBA_CACHE_DIR=str(tmp_path)).stdout.strip() for folder in (SOURCE.parent, package[0])]
    assert compiled == ["['dot', '<lambda>']", "['<lambda>']"]


KERNELS = """
from numba import float64
from poinsot.algebra.compile import compiled, kernel
import constants
from helpers import twice

@compiled(float64(float64))
def scaled(x):
    return twice(x) * constants.FACTOR
"""
HELPERS = """
from poinsot.algebra.compile import kernel

@kernel
def twice(x):
    return 2.0 * x
"""
USE = """
from numba.core import event
with event.install_recorder("numba:compile") as recorder:
    from kernels import scaled
print(scaled(1.0), len(recorder.buffer) // 2)
"""


def test_a_stale_kernel_is_never_used(tmp_path):
    """Constants and callees in other files are compiled into a kernel; changes of the same length and age are noticed as well."""
    files = {"constants.py": "FACTOR = 3.0\n", "helpers.py": HELPERS, "kernels.py": KERNELS, "other.py": "x = 1\n"}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
        os.utime(tmp_path / name, (0, 1e9))
    (tmp_path / "poinsot").symlink_to(SOURCE)

    def used():
        done = python(USE, tmp_path, NUMBA_CACHE_DIR=str(tmp_path / "cache"), PYTHONDONTWRITEBYTECODE="1")
        value, compiled = done.stdout.split()
        assert ("compiling kernels" in done.stderr) == (compiled != "0")  # said whenever something is compiled, and never otherwise
        return float(value), int(compiled)

    def write(name, text):
        (tmp_path / name).write_text(text)
        os.utime(tmp_path / name, (0, 1e9))

    assert used() == (6.0, 2) and used() == (6.0, 0)
    write("other.py", "x = 2\n")
    assert used() == (6.0, 0)
    write("constants.py", "FACTOR = 5.0\n")
    assert used() == (10.0, 1) and used() == (10.0, 0)
    write("helpers.py", HELPERS.replace("2.0", "4.0"))
    assert used() == (20.0, 2)
    for name, text in files.items():  # and back: nothing is lost
        write(name, text)
    assert used() == (6.0, 0)


def test_without_a_cache_the_notice_says_so(tmp_path):
    for name, text in (("constants.py", "FACTOR = 3.0\n"), ("helpers.py", HELPERS), ("kernels.py", KERNELS)):
        (tmp_path / name).write_text(text)
    (tmp_path / "poinsot").symlink_to(SOURCE)
    code = "import poinsot.algebra.compile as c\nclass No:\n    def __init__(self, f): raise RuntimeError\nc.KernelCache = No\n" + USE
    done = python(code, tmp_path, NUMBA_CACHE_DIR="")
    assert done.stdout.split() == ["6.0", "2"] and "they cannot be cached" in done.stderr


def test_the_size_of_the_cache_is_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(_cache, "LARGEST", 1000)
    ages = {"new": 0.0, "used": 500.0, "old": 5000.0, "older": 6000.0, "oldest": 90_000.0}
    folder = tmp_path / ("a" * 16) / "algebra_1"
    folder.mkdir(parents=True)
    (tmp_path / "precious").mkdir()
    for path in (folder, tmp_path / "precious"):
        for name, age in ages.items():
            (path / f"{name}.nbc").write_bytes(bytes(400))
            os.utime(path / f"{name}.nbc", (0, time.time() - age))
    _cache.trim(tmp_path, os.getpid() + 1)  # a copy of the process
    assert len(list(folder.iterdir())) == 5
    _cache.trim(tmp_path)
    assert {path.stem for path in folder.iterdir()} == {"new", "used"} and len(list((tmp_path / "precious").iterdir())) == 5
    for path in folder.iterdir():
        path.write_bytes(bytes(4000))
    _cache.trim(tmp_path)  # somebody may be at work with these
    assert {path.stem for path in folder.iterdir()} == {"new", "used"}
    os.utime(folder / "used.nbc", (0, 1e9))
    _cache.mark_used(str(folder / "used.nbc"), str(folder / "missing.nbc"))
    assert time.time() - (folder / "used.nbc").stat().st_mtime < 60
    _cache.trim(tmp_path / "missing")


def test_what_a_source_imports_is_found_however_it_is_written(tmp_path):
    source = tmp_path / "some.py"
    source.write_text(
        "from __future__ import annotations\nimport numpy as np, poinsot.tables.types as types\nfrom poinsot.algebra.vectors import (  # three\n"
        "    add,\n    dot as inner,  # a comment, with a comma\n)\nfrom poinsot.tables import records as at\n"
        "if True:\n    from poinsot.model.system import System\n\ndef f():\n    import poinsot.simulation\n"
    )
    names = {path.relative_to(SOURCE).as_posix() for path in _sources._imported(source)}
    assert names == {"tables/types.py", "algebra/vectors.py", "tables/records.py"}
