"""Constraints other than joints: their meaning, tables and faults, and the formulations that refuse them."""

import math

import numpy as np
import pytest

import poinsot as po
from poinsot.layout.change import with_changes
from poinsot.layout.freeze import freeze
from poinsot.layout.refill import Refill
from poinsot.tables.records import DISTANCE, GEAR


def two_wheels():
    s = po.System("wheels", gravity=(0, 0, -9.81))
    a, b = (s.body(n, po.Disc(0.1, mass=1.0), position=(k, 0, 0)) for k, n in enumerate("ab"))
    left = s.revolute(s.ground, a, at=(0, 0, 0), axis="z", name="left")
    right = s.cylindrical(b, s.ground, at=(1, 0, 0), axis="z", name="right")
    return s, a, b, left, right


def test_a_distance_keeps_that_of_the_drawing():
    s, a, b, *_ = two_wheels()
    rod = s.add(po.Distance(a, b, at=((0, 0.1, 0), (1, 0.1, 0.2))))
    given = s.add(po.Distance(s.ground, b, at=((0, 0, 3), b.at((0, 0, 0))), length=2, name="strut"))
    assert rod.name == "distance1" and s["strut"] is given and s.constraints == [rod, given]
    assert rod.length == pytest.approx(math.sqrt(1.04)) and given.length == 2
    layout, owners = freeze(s).layout, freeze(s).owners
    assert layout.rows["kind"][-2:].tolist() == [DISTANCE, DISTANCE]
    assert layout.rows["c"][-2:] == pytest.approx([rod.length, 2.0])
    assert [owners[j] for j in layout.rows["joint"][-2:]] == [rod, given]
    record = layout.joints[layout.rows["joint"][-2]]
    assert (record["first"], record["second"], record["rows"], record["motions"], record["tree"]) == (1, 2, 1, 0, 0)
    assert record["row"] == len(layout.rows) - 2
    assert record["second_origin"] == pytest.approx([0, 0.1, 0.2])
    assert not s.check().faults and list(s.elements())[-2:] == [rod, given]


def test_a_gear_couples_two_coordinates():
    s, _, _, left, right = two_wheels()
    s.add(po.Gear(left.angle, right.angle, -2.0))
    s.add(po.Gear(right.displacement, left.angle, 0.05, name="rack"))
    layout = freeze(s).layout
    rows = layout.rows[layout.rows["kind"] == GEAR]
    assert rows["motion"].tolist() == [0, 1] and rows["motion2"].tolist() == [2, 0]
    assert rows["c"].tolist() == [-2.0, 0.05]
    assert (layout.rows["motion"][layout.rows["kind"] != GEAR] == -1).all()


def test_motions_of_loop_joints_know_their_axes():
    s, a, b, *_ = two_wheels()
    axis = np.array([1.0, 2, 2]) / 3
    s.revolute(a, b, at=(0.5, 0, 0), axis=axis, name="closing")
    motion = freeze(s).layout.motions[-1]
    assert motion["link"] == -1 and motion["rotation"][:, 2] == pytest.approx(axis)
    assert np.linalg.det(motion["rotation"]) == pytest.approx(1.0)
    assert motion["rotation"].T @ motion["rotation"] == pytest.approx(np.eye(3))


def test_every_fault():
    s, a, b, left, right = two_wheels()
    other, c, *_ = two_wheels()
    ball = s.spherical(s.ground, s.body("ball", po.Sphere(1, mass=1)), at=(0, 0, 0))
    s.add(po.Distance(a, a, at=((0, 0, 0), (1, 0, 0)), name="self"))
    s.add(po.Distance(a, b, at=((0, 0, 0), (0, 0, 0)), name="short"))
    s.add(po.Distance(a, b, at=((0, 0, 0), (1, 0, 0)), length=-1.0, name="negative"))
    s.add(po.Distance(a, b, at=((0, 0, 0), (1, 0, math.nan)), name="nowhere"))
    s.add(po.Distance(a, c, at=((0, 0, 0), (1, 0, 0)), name="abroad"))
    s.add(po.Gear(left.angle, right.angle, 0.0, name="zero"))
    s.add(po.Gear(left.angle, left.angle, 2.0, name="itself"))
    s.add(po.Gear(left.angle, ball, 2.0, name="ball gear"))
    s.add(po.Gear(a.at((0, 0, 0)).x, right.angle, 2.0, name="point"))
    s.add(po.Gear(left.angle, other["left"].angle, 2.0, name="foreign"))
    report = s.check()
    for words in (
        "distance 'self': both points are on body 'a'",
        "distance 'short': length must be a positive number",
        "distance 'negative': length must be a positive number",
        "distance 'nowhere': at must be points of finite numbers",
        "distance 'abroad': body 'a' belongs to system 'wheels'",
        "gear 'zero': ratio must be a finite number other than zero",
        "gear 'itself': couples left.angle to itself",
        "gear 'ball gear': the second must be a scalar joint coordinate",
        "gear 'point': the first must be a scalar joint coordinate",
        "gear 'foreign': revolute 'left' belongs to system 'wheels'",
    ):
        assert words in str(report), words
    assert len(report.faults) == 10
    for bad in (((0, 0, 0), (1, 0)), (0, 0, 0), "ab", (1.0, 2.0)):
        with pytest.raises(po.ModelError, match="distance"):
            s.add(po.Distance(a, b, at=bad))
    with pytest.raises(po.ModelError, match="second must be a body of the system"):
        s.add(po.Distance(a, left, at=((0, 0, 0), (1, 0, 0))))


@pytest.mark.parametrize("formulation", ["tree:momentum", "moving-frame"])
def test_formulations_in_joint_coordinates_refuse_them(formulation):
    s, a, b, left, right = two_wheels()
    s.add(po.Distance(a, b, at=((0, 0, 0.1), (1, 0, 0.1)), name="rod"))
    s.add(po.Gear(left.angle, right.angle, 2.0, name="wheels"))
    with pytest.raises(po.FormulationError, match="distance 'rod' is not a joint.*gear 'wheels'"):
        po.simulate(s, 1.0, step=0.1, formulation=formulation)


def test_lengths_and_ratios_change_between_runs():
    s, a, b, left, right = two_wheels()
    s.add(po.Distance(a, b, at=((0, 0, 0.1), (1, 0, 0.1)), name="rod"))
    s.add(po.Gear(left.angle, right.angle, 2.0, name="wheels"))
    frozen = freeze(s)
    new, _ = with_changes(Refill(frozen), {"rod.length": 1.5, "wheels.ratio": 3.0})
    assert new.layout.rows["c"][-2:].tolist() == [1.5, 3.0] and frozen.layout.rows["c"][-2:].tolist() == [1.0, 2.0]
    for bad in ({"rod.length": 0.0}, {"rod.ratio": 1.0}, {"wheels.ratio": math.inf}):
        with pytest.raises(po.ModelError, match="distance 'rod'|gear 'wheels'"):
            with_changes(Refill(frozen), bad)
