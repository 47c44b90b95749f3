"""Meshes of MuJoCo's models are drawn where MuJoCo has their vertices."""

import warnings

import numpy as np
import pytest

import poinsot as po
from mesh_files import ITS_FACES, TETRAHEDRON, box, obj, stl
from poinsot.model.rotation import matrix, quaternion

mujoco = pytest.importorskip("mujoco")
pytest.importorskip("trimesh")

TEXT = """<mujoco model="meshes">
<compiler meshdir="parts"/>
<asset>
<mesh name="plain" file="wedge.obj"/>
<mesh name="large" file="wedge.obj" scale="2 3 0.5"/>
<mesh name="mirrored" file="wedge.obj" scale="1 -1 1"/>
<mesh name="moved" file="wedge.obj" refpos="0.3 -0.1 0.2" refquat="0.8 0.1 0.5 -0.2" scale="1.5 1.5 1.5"/>
<mesh file="brick.stl" scale="0.001 0.001 0.001" refpos="10 20 30"/>
<mesh name="typed" vertex="0 0 0  1 0 0  0 1 0  0 0 1"/>
<mesh name="both" file="wedge.obj" refquat="0.8 0.1 0.5 -0.2" scale="1 2 1"/>
</asset>
<worldbody>
<geom name="rock" type="mesh" mesh="plain" pos="1 2 3" euler="10 20 30"/>
<body name="a" pos="0.1 0.2 0.3" euler="40 50 60"><joint type="ball"/>
  <geom type="mesh" mesh="large" pos="0.5 0 0" rgba="1 0 0 1"/>
  <geom type="mesh" mesh="mirrored" quat="0.6 0.3 -0.2 0.1"/>
  <body name="b" pos="0 1 0" euler="0 0 90">
    <geom type="mesh" mesh="moved" pos="0 0 0.2" euler="0 90 0"/>
    <geom name="brick" type="mesh" mesh="brick"/>
    <body name="c"><joint axis="1 0 0"/><geom type="mesh" mesh="plain"/>{more}</body>
  </body>
</body>
</worldbody></mujoco>"""


def written(folder, more=""):
    (folder / "parts").mkdir()
    obj(folder / "parts" / "wedge.obj", TETRAHEDRON * (0.3, 0.5, 0.9) + (0.1, 0.0, -0.2), ITS_FACES)
    stl(folder / "parts" / "brick.stl", *box(30, 50, 80))
    path = folder / "model.xml"
    path.write_text(TEXT.format(more=more))
    return path


def of_mujoco(path):
    """By geom that is a mesh, its vertices in the world at qpos0."""
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    for g in range(model.ngeom):
        k = model.geom_dataid[g]
        own = model.mesh_vert[model.mesh_vertadr[k] : model.mesh_vertadr[k] + model.mesh_vertnum[k]]
        yield data.geom_xpos[g] + own @ data.geom_xmat[g].reshape(3, 3).T


def drawn(system):
    """Vertices of all looks in the world of the drawing."""
    for body in system.bodies:
        turn = matrix(quaternion(body.rotation, ""))
        for look in body.looks:
            own = matrix(quaternion(look.rotation, ""))
            points = look.shape.surface().points @ own.T + np.array(look.position)
            yield points @ turn.T + np.array(body.position)


def test_meshes_are_drawn_where_mujoco_has_them(tmp_path):
    path = written(tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", po.ModelWarning)
        system = po.read(path)
    theirs, ours = list(of_mujoco(path)), list(drawn(system))
    assert len(ours) == len(theirs) == 6
    for one in ours:
        gaps = [max(np.linalg.norm(one[:, None] - other[None], axis=2).min(axis=k).max() for k in (0, 1)) for other in theirs]
        assert min(gaps) < 1e-6  # their vertices are of single precision
        theirs.pop(int(np.argmin(gaps)))
    colours = [look.colour for body in system.bodies for look in body.looks]
    assert colours.count("#ff0000") == 1
    (flat,) = (look for body in system.bodies for look in body.looks if "brick" in look.shape.file)
    assert flat.shape.scale == 0.001
    run = po.simulate(system, 0.1, step=0.01)
    assert run.write_html(tmp_path / "page.html").stat().st_size < 5_000_000


def test_meshes_that_cannot_be_drawn_are_listed(tmp_path):
    path = written(tmp_path, '<geom name="g" type="mesh" mesh="typed"/><geom type="mesh" mesh="both"/>')
    with pytest.warns(po.ModelWarning) as said:
        system = po.read(path)
    words = " ".join(str(one.message) for one in said)
    assert "meshes without a file are not drawn (typed)" in words
    assert "meshes that cannot be drawn: refquat with different scales (both)" in words
    assert sum(len(body.looks) for body in system.bodies) == 6
