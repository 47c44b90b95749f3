"""Models written with any of their values replaced: what `change=` must equal. Keys are those of `change=`."""

import numpy as np

import poinsot as po
from poinsot import signals


def law(t, x, p, u):
    u[0] = -p.kp * x[0] - p.K[0] * x[1] - p.K[1]


def drag(t, x, params, out):
    for k in range(len(x)):
        for i in range(3):
            out[k, i] = -params[0] * x[k, 7 + i] - params[1] * x[k, i]


def swing(t):
    return 0.3 * np.sin(2.0 * t)


class Values:
    """Values by key, with defaults; those that are used are recorded."""

    def __init__(self, given):
        self.given, self.defaults = given, {}

    def __call__(self, key, default):
        self.defaults[key] = default
        return self.given.get(key, default)

    def some(self, **names):
        """Initial values: only those that are given, or have a default."""
        found = {name.split("__")[1]: self(name.replace("__", "."), value) for name, value in names.items()}
        return {name: value for name, value in found.items() if value is not None}


def open_chain(v):
    """Every shape and every load on an open spatial system; one body moves freely."""
    s = po.System("open", gravity=v("gravity", (0.2, 0.0, -9.81)))
    box = po.Box(v("a.x", 0.1), v("a.y", 0.2), v("a.z", 1.0), mass=v("a.mass", 2.0))
    a = s.body("a", box, position=(0, 0, -0.5))
    rod = po.Rod(radius=v("b.radius", 0.03), density=v("b.density", 3000.0))
    b = s.body("b", rod, between=((0, 0, -1), (0.2, 0.1, -2)))
    tube = po.Cylinder(v("c.radius", 0.1), v("c.length", 0.5), axis="y", mass=1.2)
    c = s.body("c", tube, position=(0.2, 0.1, -2.3), com=v("c.com", (0.0, 0.02, 0.01)))
    d = s.body("d", mass=v("d.mass", 0.7), inertia=v("d.inertia", (0.02, 0.03, 0.04)), com=v("d.com", (0.1, 0, 0)), position=(0.2, 0.1, -3))
    f = s.body("f", po.Disc(v("f.radius", 0.2), v("f.thickness", 0.05), mass=0.5), position=(2, 0, 0))
    hinge = s.revolute(s.ground, a, at=(0, 0, 0), axis="y", name="hinge")
    ball = s.spherical(a, b, at=(0, 0, -1), name="ball")
    nut = s.screw(b, c, at=(0.2, 0.1, -2), axis="z", pitch=v("nut.pitch", 0.1), name="nut")
    slide = s.prismatic(c, d, axis=(1, 1, 0), name="slide")
    s.add(po.TorsionSpring(hinge, stiffness=v("coil.stiffness", 4.0), rest=v("coil.rest", 0.2), name="coil"))
    s.add(po.TorsionSpring(ball, stiffness=v("cup.stiffness", 6.0), rest=v("cup.rest", ("x", 0.1)), name="cup"))
    s.add(po.JointDamper(nut, v("oil.damping", 0.3), name="oil"))
    lengths = {"stiffness": v("rope.stiffness", 9.0), "damping": v("rope.damping", 0.1), "length": v("rope.length", 1.1)}
    s.add(po.Spring(s.ground, c, at=((1, 0, -2), (0.2, 0.1, -2.3)), name="rope", **lengths))
    s.add(po.Motor(slide, force=v("pull.law", 0.4), name="pull"))
    s.add(po.Motor(nut, swing, name="swing"))
    s.add(po.Motor(hinge, signals.step(v("soft.start", -0.2), v("soft.end", 0.4), v("soft.to", 1.5), v("soft.begin", 0.1)), name="soft"))
    s.add(po.Force(d, v("push.vector", (0.1, 0.2, 0.3)), name="push"))
    s.add(po.Torque(f, v("twist.vector", (0.01, 0.0, 0.02)), frame="body", name="twist"))
    s.add(po.UserForce(drag, bodies=[c, f], params=v("drag.params", [0.4, 0.2]), name="drag"))
    fed = s.add(po.Motor(hinge, name="fed"))
    s.add(po.Feedback(law, [fed], [hinge.angle, hinge.rate], {"kp": v("law.kp", 2.0), "K": v("law.K", [0.1, 0.2])}, name="law"))
    hinge.set(angle=v("hinge.angle", 0.7), rate=v("hinge.rate", 1.0))
    ball.set(rotation=v("ball.rotation", ("x", 0.5)), rate=v("ball.rate", (0.3, 0.1, 2.0)))
    f.set(**v.some(f__velocity=(0.1, 0, 1.0), f__angular_velocity=(1.0, 2.0, 3.0), f__rotation=None, f__position=None))
    return s


