"""The same models written in other units: every number is given with its unit, and `m`, `kg`, `s` say how large the units are.

Together they have every joint, load, constraint and drive of the package; `missing()` names those that they have not.
"""

import math
from typing import NamedTuple

import numpy as np

import further
import poinsot as po
from poinsot.files.models.elements import entries
from poinsot.files.models.numbers import NUMBER
from poinsot.model.joint import Ball, Helical
from poinsot.model.joints import JOINTS


class Units(NamedTuple):
    """How many of the units that numbers are written in make a metre, a kilogram, a second."""

    m: float = 1.0
    kg: float = 1.0
    s: float = 1.0

    @property
    def N(self):
        return self.kg * self.m / self.s**2

    def of(self, unit):
        """Size of a unit such as "kg m^2/s"."""
        base = {"m": self.m, "kg": self.kg, "s": self.s, "rad": 1.0, "1": 1.0, "N": self.N, "J": self.N * self.m, "W": self.N * self.m / self.s}
        above, _, below = unit.partition("/")

        def product(words):
            return math.prod(base[word.partition("^")[0]] ** int(word.partition("^")[2] or 1) for word in words.split())

        return product(above) / (product(below) if below else 1.0)


def vector(u, *numbers):
    """A vector of numbers in units u."""
    return tuple(u * x for x in numbers)


def start(joint, k, units):
    """Initial coordinates and rates of a joint, each its own."""
    values, rates = {}, []
    for i, (name, motion) in enumerate(zip(joint.names, joint.motions())):
        x, v = 0.2 + 0.05 * k + 0.03 * i, 0.9 - 0.07 * k + 0.2 * i
        if isinstance(motion, Helical):
            unit = units.m if motion.rot == 0 else 1.0
            values[name] = unit * x
            rates.append(unit / units.s * v)
        elif isinstance(motion, Ball):
            values[name] = (x, -0.1, 0.2)
            rates += [v / units.s, -0.4 / units.s, 0.3 / units.s]
        else:
            values[name] = vector(units.m, x, 0.1, -0.2)
            rates += vector(units.m / units.s, v, 0.3, -0.5)
    if rates:
        joint.set(**values, rate=rates[0] if len(rates) == 1 else rates)


def tree(units, joints=JOINTS):
    """Every joint in space, each with a body of its own, on the ground or on the body before."""
    m, kg, s = units
    system = po.System("tree", gravity=vector(m / s**2, 0.7, -0.4, -9.81))
    body = system.ground
    for k, cls in enumerate(joints):
        place = vector(m, 1.0 + 0.4 * k, 0.1 * k, -0.2 * k)
        inertia = vector(kg * m**2, 0.11 + 0.01 * k, 0.2, 0.25)
        size = {"mass": kg * (1.5 + 0.1 * k), "inertia": inertia, "com": vector(m, 0.1, -0.05, 0.07), "rotation": ("x", 0.3 * k)}
        before, body = (system.ground if k % 3 == 0 else body), system.body(f"body{k}", position=place, **size)
        given = {"at": vector(m, 0.8 + 0.4 * k, 0.1, -0.1), "axis": (0.6, 0.0, 0.8), "axis2": (0.0, 1.0, 0.0), "direction": (0.0, 1.0, 0.0)}
        given |= {"pitch": 0.4 * m, "axis3": (0.8, 0.0, -0.6)}
        known = entries()[cls.kind].arguments
        joint = getattr(system, cls.kind)(before, body, **{name: value for name, value in given.items() if name in known}, name=cls.kind)
        start(joint, k, units)
    return system


def drag(t, x, params, out):
    for k in range(len(x)):
        for i in range(3):
            out[k, i] = -params[0] * x[k, 7 + i]
            out[k, 3 + i] = -params[1] * x[k, 10 + i]


def law(t, x, p, u, z, dz):
    u[0] = -p.kp * x[0] - p.kd * x[1] - z[0]
    for k in range(3):
        u[1 + k] = -p.k * (x[2 + k] + x[5])
    dz[0] = p.ki * x[0]


