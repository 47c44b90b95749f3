"""Bodies without mass, or without inertia about some axis, welded to others: they move, carry loads and have results as any body."""

import numpy as np
import pytest

import poinsot as po


def arm(loads=True):
    """A heavy link with a massless bracket and a massless flange on it, that carries a second link with a thin rod welded to it."""
    s = po.System("arm", gravity=(0.3, 0.1, -9.81))
    link = s.body("link", po.Box(0.1, 0.2, 1.0, mass=2.0), position=(0, 0, -0.5), com=(0.05, 0, 0.1))
    bracket = s.body("bracket", mass=0.0, position=(0.2, 0.1, -1.0), rotation=("x", 0.4), com=(0.1, 0.2, 0.3))
    flange = s.body("flange", mass=0.0, position=(0.4, 0.0, -1.1), rotation=("y", 0.3))
    outer = s.body("outer", po.Box(0.2, 0.3, 0.5, mass=1.0), position=(0.5, 0.2, -1.3))
    thin = s.body("thin", mass=0.3, inertia=(0.0, 0.02, 0.02), position=(0.8, 0.2, -1.5), rotation=("z", 0.5))
    s.revolute(s.ground, link, at=(0, 0, 0), axis="y", name="base").set(angle=0.4, rate=1.0)
    s.fixed(bracket, link, at=(0.1, 0, -0.9), name="weld1")
    s.fixed(bracket, flange, at=(0.3, 0, -1.0), name="weld2")
    s.universal(flange, outer, at=(0.45, 0.1, -1.2), axis="x", axis2=(0, 1, 0.2), name="wrist").set(angle1=0.3, angle2=-0.2, rate=(2.0, 1.0))
    s.fixed(outer, thin, at=(0.7, 0.2, -1.4), name="weld3")
    if loads:
        s.add(po.Force(flange, (3.0, 1.0, 2.0), at=(0.5, 0.1, -1.0), name="push"))
        s.add(po.Spring(s.ground, bracket, at=((1, 1, 0), (0.3, 0.2, -1.1)), stiffness=20.0, damping=0.5, length=1.0, name="spring"))
        s.add(po.UserForce(sideways, bodies=[bracket, thin], params=[2.0], name="user"))
    return s


def sideways(t, x, p, out):
    out[0, 0] = p[0]
    out[0, 5] = 0.3
    out[1, 1] = -p[0]


def merged():
    """The same with what is welded drawn as one body each."""
    s = po.System("merged", gravity=(0.3, 0.1, -9.81))
    link = s.body("link", po.Box(0.1, 0.2, 1.0, mass=2.0), position=(0, 0, -0.5), com=(0.05, 0, 0.1))
    R = np.array([[np.cos(0.5), -np.sin(0.5), 0], [np.sin(0.5), np.cos(0.5), 0], [0, 0, 1]])
    box = po.Box(0.2, 0.3, 0.5, mass=1.0).properties()
    parts = [(1.0, np.zeros(3), box.inertia), (0.3, np.array([0.3, 0, -0.2]), R @ np.diag([0.0, 0.02, 0.02]) @ R.T)]
    com = sum(m * x for m, x, _ in parts) / 1.3
    inertia = sum(J + m * ((x - com) @ (x - com) * np.eye(3) - np.outer(x - com, x - com)) for m, x, J in parts)
    outer = s.body("outer", mass=1.3, com=com, inertia=inertia, position=(0.5, 0.2, -1.3))
    s.revolute(s.ground, link, at=(0, 0, 0), axis="y", name="base").set(angle=0.4, rate=1.0)
    s.universal(link, outer, at=(0.45, 0.1, -1.2), axis="x", axis2=(0, 1, 0.2), name="wrist").set(angle1=0.3, angle2=-0.2, rate=(2.0, 1.0))
    return s


def test_at_a_state_formulations_agree():
    tree, directors = po.dynamics(arm(), "tree"), po.dynamics(arm(), "directors")
    wanted = tree.acceleration()
    assert np.abs(directors.acceleration() - wanted).max() < 1e-11 * np.abs(wanted).max()
    assert np.abs(po.dynamics(arm(), "moving-frame").acceleration() - wanted).max() < 1e-11 * np.abs(wanted).max()
    found = directors.reactions()
    assert set(found) == {"base", "weld1", "weld2", "wrist", "weld3"}
    for name, wrench in tree.reactions().items():
        assert np.abs(np.array(wrench) - found[name]).max() < 1e-10, name


def test_they_move_as_one_body():
    wanted = po.dynamics(merged(), "tree").acceleration()
    for formulation in ("tree", "moving-frame", "directors"):
        found = po.dynamics(arm(loads=False), formulation).acceleration()
        assert np.abs(found - wanted).max() < 1e-11 * np.abs(wanted).max(), formulation


