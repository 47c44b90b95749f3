"""Small systems that several tests use."""

import inspect

import numpy as np

import poinsot as po
from poinsot.model.joint import perpendicular
from poinsot.model.joints import JOINTS


def taken(kind, **available):
    """Of some arguments those that the method of a System for this kind of joint takes."""
    names = inspect.signature(getattr(po.System, kind)).parameters
    return {name: value for name, value in available.items() if name in names}


def one_joint(kind, rng, closing=False):
    """A joint between the ground and a body, drawn anywhere, with random axes (two axes are not perpendicular); in the tree or closing a loop."""
    s = po.System("one joint", gravity=None)
    body = s.body("body", po.Box(1, 2, 3, mass=1.0), position=rng.normal(size=3), rotation=rng.normal(size=3))
    if closing:
        s.spherical(s.ground, body, at=rng.normal(size=3))
    axis, axis2 = (v / np.linalg.norm(v) for v in rng.normal(size=(2, 3)))
    given = taken(kind, at=rng.normal(size=3), axis=axis, axis2=axis2, direction=perpendicular(tuple(axis))[0], pitch=0.7)
    return getattr(s, kind)(s.ground, body, **given)


def kinds_of_joints(fits=lambda joint: True):
    """The kinds of joints of the package whose examples fit."""
    return [cls.kind for cls in JOINTS if fits(one_joint(cls.kind, np.random.default_rng(0)))]


def chain(n=4, angle=0.1):
    """A chain drawn hanging straight down, its first joint turned."""
    s = po.System("pendulum", gravity=(0, 0, -9.81))
    parent = s.ground
    for k in range(n):
        z = -2.0 * k
        link = s.body(f"link{k + 1}", po.Box(0.2, 0.2, 2.0, mass=50.0), position=(0, 0, z - 1.0))
        s.spherical(parent, link, at=(0, 0, z), name=f"joint{k + 1}")
        parent = link
    s["joint1"].set(rotation=("x", angle))
    return s


def pendulum(angle=0.5):
    """A planar pendulum: a point mass of 1 kg, 1 m from its pin."""
    s = po.System("pendulum", plane="xy", gravity=(0, -9.81))
    bob = s.body("bob", mass=1.0, inertia=0.0, position=(0, -1))
    s.revolute(s.ground, bob, at=(0, 0), name="pin").set(angle=angle)
    return s


def oscillator(stiffness=4.0, damping=0.0):
    """A mass of 1 kg on a slide with a spring."""
    s = po.System("oscillator", gravity=None)
    mass = s.body("mass", po.Sphere(0.1, mass=1.0))
    slide = s.prismatic(s.ground, mass, axis="x", name="slide")
    s.add(po.JointSpring(slide, stiffness=stiffness, name="spring"))
    if damping:
        s.add(po.JointDamper(slide, damping, name="damper"))
    slide.set(displacement=1.0)
    return s


def stiff_runs():
    """Runs that need the iterations for stiff steps, so that they are compiled."""
    s = po.System("stiff", gravity=(0, 0, -9.81))
    body = s.body("a", po.Box(0.1, 0.2, 0.3, mass=1.0), position=(0, 0, -1))
    s.add(po.JointSpring(s.spherical(s.ground, body, at=(0, 0, 0)), 1e5))
    s.joints[0].set(rotation=("x", 0.5), rate=(1.0, 2.0, 3.0))
    for formulation, integrator in (("tree", "gauss4"), ("tree", "gauss2"), ("directors", "energy-momentum-6"), ("directors", "energy-momentum")):
        run = po.simulate(s, 0.1, step=0.02, formulation=formulation, integrator=integrator)
        assert run.audit.newton_steps > 0, run.audit  # the iterations for stiff steps are compiled, too
