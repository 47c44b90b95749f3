"""Joints of users' own classes: they run in formulations that share no equations, and wrong input is named."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import poinsot as po
from poinsot.model.joint import Ball, Helical, Slide, perpendicular
from poinsot.model.joints import Axial


@dataclass(frozen=True, eq=False)
class Rail(Axial):
    """A point slides along an axis, and the body turns freely."""

    kind: ClassVar[str] = "rail"
    names: ClassVar = ("displacement", "rotation")

    def motions(self):
        return (Helical(self.axis, rot=0.0, lin=1.0), Ball())

    def rows(self):
        m1, m2 = perpendicular(self.axis)
        return (Slide(m1), Slide(m2))


def hanging():
    s = po.System("trolley", gravity=(0, 0, -9.81))
    rod = s.body("rod", po.Rod(radius=0.02, mass=1.0), between=((0, 0, 0), (0, 0.3, -0.9)))
    joint = s.join(Rail, s.ground, rod, at=(0, 0, 0), axis=(2, 0, 0), name="rail")
    joint.set(displacement_rate=0.5, angular_velocity_body=(1.0, 0.0, 2.0))
    return s, joint


def test_a_joint_of_ones_own_runs():
    """Nothing pushes along the rail: the centre of mass keeps its velocity along it; its reaction has no part along it."""
    s, joint = hanging()
    assert joint.axis == (1.0, 0.0, 0.0) and joint.freedoms == 4 and s["rail"] is joint
    runs = [po.simulate(s, 1.0, step=0.005, formulation=name) for name in ("tree", "directors")]
    for run in runs:
        along = run["rod"].com_velocity[:, 0]
        assert along == pytest.approx(np.full(len(along), along[0]), abs=1e-12) and abs(along[0] - 0.5) > 0.1
        assert run["rail"].force[:, 0] == pytest.approx(0.0, abs=1e-10) and np.abs(run["rail"].force[:, 2]).max() > 5
        assert run["rail"].displacement == pytest.approx(run["rod"].point((-0.5 * np.hypot(0.3, 0.9), 0, 0))[:, 0], abs=1e-12)
    assert runs[0]["rod"].position == pytest.approx(runs[1]["rod"].position, abs=1e-9)


def test_wrong_input_is_named():
    s, _ = hanging()
    with pytest.raises(po.ModelError, match="joint must be a class derived from Joint, not 'rail'"):
        s.join("rail", s.ground, s["rod"])
    with pytest.raises(po.ModelError, match="second must be a body"):
        s.join(Rail, s.ground, "rod", axis="x")
    with pytest.raises(po.ModelError, match="rail 'second'.*axis"):
        s.join(Rail, s.ground, s["rod"], axis="w", name="second")
    with pytest.raises(TypeError, match="axis"):
        s.join(Rail, s.ground, s["rod"])