def test_runs_agree_and_balance_energy(tmp_path):
    s = arm()
    tree = po.simulate(s, 1.0, step=0.005, formulation="tree", integrator="gauss4")
    run = po.simulate(s, 1.0, step=0.005, formulation="directors", integrator="energy-momentum-6")
    for name in ("link", "bracket", "flange", "outer", "thin"):
        for what in ("position", "com", "quaternion", "velocity", "angular_velocity"):
            assert np.abs(getattr(tree[name], what) - getattr(run[name], what)).max() < 1e-7, (name, what)
    for name in ("base", "weld1", "weld2", "wrist", "weld3"):
        assert np.abs(tree[name].force - run[name].force).max() < 1e-5, name
        assert np.abs(tree[name].torque - run[name].torque).max() < 1e-5, name
    for what in ("energy", "kinetic", "potential", "momentum", "angular_momentum"):
        assert np.abs(getattr(tree, what) - getattr(run, what)).max() < 1e-6, what
    run.save(tmp_path / "arm.h5")
    again = po.load(tmp_path / "arm.h5")
    assert np.array_equal(again["bracket"].position, run["bracket"].position)
    assert np.array_equal(again["weld2"].force, run["weld2"].force)
    run.write_html(tmp_path / "arm.html")


def test_a_weld_counts_wherever_it_stands_among_the_joints():
    """The hinge of a massless lug comes first; the weld that gives it mass closes the loop."""
    s = po.System("lug", gravity=(0, 0, -9.81))
    lug = s.body("lug", mass=0.0, position=(0.1, 0, 0))
    door = s.body("door", po.Box(1.0, 0.1, 2.0, mass=10.0), position=(0.6, 0, 0))
    s.revolute(s.ground, lug, at=(0, 0, 0), axis="y", name="lower")
    s.revolute(s.ground, door, at=(0, 0.5, 0), axis="y", name="upper").set(rate=1.0)
    s.fixed(lug, door, name="weld")
    one = po.System("one", gravity=(0, 0, -9.81))
    body = one.body("door", po.Box(1.0, 0.1, 2.0, mass=10.0), position=(0.6, 0, 0))
    one.revolute(one.ground, body, at=(0, 0, 0), axis="y", name="lower").set(rate=1.0)
    assert "mass" not in str(s.check())
    run, wanted = po.simulate(s, 0.5, step=0.005), po.simulate(one, 0.5, step=0.005, formulation="tree", integrator="gauss4")
    assert np.abs(run["door"].position - wanted["door"].position).max() < 1e-4
    fine = po.simulate(s, 0.5, step=0.005, formulation="directors", integrator="energy-momentum-6")
    assert np.abs(fine["door"].position - wanted["door"].position).max() < 1e-9


def test_welded_to_the_ground():
    s = po.System("post", gravity=(0, 0, -9.81))
    post = s.body("post", mass=0.0, position=(0, 0, 1.0))
    link = s.body("link", po.Box(0.1, 0.2, 1.0, mass=2.0), position=(0, 0, 0.5))
    s.fixed(s.ground, post, name="weld")
    s.revolute(post, link, at=(0, 0, 1), axis="y", name="hinge").set(angle=0.5)
    tree, directors = po.dynamics(s, "tree"), po.dynamics(s, "directors")
    assert abs(tree.acceleration() - directors.acceleration()).max() < 1e-11
    for name, wrench in tree.reactions().items():
        assert np.abs(np.array(wrench) - directors.reactions()[name]).max() < 1e-11, name


@pytest.mark.parametrize("formulation", ["tree", "directors"])
def test_what_nothing_gives_mass_is_refused(formulation):
    s = po.System("loose", gravity=(0, 0, -9.81))
    link = s.body("link", po.Box(0.1, 0.2, 1.0, mass=2.0), position=(0, 0, -0.5))
    plate, eye = s.body("plate", mass=0.0, position=(0, 0, -1.0)), s.body("eye", mass=0.0, position=(0, 0, -1.2))
    s.revolute(s.ground, link, at=(0, 0, 0), axis="y")
    s.revolute(link, plate, at=(0, 0, -1.0), axis="x")
    s.fixed(plate, eye)
    with pytest.raises(po.ModelError, match="plate.*neither it nor any body it carries has mass"):
        po.simulate(s, 0.1, step=0.01, formulation=formulation)


def test_a_massless_body_between_joints_is_refused_in_directors():
    s = po.System("between", gravity=(0, 0, -9.81))
    cross = s.body("cross", mass=0.0, position=(0, 0, -0.5))
    link = s.body("link", po.Box(0.1, 0.2, 1.0, mass=2.0), position=(0, 0, -1.0))
    s.revolute(s.ground, cross, at=(0, 0, -0.5), axis="y")
    s.revolute(cross, link, at=(0, 0, -0.5), axis="x")
    with pytest.raises(po.FormulationError, match="body 'cross' has no mass"):
        po.simulate(s, 0.1, step=0.01, formulation="directors")
