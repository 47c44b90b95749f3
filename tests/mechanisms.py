"""Mechanisms for tests of energy-momentum steps: every joint, constraint, spring, damper and motor in some of them.

All start away from symmetric positions and move at a few rad/s.
"""

import numpy as np

import poinsot as po
from loops import four_bar, slider_crank


def spring_chain(damped=False):
    """A spatial open chain of four bodies on a hinge, a ball, a universal and a planar joint, with springs of every kind."""
    s = po.System("chain", gravity=(0.3, 0, -9.81))
    a = s.body("a", po.Box(0.1, 0.2, 1.0, mass=2.0), position=(0, 0, -0.5))
    b = s.body("b", po.Box(0.1, 0.3, 1.0, mass=1.0), position=(0, 0, -1.5))
    c = s.body("c", po.Box(0.2, 0.1, 1.0, mass=1.5), position=(0, 0, -2.5))
    d = s.body("d", po.Box(0.3, 0.2, 0.1, mass=0.5), position=(0, 0, -3.0))
    hinge = s.revolute(s.ground, a, at=(0, 0, 0), axis="y", name="hinge")
    ball = s.spherical(a, b, at=(0, 0, -1), name="ball")
    cross = s.universal(b, c, at=(0, 0, -2), axis="x", axis2="y", name="cross")
    plate = s.planar(c, d, at=(0, 0, -3), axis="z", direction="x", name="plate")
    hinge.set(angle=0.7, rate=1.0)
    ball.set(rotation=("x", 0.5), rate=(0.3, 0.1, 2.0))
    cross.set(angle1=0.3, angle2=-0.4, rate=(1.0, -0.5))
    plate.set(rate=(0.3, -0.2, 1.0))
    s.add(po.TorsionSpring(hinge, stiffness=4.0, rest=0.2))
    s.add(po.TorsionSpring(ball, stiffness=6.0))
    s.add(po.Spring(b, d, at=((0, 0.3, -1.2), (0.1, 0, -3)), stiffness=15.0, length=1.2, damping=0.3 if damped else 0.0))
    s.add(po.Spring(s.ground, c, at=((1, 0, 0), (0, 0, -2.5)), stiffness=10.0, length=1.5))
    if damped:
        s.add(po.JointDamper(hinge, 0.4))
        s.add(po.JointDamper(ball, 0.3))
        s.add(po.Motor(hinge, lambda t: 2.0 * np.sin(3.0 * t), name="motor"))
    return s


def swinging_chain():
    """Three bodies on a hinge, a ball and a hinge that swing gently in springs: no load does work."""
    s = po.System("swinging chain", gravity=(0.3, 0, -9.81))
    a = s.body("a", po.Box(0.1, 0.2, 1.0, mass=2.0), position=(0, 0, -0.5))
    b = s.body("b", po.Box(0.1, 0.3, 1.0, mass=1.0), position=(0, 0, -1.5))
    c = s.body("c", po.Box(0.3, 0.2, 1.0, mass=1.5), position=(0, 0, -2.5))
    hinge = s.revolute(s.ground, a, at=(0, 0, 0), axis="y", name="hinge")
    ball = s.spherical(a, b, at=(0, 0, -1), name="ball")
    last = s.revolute(b, c, at=(0, 0, -2), axis="x", name="last")
    hinge.set(angle=0.3)
    ball.set(rotation=("x", 0.4), rate=(0.0, 0.0, 1.0))
    s.add(po.TorsionSpring(hinge, stiffness=4.0, rest=0.2))
    s.add(po.TorsionSpring(ball, stiffness=6.0))
    s.add(po.TorsionSpring(last, stiffness=5.0))
    s.add(po.Spring(s.ground, c, at=((1, 0, 0), (0, 0, -2.5)), stiffness=10.0, length=1.5))
    return s


def loaded_four_bar():
    """The four-bar of 3D revolutes with springs, dampers and a motor with a law in time."""
    s = four_bar()
    s["base"].set(rate=2.0)
    s.add(po.TorsionSpring(s["elbow"], stiffness=5.0))
    s.add(po.Spring(s["crank"], s["rocker"], at=((0, 0, 0.5), (2, 0, 0.7)), stiffness=30.0, damping=0.5, length=1.5))
    s.add(po.JointDamper(s["knee"], 0.6))
    s.add(po.Motor(s["base"], lambda t: 8.0 * np.cos(2.0 * t), name="motor"))
    return s


