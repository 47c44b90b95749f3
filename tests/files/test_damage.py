"""Damaged results files are reported or read to the bit; none gives other numbers, hangs, crashes or fills the memory."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import poinsot as po
from poinsot.files.runs import checksums, stream
from poinsot.files.runs.file import RunFile

WORKER = Path(__file__).with_name("damage_worker.py")


def pendulum():
    s = po.System("pendulum", gravity=(0, 0, -9.81))
    first = s.body("rod1", po.Rod(radius=0.02, mass=1.0), between=((0, 0, 0), (1, 0, 0)))
    second = s.body("rod2", po.Rod(radius=0.02, mass=2.0), between=((1, 0, 0), (2, 0, 0)))
    s.revolute(s.ground, first, at=(0, 0, 0), axis="y", name="pin")
    s.spherical(first, second, at=(1, 0, 0), name="ball")
    s.add(po.Spring(s.ground, second, at=((1, 0, 1), (2, 0, 0)), stiffness=5.0, length=1.0, name="spring"))
    return s


class Stopped(Exception):
    pass


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Intact files of every kind: saved, adaptive, streamed, unfinished."""
    place = tmp_path_factory.mktemp("damage")
    whole = place / "whole"
    whole.mkdir()
    po.simulate(pendulum(), 0.5, step=0.01, formulation="tree").save(whole / "saved.h5")
    po.simulate(pendulum(), 0.5, output_step=0.01).save(whole / "adaptive.h5")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stream, "PATIENCE", 0.0)
        patch.setattr("poinsot.driver.FIRST", 200)
        patch.setattr("poinsot.driver.GROWTH", 1.0)
        po.simulate(pendulum(), 5.0, step=0.01, formulation="directors", stream=whole / "streamed.h5")
        keep, kept = stream.Stream.keep, []

        def stop(self, p):
            keep(self, p)
            kept.append(p)
            if len(kept) > 3:
                self.wait()
                raise Stopped

        patch.setattr(stream.Stream, "keep", stop)
        with pytest.raises(Stopped):
            po.simulate(pendulum(), 10.0, step=0.01, formulation="tree", stream=whole / "unfinished.h5")
    assert not po.load(whole / "unfinished.h5").complete
    return place


def campaign(folder, first, last):
    """Damaged files, this many, in processes of their own; a process that ends early failed at its current file."""
    results = []
    environment = os.environ | {"PYTHONPATH": str(Path(po.__file__).parents[1])}
    while first < last:
        command = [sys.executable, str(WORKER), str(folder), str(first), str(last)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        found = [json.loads(line) for line in done.stdout.splitlines()]
        results += found
        if done.returncode:
            assert found or "Traceback" not in done.stderr, done.stderr
            results.append({"seed": first + len(found), "what": "", "failure": f"exit code {done.returncode}: {done.stderr[-1500:]}"})
        first += len(found) + bool(done.returncode)
    return results


def check(results):
    failed = [one for one in results if "failure" in one]
    print(f"{len(results)} damaged files: {sum(one.get('told', False) for one in results)} told, the rest came back to the bit; {len(failed)} failed")
    print(Counter(one["what"].split(": ", 1)[-1].split(" ")[0] for one in results))
    assert not failed, "\n".join(f"{one['seed']} {one['what']}: {one['failure']}" for one in failed[:10])


def test_settings_that_are_no_settings(folder):
    """Texts of a file changed, and its checksums made to fit: found by the two thousand."""
    check(campaign(folder, 2300, 2301) + campaign(folder, 2519, 2520))


def test_some_damaged_files(folder):
    results = campaign(folder, 0, 100)
    check(results)
    assert sum(one["told"] for one in results) > 60


@pytest.mark.long
def test_two_thousand_damaged_files(folder):
    check(campaign(folder, 1000, 3000))


def test_blocks_swapped_with_their_checksums_are_told(tmp_path):
    """A block and its checksum at the position of another one: checksums are seeded with the position."""
    path = tmp_path / "run.h5"
    po.simulate(pendulum(), 20.0, step=0.01, formulation="tree").save(path)
    file = RunFile(path)
    block, (place, _) = file._table.block, file.places["t"]
    data, sums = bytearray(path.read_bytes()), checksums.places(file._table)["t"]
    assert file.outputs_planned > 2 * block
    for at, size in ((place, 8 * block), (sums, 4)):
        first, second = bytes(data[at : at + size]), bytes(data[at + size : at + 2 * size])
        data[at : at + 2 * size] = second + first
    path.write_bytes(data)
    with pytest.raises(po.FileError, match="damaged .checksum of t, outputs 0 to"):
        po.load(path)


def test_large_files_are_verified_as_they_are_read(tmp_path, monkeypatch):
    monkeypatch.setattr("poinsot.files.runs.reader.VERIFIED", 0)
    path = tmp_path / "run.h5"
    po.simulate(pendulum(), 20.0, step=0.01, formulation="tree").save(path)
    file = RunFile(path)
    place, shape = file.places["position"]
    data = bytearray(path.read_bytes())
    data[place + 8 * shape[1] * 3 * 1500 + 5] ^= 4
    path.write_bytes(data)
    run = po.load(path)
    assert run["rod1"].velocity.shape == (2001, 3) and run.energy.shape == (2001,)
    for look in (lambda: run["rod1"].position, lambda: run.motion[1500], run.verify, lambda: run.save(tmp_path / "again.h5")):
        with pytest.raises(po.FileError, match="damaged .checksum of position, outputs"):
            look()
    assert not (tmp_path / "again.h5").exists()
    assert run.motion[3].shape == run.motion.shape[1:]  # of another block