def closed_bar(v):
    """A four-bar of 3D revolutes with a composite coupler, a distance, a gear and springs."""
    s = po.System("closed", gravity=v("gravity", (0, 0, -9.81)))
    crank = s.body("crank", po.Rod(radius=v("crank.radius", 0.02), mass=v("crank.mass", 1.0)), between=((0, 0, 0), (0, 0, 1)))
    coupler = s.body("coupler", po.Rod(radius=0.02, mass=v("coupler.mass", 2.0)), between=((0, 0, 1), (2, 0, 1.5)))
    rocker = s.body("rocker", po.Rod(radius=0.02, mass=1.5), between=((2, 0, 1.5), (2, 0, 0)), com=v("rocker.com", (0.1, 0.0, 0.0)))
    wheel = s.body("wheel", po.Disc(v("wheel.radius", 0.3), axis="y", mass=1.0), position=(0, 0.2, 0))
    bob = s.body("bob", po.Sphere(v("bob.radius", 0.1), mass=v("bob.mass", 0.4)), position=(2, 0, 2))
    base = s.revolute(s.ground, crank, at=(0, 0, 0), axis="y", name="base")
    s.revolute(crank, coupler, at=(0, 0, 1), axis="y", name="elbow")
    s.revolute(coupler, rocker, at=(2, 0, 1.5), axis="y", name="knee")
    s.revolute(rocker, s.ground, at=(2, 0, 0), axis="y", name="foot")
    turn = s.revolute(s.ground, wheel, at=(0, 0.2, 0), axis="y", name="turn")
    s.add(po.Gear(turn.angle, base.angle, v("wheels.ratio", 2.0), name="wheels"))
    s.add(po.Distance(coupler, bob, at=((2, 0, 1.5), (2, 0, 2)), length=v("string.length", 0.5), name="string"))
    s.add(po.Spring(crank, rocker, at=((0, 0, 0.5), (2, 0, 0.7)), stiffness=v("tie.stiffness", 30.0), length=v("tie.length", 1.5), name="tie"))
    s.add(po.Motor(base, lambda t: 3.0 * np.cos(2.0 * t), name="motor"))
    base.set(rate=v("base.rate", 2.0), **v.some(base__angle=None))
    bob.set(**v.some(bob__velocity=None))
    return s


def planar_arm(v):
    """A planar arm of which one joint follows a spline and the other a motor with a table; loads with vectors of two numbers."""
    s = po.System("planar", plane="xz", gravity=v("gravity", (0.0, -9.81)))
    first = s.body("first", mass=v("first.mass", 1.0), inertia=v("first.inertia", 0.2), com=v("first.com", (0.1, 0.0)), position=(0.5, 0))
    second = s.body("second", po.Box(1.0, 0.1, v("second.z", 0.2), density=v("second.density", 50.0)), position=(1.5, 0))
    left = s.revolute(s.ground, first, at=(0, 0), name="left")
    right = s.revolute(first, second, at=(1, 0), name="right")
    times, values = v("lead.times", [0.0, 0.3, 1.0]), v("lead.values", [0.0, 0.2, 0.9])
    s.add(po.Motion(left.angle, signals.spline(times, values), name="lead"))
    s.add(po.Motor(right, torque=signals.table([0.0, 0.5, 1.0], v("drive.values", [0.0, 1.0, 0.5])), name="drive"))
    s.add(po.Force(second, v("wind.vector", (0.3, 0.1)), name="wind"))
    s.add(po.Torque(second, v("spin.vector", 0.2), name="spin"))
    right.set(angle=v("right.angle", 0.3), rate=v("right.rate", 0.5))
    return s


MODELS = {"open": open_chain, "closed": closed_bar, "planar": planar_arm}
OTHERS = {  # values that are not numbers, or have no default
    "cup.rest": [0.2, 0.1, 0.0],
    "ball.rotation": [0.1, 0.3, -0.2],
    "f.rotation": ("z", 0.4),
    "f.position": (2.0, 0.5, 0.1),
    "base.angle": 0.2,
    "bob.velocity": (0.0, 0.3, 0.0),
    "string.length": 0.6,
    "lead.times": [0.0, 0.4, 1.2],
    "gravity": None,
}


def keys(model):
    """All that can change in a model."""
    v = Values({})
    MODELS[model](v)
    return list(v.defaults)


def other_value(model, key, rng):
    """Another value for a key of a model."""
    if key in OTHERS and not (key == "gravity" and rng.random() < 0.5):
        return OTHERS[key]
    v = Values({})
    MODELS[model](v)
    now = v.defaults[key]
    factor = rng.uniform(1.02, 1.3)
    return float(now * factor) if np.ndim(now) == 0 else (np.array(now, float) * factor).tolist()


def built(model, given):
    """A model written with some values."""
    return MODELS[model](Values(given))
