"""Freezing: spanning tree, loops, floating parts, slots, gaps, and parameters refilled without rebuilding."""

import numpy as np
import pytest

import poinsot as po
from poinsot.layout.change import with_changes
from poinsot.layout.freeze import freeze
from poinsot.layout.refill import Refill
from poinsot.tables.records import N_Q, N_SLOTS, N_V


def ring(n=4):
    """Bodies in a ring, the first hinged to the ground; the last hinge closes the ring."""
    s = po.System("ring", gravity=None)
    bodies = [s.body(f"b{k}", po.Sphere(0.1, mass=1.0), position=(np.cos(k), np.sin(k), 0)) for k in range(n)]
    s.revolute(s.ground, bodies[0], at=(0, 0, 0), axis="z", name="base")
    for k in range(n):
        s.revolute(bodies[k], bodies[(k + 1) % n], at=bodies[k].position, axis="z", name=f"hinge{k}")
    return s


def test_the_joint_that_closes_a_loop_is_the_last_one_drawn():
    frozen = freeze(ring())
    assert [frozen.joints[k].name for k in frozen.topology.loops] == ["hinge3"]
    assert frozen.layout.joints["tree"].tolist() == [1, 1, 1, 1, 0]


def test_parents_come_before_their_children():
    rng = np.random.default_rng(0)
    s = po.System("tree", gravity=None)
    bodies = [s.ground]
    for k in range(40):
        body = s.body(f"b{k}", po.Sphere(0.1, mass=1.0), position=rng.normal(size=3))
        pair = [bodies[rng.integers(len(bodies))], body]
        s.universal(*(pair if rng.random() < 0.5 else pair[::-1]), at=rng.normal(size=3), axis="x", axis2="y")
        bodies.append(body)
    frozen = freeze(s)
    links = frozen.layout.links
    assert np.all(links["parent"][1:] < np.arange(1, len(links)))
    assert frozen.layout.sizes[N_Q] == frozen.layout.sizes[N_V] == 80
    order = frozen.layout.bodies["order"][1:].tolist()
    assert sorted(order) == list(range(1, 41))
    place = {b: k for k, b in enumerate([0, *order])}
    assert all(place[frozen.layout.bodies["parent"][b]] < place[b] for b in order)


def test_sums_over_children_never_share_a_slot_while_open():
    rng = np.random.default_rng(1)
    s = po.System("tree", gravity=None)
    bodies = [s.ground]
    for k in range(60):
        body = s.body(f"b{k}", po.Sphere(0.1, mass=1.0), position=rng.normal(size=3))
        s.spherical(bodies[rng.integers(max(0, len(bodies) - 6), len(bodies))], body, at=rng.normal(size=3))
        bodies.append(body)
    layout = freeze(s).layout
    owner = {}
    for i in range(len(layout.links) - 1, 0, -1):
        link = layout.links[i]
        if link["slot"] >= 0:
            assert owner.pop(link["slot"]) == i
        if link["parent"] > 0:
            slot = layout.links[link["parent"]]["slot"]
            assert (slot not in owner) == (link["opens"] == 1)
            assert owner.setdefault(slot, link["parent"]) == link["parent"]
    assert not owner and layout.sizes[N_SLOTS] < 20


def test_a_chain_needs_one_slot():
    s = po.System("chain", gravity=None)
    parent = s.ground
    for k in range(10):
        body = s.body(f"b{k}", po.Sphere(0.1, mass=1.0), position=(k, 0, 0))
        s.spherical(parent, body, at=(k - 0.5, 0, 0))
        parent = body
    assert freeze(s).layout.sizes[N_SLOTS] == 1


def test_parts_that_nothing_joins_to_the_ground_float():
    s = po.System("two parts", gravity=None)
    a, b, c = (s.body(n, po.Sphere(0.1, mass=1.0), position=(k, 0, 0)) for k, n in enumerate("abc"))
    s.revolute(b, c, at=(1.5, 0, 0), axis="z")
    s.fixed(s.ground, a)
    frozen = freeze(s)
    assert [joint.name for joint in frozen.joints[2:]] == ["free:b"]
    p = po.System("puck", gravity=None, plane="xy")
    p.body("puck", po.Sphere(0.1, mass=1.0))
    assert freeze(p).joints[0].kind == "planar" and freeze(p).layout.sizes[N_V] == 3


def test_fixed_joints_merge_and_their_gaps_are_closed():
    s = po.System("weld", gravity=None)
    a = s.body("a", po.Box(1, 1, 1, mass=2.0))
    b = s.body("b", po.Box(1, 1, 1, mass=2.0), position=(3, 0, 0))
    s.spherical(s.ground, a, at=(0, 0, 0))
    s.fixed(a, b, at=((0.5, 0, 0), (2.5, 0, 0)))  # moves b by (-2, 0, 0)
    frozen = freeze(s)
    link = frozen.layout.links[1]
    assert len(frozen.layout.links) == 2 and link["mass"] == 4.0
    assert np.linalg.norm(link["moment"]) == pytest.approx(2.0)  # two kilograms, one metre away
    run = po.simulate(s, 0.1, step=0.1)
    assert run["b"].position[0] == pytest.approx([1, 0, 0])


def test_a_change_refills_tables_and_leaves_the_original():
    s = po.System("slide", gravity=(0, 0, -1))
    mass = s.body("mass", po.Sphere(0.1, mass=1.0))
    slide = s.prismatic(s.ground, mass, axis="x", name="slide")
    s.add(po.JointSpring(slide, stiffness=2.0, name="spring"))
    frozen = freeze(s)
    new, _ = with_changes(Refill(frozen), {"spring.stiffness": 5.0, "mass.mass": 3.0, "gravity": None})
    assert new.layout.values[3] == 5.0 and frozen.layout.values[3] == 2.0
    assert new.layout.links["mass"][1] == 3.0 and frozen.layout.links["mass"][1] == 1.0
    assert not new.layout.values[:3].any() and frozen.layout.values[2] == -1.0
    assert np.array_equal(new.layout.rows, frozen.layout.rows) and np.array_equal(new.layout.joints, frozen.layout.joints)
    with pytest.raises(po.ModelError, match="body 'mass': mass must be"):
        with_changes(Refill(frozen), {"mass.mass": -1.0})
