"""Writing a model down: shapes, bodies, points, names, initial values, planar systems; and every fault at once."""

import numpy as np
import pytest

import poinsot as po


def test_shapes_have_the_textbook_inertias():
    inertia = lambda shape: np.diag(shape.properties().inertia)  # noqa: E731
    assert inertia(po.Box(1, 2, 3, mass=12)) == pytest.approx([13, 10, 5])
    assert inertia(po.Cylinder(2, 3, mass=12)) == pytest.approx([21, 21, 24])
    assert inertia(po.Cylinder(2, 3, axis="x", mass=12)) == pytest.approx([24, 21, 21])
    assert inertia(po.Sphere(2, mass=5)) == pytest.approx([8, 8, 8])
    assert inertia(po.Disc(2, mass=4)) == pytest.approx([4, 4, 8])
    assert inertia(po.Rod(0.2, 6.0, mass=1)) == pytest.approx([0.02, 3.01, 3.01])


def test_density_times_volume_is_mass():
    assert po.Box(1, 2, 3, density=10).total_mass() == pytest.approx(60)
    assert po.Sphere(1, density=3).total_mass() == pytest.approx(4 * np.pi)
    assert po.Disc(1, 0.5, density=2).total_mass() == pytest.approx(np.pi)
    assert po.Cylinder(1, 2, density=1).total_mass() == pytest.approx(2 * np.pi)
    for shape in (po.Disc(1, density=2), po.Box(1, 1, 1), po.Box(1, 1, 1, mass=1, density=1)):
        with pytest.raises(po.ModelError):
            shape.total_mass()


def test_a_composite_adds_up():
    """The top of saetran2018: a rod and a disc."""
    rod = po.Cylinder(0.05, 0.4, density=1000)
    disc = po.Cylinder(0.4, 0.05, density=1000)
    top = po.Composite([(rod, (0, 0, 0.2)), (disc, (0, 0, 0.425))]).properties()
    assert top.mass == pytest.approx(28.2743338823, abs=1e-9)
    assert top.com == pytest.approx([0, 0, 0.4], abs=1e-12)
    assert np.diag(top.inertia) == pytest.approx([1.1957687038, 1.1957687038, 2.0145462891], abs=1e-9)
    turned = po.Composite([(rod, (0.2, 0, 0), ("y", np.pi / 2)), (disc, (0.425, 0, 0), ("y", np.pi / 2))]).properties()
    assert np.diag(turned.inertia) == pytest.approx([2.0145462891, 1.1957687038, 1.1957687038], abs=1e-9)


def test_bodies_between_two_points():
    s = po.System("bars", gravity=None)
    rod = s.body("rod", po.Rod(radius=0.02, mass=1.0), between=((2, 0, 1.5), (2, 0, 0)))
    assert rod.shape.length == 1.5 and rod.position == (2, 0, 0.75)
    assert rod.start.world == pytest.approx((2, 0, 1.5)) and rod.end.world == pytest.approx((2, 0, 0))
    assert rod.at((0.75, 0, 0)).world == pytest.approx((2, 0, 0))
    back = s.body("back", po.Rod(radius=0.02, mass=1.0), between=((1, 0, 0), (-1, 0, 0)))
    assert back.end.world == pytest.approx((-1, 0, 0))
    with pytest.raises(po.ModelError, match="start and end"):
        _ = s.body("ball", po.Sphere(1, mass=1)).start


@pytest.mark.parametrize(
    "rotation",
    [("z", 0.5), (0, 0, 0.5), (np.cos(0.25), 0, 0, np.sin(0.25)), [("z", 0.2), (0, 0, 0.3)],
     [[np.cos(0.5), -np.sin(0.5), 0], [np.sin(0.5), np.cos(0.5), 0], [0, 0, 1]]],
)  # fmt: skip
def test_rotations_in_every_form(rotation):
    s = po.System("one", gravity=None)
    body = s.body("body", po.Sphere(1, mass=1), rotation=rotation)
    assert body.world((1, 0, 0)) == pytest.approx((np.cos(0.5), np.sin(0.5), 0))


@pytest.mark.parametrize("rotation", ["x", ("q", 1.0), (1, 2), np.ones((3, 3)), (2.0, 0, 0, 0), (np.nan, 0, 0)])
def test_rotations_that_are_none(rotation):
    with pytest.raises(po.ModelError, match="body 'body'"):
        po.System("one", gravity=None).body("body", po.Sphere(1, mass=1), rotation=rotation)


def test_intrinsic_products_turn_about_the_turned_axes():
    s = po.System("one", gravity=None)
    body = s.body("body", po.Sphere(1, mass=1), rotation=[("z", np.pi / 2), ("x", np.pi / 2)])
    assert body.world((0, 0, 1)) == pytest.approx((1, 0, 0))  # z -> -y of the turned frame = +x of the world


