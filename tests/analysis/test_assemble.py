"""Assembling: gaps closed, branches kept, values held, rates of least weight, contradictions named."""

import time

import numpy as np
import pytest

import oracle
import poinsot as po
from bridge import to_system
from loops import four_bar, parallelogram, slider_crank
from poinsot.analysis.assemble import assembled
from poinsot.analysis.constraints import Geometry, weights
from poinsot.analysis.held import in_loops, set_motions, spread
from poinsot.layout.freeze import freeze
from poinsot.layout.initial import initial_values
from poinsot.tables.records import N_R
from random_models import random_loop
from systems import chain


def left_open(assembly):
    """Largest value of any row, and of any row on the twists, at the state found, from its joint coordinates alone."""
    g = Geometry(assembly.frozen)
    poses, twists = g.states(assembly.coordinates, assembly.rates)
    values, blocks = g.rows(poses, assembly.coordinates)
    now, rate_blocks = g.joints(poses, assembly.coordinates)
    assert np.abs(now - assembly.coordinates).max() < 1e-13  # loop joints fit the tree
    assert g.rates(rate_blocks, twists) == pytest.approx(assembly.rates, abs=1e-12 * (1 + np.abs(twists).max()))
    slip = np.einsum("rsi,rsi->r", blocks, twists[g.row_bodies])
    return np.abs(values).max(), np.abs(slip).max() / (1 + np.abs(twists).max())


def assert_closed(assembly, bound=4e-15):
    position, velocity = left_open(assembly)
    assert position < bound and velocity < bound, (position, velocity)


def test_open_systems_are_left_alone():
    s = chain(3)
    a = po.assemble(s)
    q, v = initial_values(s, freeze(s).topology)
    assert np.array_equal(a.coordinates, q) and np.array_equal(a.rates, v) and not a.moved
    assert "No body had to move." in str(a)


def test_a_closed_drawing_does_not_move():
    s = four_bar()
    s["base"].set(rate=2.0)
    a = po.assemble(s)
    assert not a.moved and not a.coordinates.any() and a.largest_residual == (0.0, 0.0)
    # crank 1 m, rocker 1.5 m, both upright: the coupler only translates
    assert a.rates == pytest.approx([2.0, -2.0, 4 / 3, -4 / 3], abs=1e-15)
    assert_closed(a)


@pytest.mark.parametrize("gap", [1e-6, 0.1, 0.5])
def test_a_gap_is_closed_and_told(gap):
    a = po.assemble(four_bar(gap))
    assert_closed(a)
    assert set(a.moved) == {"crank", "coupler", "rocker"} and 0 < a.largest_movement[0] < gap
    assert "rocker:" in str(a) and "is assembled" in str(a)
    assert a.state().coordinates == pytest.approx(a.coordinates)


def test_the_movement_is_the_least_one():
    """A small gap: no other position with closed loops is nearer, in the metric of the masses."""
    s = four_bar(1e-4)
    frozen = freeze(s)
    g = Geometry(frozen)
    a = po.assemble(s)
    before, after = g.poses(np.zeros(4)), g.poses(a.coordinates)
    W = weights(frozen.layout, after)

    def distance(poses):
        com = poses[1:, :3] - before[1:, :3]  # rods: the origin is the centre of mass
        turn = poses[1:, 3:].reshape(-1, 3, 3) @ before[1:, 3:].reshape(-1, 3, 3).swapaxes(1, 2)
        angle = 0.5 * np.stack([turn[:, 2, 1] - turn[:, 1, 2], turn[:, 0, 2] - turn[:, 2, 0], turn[:, 1, 0] - turn[:, 0, 1]], 1)
        x = np.concatenate([com, angle], axis=1)
        return np.einsum("bi,bij,bj->", x, W, x)

    least = distance(after)
    for nudge in (-1e-5, 1e-5):
        other = po.assemble(s, hold={"base.angle": a["base.angle"] + nudge})
        assert distance(g.poses(other.coordinates)) > least


