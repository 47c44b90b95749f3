"""Files appear when they are complete, follow links and replace nothing but files; an error of one line says why one cannot be written."""

import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import poinsot as po
from files.test_killed_runs import same
from poinsot.files.appearing import appearing, write_whole
from systems import chain

SOURCE = str(Path(po.__file__).parents[1])


@pytest.fixture(scope="module")
def run():
    return po.simulate(chain(2), 0.1, step=0.01)


WRITERS = {
    "save": (".h5", lambda run, path: run.save(path)),
    "stream": (".h5", lambda run, path: po.simulate(chain(2), 0.1, step=0.01, stream=path)),
    "page": (".html", lambda run, path: run.write_html(path)),
    "model": (".yaml", lambda run, path: run.system.to_yaml(path)),
    "plot": (".svg", lambda run, path: run.plot("energy").savefig(path)),
    "picture": (".png", lambda run, path: run.snapshots(2).savefig(path)),
    "video": (".gif", lambda run, path: run.write_video(path, fps=10, size=(64, 64), like="sticks")),
}


@pytest.fixture(params=WRITERS)
def writer(request):
    return WRITERS[request.param]


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_links_stay_and_what_they_point_to_is_written(run, writer, tmp_path):
    ending, write = writer
    (tmp_path / "far").mkdir()
    link, target = tmp_path / f"link{ending}", tmp_path / "far" / f"file{ending}"
    link.symlink_to(target)
    for _ in range(2):  # nothing there yet; then a file
        write(run, link)
        assert link.is_symlink() and target.stat().st_size > 100
        assert names(tmp_path) == ["far", link.name] and names(target.parent) == [target.name]


def test_pipes_and_devices_stay(run, writer, tmp_path):
    ending, write = writer
    path = tmp_path / f"pipe{ending}"
    os.mkfifo(path)
    with pytest.raises(po.FileError, match="device or a pipe"):
        write(run, path)
    assert stat.S_ISFIFO(path.stat().st_mode) and names(tmp_path) == [path.name]
    link = tmp_path / f"link{ending}"
    link.symlink_to(path)
    with pytest.raises(po.FileError, match="device or a pipe"):
        write(run, link)
    with pytest.raises(po.FileError, match="device or a pipe"):
        po.load(path)


def test_names_that_cannot_be_written(run, writer, tmp_path):
    ending, write = writer
    folder, loop = tmp_path / f"folder{ending}", tmp_path / f"loop{ending}"
    folder.mkdir()
    loop.symlink_to(loop)
    before = names(tmp_path)
    for name, error in ((folder, "is a folder"), (loop, "cannot be written .Too many"), (tmp_path / ("x" * 300 + ending), "too long")):
        with pytest.raises((po.FileError, po.SettingsError), match=error):
            write(run, name)
    with pytest.raises(po.PoinsotError, match="null|must be the path of a file"):
        write(run, f"{tmp_path}/a\0b{ending}")
    assert names(tmp_path) == before and not names(folder)
    write(run, tmp_path / ("x" * (255 - len(ending)) + ending))  # the longest that there is


@pytest.mark.parametrize("name", ["save", "stream", "model", "plot"])
def test_folders_that_do_not_exist(run, name, tmp_path):
    ending, write = WRITERS[name]
    (tmp_path / "file").write_text("")
    for folder in ("none", "file"):
        with pytest.raises(po.FileError, match=f"there is no folder .*{folder}"):
            write(run, tmp_path / folder / f"x{ending}")


def test_folders_and_files_that_are_protected(run, writer, tmp_path, monkeypatch):
    ending, write = writer
    path = tmp_path / f"x{ending}"
    opened = os.open

    def refused(where, how, *rest, **options):
        if str(where).startswith(str(tmp_path)) and how & os.O_CREAT:
            raise PermissionError(13, "Permission denied")
        return opened(where, how, *rest, **options)

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", refused)
        with pytest.raises(po.FileError, match="x.*: cannot be written .Permission denied"):
            write(run, path)
    path.write_text("precious")
    with monkeypatch.context() as patch:
        patch.setattr(os, "access", lambda *_: False)
        with pytest.raises(po.FileError, match="x.*: cannot be written .Permission denied"):
            write(run, path)
    assert path.read_text() == "precious" and names(tmp_path) == [path.name]


FULL = """
import resource, sys
sys.path.insert(0, sys.argv[1])
import poinsot as po
from pathlib import Path
from files.test_writing import WRITERS
from systems import chain
run = po.simulate(chain(2), 0.1, step=0.01)
folder = Path(sys.argv[2])
WRITERS["film"] = (".mp4", lambda run, path: run.write_video(path, fps=10, size=(640, 480), like="sticks"))
for name, (ending, write) in WRITERS.items():
    path = folder / f"{name}{ending}"
    path.unlink(missing_ok=True)
    write(run, path)
    before = path.read_bytes()
    for size in (0, len(before) // 3, len(before) - 1):
        for there in (True, False):
            if not there:
                path.unlink()
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
            try:
                write(run, path)
            except po.FileError as error:
                assert str(path) in str(error) and "cannot be written" in str(error), error
            else:
                raise AssertionError(f"{name} was written to a disk with room for {size} bytes")
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            assert path.exists() == there and (not there or path.read_bytes() == before), (name, size)
            path.write_bytes(before)
    print(name)
left = [path.name for path in folder.iterdir() if path.name.startswith(".")]
assert not left, left
"""


