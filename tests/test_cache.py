"""Compiled kernels on disk: private, verified, compiled anew when damaged, and not left behind."""

import os
import pickle
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numba
import pytest
from numba import float64
from numba.core import event

import poinsot as po
from poinsot import _cache
from poinsot.algebra.compile import compiled

SOURCE = str(Path(po.__file__).parents[1])


def twice(x):
    return 2.0 * x


def times_compiled():
    """Make the kernel, from the cache if that has it: how often it was compiled."""
    with event.install_recorder("numba:compile") as recorder:
        assert compiled(float64(float64))(twice)(4.0) == 8.0
    return len(recorder.buffer) // 2


class Code:
    """What would run a program if it were unpickled."""

    def __reduce__(self):
        return os.mkdir, (os.environ["TRAP"],)


def flip(data):
    k = len(data) // 2
    return data[:k] + bytes([data[k] ^ 1]) + data[k + 1 :]


DAMAGE = {
    "empty": lambda data: b"",
    "cut off": lambda data: data[: len(data) // 2],
    "cut off by a byte": lambda data: data[:-1],
    "one bit": flip,
    "zeros": lambda data: bytes(len(data)),
    "text": lambda data: b"not a cache",
    "a pickle of another version": lambda data: pickle.dumps("0.1") + pickle.dumps((None, {})),
    "a pickle of something else": lambda data: pickle.dumps([1, 2]),
    "a pickle that runs code": lambda data: pickle.dumps(Code()),
}


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("TRAP", str(tmp_path / "trap"))
    assert times_compiled() == 1 and times_compiled() == 0
    return tmp_path / "cache"


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
@pytest.mark.parametrize("kind", DAMAGE)
def test_damaged_kernels_are_compiled_anew(kind, ending, cache, capfd):
    (path,) = cache.rglob(f"*.{ending}")
    path.write_bytes(DAMAGE[kind](path.read_bytes()))
    assert times_compiled() == 1 and times_compiled() == 0
    assert not (cache.parent / "trap").exists()
    assert all(line.startswith("poinsot: compil") for line in capfd.readouterr().err.splitlines())


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
def test_files_that_are_missing_or_folders_do_no_harm(ending, cache):
    (path,) = cache.rglob(f"*.{ending}")
    path.unlink()
    assert times_compiled() == 1 and times_compiled() == 0
    path.unlink()
    path.mkdir()
    assert times_compiled() == 1


def test_files_of_two_signatures_saved_at_once_are_kept_apart(cache):
    """Each process begins with the same index: neither may write to the file that the other's index names."""
    (index,) = cache.rglob("*.nbi")
    before = index.read_bytes()
    compiled(numba.int64(numba.int64))(twice)
    index.write_bytes(before)
    compiled(numba.float32(numba.float32))(twice)
    assert len(list(cache.rglob("*.nbc"))) == 3


RUN = """
import sys, poinsot as po
s = po.System("rod", gravity=(0, 0, -9.81))
s.revolute(s.ground, s.body("rod", po.Rod(radius=0.01, mass=1.0), between=((0, 0, 0), (1, 0, 0))), at=(0, 0, 0), axis="y", name="pin")
print(repr(float(po.simulate(s, 0.1, step=0.01, formulation="tree", integrator="gauss2")["pin"].angle[-1])))
"""


def ran(**environment):
    kept = {k: v for k, v in os.environ.items() if k not in ("NUMBA_CACHE_DIR", "POINSOT_CACHE", "XDG_CACHE_HOME")}
    return subprocess.run(
        [sys.executable, "-c", environment.pop("code", RUN)],
        env=kept | {"PYTHONPATH": SOURCE} | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def test_a_run_with_a_damaged_cache_gives_the_same_number(tmp_path, monkeypatch):
    monkeypatch.setenv("TRAP", str(tmp_path / "trap"))
    whole = ran(NUMBA_CACHE_DIR=os.environ["NUMBA_CACHE_DIR"])
    assert whole.returncode == 0, whole.stderr
    shutil.copytree(os.environ["NUMBA_CACHE_DIR"], tmp_path / "cache")
    draw = random.Random(5)
    files = sorted(path for path in (tmp_path / "cache").rglob("*.nb?") if "tree" in str(path) or "algebra" in str(path))
    for path in draw.sample(files, min(20, len(files))):
        path.write_bytes(DAMAGE[draw.choice(list(DAMAGE))](path.read_bytes()))
    again = ran(NUMBA_CACHE_DIR=str(tmp_path / "cache"))
    assert again.returncode == 0 and again.stdout == whole.stdout, again.stderr
    assert not (tmp_path / "trap").exists()


WHERE = "import os, poinsot; print(os.environ['NUMBA_CACHE_DIR'])"


def test_without_a_cache_that_can_be_written_one_folder_is_used_again(tmp_path):
    (tmp_path / "file").write_text("")
    (tmp_path / "tmp").mkdir()
    places = {ran(code=WHERE, POINSOT_CACHE=str(tmp_path / "file" / "x"), TMPDIR=str(tmp_path / "tmp")).stdout for _ in range(3)}
    (private,) = (tmp_path / "tmp").iterdir()
    assert len(places) == 1 and private.name == f"poinsot-{os.geteuid()}" and private.stat().st_mode & 0o777 == 0o700


def test_a_folder_for_one_process_alone_is_removed(tmp_path):
    """The predictable one is not the user's own: a link that somebody has put there."""
    (tmp_path / "file").write_text("")
    (tmp_path / "tmp").mkdir()
    (tmp_path / "trap").mkdir()
    (tmp_path / "tmp" / f"poinsot-{os.geteuid()}").symlink_to(tmp_path / "trap")
    done = ran(code=WHERE, POINSOT_CACHE=str(tmp_path / "file" / "x"), TMPDIR=str(tmp_path / "tmp"))
    assert done.returncode == 0 and "poinsot-" in done.stdout, done.stderr
    assert not Path(done.stdout.strip()).exists()
    assert len(list((tmp_path / "tmp").iterdir())) == 1 and not list((tmp_path / "trap").iterdir())


def test_folders_of_other_users_are_refused(tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(_cache.tempfile, "tempdir", None)
    for variable in ("POINSOT_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv("POINSOT_CACHE", raising=False)
        monkeypatch.setenv(variable, str(tmp_path / variable))
        made = _cache._directory("0" * 16)
        assert tmp_path / variable in made.parents and made.stat().st_mode & 0o777 == 0o700
        with monkeypatch.context() as patch:
            patch.setattr(os, "geteuid", lambda: 54321)
            if os.getuid():  # folders of the administrator are trusted
                assert _cache._directory("0" * 16).parent == tmp_path / "poinsot-54321"
                assert "belongs to another user" in capfd.readouterr().err
            with pytest.raises(_cache.Unsafe, match="belongs to another user"):
                _cache._make_private(made)


def test_folders_that_others_can_write_to_are_not_used_as_they_are(tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(_cache.tempfile, "tempdir", None)
    monkeypatch.setenv("POINSOT_CACHE", str(tmp_path / "shared"))
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared").chmod(0o777)
    assert _cache._directory("1" * 16).parent == tmp_path / f"poinsot-{os.geteuid()}"
    assert f"others can write to {tmp_path / 'shared'}" in capfd.readouterr().err
    (tmp_path / "shared").chmod(0o1777)
    made = _cache._directory("1" * 16)
    assert made.parent == tmp_path / "shared"
    (made / "trap.nbi").write_text("")
    assert _cache._directory("1" * 16) == made and list(made.iterdir())
    made.chmod(0o777)
    assert _cache._directory("1" * 16) == made and not list(made.iterdir()) and made.stat().st_mode & 0o777 == 0o700


def test_without_a_home_the_folder_is_private(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(_cache.tempfile, "tempdir", None)
    for variable in ("POINSOT_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", "")
    assert _cache._directory("2" * 16).parent == tmp_path / f"poinsot-{os.geteuid()}"

    def homeless():
        raise RuntimeError

    monkeypatch.setattr(Path, "home", homeless)
    assert _cache._directory("2" * 16).parent == tmp_path / f"poinsot-{os.geteuid()}"


def test_what_old_versions_left_is_removed_after_a_while(tmp_path, monkeypatch):
    monkeypatch.setenv("POINSOT_CACHE", str(tmp_path))
    old = [tmp_path / f"{k:016x}" for k in range(6)]
    for k, path in enumerate([*old, tmp_path / "precious"]):
        path.mkdir()
        (path / "kernel.nbc").write_text("")
        os.utime(path, (0, time.time() - 86_400 * (10 + 2 * k)))
    (tmp_path / ("f" * 16)).symlink_to(tmp_path / "precious")
    _cache._directory("3" * 16)
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {path.name for path in old[:3]} | {"precious", "f" * 16, "3" * 16} and (tmp_path / "precious" / "kernel.nbc").exists()


def test_processes_that_compile_at_once_into_one_cache(tmp_path):
    script = tmp_path / "kernels.py"
    lines = [f"@compiled(float64(float64))\ndef f{k}(x):\n    return x + {k}.0\n" for k in range(8)]
    script.write_text(
        "from numba import float64\nfrom poinsot.algebra.compile import compiled\n" + "\n".join(lines) + "print(sum(f(1.0) for f in (f0, f1, f7)))\n"
    )
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": SOURCE}
    processes = [
        subprocess.Popen([sys.executable, str(script)], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(3)
    ]
    for process in processes:
        out, err = process.communicate(timeout=300)
        assert out == "11.0\n" and all(line.startswith("poinsot: compil") for line in err.splitlines()), err
    assert not list((tmp_path / "cache").rglob("*.tmp*"))


def test_operators_of_all_types_are_there_before_anything_is_compiled():
    """Files of the cache name types. Reading one would import them, and Numba, in the middle of a compilation, take known operators for others."""
    package = Path(po.__file__).parent
    files = [file.relative_to(package.parent) for file in package.rglob("*.py") if "infer_global(" in file.read_text()]
    modules = [".".join(file.with_suffix("").parts) for file in files]
    assert len(modules) == 2
    code = f"import sys, poinsot.algebra.compile; assert not set({modules}) - set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": SOURCE}, check=True)