def knee_height(angle):
    """Height of the knee of the four-bar above the line from the crank's end to the foot: its sign is the branch."""
    s = four_bar()
    a = po.assemble(s, hold={"base.angle": angle})
    assert_closed(a)
    assert a["base.angle"] == angle
    g = Geometry(a.frozen)
    poses = g.poses(a.coordinates)
    R = poses[:, 3:].reshape(-1, 3, 3)
    elbow = poses[1, :3] + R[1] @ [0.5, 0, 0]
    knee = poses[3, :3] - R[3] @ [0.75, 0, 0]
    foot = np.array([2.0, 0, 0])
    assert np.linalg.norm(knee - elbow) == pytest.approx(np.sqrt(4.25)) and np.linalg.norm(knee - foot) == pytest.approx(1.5)
    return np.cross(foot - elbow, knee - elbow)[1]


@pytest.mark.parametrize("angle", [-2.9, -1.5, -0.7, 0.3, 1.0, 1.5, 2.0])
def test_the_branch_is_kept_however_far_the_crank_is_set(angle):
    assert knee_height(0.0) * knee_height(angle) > 0


def test_a_slider_crank():
    crank, rod = 1.0, 2.5
    s = slider_crank(crank, rod)
    s["base"].set(angle=0.8, rate=3.0)
    a = po.assemble(s)
    assert_closed(a)
    # the crank is drawn upright; turned by 0.8 about y its pin is at (sin, cos)
    x = crank * np.sin(0.8) + np.sqrt(rod**2 - (crank * np.cos(0.8)) ** 2)
    assert a["slide.displacement"] == pytest.approx(x - np.sqrt(rod**2 - crank**2), abs=1e-14)
    rate = np.cos(0.8) * crank + crank**2 * np.cos(0.8) * np.sin(0.8) / np.sqrt(rod**2 - (crank * np.cos(0.8)) ** 2)
    assert a["slide.rate"] == pytest.approx(3 * rate, abs=1e-13)
    back = po.assemble(slider_crank(crank, rod), hold={"slide.displacement": a["slide.displacement"]})
    assert_closed(back)
    assert abs(back["slide.displacement"] - a["slide.displacement"]) < 1e-15


def test_contradictions_are_named_with_what_stays_open():
    s = four_bar()
    s["base"].set(angle=0.3)
    s["knee"].set(angle=0.9)
    with pytest.raises(po.AssemblyError, match=r"foot: 0\.\d+ m, .*Held values: base.angle, knee.angle") as caught:
        po.assemble(s)
    metres, _ = caught.value.residuals["foot"]
    assert metres > 0.1 and caught.value.residuals["base"] == (0.0, 0.0)
    with pytest.raises(po.AssemblyError, match=r"rates contradict.*m/s.*Held values: base.rate, knee.rate; set fewer"):
        po.assemble(four_bar(), rates={"base.angle": 1.0, "knee.rate": 1.0})
    with pytest.raises(po.AssemblyError, match="No values are held, .*change a length"):
        po.assemble(four_bar(gap=3.0))
    out = four_bar()
    out["base"].set(angle=0.0)
    with pytest.raises(po.ModelError, match="no joint coordinate 'base.turn'|has no 'turn'"):
        po.assemble(out, hold={"base.turn": 1.0})
    with pytest.raises(po.ModelError, match="no joint coordinate"):
        po.assemble(out, hold={four_bar()["base"].angle: 1.0})


def test_a_redundant_gap_that_nothing_can_close():
    s = four_bar()
    p = po.System("shifted", gravity=None)
    crank = p.body("crank", po.Rod(radius=0.02, mass=1.0), between=((0, 0, 0), (0, 0, 1)))
    bar = p.body("bar", po.Rod(radius=0.02, mass=1.0), between=((0, 0, 1), (2, 0, 1)))
    p.revolute(p.ground, crank, at=(0, 0, 0), axis="y")
    p.revolute(crank, bar, at=(0, 0, 1), axis="y")
    p.revolute(bar, p.ground, at=((2, 0, 1), (2, 0.01, 1)), axis="y", name="closing")
    with pytest.raises(po.AssemblyError, match="closing: 0.01 m"):
        po.assemble(p)
    assert po.assemble(s, hold={s["base"].angle: 0.2})["base.angle"] == 0.2


