"""How bodies are drawn, and what is drawn flat."""

import numpy as np
import pytest

import poinsot as po
from loops import four_bar
from poinsot.layout.freeze import freeze
from poinsot.view.skeleton import outline, pinned, sticks, ties


def drawn(system, name):
    names = [body.name for body in system.bodies]
    return sticks(freeze(system))[names.index(name)]


def plate(corners):
    """A plate held by balls at its corners."""
    s = po.System("plate", gravity=None)
    body = s.body("plate", po.Box(1, 1, 0.1, mass=1.0))
    for k, corner in enumerate(corners):
        s.spherical(s.ground, body, at=corner, name=f"ball{k}")
    return s


def test_joints_in_a_row_are_one_line():
    s = plate([(0, 0, 0.0), (1, 0, 0), (-1, 0, 0)])
    assert sorted(drawn(s, "plate").points[:, 0]) == [-1, 1]


def test_corners_become_a_closed_polygon_in_order():
    points = drawn(plate([(-1, -1, 0), (1, 1, 0), (1, -1, 0), (-1, 1, 0)]), "plate").points
    assert len(points) == 5 and np.array_equal(points[0], points[-1])
    assert np.linalg.norm(np.diff(points, axis=0), axis=1) == pytest.approx(np.full(4, 2.0))


def test_corners_in_no_plane_become_spokes():
    points = drawn(plate([(1, 0, 0), (0, 1, 0), (0, 0, 1), (-1, -1, -1)]), "plate").points
    assert len(points) == 8 and not points[::2].any()


def test_what_is_held_in_its_middle_shows_its_shape():
    s = po.System("wheel", gravity=None)
    wheel = s.body("wheel", po.Disc(0.3, axis="y", mass=1.0))
    s.revolute(s.ground, wheel, at=(0, 0, 0), axis="y")
    stick = drawn(s, "wheel")
    points = stick.points[~np.isnan(stick.points[:, 0])]
    assert stick.outline and np.abs(points[:, 1]).max() == 0
    assert np.linalg.norm(points, axis=1) == pytest.approx(np.full(len(points), 0.3))
    assert np.isnan(stick.points[:, 0]).any()


@pytest.mark.parametrize("axis", ["x", "y", "z"])
def test_outlines_lie_where_the_shape_is(axis):
    lines = np.concatenate(outline(po.Cylinder(0.1, 2.0, axis=axis, mass=1.0)))
    half = {"x": (1, 0.1, 0.1), "y": (0.1, 1, 0.1), "z": (0.1, 0.1, 1)}[axis]
    assert np.abs(lines).max(axis=0) == pytest.approx(half)
    box = np.concatenate(outline(po.Box(1, 2, 3, mass=1.0)))
    assert np.array_equal(np.abs(box), np.tile([0.5, 1, 1.5], (len(box), 1)))
    pair = po.Composite([(po.Rod(0.1, 1.0, mass=1.0), (0, 0, 2), ("z", np.pi / 2)), po.Sphere(0.1, mass=1.0)])
    assert np.concatenate(outline(pair)) == pytest.approx(np.array([(0, -0.5, 2), (0, 0.5, 2)]))


def test_springs_and_distances_are_ties_and_hinges_on_the_ground_are_pins():
    s = four_bar()
    s.add(po.Spring(s["crank"], s.ground, at=((0, 0, 1), (1, 0, 0)), stiffness=1.0))
    s.add(po.Distance(s["crank"], s["rocker"], at=((0, 0, 0.5), (2, 0, 0.5))))
    spring, rod = ties(freeze(s))
    assert spring.spring and spring.bodies == (1, 0) and spring.points[1] == pytest.approx([1, 0, 0])
    assert not rod.spring and rod.bodies == (1, 3)
    assert pinned(freeze(s)) == pytest.approx(np.array([(0, 0, 0), (2, 0, 0)]))


def test_motions_in_a_plane_are_drawn_flat_and_others_in_space():
    s = four_bar()
    s["base"].set(rate=2.0)
    axes = po.simulate(s, 0.1, step=0.01).snapshots([0.0, 0.1]).axes[0]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("x [m]", "z [m]") and not hasattr(axes, "get_zlabel")
    p = po.System("ball", gravity=(0, 0, -9.81))
    rod = p.body("rod", po.Rod(0.02, mass=1.0), between=((0, 0, 0), (1, 0, 0)))
    p.spherical(p.ground, rod, at=(0, 0, 0), name="ball").set(rate=(0, 0, 1.0))
    axes = po.simulate(p, 0.1, step=0.01).snapshots([0.0, 0.1]).axes[0]
    assert axes.get_zlabel() == "z [m]"


def test_a_wheel_that_turns_out_of_the_plane_is_drawn_in_space():
    s = po.System("wheel on an arm", gravity=None)
    arm = s.body("arm", po.Rod(0.02, mass=1.0), between=((0, 0, 0), (1, 0, 1)))
    wheel = s.body("wheel", po.Disc(0.3, axis="x", mass=1.0), position=(1, 0, 1))
    s.revolute(s.ground, arm, at=(0, 0, 0), axis="y", name="arm_hinge")
    s.revolute(arm, wheel, at=(1, 0, 1), axis="x", name="axle").set(rate=5.0)
    axes = po.simulate(s, 0.1, step=0.01).snapshots([0.0, 0.1]).axes[0]
    assert axes.get_zlabel() == "z [m]"
