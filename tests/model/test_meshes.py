"""Meshes: mass properties against formulas, what is refused, and what depends on the file."""

import numpy as np
import pytest

import poinsot as po
from mesh_files import ITS_FACES, TETRAHEDRON, ascii_stl, box, glb, obj, sphere, stl

pytest.importorskip("trimesh")
WRITERS = {"binary.stl": stl, "text.stl": ascii_stl, "part.obj": obj, "part.glb": glb}


@pytest.mark.parametrize("name", WRITERS)
def test_a_box_in_every_format(tmp_path, name):
    file = WRITERS[name](tmp_path / name, *box(200.0, 100.0, 50.0, at=(0.0, -50.0, 25.0)))
    found = po.Mesh(file, scale=0.001, density=1000.0).properties()
    assert found.mass == pytest.approx(1.0, rel=1e-12)
    assert np.allclose(found.com, (0.1, 0.0, 0.05), atol=1e-15)
    assert np.allclose(found.inertia, po.Box(0.2, 0.1, 0.05, mass=1.0).properties().inertia, rtol=1e-12, atol=1e-17)
    assert po.Mesh(file, scale=0.001, mass=3.0).properties().mass == 3.0
    assert po.Mesh(file, scale=0.001, mass=3.0).volume() == pytest.approx(1e-3, rel=1e-12)


def test_a_tetrahedron_by_its_formulas(tmp_path):
    """Of the unit tetrahedron: volume 1/6, centre 1/4, integral of x^2 1/60, of x y 1/120."""
    found = po.Mesh(obj(tmp_path / "t.obj", TETRAHEDRON, ITS_FACES), density=6.0).properties()
    assert found.mass == pytest.approx(1.0, rel=1e-14) and np.allclose(found.com, 0.25, rtol=1e-14)
    second = 6 * (np.full((3, 3), 1 / 120) + np.eye(3) / 120) - np.full((3, 3), 1 / 16)
    assert np.allclose(found.inertia, np.trace(second) * np.eye(3) - second, rtol=1e-13)


def test_a_polyhedral_ball_against_its_tetrahedra_and_the_ball(tmp_path):
    points, faces = sphere(24, 0.5)
    points = points @ np.diag([1.0, 2.0, 3.0]) + (0.3, -0.2, 0.1)
    found = po.Mesh(obj(tmp_path / "b.obj", points, faces), mass=2.0).properties()
    centre = np.array([0.3, -0.2, 0.1])
    volume, second = 0.0, np.zeros((3, 3))
    for face in faces:  # tetrahedra from the centre, by the rule that is exact for quadratic functions: nodes at corners and centroid
        a, b, c = points[face] - centre
        v = np.linalg.det([a, b, c]) / 6
        volume += v
        middle = (a + b + c) / 4
        second += v * (sum(np.outer(p, p) for p in (a, b, c)) / 20 + 0.8 * np.outer(middle, middle))
    assert np.allclose(found.com, centre, atol=1e-13)
    assert np.allclose(found.inertia, 2.0 / volume * (np.trace(second) * np.eye(3) - second), rtol=1e-11, atol=1e-14)
    a, b, c = 0.5, 1.0, 1.5  # the ellipsoid itself
    assert np.allclose(np.diag(found.inertia), 0.4 * np.array([b * b + c * c, a * a + c * c, a * a + b * b]), rtol=0.02)
    errors = [abs(po.Mesh(stl(tmp_path / f"{n}.stl", *sphere(n)), mass=1.0).volume() / (4 / 3 * np.pi) - 1) for n in (8, 16, 32)]
    assert 3.5 < errors[0] / errors[1] < 4.5 and 3.5 < errors[1] / errors[2] < 4.5


def test_a_body_of_a_mesh_moves_as_the_box(tmp_path):
    def build(shape, at):
        s = po.System("pendulum", gravity=(0, 0, -9.81))
        body = s.body("body", shape, position=at)
        s.revolute(s.ground, body, at=(0, 0, 0), axis=(0.6, 0.8, 0), name="pin")
        return s

    file = stl(tmp_path / "box.stl", *box(0.5, 0.25, 1.0, at=(0.0, 0.0, -1.0)))
    one = po.simulate(build(po.Mesh(file, mass=2.0), (0, 0, 0)), 1.0, step=0.01)
    two = po.simulate(build(po.Box(0.5, 0.25, 1.0, mass=2.0), (0.25, 0.125, -0.5)), 1.0, step=0.01)
    assert np.abs(one["pin"].angle).max() > 0.05 and np.abs(one["pin"].angle - two["pin"].angle).max() < 1e-11
    mirrored = po.Mesh(file, scale=(1, 1, -1), mass=2.0).properties()
    assert mirrored.com[2] == pytest.approx(0.5, abs=1e-12) and mirrored.inertia[0, 0] > 0