def test_names_are_given_and_found():
    s = po.System("one", gravity=None)
    a, b = (s.body(n, po.Sphere(1, mass=1)) for n in "ab")
    joint = s.revolute(a, b, at=(0, 0, 0), axis="z")
    assert joint.name == "revolute1" and s["revolute1"] is joint and s["a"] is a and s["ground"] is s.ground
    assert s.add(po.JointDamper(joint, 1.0)).name == "joint_damper1"
    with pytest.raises(po.ModelError, match="no element 'c'"):
        s["c"]


def test_every_fault_at_once():
    s, other = po.System("bad", gravity=None), po.System("other", gravity=None)
    a = s.body("a", mass=-1.0, inertia=(1, 1, 1))
    s.body("a", mass=1.0, inertia=(1, 1, 3))
    s.body("c", mass=1.0, inertia=(-1, 1, 1))
    stranger = other.body("stranger", po.Sphere(1, mass=1))
    s.revolute(s.ground, a, at=(0, 0, 0), axis=(0, 0, 0), name="hinge")
    s.spherical(a, a, at=(0, 0, 0), name="self")
    s.spherical(a, stranger, at=(0, 0, 0), name="abroad")
    s.add(po.Spring(a, s.ground, at=((0, 0, 0), (1, 0, 0)), stiffness=float("nan"), name="soft"))
    s.add(po.Motor(s["hinge"], None, name="idle"))
    report = s.check()
    text = str(report)
    for words in (
        "body 'a': mass must be",
        "name is already taken by body 'a'",
        "no mass distribution has the principal inertias 1, 1, 3",
        "negative principal value",
        "revolute 'hinge': axis (0.0, 0.0, 0.0) is not a direction",
        "connects body 'a' to itself",
        "body 'stranger' belongs to system 'other', not to 'bad'",
        "spring 'soft': stiffness must be a finite number",
        "motor 'idle': has no law",
    ):
        assert words in text, words
    assert not report.ok and len(report.faults) == 9
    with pytest.raises(po.ModelError, match="9 faults"):
        po.simulate(s, 1.0, step=0.1)


def test_massless_leaves_are_faults_but_massless_links_between_are_not():
    s = po.System("arm", gravity=None)
    cross = s.body("cross", mass=0.0, inertia=(0, 0, 0))
    s.revolute(s.ground, cross, at=(0, 0, 0), axis="x", name="first")
    assert "body 'cross': neither it nor any body it carries has mass, so revolute 'first'" in str(s.check())
    tip = s.body("tip", po.Box(1, 1, 1, mass=1.0), position=(1, 0, 0))
    s.revolute(cross, tip, at=(0, 0, 0), axis="y")
    assert s.check().ok
    assert po.simulate(s, 0.1, step=0.01).audit.energy_drift < 1e-12


def test_check_in_words():
    s = po.System("pair", gravity=(0, 0, -9.81))
    a = s.body("a", po.Sphere(1, mass=1))
    b = s.body("b", po.Sphere(1, mass=1), position=(3, 0, 0))
    s.revolute(a, b, at=(1.5, 0, 0), axis="y")
    text = str(s.check())
    assert "System 'pair': 2 bodies, 1 joint, 0 forces." in text
    assert "7 degrees of freedom." in text
    assert "Not connected to the ground, so free to move: 'a'." in text
    assert "No faults." in text
    s.spherical(s.ground, a, at=(0, 0, 0))
    s.spherical(b, s.ground, at=((3, 0, 0), (3, 0, 1)), name="closing")
    text = str(s.check())
    assert "Joint 'closing' closes a loop." in text and "1 m apart in the drawing" in text


def test_initial_values_by_set():
    s = po.System("one", gravity=None)
    a = s.body("a", po.Sphere(1, mass=1))
    joint = s.cylindrical(s.ground, a, at=(0, 0, 0), axis="z")
    joint.set(displacement=0.5, angle=0.2, rate=(3.0, 4.0))
    run = po.simulate(s, 1.0, step=0.1)
    assert run[joint].displacement == pytest.approx(0.5 + 3 * run.t) and run[joint].angle == pytest.approx(0.2 + 4 * run.t)
    assert run[joint].rate[0] == pytest.approx([3, 4]) and run[joint].angle_rate == pytest.approx(4)
    for bad in ({"turn": 1}, {"angle": (1, 2)}, {"rate": 1.0}, {"angle": float("inf")}):
        with pytest.raises(po.ModelError, match="cylindrical 'cylindrical1'"):
            joint.set(**bad)


