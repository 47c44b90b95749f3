"""Probable mistakes: a warning before a run, a line in check(), never an error."""

import math
import warnings

import numpy as np
import pytest

import poinsot as po
from loops import four_bar


def pendulum(**body):
    s = po.System("pendulum", gravity=(0, 0, -9.81))
    given = {"shape": po.Box(0.1, 0.1, 1.0, mass=1.0), "position": (0, 0, -0.5)} | body
    link = s.body("link", **given)
    return s, link, s.revolute(s.ground, link, at=(0, 0, 0), axis="y", name="hinge")


def degrees_at_a_joint():
    s, _, hinge = pendulum()
    hinge.set(angle=90)
    return s


def degrees_of_a_body():
    return pendulum(rotation=("z", 90))[0]


def degrees_in_a_list():
    return pendulum(rotation=[("z", 0.5), ("x", -45)])[0]


def degrees_in_a_plane():
    s = po.System("flat", plane="xz", gravity=None)
    s.body("plate", po.Sphere(0.1, mass=1), rotation=30)
    return s


def degrees_of_a_ball():
    s = po.System("ball", gravity=None)
    s.spherical(s.ground, s.body("a", po.Sphere(0.1, mass=1)), at=(0, 0, 0), name="ball").set(rotation=("x", 45))
    return s


def millimetres():
    return pendulum(shape=po.Box(100, 100, 1000, mass=0.01), position=(0, 0, -500))[0]


def far_centre():
    return pendulum(com=(0, 0, 500.0))[0]


def strong_gravity():
    s = po.System("mm", gravity=(0, 0, -9810))
    s.body("a", po.Sphere(0.1, mass=1))
    return s


def negative_stiffness():
    s, link, _ = pendulum()
    s.add(po.Spring(s.ground, link, at=((1, 0, 0), (0, 0, -1)), stiffness=-3.0, name="spring"))
    return s


def negative_damping():
    s, _, hinge = pendulum()
    s.add(po.JointDamper(hinge, -0.1, name="damper"))
    return s


def two_joints_at_one_place():
    s, link, _ = pendulum()
    s.revolute(s.ground, link, at=(0, 0, 0), axis="y", name="again")
    return s


def spring_not_added():
    s, link, _ = pendulum()
    po.Spring(s.ground, link, at=((1, 0, 0), (0, 0, -1)), stiffness=3.0, name="lost")
    return s


def motor_not_added():
    s, _, hinge = pendulum()
    po.Motor(hinge, 1.0)
    return s


def servo_not_added():
    s, _, hinge = pendulum()
    motor = s.add(po.Motor(hinge, 1.0))
    po.Servo([hinge.angle], po.signals.step(0, 1, 1), [motor], name="lost")
    return s


def gear_not_added():
    s, _, hinge = pendulum()
    po.Gear(hinge.angle, hinge.angle, 2.0, name="lost")
    return s


ODD = {
    degrees_at_a_joint: "revolute 'hinge': angle is 90 rad, 14.3 turns; angles are in radians: np.deg2rad(90)?",
    degrees_of_a_body: "body 'link': rotation is 90 rad",
    degrees_in_a_list: "body 'link': rotation is -45 rad",
    degrees_in_a_plane: "body 'plate': rotation is 30 rad",
    degrees_of_a_ball: "spherical 'ball': rotation is 45 rad",
    millimetres: "body 'link': 0.01 kg in 1e+07 m^3, 1e-09 kg/m^3, is far lighter than air; are its lengths in mm",
    far_centre: "body 'link': its centre of mass lies 500 m from its origin",
    strong_gravity: "system 'mm': gravity of 9810 m/s^2; is it in mm/s^2",
    negative_stiffness: "spring 'spring': stiffness is -3.0, so it pushes away from its rest",
    negative_damping: "joint damper 'damper': damping is -0.1, so it feeds energy into the motion",
    two_joints_at_one_place: "revolute 'again': joins 'ground' and 'link' where revolute 'hinge' does already",
    spring_not_added: "spring 'lost': was created but never added",
    motor_not_added: "a motor: was created but never added",
    servo_not_added: "servo 'lost': was created but never added",
    gear_not_added: "gear 'lost': was created but never added",
}