def test_surfaces_that_enclose_nothing_are_refused(tmp_path):
    points, faces = box(1.0, 1.0, 1.0)
    turned = faces.copy()
    turned[0] = turned[0, ::-1]
    for wrong, words in ((faces[:-1], "is open: 3 edges"), (turned, "not consistently oriented"), (faces[:, ::-1], "inside out")):
        file = stl(tmp_path / "wrong.stl", points, wrong)
        s = po.System("s", gravity=None)
        with pytest.raises(po.ModelError, match=rf"body 'b': mesh .*wrong.stl.*{words}"):
            s.body("b", po.Mesh(file, density=1.0))
        s.body("c", mass=1.0, looks=po.Mesh(file))  # it can be drawn
        file.unlink()
    flat = obj(tmp_path / "flat.obj", points * (1, 1, 0), faces)
    with pytest.raises(po.ModelError, match="encloses no volume|has no triangles|not consistently"):
        po.Mesh(flat, mass=1.0).properties()


def test_files_that_are_no_meshes(tmp_path):
    with pytest.raises(po.ModelError, match="no such file"):
        po.Mesh(tmp_path / "none.stl", mass=1.0).properties()
    (tmp_path / "bad.stl").write_bytes(b"nonsense")
    (tmp_path / "bad.glb").write_bytes(b"glTF" + bytes(30))
    (tmp_path / "empty.obj").write_text("")
    for name in ("bad.stl", "bad.glb", "empty.obj"):
        with pytest.raises(po.ModelError, match=f"mesh .*{name}"):
            po.Mesh(tmp_path / name, mass=1.0).properties()
    cut = stl(tmp_path / "cut.stl", *box(1, 1, 1))
    cut.write_bytes(cut.read_bytes()[:-60])
    with pytest.raises(po.ModelError, match="cut.stl"):
        po.Mesh(cut, mass=1.0).properties()
    nan = obj(tmp_path / "nan.obj", np.where(TETRAHEDRON == 1, np.nan, TETRAHEDRON), ITS_FACES)
    with pytest.raises(po.ModelError, match="nan.obj"):
        po.Mesh(nan, mass=1.0).properties()
    for arguments, words in (({"file": "a.txt"}, "is not a mesh"), ({"file": 3}, "file must be"), ({"scale": 0}, "scale"), ({"scale": -1.0}, "scale"),
                             ({"scale": (1, 2)}, "scale"), ({"scale": np.nan}, "scale"), ({"mass": "x"}, "mass must be")):  # fmt: skip
        with pytest.raises(po.ModelError, match=words):
            po.Mesh(**({"file": "a.stl"} | arguments))
    with pytest.raises(po.ModelError, match="either mass"):
        po.Mesh(stl(tmp_path / "c.stl", *box(1, 1, 1))).properties()


def test_a_file_that_changes_is_read_again(tmp_path):
    mesh = po.Mesh(obj(tmp_path / "b.obj", *box(1, 1, 1)), density=1.0)
    assert mesh.volume() == pytest.approx(1.0)
    obj(tmp_path / "b.obj", *box(1, 1, 2.125))
    assert mesh.volume() == pytest.approx(2.125)


def test_models_name_meshes_relative_to_their_file(tmp_path, monkeypatch):
    (tmp_path / "parts").mkdir()
    file = stl(tmp_path / "parts" / "box.stl", *box(100, 100, 100))
    s = po.System("s", gravity=None)
    s.body("a", po.Mesh(file, scale=0.001, density=2700.0))
    s.body("b", mass=1.0, inertia=(1, 1, 1), looks=[po.Look(po.Mesh(file, scale=(0.001, 0.002, 0.001)), (1, 0, 0), ("x", 0.1), "#ff0000")])
    (tmp_path / "models").mkdir()
    text = s.to_yaml(tmp_path / "models" / "s.yaml")
    assert text.count("../parts/box.stl") == 2 and str(tmp_path) not in text
    (tmp_path / "models").rename(tmp_path / "moved")
    again = po.read(tmp_path / "moved" / "s.yaml")
    assert again["a"].mass == s["a"].mass and again["a"].inertia == s["a"].inertia and again["b"].looks[0].shape == s["b"].looks[0].shape
    alone = s.to_yaml()  # as in results: numbers, not the file
    file.unlink()
    from poinsot.files.models.read_write import read_text

    found = read_text(alone)
    assert (found["a"].mass, found["a"].com, found["a"].inertia) == (s["a"].mass, s["a"].com, s["a"].inertia)
    with pytest.raises(po.ModelError, match=r"s.yaml:\d+: .*no such file"):
        po.read(tmp_path / "moved" / "s.yaml")
    assert po.prepare(s, step=0.1).run(0.1, change={"b.mass": 2.0}).system["b"].mass == 2.0


def test_scale_and_density_can_change(tmp_path):
    s = po.System("s", gravity=None)
    s.body("a", po.Mesh(stl(tmp_path / "box.stl", *box(1, 1, 1)), density=2.0))
    run = po.prepare(s, step=0.1).run(0.1, change={"a.scale": 2.0})
    assert run.system["a"].mass == pytest.approx(16.0)
    assert po.prepare(s, step=0.1).run(0.1, change={"a.density": 3.0}).system["a"].mass == pytest.approx(3.0)