def test_full_disks_leave_what_was_there_and_nothing_else(tmp_path):
    """The system's limit on the size of files stands for a full disk."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FULL, str(Path(__file__).parents[1]), str(tmp_path)],
        env=os.environ | {"PYTHONPATH": SOURCE},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0 and "film" in done.stdout, done.stderr


def test_a_stream_whose_disk_is_full_can_be_gone_on_with(tmp_path, monkeypatch):
    """Space is allocated at the start, but a disk fills up only when something is written there."""
    from poinsot.files.runs import stream

    monkeypatch.setattr(stream, "PATIENCE", 0.0)
    monkeypatch.setattr("poinsot.driver.FIRST", 50)
    monkeypatch.setattr("poinsot.driver.GROWTH", 1.0)
    path, write, written = tmp_path / "run.h5", os.write, []

    def filled(descriptor, data):
        if len(written) > 400:
            raise OSError(28, "No space left on device")
        written.append(descriptor)
        return write(descriptor, data)

    with monkeypatch.context() as patch:
        patch.setattr("poinsot.files.runs.raw.os.write", filled)
        with pytest.raises(po.FileError, match="run.h5: cannot be written .No space left"):
            po.simulate(chain(2), 20.0, step=0.01, stream=path)
    assert 1 < len(po.load(path)) < 2000
    same(po.resume(path), po.simulate(chain(2), 20.0, step=0.01))


def test_modes_of_files_stay(tmp_path):
    path = write_whole(tmp_path / "x.txt", "first")
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~umask
    path.chmod(0o640)
    write_whole(path, "second")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640 and path.read_text() == "second"
    with pytest.raises(KeyboardInterrupt), appearing(path) as new:
        new.write_text("half")
        raise KeyboardInterrupt
    assert path.read_text() == "second" and names(tmp_path) == ["x.txt"]


def test_a_file_that_shrinks_while_it_is_open_is_told(tmp_path):
    path = tmp_path / "run.h5"
    po.simulate(chain(2), 0.5, step=0.01).save(path)
    run, whole = po.load(path), path.read_bytes()
    os.truncate(path, 5000)
    for look in (lambda: np.asarray(run.raw), lambda: run.raw[3], lambda: run["link2"].position, run.state, lambda: run.work):
        with pytest.raises(po.FileError, match="truncated after it was opened"):
            look()
    path.write_bytes(whole)
    assert run.raw[3].shape == run.raw.shape[1:]


BEGIN = """
import sys
import poinsot as po
sys.path.insert(0, sys.argv[1])
from systems import chain
po.simulate(chain(4), 0.1, step=0.01, stream="warm.h5")
print("ready", flush=True)
sys.stdin.readline()
try:
    po.simulate(chain(4), 100000.0, step=0.01, output_step=10.0, stream=sys.argv[2])
except po.FileError as error:
    print(error, flush=True)
"""


def loaded(path):
    """A run that another process has begun, as soon as there is something of it; that may take a while when it compiles first."""
    for _ in range(600):
        try:
            return po.load(path)
        except po.FileError:
            time.sleep(0.1)
    return po.load(path)


@pytest.mark.parametrize("there", ["nothing", "a finished run"])
def test_of_processes_that_begin_one_stream_at_once_one_goes_on(there, tmp_path):
    path = tmp_path / "run.h5"
    if there == "a finished run":
        po.simulate(chain(4), 0.1, step=0.01, stream=path)
    command = [sys.executable, "-c", BEGIN, str(Path(__file__).parents[1])]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    environment = os.environ | {"PYTHONPATH": SOURCE}
    targets = [path, path, path.with_name("link.h5")]
    targets[2].symlink_to(path)
    processes = []
    for k, target in enumerate(targets):
        folder = tmp_path / str(k)
        folder.mkdir()
        processes.append(subprocess.Popen([*command, str(target)], env=environment, cwd=folder, **pipes))
    try:
        for process in processes:
            assert process.stdout.readline() == "ready\n"
        for process in processes:
            process.stdin.write("go\n")
            process.stdin.flush()
        refused = 0
        while refused < 2:  # the one that continues prints nothing for a long time
            for process in processes:
                if process.poll() is not None:
                    assert "another process is writing to it" in process.communicate()[0]
                    processes.remove(process)
                    refused += 1
                    break
        with pytest.raises(po.FileError, match="another process is writing"):
            po.simulate(chain(4), 0.1, step=0.01, stream=path)
        assert processes[0].poll() is None and not loaded(path).complete  # can be looked at meanwhile
    finally:
        for process in processes:
            process.kill()
            process.communicate()
    assert len(po.load(path)) >= 1
    with pytest.raises(po.FileError, match="holds an unfinished run"):  # the lock ended with the process
        po.simulate(chain(4), 0.1, step=0.01, stream=path)


def test_of_threads_that_save_to_one_name_all_or_one_come_through(run, tmp_path):
    from concurrent.futures import ThreadPoolExecutor

    path = tmp_path / "run.h5"

    def save(_):
        try:
            return run.save(path)
        except po.FileError as error:
            assert "another process is writing" in str(error)
            return None

    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(save, range(24)))
    assert any(done) and names(tmp_path) == ["run.h5"]
    same(po.load(path), run)


