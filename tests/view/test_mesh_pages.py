"""Meshes in pages, pictures and results: drawn where they are, small, and named where they are missing."""

import json
import re
import warnings

import numpy as np
import pytest

import poinsot as po
from mesh_files import box, glb, sphere, stl
from poinsot.view.meshes import clustered
from poinsot.view.resample import unpack
from poinsot.view.scene import describe

pytest.importorskip("trimesh")


def run_of(*looks, shape=None):
    s = po.System("drawn", gravity=(0, 0, -9.81))
    given = {"mass": 1.0, "com": (0.5, 0, 0), "inertia": (0.1, 0.1, 0.1)} if shape is None else {"shape": shape}
    body = s.body("arm", **given, looks=list(looks) or None)
    s.revolute(s.ground, body, at=(0, 0, 0), axis="y", name="pin")
    return po.simulate(s, 0.2, step=0.01)


def points_of(mesh):
    steps = unpack(mesh["points"], "<u2").reshape(-1, 3).astype(float)
    return np.array(mesh["low"]) + steps * np.array(mesh["size"]) / 65535


def test_triangles_reach_the_page_once_and_exactly_enough(tmp_path):
    points, faces = sphere(12, 0.2)
    mesh = po.Mesh(stl(tmp_path / "ball.stl", points, faces))
    run = run_of(po.Look(mesh, (1, 0, 0), ("z", 0.5), "#ff8800"), po.Look(mesh, (0, 1, 0)))
    scene = describe(run)
    assert len(scene["meshes"]) == 1
    parts = [part for part in scene["bodies"][0]["parts"] if part["kind"] == "mesh"]
    assert [part["mesh"] for part in parts] == [0, 0] and parts[0]["colour"] == "#ff8800" and parts[0]["at"] == [1, 0, 0] and "colour" not in parts[1]
    found = points_of(scene["meshes"][0])
    triangles = found[unpack(scene["meshes"][0]["faces"], "<u2").reshape(-1, 3)]
    wanted = points[faces]
    assert len(triangles) == len(faces) and np.abs(np.sort(triangles.sum(axis=1), axis=0) - np.sort(wanted.sum(axis=1), axis=0)).max() < 1e-4
    assert scene["high"][0] > 1.15  # the box around the motion encloses the mesh
    run.write_html(tmp_path / "page.html")
    data = json.loads(re.search(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', (tmp_path / "page.html").read_text(), re.S).group(1))
    assert data["runs"][0]["scene"]["meshes"] == scene["meshes"]


def test_colours_of_files(tmp_path):
    mesh = po.Mesh(glb(tmp_path / "red.glb", *box(0.2, 0.2, 0.2), colour=(255, 0, 0, 255)))
    parts = describe(run_of(mesh))["bodies"][0]["parts"]
    assert parts[0]["colour"] == "#ff0000"
    assert describe(run_of(po.Look(mesh, colour="#0000ff")))["bodies"][0]["parts"][0]["colour"] == "#0000ff"


def test_large_meshes_are_simplified_and_said(tmp_path):
    points, faces = sphere(220, 0.4)
    mesh = po.Mesh(stl(tmp_path / "large.stl", points, faces), mass=1.0)
    run = run_of(shape=mesh)
    with pytest.warns(po.ModelWarning, match=rf"fewer triangles.*'arm' \d+ of {len(faces)}"):
        run.write_html(tmp_path / "page.html", max_bytes=1_500_000)
    assert (tmp_path / "page.html").stat().st_size < 1_500_000
    coarse = clustered(mesh.surface(), 0.05)
    assert len(coarse.faces) < len(faces) / 20 and np.abs(np.linalg.norm(coarse.points, axis=1) - 0.4).max() < 0.03
    assert coarse.moments()[0] == pytest.approx(4 / 3 * np.pi * 0.4**3, rel=0.05)


def test_results_of_another_machine_say_what_is_missing(tmp_path):
    file = stl(tmp_path / "gone.stl", *box(0.5, 0.1, 0.1))
    run = run_of(shape=po.Mesh(file, density=100.0))
    run.save(tmp_path / "run.h5")
    there = po.load(tmp_path / "run.h5")
    assert describe(there)["meshes"] == describe(run)["meshes"]
    file.unlink()
    again = po.load(tmp_path / "run.h5")
    assert again.system["arm"].mass == run.system["arm"].mass and np.array_equal(again["pin"].angle, run["pin"].angle)
    with pytest.warns(po.ModelWarning, match="body 'arm': mesh .*gone.stl.*no such file; it is not drawn"):
        again.write_html(tmp_path / "page.html")
    with pytest.warns(po.ModelWarning, match="body 'arm': mesh .*gone.stl"):
        again.snapshots(2)


def test_pictures_show_their_edges(tmp_path):
    from poinsot.view.skeleton import outline

    lines = outline(po.Mesh(stl(tmp_path / "box.stl", *box(1, 2, 3))))
    assert len(lines) == 12 and sorted(round(float(np.linalg.norm(b - a)), 9) for a, b in lines) == [1] * 4 + [2] * 4 + [3] * 4
    run = run_of(shape=po.Mesh(tmp_path / "box.stl", mass=1.0))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run.snapshots(3).savefig(tmp_path / "strobe.png")
    assert (tmp_path / "strobe.png").stat().st_size > 5000


def test_robots_wear_their_meshes(tmp_path):
    (tmp_path / "meshes").mkdir()
    stl(tmp_path / "meshes" / "a.stl", *box(100, 100, 100))
    (tmp_path / "meshes" / "broken.stl").write_bytes(b"no")
    link = '<link name="{0}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>{1}</link>'
    mesh = '<visual><origin xyz="1 0 0"/><geometry><mesh filename="{0}" scale="0.001 0.001 0.002"/></geometry></visual>'
    joint = '<joint name="{0}" type="continuous"><parent link="base"/><child link="{0}"/></joint>'
    text = '<robot name="r"><link name="base"/>' + link.format("a", mesh.format("meshes/a.stl")) + link.format("b", mesh.format("meshes/broken.stl"))
    text += link.format("c", mesh.format("meshes/none.stl")) + "".join(map(joint.format, "abc")) + "</robot>"
    (tmp_path / "r.urdf").write_text(text)
    with pytest.warns(po.ModelWarning) as told:
        s = po.read(tmp_path / "r.urdf")
    words = "\n".join(str(w.message) for w in told)
    assert "not found: meshes/none.stl (link 'c')" in words and "broken.stl" in words and "link 'b'" in words
    look = s["a"].looks[0]
    assert look.shape.scale == (0.001, 0.001, 0.002) and look.position == (1, 0, 0) and not s["b"].looks and not s["c"].looks
    assert len(describe(po.simulate(s, 0.1, step=0.01))["meshes"]) == 1
