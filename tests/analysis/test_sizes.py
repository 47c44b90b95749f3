"""Points and signals too large to compute with are faults that name the element and the argument."""

import math

import pytest

import poinsot as po

FAR = (0.0, 2e200, 0.0)


def placed(what):
    """A system with one point or signal that is too far away, and the element it belongs to."""
    s = po.System("s", gravity=None)
    a = s.body("a", po.Sphere(0.1, mass=1), position=FAR if what == "position" else (0, 0, 0))
    b = s.body("b", mass=1, inertia=(1, 1, 1), com=FAR if what == "com" else (0, 0, 0))
    hinge = s.revolute(a, b, at=FAR if what == "joint" else (0, 0, 0), axis="x", name="hinge")
    s.add(po.Spring(a, b, at=(FAR if what == "spring" else (0, 0, 0), (0, 1, 0)), stiffness=1.0, length=1.0, name="spring"))
    s.add(po.Force(a, (0, 0, 1), at=FAR if what == "force" else None, name="force"))
    s.add(po.Distance(a, b, at=((0, 0, 1), b.at(FAR if what == "distance" else (0, 0, 0))), length=1.0, name="distance"))
    s.add(po.Motor(hinge, po.signals.step(0.0, 1.0, to=1.0), name="signal"))
    s.add(po.Motion(a.at(FAR if what == "drive" else (0, 0, 0)).x, po.signals.step(0, 1, to=1.0), name="drive"))
    return s


@pytest.mark.parametrize(
    ("what", "label"),
    [
        ("position", "body 'a': position (0, 2e+200, 0) is too far away"),
        ("com", "body 'b': com (0, 2e+200, 0) is too far away"),
        ("joint", "revolute 'hinge': at (0, 2e+200, 0) is too far away"),
        ("spring", "spring 'spring': at (0, 2e+200, 0) is too far away"),
        ("force", "force 'force': at (0, 2e+200, 0) is too far away"),
        ("distance", "distance 'distance': at (0, 2e+200, 0) is too far away"),
        ("drive", "motion 'drive': point (0, 2e+200, 0) is too far away"),
    ],
)
def test_what_is_too_far_away(what, label):
    faults = placed(what).check(rank=False).faults
    assert any(fault.startswith(label) for fault in faults), faults
    with pytest.raises(po.ModelError, match="too"):
        po.simulate(placed(what), 0.02, step=0.01)


def test_what_is_near_enough():
    assert not placed("").check(rank=False).faults


@pytest.mark.parametrize("x", [math.inf, -math.inf, math.nan])
def test_points_that_are_no_numbers(x):
    """Each is reported once."""
    s = po.System("s", gravity=None)
    a = s.body("a", mass=1, inertia=(1, 1, 1))
    s.add(po.Motion(po.model.body.Point(a, (x, 0.0, 0.0)).x, po.signals.step(0, 1, to=1.0), name="m"))
    assert len(s.check(rank=False).faults) == 1


def test_what_is_too_steep():
    with pytest.raises(po.ModelError, match="step: from 0.0 to 1.0 within 1e-09 s is too steep"):
        po.signals.step(0.0, 1e-9, to=1.0)
    with pytest.raises(po.ModelError, match="coefficients must be finite, at most"):
        po.signals.spline([0.0, 1e-20, 2e-20, 3e-20, 4e-20, 1.0], [0.0, 1.0, 0.0, 1.0, 0.0, 1.0])
