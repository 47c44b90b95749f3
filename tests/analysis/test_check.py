"""Degrees of freedom by rank, redundant constraints by name, gaps."""

import time

import numpy as np
import pytest

import oracle
import poinsot as po
from bridge import to_system
from loops import four_bar, parallelogram, slider_crank
from random_models import drawn_coordinates, drawn_poses, random_loop
from systems import chain


def test_a_four_bar_of_revolutes_in_space():
    s = four_bar()
    s["base"].set(rate=2.0)
    report = s.check()
    assert report.degrees_of_freedom == report.freedoms == 1 and not report.gaps and report.ok
    assert [(r.element.name, r.direction) for r in report.redundant] == [
        ("foot", "translation along y"),
        ("foot", "rotation about x"),
        ("foot", "rotation about z"),
    ]
    assert [r.row for r in report.redundant] == [16, 18, 19]
    assert {e.name: u for e, u in report.unique.items()} == dict.fromkeys(("base", "elbow", "knee", "foot"), False)
    text = str(report)
    assert "1 degree of freedom, 3 redundant constraints." in text and "No gaps." in text
    assert "foot: translation along y, rotation about x, rotation about z are redundant, they depend on base, elbow, knee." in text


def test_gaps_are_told_in_metres():
    report = four_bar(gap=0.1).check()
    assert report.gaps == pytest.approx({"foot": 0.1}) and report.degrees_of_freedom == 1 and len(report.redundant) == 3
    assert "0.1 m apart in the drawing; the gap is closed by assembly" in str(report)
    s = four_bar()
    s["base"].set(angle=0.5)
    report = s.check()
    assert "revolute 'foot': the initial values leave a gap of" in str(report) and report.gaps["foot"] > 0.1
    s["knee"].set(angle=0.9)
    report = s.check()
    assert not report.ok and not report.faults and "cannot be assembled" in report.unassembled
    assert "It cannot run: system 'four-bar' cannot be assembled" in str(report)
    assert "No faults" not in str(report) and "is closed when" not in str(report)
    far = str(four_bar(gap=3.0).check())
    assert "3 m apart in the drawing." in far and "is closed when" not in far


def test_a_loop_with_just_enough_constraints_has_unique_reactions():
    s = slider_crank()
    report = s.check()
    assert report.degrees_of_freedom == 1 and len(report.redundant) == 1  # both revolutes keep the plane
    p = po.System("just", gravity=None)
    a, b = p.body("a", po.Box(1, 1, 1, mass=1)), p.body("b", po.Box(1, 1, 1, mass=1), position=(2, 0, 0))
    p.revolute(p.ground, a, at=(0, 0, 0), axis="y")
    p.universal(a, b, at=(1, 0, 0.5), axis="x", axis2="z")
    p.spherical(b, p.ground, at=(3, 0.2, 0), name="closing")
    report = p.check()
    assert report.degrees_of_freedom == 0 and not report.redundant and all(report.unique.values())


def test_only_the_loop_itself_is_not_unique():
    s = four_bar()
    arm = s.body("arm", po.Rod(radius=0.02, mass=1.0), between=((0, 0, 1), (0, 0, 2)))
    s.revolute(s["crank"], arm, at=(0, 0, 1), axis="y", name="shoulder")
    report = s.check()
    assert report.unique[s["shoulder"]] and not report.unique[s["knee"]] and report.degrees_of_freedom == 2


def test_a_parallelogram_with_a_bar_too_many():
    report = parallelogram(3).check()
    # each loop of revolutes has 3 redundant rows, and the third bar is one more in its plane
    assert report.degrees_of_freedom == 1 and len(report.redundant) == 3 + 3 + 1
    own = {name: [r.direction for r in report.redundant if r.element.name == name] for name in ("high1", "high2")}
    out_of_plane = {"translation along y", "rotation about x", "rotation about z"}
    assert set(own["high1"]) == out_of_plane and set(own["high2"]) == out_of_plane | {"translation along z"}