def loaded(units):
    """Every load, on what slides, turns and rolls as a ball, in the tree of all joints."""
    m, kg, s = units
    N, system = units.N, tree(units)
    a, b = system.bodies[1], system.bodies[4]
    slides, turns, ball = system["prismatic"], system["revolute"], system["spherical"]
    both = system["cylindrical"]
    stiffness, damping = (*vector(N / m, 20, 15, 10), *vector(N * m, 3, 4, 5)), (*vector(N * s / m, 1, 2, 0.5), *vector(N * m * s, 0.1, 0.2, 0.3))
    system.add(po.Bushing(a, b, at=vector(m, 1.5, 0.2, 0.1), stiffness=stiffness, damping=damping, rotation=("z", 0.3)))
    system.add(po.JointSpring(slides, stiffness=20 * N / m, rest=0.1 * m))
    system.add(po.TorsionSpring(turns, stiffness=5 * N * m, rest=0.2))
    system.add(po.TorsionSpring(ball, stiffness=5 * N * m, name="ball spring"))
    system.add(po.TorsionSpring(ball, stiffness=3 * N * m, law="euler-angles", name="euler spring"))
    system.add(po.JointDamper(slides, 2 * N * s / m, name="slide damper"))
    system.add(po.JointDamper(turns, 0.5 * N * m * s, name="turn damper"))
    system.add(po.JointDamper(ball, 0.2 * N * m * s, name="ball damper"))
    system.add(po.JointDamper(both.displacement, 0.4 * N * s / m, name="slide of two"))
    system.add(po.JointDamper(both.angle, 0.3 * N * m * s, name="turn of two"))
    system.add(po.Motor(slides, force=3 * N, name="linear motor"))
    system.add(po.Motor(turns, torque=2 * N * m, name="rotary motor"))
    system.add(po.Force(a, vector(N, 2, -1, 3), at=vector(m, 1.5, 0.2, 0.1)))
    system.add(po.Force(b, vector(N, 1, 2, -1), frame="body", name="body force"))
    system.add(po.Torque(b, vector(N * m, 0.5, -0.4, 0.3)))
    system.add(po.UserForce(drag, bodies=[a, b], params=[0.6 * N * s / m, 0.2 * N * m * s]))
    inputs = [system.add(po.Motor(turns, name="fed")), system.add(po.Force(a, name="pushed"))]
    gains = {"kp": 2 * N * m, "kd": 0.4 * N * m * s, "k": 3 * N / m, "ki": 0.7 * N * m / s}
    outputs = [turns.angle, turns.rate, a.at(vector(m, 0.1, 0.2, 0.3)), slides.displacement]
    system.add(po.Feedback(law, inputs, outputs, gains, states=[0.3 * N * m], name="law"))
    for load in further.loads(np.random.default_rng(3), {type(present) for present in system.loads}):
        system.add(further.in_units(load, units).element(po, [a, b], [turns]))
    return system


def sloping(t, x, params, out):
    """The body moves along a surface whose slope grows with x, and which rises."""
    out[0, 0], out[0, 2], out[0, 6] = params[0] * x[0, 0], 1.0, params[1]


