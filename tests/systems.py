"""Small systems that several tests use."""

import poinsot as po


def chain(n=4, angle=0.1):
    """A chain drawn hanging straight down, its first joint rotated."""
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