@pytest.mark.parametrize("angle", [0.0, 0.4, np.pi / 2])
def test_a_parallelogram_with_a_bar_too_many_even_where_it_is_flat(angle):
    flat = angle > 1  # there positions and rates are determined only to the square root of rounding
    a = po.assemble(parallelogram(3), hold={"low0.angle": angle}, rates={} if flat else {"low0.angle": 1.0})
    assert_closed(a)
    for k in range(3):
        assert flat or a[f"low{k}.rate"] == pytest.approx(1.0, abs=1e-14)
        assert a[f"low{k}.angle"] == pytest.approx(angle, abs=1e-7 if flat else 1e-14)


def test_distances_are_reached():
    s = po.System("stick", gravity=None)
    a, b = s.body("a", po.Sphere(0.1, mass=1.0)), s.body("b", po.Sphere(0.1, mass=3.0), position=(1, 0, 0))
    s.add(po.Distance(a, b, at=((0, 0, 0), (1, 0, 0)), length=1.4, name="rod"))
    found = po.assemble(s)
    assert_closed(found)
    assert found.moved["a"][0] == pytest.approx(0.3) and found.moved["b"][0] == pytest.approx(0.1)  # as 3 to 1
    a.set(position=(0, 0, 0), rotation=(0, 0, 0), velocity=(1, 2, 0))
    found = po.assemble(s)
    assert found.moved["b"][0] == pytest.approx(0.4) and "a" not in found.moved
    assert found["free:b.velocity"] == pytest.approx([1, 0, 0])  # the velocity along the rod is determined, that across it is free
    assert_closed(found)


def test_gears_follow_over_many_turns():
    s = po.System("wheels", gravity=None)
    wheels = [s.body(f"w{k}", po.Disc(0.5, mass=1.0), position=(k, 0, 0)) for k in range(2)]
    pins = [s.revolute(s.ground, w, at=(k, 0, 0), axis="z", name=f"pin{k}") for k, w in enumerate(wheels)]
    rack = s.body("rack", po.Box(1, 0.1, 0.1, mass=1.0), position=(0, 2, 0))
    slide = s.prismatic(s.ground, rack, axis="x", name="slide")
    s.add(po.Gear(pins[0].angle, pins[1].angle, -2.5))
    s.add(po.Gear(slide.displacement, pins[1].angle, 0.3))
    pins[0].set(angle=40.0, rate=5.0)
    a = po.assemble(s)
    assert a["pin1.angle"] == pytest.approx(-16.0, abs=1e-13) and a["slide.displacement"] == pytest.approx(-4.8, abs=1e-13)
    assert a.rates == pytest.approx([5.0, -2.0, -0.6], abs=1e-14)
    assert_closed(a, 2e-14)


def test_a_screw_in_a_loop():
    """A jack: the nut may not turn, so the spindle lifts it by its pitch; the prismatic joint closes the loop, or the screw."""
    for order in (("screw", "guide"), ("guide", "screw")):
        s = po.System("jack", gravity=None)
        spindle = s.body("spindle", po.Cylinder(0.1, 1.0, mass=1.0))
        nut = s.body("nut", po.Box(0.3, 0.3, 0.1, mass=1.0), position=(0, 0, 0.2))
        s.revolute(s.ground, spindle, at=(0, 0, 0), axis="z", name="motor")
        for name in order:
            if name == "screw":
                s.screw(spindle, nut, at=(0, 0, 0.2), axis="z", pitch=0.05, name="screw")
            else:
                s.prismatic(s.ground, nut, axis="z", name="guide")
        assert s.check().degrees_of_freedom == 1
        a = po.assemble(s, hold={"motor.angle": 9.0}, rates={"motor.angle": 2.0})
        assert_closed(a, 1e-14)
        assert a["guide.displacement"] == pytest.approx(-0.05 * 9.0 / (2 * np.pi), abs=1e-14)
        assert a["screw.angle"] == pytest.approx(-9.0, abs=1e-12)
        assert a["guide.rate"] == pytest.approx(-0.05 * 2.0 / (2 * np.pi), abs=1e-14)