def closed(units):
    """Constraints and drives, on turning and sliding coordinates, points and motors of both kinds."""
    m, kg, s = units
    system = po.System("closed", gravity=vector(m / s**2, 0, 1.0, -9.81))

    def body(name, x):
        inertia = vector(kg * m**2, 0.1, 0.12, 0.14)
        return system.body(name, mass=2 * kg, inertia=inertia, com=vector(m, 0, 0.05, -0.1), position=vector(m, x, 0, 0))

    bodies = [body(name, x) for x, name in enumerate("abcdefgh")]
    turn = [system.revolute(system.ground, bodies[k], at=vector(m, k, 0, 0.3), axis="y", name=f"turn{k}") for k in (0, 1, 3, 4, 6)]
    slide = [system.prismatic(system.ground, bodies[k], axis=(0.6, 0, 0.8), name=f"slide{k}") for k in (2, 5, 7)]
    system.add(po.Gear(turn[0].angle, turn[1].angle, ratio=-1.5, name="wheels"))
    system.add(po.Gear(slide[0].displacement, turn[2].angle, ratio=0.2 * m, name="rack"))
    turn[0].set(angle=0.3, rate=1.0 / s)
    turn[1].set(angle=-0.2, rate=-1.0 / 1.5 / s)
    turn[2].set(angle=0.2, rate=0.5 / s)
    slide[0].set(displacement=0.2 * m * 0.2, rate=0.2 * m * 0.5 / s)
    step, long_step = po.signals.step(0.0, 0.4 * s, to=0.3), po.signals.step(0.0, 0.4 * s, to=0.3 * m)
    system.add(po.Motion(turn[3].angle, step, name="turning"))
    system.add(po.Motion(slide[1].displacement, long_step, name="sliding"))
    motors = [system.add(po.Motor(turn[4], name="turner")), system.add(po.Motor(slide[2], name="slider"))]
    target = po.signals.step(0.0, 0.4 * s, to=(0.2, 0.3 * m))
    system.add(po.Servo([turn[4].angle, slide[2].displacement], target, motors, name="servo"))
    hung = system.body("hung", mass=kg, inertia=vector(kg * m**2, 0.02, 0.03, 0.04), position=vector(m, 9, 0, 0))
    system.add(po.Distance(system.ground, hung, at=(vector(m, 9, 0.1, 1), vector(m, 9.1, 0, 0.1)), name="rod"))
    wheel = system.body("wheel", mass=kg, inertia=vector(kg * m**2, 0.02, 0.03, 0.02), position=vector(m, 10, 0, 0.3))
    system.add(po.Rolling(system.ground, wheel, at=vector(m, 10, 0, 0.3), radius=0.3 * m, axis="y", normal="z", name="contact"))
    level = system.body("level", mass=kg, inertia=vector(kg * m**2, 0.02, 0.03, 0.04), position=vector(m, 20, 0, 0.3))
    level.set(angular_velocity=vector(1 / s, 0, 1.0, 0.5))
    system.add(po.VelocityRows(sloping, [level], params=[0.1 / m, 0.2 * m / s], name="rows"))
    held = system.body("held", mass=kg, inertia=vector(kg * m**2, 0.02, 0.03, 0.02), position=vector(m, 9, 0, 0.3))
    sleeve = system.cylindrical(system.ground, held, at=vector(m, 9, 0, 0), axis="x", name="sleeve")
    sleeve.set(displacement=0.2 * m, angle=0.3)
    system.add(po.Lock(sleeve, value=[0.2 * m, 0.3], name="brake"))
    for k, entry in enumerate(further.constraints({type(present) for present in system.constraints})):
        place = vector(m, 11 + k, 0, 0)
        another = system.body(f"further{k}", mass=kg, inertia=vector(kg * m**2, 0.02, 0.03, 0.04), position=place)
        assert NUMBER not in [entry.arguments[name] for name in entry.required], f"{entry.word}: write one above, its number in units"
        further.add_constraint(system, entry, (system.ground, another), (place, vector(m, 11.1 + k, 0, 0.1)), (turn[0].angle, slide[2].displacement))
    return system


def flat(units):
    """Joints, a damper on several coordinates that all slide, and a torque in a plane."""
    m, kg, s = units
    N, system = units.N, po.System("flat", plane="xz", gravity=vector(m / s**2, 0.5, -9.81))
    a = system.body("a", mass=2 * kg, inertia=0.1 * kg * m**2, com=vector(m, 0.1, 0.05), position=vector(m, 0.5, 0))
    b = system.body("b", mass=kg, inertia=0.2 * kg * m**2, com=vector(m, 0.0, 0.05), position=vector(m, 1.0, 0))
    pin = system.revolute(system.ground, a, at=vector(m, 0, 0), name="pin")
    system.prismatic(a, b, axis=(0.6, 0.8), name="slide").set(displacement=0.1 * m, rate=0.3 * m / s)
    pin.set(angle=0.4, rate=1.5 / s)
    system.add(po.Torque(b, 0.7 * N * m))
    system.add(po.Force(a, vector(N, 1, 2)))
    return system


MODELS = (loaded, closed, flat)


def missing():
    """Kinds of elements of the package that no model here has."""
    present = {type(element) for build in MODELS for element in build(Units()).elements()}
    return [entry.word for entry in entries().values() if entry.cls not in present]
