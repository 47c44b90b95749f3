"""Runs are read from files to the bit, and wrong files are reported."""

import subprocess
import sys
import zlib
from pathlib import Path

import h5py
import numpy as np
import pytest

import mechanisms
import poinsot as po
from files.test_killed_runs import same
from loops import four_bar
from poinsot.files.runs import file as run_file
from poinsot.files.runs import header
from poinsot.results.quantities import names, quantity
from systems import chain, oscillator

MECHANISMS = ["spring_chain", "loaded_four_bar", "cardan_shaft", "screw_press", "geared_pair", "moving_slider", "skater"]


def roundtrip(run, path):
    run.save(path)
    back = po.load(path)
    same(run, back)
    assert np.array_equal(run.record.counters, back.record.counters) and back.complete
    for name in names(run):
        a, b = quantity(run, name), quantity(back, name)
        assert np.array_equal(a.values, b.values) and (a.unit, a.components) == (b.unit, b.components), name
    return back


@pytest.mark.parametrize("name", MECHANISMS)
def test_every_result_of_a_saved_run_comes_back(name, tmp_path):
    system = getattr(mechanisms, name)()
    back = roundtrip(po.simulate(system, 0.1, step=0.01, formulation="directors"), tmp_path / "run.h5")
    assert back.system.name == system.name


def test_open_planar_adaptive_and_changed_runs_come_back(tmp_path):
    roundtrip(po.simulate(chain(3), 0.3, output_step=0.1), tmp_path / "adaptive.h5")
    s = po.System("planar", plane="xz", gravity=(0, -9.81))
    s.revolute(s.ground, s.body("rod", po.Rod(radius=0.01, mass=1.0), between=((0, 0), (1, 0))), at=(0, 0), name="pin")
    roundtrip(po.simulate(s, 0.1, step=0.01), tmp_path / "planar.h5")
    ready = po.prepare(oscillator(), step=0.01)
    change = {"mass.mass": 3.0} if "mass" in {b.name for b in ready.frozen.system.bodies} else {}
    back = roundtrip(ready.run(0.1, change=change), tmp_path / "changed.h5")
    assert back.record.settings["change"] == change


def test_a_loaded_run_can_be_gone_on_with_and_saved_again(tmp_path):
    s = four_bar()
    run = po.simulate(s, 0.5, step=0.01)
    back = roundtrip(run, tmp_path / "run.h5")
    longer = [po.simulate(s, 0.2, step=0.01, state=state) for state in (run.state(), back.state())]
    same(*longer)
    same(po.load(back.save(tmp_path / "again.h5")), run)
    assert np.allclose(back["base"].force, run["base"].force) and back["foot"].unique == run["foot"].unique


def test_xarray_h5py_and_names_of_dimensions(tmp_path):
    run = po.simulate(chain(2), 0.1, step=0.01)
    run.save(tmp_path / "run.h5")
    with h5py.File(tmp_path / "run.h5") as file:
        data = file["position"]
        assert [data.dims[k][0].name for k in range(3)] == ["/t", "/body", "/xyz"]
        assert data.attrs["units"] == "m" and file["t"].attrs["units"] == "s"
        assert list(file["body"].asstr()) == ["ground", "link1", "link2"]
        assert file["poinsot/audit"].asstr()[0].startswith("Audit of 'pendulum'")
        assert np.array_equal(file["position"][:, 2], run["link2"].position)
    xarray = pytest.importorskip("xarray")
    pytest.importorskip("h5netcdf")
    with xarray.open_dataset(tmp_path / "run.h5", engine="h5netcdf") as data:
        assert np.array_equal(data.position.sel(body="link2", xyz="z"), run["link2"].position[:, 2])
        assert data.force.sel(joint="joint1").attrs["units"] == "N"


def test_wrong_files_are_named(tmp_path):
    path = tmp_path / "run.h5"
    po.simulate(chain(2), 0.1, step=0.01).save(path)
    whole = path.read_bytes()
    with pytest.raises(po.FileError, match="no such file"):
        po.load(tmp_path / "none.h5")
    with pytest.raises(po.FileError, match="is a folder"):
        po.load(tmp_path)
    for size in (0, 7, 100, 5000, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:size])
        with pytest.raises(po.FileError, match="truncated|not an HDF5 file|damaged"):
            po.load(path)
    path.write_text("not a results file at all")
    with pytest.raises(po.FileError, match="not an HDF5 file"):
        po.load(path)
    with h5py.File(path, "w") as file:
        file["x"] = np.arange(3.0)
    with pytest.raises(po.FileError, match="not one that run.save"):
        po.load(path)
    path.write_bytes(whole)
    with h5py.File(path, "r+") as file:
        file.attrs["format_version"] = 99
    with pytest.raises(po.FileError, match="changed by another program"):
        po.load(path)
    first = header.FIRST.pack(header.MAGIC, 99, 512, 0)
    path.write_bytes(first + header.CHECKSUM.pack(zlib.crc32(first)))
    with pytest.raises(po.FileError, match="newer version .format 99"):
        po.load(path)
    with h5py.File(path, "w") as file:
        file.attrs["format"], file.attrs["format_version"] = "poinsot run", 1
    with pytest.raises(po.FileError, match="earlier version .format 1. .* no checksums"):
        po.load(path)