def test_joints_outside_loops_keep_their_values():
    s = four_bar(0.2)
    arm = s.body("arm", po.Rod(radius=0.02, mass=1.0), between=((2, 0, 1.5), (2, 0, 2.5)))
    s.revolute(s["coupler"], arm, at=(2, 0, 1.5), axis="y", name="shoulder").set(angle=0.4)
    s["base"].set(rate=1.0)
    a = po.assemble(s)
    assert a["shoulder.angle"] == 0.4 and a["shoulder.rate"] == 0.0 and "arm" in a.moved
    assert_closed(a)


@pytest.mark.parametrize("seed", range(20))
def test_random_loops(seed):
    """Consistent rates are left alone; with one of them held, and coordinates moved, everything closes."""
    rng = np.random.default_rng(seed)
    model, _, rates = random_loop(rng, 6, 1 + seed % 3, closing=[k for k in oracle.KINDS if k != "free"], loads=False)
    s = to_system(model)
    for joint, rate in zip(s.joints, rates):
        if len(rate):
            joint.set(rate=rate)
    a = po.assemble(s)
    assert_closed(a, 1e-13)
    assert a.rates == pytest.approx(np.concatenate(rates), abs=1e-12)
    s = to_system(model)
    moving = [k for k, rate in enumerate(rates) if len(rate) and k < 6]
    k = moving[seed % len(moving)]
    s.joints[k].set(rate=rates[k])
    a = po.assemble(s)
    assert_closed(a, 1e-13)
    start = sum(len(r) for r in rates[:k])
    assert a.rates[start : start + len(rates[k])] == pytest.approx(rates[k], abs=1e-15)


@pytest.mark.parametrize("seed", range(10))
def test_unset_rates_have_the_least_weight(seed):
    """Against dense linear algebra: tree rates u minimise |B u|_M^2 of the rates that are not held, subject to the loops."""
    rng = np.random.default_rng(seed)
    model, _, rates = random_loop(rng, 5, 1, loads=False)
    s = to_system(model)
    k = next(k for k, rate in enumerate(rates) if len(rate) and k < 5)
    s.joints[k].set(rate=rates[k])
    frozen = freeze(s)
    q, v = initial_values(s, frozen.topology)
    _, found, _ = assembled(frozen, q, v)
    g = Geometry(frozen)
    n = int(frozen.layout.sizes[N_R])
    free = spread(frozen, in_loops(frozen)[frozen.layout.motions["joint"]] & ~set_motions(frozen)[1], True)
    free &= spread(frozen, frozen.layout.motions["link"] >= 0, True)
    poses, twists = g.states(q, v)
    B = np.array([g.states(q, e)[1][1:].ravel() for e in np.eye(n)]).T[:, free]
    J = g.jacobian(g.rows(poses, q)[1], g.row_bodies).toarray()[g.closing]
    root = np.linalg.cholesky(oracle_mass(frozen, poses)).T @ B
    L, rest = J @ B, -J @ twists[1:].ravel()
    triangle = np.linalg.qr(root)[1]
    u = np.linalg.solve(triangle, np.linalg.pinv(L @ np.linalg.inv(triangle), rcond=1e-9) @ rest)
    assert found[free] == pytest.approx(u, abs=1e-9)


def oracle_mass(frozen, poses):
    n = len(frozen.system.bodies)
    M = np.zeros((6 * n, 6 * n))
    for k, body in enumerate(frozen.system.bodies):
        R = poses[k + 1, 3:].reshape(3, 3)
        M[6 * k : 6 * k + 3, 6 * k : 6 * k + 3] = body.mass * np.eye(3)
        M[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] = R @ body.inertia_matrix() @ R.T
    return M


