"""Videos of shaded solids: every shape is seen where it is, light falls on faces, and which look is used by default is said."""

from contextlib import contextmanager

import numpy as np
import pytest
from typer.testing import CliRunner

import poinsot as po
from poinsot.cli.app import app
from poinsot.errors import PoinsotError
from poinsot.view import video
from poinsot.view.camera import from_angles
from poinsot.view.colours import IRON, SCENE, SOLIDS
from poinsot.view.facets import Detail, facets, linear, lit
from poinsot.view.page_frames import PageStage
from poinsot.view.solid_frames import SolidStage
from systems import pendulum

SIZE = (160, 90)
BOX = """solid box
facet normal 0 0 0
outer loop
vertex 0 0 0
vertex 0.2 0 0
vertex 0 0 0.2
endloop
endfacet
facet normal 0 0 0
outer loop
vertex 0 0 0
vertex 0 0.2 0
vertex 0.2 0 0
endloop
endfacet
facet normal 0 0 0
outer loop
vertex 0 0 0
vertex 0 0 0.2
vertex 0 0.2 0
endloop
endfacet
facet normal 0 0 0
outer loop
vertex 0.2 0 0
vertex 0 0.2 0
vertex 0 0 0.2
endloop
endfacet
endsolid box
"""


@pytest.fixture(scope="module")
def run():
    return po.simulate(pendulum(), 0.4, step=0.02)


def shapes(folder):
    (folder / "wedge.stl").write_text(BOX)
    rod = po.Rod(0.02, 0.4, mass=1.0)
    return {
        "box": po.Box(0.3, 0.2, 0.1, mass=1.0),
        "rod": rod,
        "cylinder": po.Cylinder(0.1, 0.3, mass=1.0),
        "disc": po.Disc(0.2, mass=1.0),
        "sphere": po.Sphere(0.1, mass=1.0),
        "mesh": po.Mesh(folder / "wedge.stl", density=1000.0),
        "composite": po.Composite([(po.Box(0.2, 0.2, 0.2, mass=1.0), (0, 0, 0)), (po.Sphere(0.1, mass=1.0), (0.2, 0, 0))]),
    }


@pytest.mark.parametrize("kind", ["box", "rod", "cylinder", "disc", "sphere", "mesh", "composite"])
def test_every_shape_is_seen_where_it_is(kind, tmp_path):
    s = po.System("one", gravity=(0, 0, -9.81))
    s.body("it", shapes(tmp_path)[kind])
    run = po.simulate(s, 0.2, step=0.02)
    stage = SolidStage(run, np.array([0.0, 0.2]), SIZE, (), 1.0, None)
    background = np.array([int(SCENE[k : k + 2], 16) for k in (1, 3, 5)])
    for k in (0, 1):
        x, y = stage.camera.project(run["it"].com[-1 if k else 0])[0]
        seen = stage.frame(k)[SIZE[1] - 1 - int(y), int(x)].astype(int)
        assert np.abs(seen - background).max() > 30, (kind, seen)
    assert not np.array_equal(stage.frame(0), stage.frame(1))
    assert np.array_equal(stage.frame(0), stage.frame(0))


def test_faces_towards_the_light_are_brighter():
    up, look, sun = np.eye(3)[2], np.eye(3)[1], np.array([0.6, 0.0, 0.8])
    grey = linear("#808080") * np.ones((2, 1))
    bright, dark = lit(grey, np.array([sun, -sun]), up, look, sun)
    assert bright.min() > 1.3 * dark.max()
    box = facets({"kind": "box", "size": [1.0, 2.0, 3.0]}, [], IRON, Detail(8, 2, 10, 1.0))
    outward = np.sum(box.normals * box.corners.mean(axis=1), axis=1)
    assert outward.min() > 0.0


@pytest.mark.parametrize("kind", ["cylinder", "sphere", "box"])
def test_normals_are_outward(kind):
    solid = {"kind": kind, "radius": 0.3, "length": 1.0, "size": [1.0, 1.0, 1.0], "at": [1.0, 2.0, 3.0]}
    found = facets(solid, [], SOLIDS[0], Detail(12, 3, 10, 0.3))
    assert np.sum(found.normals * (found.corners.mean(axis=1) - (1.0, 2.0, 3.0)), axis=1).min() > 0.0
    assert np.linalg.norm(found.normals, axis=1) == pytest.approx(1.0)


def test_angles_of_view_are_those_of_matplotlib():
    assert from_angles(np.eye(3)[2], 0.0, 90.0) == pytest.approx((0, 1, 0))
    assert from_angles(np.eye(3)[2], 30.0, 0.0) == pytest.approx((np.sqrt(0.75), 0, 0.5))


def test_solids_of_page_and_video_have_the_same_colours():
    from pathlib import Path

    words = (Path(video.__file__).parent / "web" / "format.js").read_text()
    assert "const SOLIDS = [" + ", ".join(f"0x{colour[1:]}" for colour in SOLIDS) + "]" in words


def drawn(run, path, capfd, **options):
    assert run.write_video(path, fps=10, size=SIZE, **options).exists()
    return capfd.readouterr().err


def test_the_default_is_said(run, tmp_path, monkeypatch, capfd):
    path = tmp_path / "x.gif"
    monkeypatch.setattr(video, "missing", lambda: "there is no Chromium on this machine")
    assert drawn(run, path, capfd) == "x.gif is drawn as shaded solids, not like the page: there is no Chromium on this machine\n"
    assert drawn(run, path, capfd, progress=False) == drawn(run, path, capfd, like="solids") == ""

    @contextmanager
    def paged(run, times, size):
        stage = PageStage(None, run, times, size)
        stage.frame = lambda k: np.full((size[1], size[0], 3), 10 * k, np.uint8)
        yield stage

    @contextmanager
    def blind(run, times, size):
        raise PoinsotError("this Chromium has no WebGL; write the video otherwise")
        yield

    monkeypatch.setattr(video, "missing", lambda: "")
    monkeypatch.setattr(video, "page_stage", paged)
    assert drawn(run, path, capfd) == "x.gif is drawn like the page\n"
    assert "as shaded solids, not like the page: which has no paths=" in drawn(run, path, capfd, view=(20, 30))
    monkeypatch.setattr(video, "page_stage", blind)
    assert "as shaded solids, not like the page: this Chromium has no WebGL\n" in drawn(run, path, capfd)
    with pytest.raises(PoinsotError, match="no WebGL"):
        run.write_video(path, like="page", fps=10, size=SIZE)


def test_the_look_from_the_command_line(run, tmp_path, monkeypatch):
    results, asked = tmp_path / "run.h5", []
    run.save(results)
    monkeypatch.setattr(po.Trajectory, "write_video", lambda self, path, **options: asked.append(options["like"]))
    words = ["view", str(results), "--no-open", "--video", str(tmp_path / "x.gif")]
    assert CliRunner().invoke(app, [*words, "--like", "solids"]).exit_code == 0
    assert CliRunner().invoke(app, words).exit_code == 0 and asked == ["solids", None]
    found = CliRunner().invoke(app, [*words, "--like", "solid"])
    assert found.exit_code == 2 and "like must be 'page', 'solids' or 'sticks', not 'solid'; did you mean 'solids'" in found.output
    found = CliRunner().invoke(app, ["view", str(results), "--no-open", "--like", "page"])
    assert found.exit_code == 2 and "give --video, too" in found.output