def test_a_damaged_slot_falls_back_to_the_one_before(tmp_path):
    path = tmp_path / "run.h5"
    run = po.simulate(chain(2), 0.5, step=0.01, stream=path)
    file = run_file.RunFile(path)
    place, (_, room) = file.places["slots"]
    newest, _ = file._slots._newest(False)
    with open(path, "r+b") as raw:
        raw.seek(place + (newest % 2) * room + 60)
        raw.write(b"\xff\xff\xff")
    with pytest.raises(po.FileError, match="damaged .*po.resume continues from the one before"):
        po.load(path)
    same(po.resume(path), run)
    same(po.load(path), run)


def test_saving_replaces_only_when_all_is_written(tmp_path, monkeypatch):
    path = tmp_path / "run.h5"
    run = po.simulate(chain(2), 0.1, step=0.01)
    run.save(path)
    before = path.read_bytes()
    monkeypatch.setattr("poinsot.files.runs.writer.finish_file", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        run.save(path)
    assert path.read_bytes() == before and [p.name for p in tmp_path.iterdir()] == ["run.h5"]
    with pytest.raises(po.FileError, match="there is no folder"):
        run.save(tmp_path / "nowhere" / "run.h5")


LOOK = """
import os, sys
from numba.core import event
with event.install_recorder("numba:compile") as recorder:
    import poinsot as po
    run = po.load(sys.argv[1])
    print(run.audit)
    run["link2"].position, run["joint1"].force, run.energy, run["link2"].quaternion
    run.plot().savefig(sys.argv[2] + "/panel.svg")
    run.snapshots([0.0, 0.1]).savefig(sys.argv[2] + "/strobe.svg")
    run.write_html(sys.argv[2] + "/run.html")
    run.to_dataframe()
assert not recorder.buffer, [r[1].data["dispatcher"] for r in recorder.buffer]
print("compiled nothing")
"""


@pytest.mark.parametrize("formulation", ["tree", "directors"])
def test_loading_and_plotting_compiles_nothing(formulation, tmp_path):
    po.simulate(chain(2), 0.1, step=0.01, formulation=formulation).save(tmp_path / "run.h5")
    empty = {"POINSOT_CACHE": str(tmp_path / "cache"), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    empty["PYTHONPATH"] = str(Path(po.__file__).parents[1])  # also where it is not installed
    done = subprocess.run(
        [sys.executable, "-c", LOOK, str(tmp_path / "run.h5"), str(tmp_path)], env=empty, capture_output=True, text=True, check=False
    )
    assert done.stdout.endswith("compiled nothing\n"), done.stderr
    assert "compiling" not in done.stderr
    assert not list((tmp_path / "cache").rglob("*.nbi"))


def test_runs_are_not_pickled_and_states_compare_by_identity(tmp_path):
    import pickle

    run = po.simulate(chain(1), 0.02, step=0.01)
    with pytest.raises(TypeError, match="run.save"):
        pickle.dumps(run)
    assert run.state() != run.state()
    with pytest.raises(po.FileError, match="is a folder"):
        run.save(tmp_path)


def test_a_file_cut_off_while_it_is_open_is_told(tmp_path):
    path = tmp_path / "run.h5"
    po.simulate(chain(2), 0.5, step=0.01).save(path)
    run = po.load(path)
    with open(path, "r+b") as file:
        file.truncate(10_000)
    with pytest.raises(po.FileError, match="truncated after it was opened"):
        run["link2"].position  # noqa: B018


def test_aliases_that_stand_for_aliases_are_refused(tmp_path):
    levels = [f"a{k}: &a{k} [{', '.join([f'*a{k - 1}'] * 10 if k else ['1'])}]" for k in range(9)]
    (tmp_path / "bomb.yaml").write_text("\n".join(levels) + "\n")
    with pytest.raises(po.ModelError, match="aliases stand for more than"):
        po.read(tmp_path / "bomb.yaml")