@pytest.mark.parametrize("loops", [300, pytest.param(2500, marks=pytest.mark.long)])
def test_thousands_of_bodies_in_seconds(loops):
    s = po.System("many", gravity=None)
    for k in range(loops):
        a, b = (s.body(f"{x}{k}", po.Rod(0.02, mass=1.0), between=((4.0 * k + d, 0, 0), (4.0 * k + d, 0, 1))) for d, x in ((0, "a"), (2, "b")))
        c = s.body(f"c{k}", po.Rod(0.02, mass=1.0), between=((4.0 * k, 0, 1), (4.0 * k + 2, 0, 1)))
        for pair, at in (((s.ground, a), (4.0 * k, 0, 0)), ((a, c), (4.0 * k, 0, 1)), ((c, b), (4.0 * k + 2, 0, 1))):
            s.revolute(*pair, at=at, axis="y")
        s.revolute(b, s.ground, at=((4.0 * k + 2, 0, 0), (4.0 * k + 2.1, 0, 0)), axis="y")
    began = time.perf_counter()
    a = po.assemble(s)
    print(f"{3 * loops} bodies, {loops} gaps: {time.perf_counter() - began:.1f} s, left open {a.largest_residual}")
    assert len(a.moved) == 3 * loops and max(a.largest_residual) < 1e-10


@pytest.mark.parametrize("turns", [1, -3, 57, 159])
def test_whole_turns_lead_back_and_take_no_time(turns, monkeypatch):
    from poinsot.analysis.closing import Closing

    s, close, calls = four_bar(), Closing.close, []
    monkeypatch.setattr(Closing, "close", lambda *given: calls.append(1) or close(*given))
    s["base"].set(angle=0.5)
    near, once = po.assemble(s), len(calls)
    s["base"].set(angle=0.5 + 2 * np.pi * turns)
    far = po.assemble(s)
    assert len(calls) - once <= once + 2
    assert far["base.angle"] == 0.5 + 2 * np.pi * turns
    for name in ("elbow", "knee", "foot"):
        assert far[f"{name}.angle"] == pytest.approx(near[f"{name}.angle"], abs=1e-11)
    assert max(max(pair) for pair in far.residuals.values()) <= 1e-12


def test_a_way_that_ends_is_given_up_soon(monkeypatch):
    """The held value cannot be reached: the way to it is followed up to its end, and not for ever."""
    from poinsot.analysis.closing import Closing

    s = po.System("blind alley", gravity=(0, 0, -9.81))
    a = s.body("a", po.Box(0.3, 0.4, 0.5, mass=1.5), position=(0, 2, 0))
    b = s.body("b", po.Box(0.3, 0.4, 0.5, mass=1.5), position=(2, 2, 0.5))
    s.universal(s.ground, a, at=(0, 1, 0), axis="z", axis2="y")
    ball = s.spherical(a, b, at=(1, 0.5, 0), name="ball")
    s.add(po.Distance(s.ground, b, at=((-1, 1, 0), (-1, 0.5, 1))))
    ball.set(rotation=(2.0, 1.0, -1.0))
    looks, evaluate = [], Closing.evaluate
    monkeypatch.setattr(Closing, "evaluate", lambda self, *given: looks.append(1) or evaluate(self, *given))
    with pytest.raises(po.AssemblyError, match="Held values: ball.rotation"):
        po.assemble(s)
    assert len(looks) < 2000


@pytest.mark.parametrize("damping", [1.0, 1e-6, 1e-12])
def test_dense_and_sparse_matrices_give_the_same_motion(monkeypatch, damping):
    from poinsot.analysis import least_motion

    rng = np.random.default_rng(3)
    bodies = np.array([[0, 1], [1, 2], [2, 3], [3, 3], [1, 2]])
    blocks = rng.normal(size=(5, 2, 6))
    W = np.einsum("bij,bkj->bik", *2 * [rng.normal(size=(3, 6, 6))]) + np.eye(6)
    given = W, 0.7, [(blocks[:3], bodies[:3])], [(blocks[3:], bodies[3:])]
    dense = least_motion.LeastMotion(*given).solve(np.array([0.3, -0.2]), damping)
    monkeypatch.setattr(least_motion, "SMALL", 0)
    scattered = least_motion.LeastMotion(*given).solve(np.array([0.3, -0.2]), damping)
    assert dense == pytest.approx(scattered, abs=1e-9)
    assert np.abs(np.einsum("rsi,rsi->r", blocks[:3], dense[bodies[:3]])).max() < 1e-13
    if damping == 1e-12:
        assert np.einsum("rsi,rsi->r", blocks[3:], dense[bodies[3:]]) == pytest.approx([0.3, -0.2], abs=1e-9)