def cardan_shaft():
    """Two shafts in bearings at 0.6 rad to each other, joined by a universal joint; the driven one carries a pendulum."""
    s = po.System("cardan shaft", gravity=(0, 0, -9.81))
    axis = np.array([np.cos(0.6), np.sin(0.6), 0.0])
    first = s.body("first", po.Cylinder(radius=0.1, length=1.0, mass=3.0, axis="x"), position=(-0.5, 0, 0))
    second = s.body("second", mass=2.0, inertia=np.diag([0.05, 0.2, 0.2]), position=0.5 * axis)
    weight = s.body("weight", po.Box(0.1, 0.1, 0.6, mass=0.7), position=axis + (0, 0, -0.3))
    s.revolute(s.ground, first, at=(-1, 0, 0), axis="x", name="bearing")
    s.universal(first, second, at=(0, 0, 0), axis="z", axis2=np.cross((0, 0, 1), axis), name="cross")
    s.cylindrical(second, s.ground, at=axis, axis=axis, name="sleeve")
    s.revolute(second, weight, at=axis, axis="y", name="pin")
    s["bearing"].set(rate=4.0)
    return s


def screw_press():
    """A spindle on a screw, tied to a rocker by a massless rod: a screw and a distance in a loop."""
    s = po.System("screw press", gravity=(0, 0, -9.81))
    spindle = s.body("spindle", po.Cylinder(radius=0.3, length=0.8, mass=2.0))
    arm = s.body("arm", po.Box(0.1, 0.1, 0.8, mass=1.0), position=(0.8, 0.1, 0.4))
    s.screw(s.ground, spindle, at=(0, 0, 0), axis="z", pitch=0.4, name="screw")
    s.revolute(s.ground, arm, at=(0.8, 0.1, 0.8), axis="y", name="rocker")
    s.add(po.Distance(spindle, arm, at=((0.1, 0, 0.4), (0.8, 0.1, 0.0)), name="rod"))
    s.add(po.Spring(s.ground, arm, at=((1.5, 0, 0.5), (0.8, 0.1, 0.2)), stiffness=25.0, length=0.6))
    s["screw"].set(rate=3.0)
    return s


def geared_pair():
    """Two wheels in gear, one with a pendulum, the other driving a rack: angles and a displacement in gears."""
    s = po.System("gears", gravity=(0, 0, -9.81))
    small = s.body("small", po.Cylinder(radius=0.2, length=0.1, mass=1.0, axis="y"))
    large = s.body("large", po.Cylinder(radius=0.4, length=0.1, mass=2.0, axis="y"), position=(0.6, 0, 0))
    rack = s.body("rack", po.Box(1.0, 0.1, 0.1, mass=0.8), position=(0.6, 0, 0.45))
    bob = s.body("bob", po.Box(0.1, 0.1, 0.5, mass=0.6), position=(0.2, 0, -0.25))
    s.revolute(s.ground, small, at=(0, 0, 0), axis="y", name="pin1")
    s.revolute(s.ground, large, at=(0.6, 0, 0), axis="y", name="pin2")
    s.prismatic(s.ground, rack, at=(0.6, 0, 0.45), axis="x", name="guide")
    s.spherical(small, bob, at=(0.2, 0, 0), name="hook")
    s.add(po.Gear(s["pin1"].angle, s["pin2"].angle, ratio=-2.0, name="wheels"))
    s.add(po.Gear(s["guide"].displacement, s["pin2"].angle, ratio=0.4, name="teeth"))
    s["pin1"].set(rate=5.0)
    s["hook"].set(rate=(0.5, 0.2, 1.0))
    return s


def moving_slider():
    """The slider-crank with a prismatic joint and a ball, started at a rate and under gravity."""
    s = slider_crank()
    s.add(po.Force(s["rod"], (0.3, 0.2, -4.0)))
    s.add(po.JointSpring(s["slide"], stiffness=20.0, rest=-0.1))
    s["base"].set(rate=3.0)
    return s


def skater():
    """A plate in a plane, tied to the ground by a massless rod, with a body on a ball: planar joint and distance."""
    s = po.System("skater", gravity=(0, 0, -9.81))
    plate = s.body("plate", po.Box(0.5, 0.3, 0.1, mass=2.0), position=(1, 0, 0))
    rider = s.body("rider", po.Box(0.2, 0.2, 0.8, mass=1.0), position=(1, 0, -0.5))
    s.planar(s.ground, plate, at=(1, 0, 0), axis=(0.2, 0, 1), name="ice")
    s.spherical(plate, rider, at=(1.1, 0, -0.1), name="hook")
    s.add(po.Distance(s.ground, plate, at=((0, 0, 0.5), (0.8, 0.1, 0)), name="rope"))
    s.add(po.Torque(plate, lambda t: (0.0, 0.0, 2.0 * np.cos(t))))
    s.add(po.JointDamper(s["ice"], 0.2))
    s["hook"].set(rate=(1.0, 0.5, 0.0))
    return s


ALL = {
    "chain": lambda: spring_chain(True),
    "four-bar": loaded_four_bar,
    "cardan": cardan_shaft,
    "screw": screw_press,
    "gears": geared_pair,
    "slider": moving_slider,
    "skater": skater,
}