@pytest.mark.parametrize("make", ODD, ids=lambda make: make.__name__)
def test_slips_are_told_and_nothing_is_refused(make):
    s = make()
    report = s.check()
    assert [found for found in report.suspicions if ODD[make] in found], report.suspicions
    assert f"Looks odd: {ODD[make]}" in str(report) and report.ok
    with pytest.warns(po.ModelWarning) as found:
        run = po.simulate(s, 0.02, step=0.01)
    told = [w for w in found if w.category is po.ModelWarning]
    assert len(run.t) == 3 and ODD[make] in str(told[0].message) and "po.ModelWarning" in str(told[0].message)
    assert told[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", po.ModelWarning)  # intended
        po.simulate(s, 0.02, step=0.01)


def test_ordinary_models_are_not_suspicious():
    s, link, hinge = pendulum(rotation=("z", math.pi))
    hinge.set(angle=-3 * math.pi, rate=100.0)
    s.body("heavy", po.Sphere(1e-3, mass=100.0), position=(1, 0, 0))
    s.body("balloon", po.Sphere(10.0, mass=10.0), position=(100, 0, 0))
    lead = s.screw(s.ground, s.body("nut", po.Sphere(0.1, mass=1)), at=(0, 0, 0), axis="x", pitch=0.001, name="lead")
    lead.set(angle=500.0)
    s.add(po.Spring(s.ground, link, at=((1, 0, 0), (0, 0, -1)), stiffness=1e3))
    left = s.revolute(link, s.body("door", po.Box(1, 1, 0.1, mass=1)), at=(0, 0, 1), axis="z")
    s.revolute(link, left.second, at=(0, 0, 2), axis="z")  # two hinges of one door
    s.add(po.Motor(hinge, 0.0))
    assert s.check().suspicions == []


def test_what_is_added_is_not_lost_even_when_it_fails_at_first():
    s, link, hinge = pendulum()
    spring = po.Spring(s.ground, link, at=3, stiffness=1.0, name="spring")
    with pytest.raises(po.ModelError, match="at must be a pair"):
        s.add(spring)
    assert s.check().suspicions == []
    other, *_ = pendulum()
    other.add(po.JointDamper(hinge, 1.0))  # a fault of the other system, and nothing odd in this one
    assert s.check().suspicions == []


def test_a_step_that_passes_over_a_spring():
    s = po.System("stiff", gravity=None)
    s.add(po.Spring(s.ground, s.body("a", po.Sphere(0.1, mass=1.0), position=(1, 0, 0)), at=((0, 0, 0), (1, 0, 0)), stiffness=1e8, name="stiff"))
    period = 2 * np.pi / 1e4
    with pytest.warns(po.ModelWarning, match="spring 'stiff': with the masses at its ends its period is 0.00063 s"):
        po.prepare(s, step=11 * period)
    po.prepare(s, step=5 * period)


def test_nothing_can_move():
    s = po.System("wall", gravity=(0, 0, -9.81))
    s.fixed(s.ground, s.body("a", po.Sphere(0.1, mass=1)), name="weld")
    assert "0 degrees of freedom.\nNothing can move." in str(s.check())
    with pytest.warns(po.ModelWarning, match="system 'wall': 0 degrees of freedom, so nothing can move"):
        po.simulate(s, 0.1, step=0.05)
    s = four_bar()
    s.add(po.Distance(s["crank"], s["rocker"], at=((0, 0, 0.5), (2, 0, 0.5))))
    assert s.check().degrees_of_freedom == 0
    with pytest.warns(po.ModelWarning, match="0 degrees of freedom, so nothing can move"):
        po.simulate(s, 0.1, step=0.05)


def test_prescribed_freedoms_are_counted():
    s, _, hinge = pendulum()
    s.body("loose", po.Sphere(0.1, mass=1))
    assert "7 degrees of freedom." in str(s.check())
    s.add(po.Motion(hinge.angle, po.signals.step(0, 1, 1)))
    report = s.check()
    assert report.degrees_of_freedom == 7 and report.prescribed == 1
    assert "7 degrees of freedom, of which 1 is prescribed." in str(report)
