"""Wheels of bodies without a shape stand in the page."""


import poinsot as po
from poinsot.view.scene import describe
from test_examples import FOLDER, load


def parts(run, name):
    """The solids of a body."""
    bodies = describe(run)["bodies"]
    return next(body["parts"] for body in bodies if body["name"] == name)


def test_wheels_are_drawn():
    example = load(FOLDER / "bicycle.py")
    run = po.simulate(example.build(), 0.1, step=0.01, progress=False)
    assert [part["radius"] for part in parts(run, "front") if part["kind"] == "cylinder"] == [example.FRONT]
    assert [part for part in parts(run, "frame") if part["kind"] == "cylinder" and part["radius"] > 0.1] == []


def test_the_grid_lies_where_wheels_roll():
    run = po.simulate(load(FOLDER / "bicycle.py").build(), 0.1, step=0.01, progress=False)
    assert describe(run)["floor"] == 0.0
    chain = po.simulate(load(FOLDER / "chain.py").build(), 0.1, step=0.01, progress=False)
    assert describe(chain)["floor"] is None


def test_balls_are_drawn():
    s = po.System("ball", gravity=(0, 0, -9.81))
    ball = s.body("ball", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0, 0, 0.4))
    s.add(po.Rolling(s.ground, ball, at=(0, 0, 0.4), radius=0.4))
    run = po.simulate(s, 0.1, step=0.01, progress=False)
    assert [part["radius"] for part in parts(run, "ball") if part["kind"] == "sphere" and part["radius"] > 0.3] == [0.4]


def test_blades_are_drawn():
    example = load(FOLDER / "sleigh.py")
    run = po.simulate(example.build(), 0.1, step=0.01, progress=False)
    blade = max((part for part in parts(run, "sleigh") if part["kind"] == "cylinder"), key=lambda part: part["radius"])
    assert "at" not in blade and blade["length"] < blade["radius"]  # thin, at the origin of the body, where the blade is