def test_a_free_body_is_set_itself():
    s = po.System("throw", gravity=(0, 0, -9.81))
    a = s.body("a", po.Box(1, 2, 3, mass=2.0), position=(1, 2, 3), com=(0.1, 0.2, 0.3), rotation=("x", 0.3))
    a.set(velocity=(1, 0, 2), angular_velocity=(0.1, 0.2, 0.3), position=(4, 5, 6), rotation=("y", 0.2))
    run = po.simulate(s, 1.0, step=0.01)
    assert run["a"].position[0] == pytest.approx([4, 5, 6]) and run["a"].velocity[0] == pytest.approx([1, 0, 2])
    assert run["a"].angular_velocity[0] == pytest.approx([0.1, 0.2, 0.3])
    fall = run["a"].com[0] + np.outer(run.t, run["a"].com_velocity[0]) + np.outer(run.t**2 / 2, s.gravity)
    assert run["a"].com == pytest.approx(fall, abs=1e-12)
    assert run.audit.momentum_drift < 1e-12 and run.audit.angular_momentum_drift < 1e-12
    b = s.body("b", po.Sphere(1, mass=1), position=(1, 2, 3))
    s.spherical(a, b, at=(1, 2, 3))
    b.set(velocity=(1, 0, 0))
    assert "body 'b': it is carried by spherical 'spherical1'" in str(s.check())


@pytest.mark.parametrize("plane, first, second", [("xy", 0, 1), ("yz", 1, 2), ("zx", 2, 0), ("xz", 0, 2)])
def test_planar_systems_speak_in_two_numbers_and_one_angle(plane, first, second):
    p = po.System("planar", plane=plane, gravity=(0, -9.81))
    link = p.body("link", mass=2.0, inertia=0.5, position=(1, 0), rotation=0.3)
    puck = p.body("puck", po.Disc(1.0, mass=1.0, axis="xyz"[3 - first - second]), position=(5, 5))
    p.revolute(p.ground, link, at=(0, 0), name="pin").set(angle=0.2, rate=0.1)
    puck.set(velocity=(1, 2), angular_velocity=3.0)
    p.add(po.Torque(link, 0.7, name="twist"))
    run = po.simulate(p, 0.5, step=0.01)
    assert run["link"].position.shape == (51, 2)
    assert run["link"].position[0] == pytest.approx([np.cos(0.2), np.sin(0.2)])
    assert run["link"].angle == pytest.approx(run["pin"].angle, abs=1e-12)
    assert run["pin"].angle[0] == 0.2 and run["link"].angular_velocity == pytest.approx(run["pin"].rate)
    a = (0.7 - 2.0 * 9.81 * np.cos(0.2)) / (0.5 + 2.0)
    assert run["link"].angular_acceleration[0] == pytest.approx(a)
    assert run["puck"].position == pytest.approx(np.c_[5 + run.t, 5 + 2 * run.t - 9.81 / 2 * run.t**2])
    assert run["puck"].angle == pytest.approx(3 * run.t)
    assert run["pin"].force.shape == (51, 2) and run["pin"].torque.shape == (51,)
    assert p.check().freedoms == 4


def test_a_planar_system_refuses_what_leaves_its_plane():
    p = po.System("planar", plane="xy", gravity=(0, -9.81))
    link = p.body("link", mass=2.0, inertia=0.5)
    p.spherical(p.ground, link, at=(0, 0), name="ball")
    assert "spherical 'ball': moves out of the plane 'xy'" in str(p.check())
    with pytest.raises(po.ModelError, match="two numbers"):
        p.body("other", mass=1.0, inertia=1.0, position=(1, 2, 3, 4))


def test_things_that_cannot_be_said():
    s = po.System("one", gravity=(0, 0, 0))
    a = s.body("a", po.Sphere(1, mass=1))
    cases = [
        lambda: po.System("x", gravity=(1, 2)),
        lambda: po.System("x", gravity=None, plane="xw"),
        lambda: s.body("b"),
        lambda: s.body("b", po.Sphere(1, mass=1), mass=2.0),
        lambda: s.body("b", po.Sphere(1, mass=1), between=((0, 0, 0), (0, 0, 0))),
        lambda: s.body("b", mass=1.0, inertia=(1, 2)),
        lambda: s.body("b", mass=1.0, inertia=[[1, 2, 0], [0, 1, 0], [0, 0, 1]]),
        lambda: s.revolute(s.ground, a, at=(0, 0), axis="z"),
        lambda: s.revolute(s.ground, a, at=(0, 0, 0)),
        lambda: s.revolute(s.ground, a, at=(0, 0, 0), axis="w"),
        lambda: s.revolute(s.ground, "a", at=(0, 0, 0), axis="z"),
        lambda: s.add("spring"),
        lambda: s.add(po.Spring(s.ground, a, at=(0, 0, 0), stiffness=1.0)),
        lambda: po.Box(-1, 1, 1, mass=1.0),
        lambda: po.Rod(0.1, mass=1.0).properties(),
    ]
    for case in cases:
        with pytest.raises(po.ModelError):
            case()
    assert len(s.bodies) == 1 and not s.joints


def test_springs_between_points_too_far_apart_to_square_their_distance():
    s = po.System("far", gravity=None)
    body = s.body("a", po.Sphere(0.1, mass=1.0), position=(0, 0, 0))
    s.add(po.Spring(s.ground, body, at=((1e200, 0, 0), (0, 0, 0)), stiffness=1.0))
    with pytest.raises(po.ModelError, match=r"spring 'spring1': at \(1e\+200, 0, 0\) is too far away"):
        s.check().raise_faults()