def test_gears_and_distances_count():
    s = po.System("wheels", gravity=None)
    wheels = [s.body(f"w{k}", po.Disc(0.5, mass=1.0), position=(k, 0, 0)) for k in range(3)]
    pins = [s.revolute(s.ground, w, at=(k, 0, 0), axis="z", name=f"pin{k}") for k, w in enumerate(wheels)]
    for k in range(2):
        s.add(po.Gear(pins[k].angle, pins[k + 1].angle, -1.0))
    assert s.check().degrees_of_freedom == 1 and not s.check().redundant
    s.add(po.Gear(pins[0].angle, pins[2].angle, 1.0, name="again"))
    report = s.check()
    assert [(r.element.name, r.direction) for r in report.redundant] == [("again", "ratio")]
    assert "again: ratio is redundant, it depends on gear1, gear2." in str(report)
    assert "3 further constraints" in str(report)
    free = po.System("stick", gravity=None)
    a, b = (free.body(n, po.Sphere(0.1, mass=1), position=(k, 0, 0)) for k, n in enumerate("ab"))
    free.add(po.Distance(a, b, at=((0, 0, 0), (1, 0, 0))))
    assert free.check().degrees_of_freedom == 11


def stacked_rows(model):
    """The oracle's constraint rows of all joints in the drawing."""
    n = len(model.bodies)
    twists = oracle.Twists(np.zeros((n, 3)), np.zeros((n, 3)))
    rows = [np.zeros((0, 6 * n))]
    for joint, q in zip(model.joints, drawn_coordinates(model)):
        rel = oracle.relative(model, joint, drawn_poses(model), twists)
        s = oracle.joint_motion(joint, q, np.zeros(oracle.FREEDOMS[joint.kind]))[2]
        forbidden = np.linalg.svd(s)[0][:, s.shape[1] :] if s.shape[1] else np.eye(6)
        row = np.zeros((forbidden.shape[1], 6 * n))
        for body, jacobian in ((joint.first, rel.first), (joint.second, rel.second)):
            if body != oracle.GROUND:
                row[:, 6 * body : 6 * body + 6] += forbidden.T @ jacobian
        rows.append(row)
    return np.vstack(rows)


def compare_freedoms(seed, bodies, loops):
    rng = np.random.default_rng(seed)
    model, _, _ = random_loop(rng, bodies, loops, closing=[k for k in oracle.KINDS if k != "free"], loads=False)
    rows = stacked_rows(model)
    values = np.linalg.svd(rows / np.linalg.norm(rows, axis=1, keepdims=True), compute_uv=False)
    rank = np.count_nonzero(values > 1e-7)
    report = to_system(model).check()
    assert report.degrees_of_freedom == rows.shape[1] - rank, f"seed {seed}: {values[-8:]}"
    assert len(report.redundant) == len(rows) - rank


@pytest.mark.parametrize("seed", range(30))
def test_rank_of_random_loops_against_the_oracle(seed):
    compare_freedoms(seed, 6, 1 + seed % 4)


@pytest.mark.long
def test_rank_of_two_thousand_random_loops_against_the_oracle():
    for seed in range(1000, 3000):
        compare_freedoms(seed, 4 + seed % 5, 1 + seed % 4)


def ladder(n):
    s = po.System("ladder", gravity=None)
    a = b = s.ground
    for k in range(n):
        ends = [((k, 0, z), (k + 1, 0, z)) for z in (0, 1)]
        low, high = (s.body(f"{x}{k}", po.Rod(0.02, mass=1.0), between=e) for x, e in zip("ab", ends))
        rung = s.body(f"r{k}", po.Rod(0.02, mass=1.0), between=((k + 1, 0, 0), (k + 1, 0, 1)))
        for pair, at in (((a, low), (k, 0, 0)), ((b, high), (k, 0, 1)), ((low, rung), (k + 1, 0, 0)), ((rung, high), (k + 1, 0, 1))):
            s.revolute(*pair, at=at, axis="y")
        a, b = low, high
    return s


@pytest.mark.parametrize("n", [20, 3333])
def test_ladders_long_and_short(n):
    began = time.perf_counter()
    report = ladder(n).check()
    print(f"{3 * n} bodies with {n} loops: {time.perf_counter() - began:.2f} s")
    assert report.degrees_of_freedom == n and len(report.redundant) == 3 * n and not any(report.unique.values())


def test_open_systems_have_no_rank_to_find():
    report = chain(3).check()
    assert report.redundancy is None and not report.redundant and report.degrees_of_freedom == 9 and report.unique == {}
