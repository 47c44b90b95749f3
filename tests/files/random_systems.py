"""Random systems for files: every element, shape and argument, given in every way, with awkward numbers and names."""

import math
import random

import file_models
import numpy as np

import further
import poinsot as po
from poinsot.model.joint import Ball, Helical, Translation
from poinsot.model.rotation import matrix
from poinsot.model.system import PLANES
from systems import taken

AWKWARD = (
    "null", "Null", "~", "yes", "No", "on", "off", "true", "FALSE", "y", "n", "1", "-1", "1e3", "1e-3", ".5", "0x1F", "0o17", "1_000",
    "1:30", ".inf", "-.INF", ".nan", "inf", "<<", "=", "2026-01-01", "- a", "-", "--- a", "...", "? a", ": a", "a: b", "a:", "a #b",
    "#a", "a#", "[a", "a]", "{a", "}", ",", "&a", "*a", "!a", "!!str a", "%a", "@a", "`a", "|", ">", "'", "''", '"', '"a"', "\\", "a\\n",
    "\t", "a\tb", "\n", "a\nb", "\r\n", " ", " a", "a ", "a  b", "\x85", "a\u2028b", "\u2029", "\ufeff", "\u202eabc", "\u200b", "\xa0",
    "\x1b[31m", "\x7f", "é", "e\u0301", "ä/b.c", "链", "١", "\U0001f600", "\ufffd", "a.end", "a.start.x", ".", "..", "a.", "ground.x",
    "none", "system", "initial", "poinsot", "angle", "x", "-x", "function", "{0}", "%s", "é" * 60,
)  # fmt: skip
LENGTHS = (40, 80, 96, 100, 104, 106, 108, 110, 111, 120, 250, 990, 1023, 1024, 1025, 3000)
WRITTEN = (po.Spring, po.Force, po.Torque, po.UserForce, po.JointDamper, po.TorsionSpring, po.JointSpring, po.Motor)  # loads, in `load`
SMALL = (0.0, -0.0, 0, 1, -1, 2, 3.0, 5e-324, -5e-324, 1e-300, 2.2250738585072014e-308, 1e-17, 1e5, 123456.0, 1 / 3, 0.1)


class Drawn:
    """A system drawn at random. `plane` is None in space; `meshes`: files of closed surfaces, of which some bodies in space are made and drawn."""

    def __init__(self, seed, functions=True, meshes=()):
        self.random = random.Random(seed)
        self.functions = functions and self.chance(0.15)
        self.taken = {"ground"}
        plane = self.random.choice([None, None, None, *PLANES])
        gravity = None if self.chance(0.2) else [self.number() for _ in range(2 if plane else 3)]
        self.system = po.System(self.word(), gravity=gravity, plane=plane)
        self.plane, self.meshes = plane, [] if plane else list(meshes)
        for _ in range(self.random.randint(1, 6)):
            self.body()
            if self.chance(0.85):
                self.joint(self.system.bodies[-1])
        self.loads()
        self.constraints()
        self.drives()
        self.initial()

    # --- words and numbers -----------------------------------------------------------------------------------------------

    def chance(self, p):
        return self.random.random() < p

    def word(self):
        if self.chance(0.6):
            return self.random.choice(AWKWARD)
        if self.chance(0.5):
            return f"part {self.random.randint(1, 10**6)}"
        letters = self.random.choice(["a", "ab c", "ü", '"', "x.", "\u202e", "链条"])
        return (letters * 3000)[: self.random.choice(LENGTHS)]

    def name(self):
        while True:
            word = self.word()
            word = word if word not in self.taken else f"{word}{self.random.randint(1, 10**9)}"
            if word not in self.taken:
                self.taken.add(word)
                return word

    def number(self):
        """Any number of a moderate size, as users may have it."""
        if self.chance(0.3):
            return self.random.choice(SMALL)
        value = self.random.gauss(0, 1) * 10 ** self.random.choice([0, 0, 0, -3, 2])
        return self.random.choice([float, float, float, np.float64, np.float32, round, lambda x: round(x, 2)])(value)

    def positive(self):
        value = 10 ** self.random.uniform(-2, 2)
        return self.random.choice([float, np.float64, lambda x: math.ceil(x), lambda x: round(x, 1) + 0.1])(value)

    def sequence(self, numbers):
        return self.random.choice([tuple, list, np.array])(numbers)

    def vector(self, spatial=False):
        """Two numbers in a plane; three of the plane where a shape or a joint asks for three."""
        numbers = [self.number() for _ in range(2 if self.plane and not spatial else 3)]
        if self.plane and spatial:
            numbers[PLANES[self.plane][2]] = 0.0
        return self.sequence(numbers)

    def world(self):
        """Numbers that were computed: most have 17 digits."""
        return self.sequence([self.random.gauss(0, 1) for _ in range(2 if self.plane else 3)]) if self.chance(0.7) else self.vector()

    def axis(self):
        if self.chance(0.5):
            return self.random.choice(["x", "-x", "y", "-y", "z", "-z"])
        return self.sequence([self.random.gauss(0, 1) for _ in range(3)])

    def rotation(self, depth=0, spatial=False):
        if self.plane:
            angle = self.number()
            return (self.sequence(self.system.normal), angle) if spatial else angle
        unit = np.array([self.random.gauss(0, 1) for _ in range(4)])
        unit /= np.linalg.norm(unit)
        ways = [
            lambda: self.sequence(unit.tolist()),
            lambda: self.vector(spatial=True),
            lambda: matrix(tuple(unit)) if self.chance(0.5) else matrix(tuple(unit)).tolist(),
            lambda: (self.random.choice(["x", "-y", "z"]), self.number()),
            lambda: [self.random.choice(["-x", "y", "-z"]), self.number()],
            lambda: (self.sequence([self.random.gauss(0, 1) for _ in range(3)]), self.number()),
            lambda: [self.rotation(depth + 1, spatial) for _ in range(self.random.randint(1, 4))],
        ]
        return self.random.choice(ways if depth < 2 else ways[:-1])()

    # --- bodies ------------------------------------------------------------------------------------------------------------

    def shape(self, depth=0, fitted=False):
        amount = {"mass": self.positive()} if self.chance(0.6) else {"density": self.positive()}
        return self.form(depth, fitted, amount)

    def form(self, depth, fitted, amount):
        """A shape with a mass, a density or, as a look, neither."""
        p, axis = self.positive, {"axis": self.random.choice(["x", "y", "z"])} if self.chance(0.5) else {}
        ways = [
            lambda: po.Box(p(), p(), p(), **amount),
            lambda: po.Cylinder(p(), p(), **axis, **amount),
            lambda: po.Sphere(p(), **amount),
            lambda: po.Disc(p(), **axis, **({"mass": p()} if amount else {})),
            lambda: po.Disc(p(), thickness=p(), **axis, **amount),
            lambda: po.Rod(p(), **amount) if fitted else po.Rod(p(), p(), **amount),
            *([lambda: po.Mesh(self.random.choice(self.meshes), self.random.choice([1, 0.001, p()]), **amount)] if self.meshes else []),
            lambda: po.Composite([self.part(depth + 1) for _ in range(self.random.randint(1, 3))]),
        ]
        return self.random.choice(ways if depth < 2 else ways[:-1])()

    def part(self, depth):
        shape = self.shape(depth)
        place = None if self.chance(0.2) else self.vector(spatial=True)
        return self.random.choice([shape, (shape, place), (shape, place, self.rotation(spatial=True)), [shape, None, self.rotation(spatial=True)]])

    def look(self):
        shape = self.form(1, False, {}) if self.chance(0.7) else self.shape()
        given = {"position": self.sequence([self.number() for _ in range(3)])} if self.chance(0.6) else {}
        given |= {"rotation": self.rotation(spatial=True)} if self.chance(0.6) else {}
        given |= {"colour": self.random.choice(["#ff8800", "#000000", "#00FF7f"])} if self.chance(0.5) else {}
        return po.Look(shape, **given) if given or self.chance(0.5) else shape

    def looks(self):
        """One look, or several, or none."""
        if self.chance(0.3):
            return self.look()
        return self.random.choice([tuple, list])(self.look() for _ in range(self.random.randint(0, 3)))

    def inertia(self):
        if self.plane and self.chance(0.7):
            return self.positive()
        a, b, c = (self.random.uniform(0.1, 2) for _ in range(3))
        principal = [b + c, a + c, a + b]
        if self.chance(0.5):
            return self.sequence(principal)
        turn = matrix(tuple(np.array([0.5, 0.5, -0.5, 0.5])) if self.plane else tuple(np.array([0.1, 0.7, 0.5, 0.5])))
        full = turn @ np.diag(principal) @ turn.T
        full = 0.5 * (full + full.T)
        return full if self.chance(0.5) else full.tolist()

    def body(self):
        given = {}
        fitted = self.chance(0.4)
        if fitted:
            given["between"] = self.random.choice([tuple, list])((self.world(), self.world()))
        else:
            if self.chance(0.8):
                given["position"] = self.world()
            if self.chance(0.6):
                given["rotation"] = self.rotation()
        turned = fitted and self.plane is not None  # between= may turn the plane of the body frame out of that of the system
        if self.chance(0.6):
            given["shape"] = self.shape(depth=2 if turned else 0, fitted=fitted)
        else:
            given["mass"] = self.positive()
            given["inertia"] = self.inertia()
        if not turned and self.chance(0.3):
            given["com"] = self.vector()
        if "shape" in given and self.chance(0.2):
            given["inertia"] = self.inertia()
        if self.chance(0.2):
            given["looks"] = self.looks()
        return self.system.body(self.name(), **given)

    def point(self, body):
        """A point of a body, or of the world."""
        if body.ends is not None and self.chance(0.4):
            return self.random.choice([body.start, body.end])
        return body.at(self.vector()) if self.chance(0.3) else self.world()

    # --- joints --------------------------------------------------------------------------------------------------------------

    def joint(self, second):
        s = self.system
        first = self.random.choice([s.ground, *s.bodies[:-1]]) if len(s.bodies) > 1 else s.ground
        if self.chance(0.2):
            first, second = second, first
        name = {"name": self.name()} if self.chance(0.8) else {}
        place = self.point(second) if self.chance(0.7) else (self.point(first), self.point(second))
        if isinstance(place, np.ndarray) and self.plane and self.chance(0.5):
            place = place.tolist()
        at = {"at": place} if self.chance(0.6) else {}
        if self.plane:
            ways = [
                lambda: s.revolute(first, second, at=place, **name),
                lambda: s.prismatic(first, second, axis=[self.random.gauss(0, 1), 1.0], **at, **name),
                lambda: s.fixed(first, second, **at, **name),
                lambda: s.planar(first, second, **at, **name),
            ]
            return self.random.choice(ways)()
        axis = self.axis()
        normal = self.sequence([self.random.gauss(0, 1) for _ in range(2)] + [1.0])
        along = np.cross(np.asarray(normal, float), [0.3, -0.2, 0.4])
        kind = self.random.choice(further.joints(()))
        must, pair = further.required(kind), {"axis": normal, "axis2": self.sequence(along.tolist()), "direction": self.sequence(along.tolist())}
        given = taken(kind, **pair if self.chance(0.6) or "axis2" in must else {"axis": axis}, pitch=self.positive())
        return getattr(s, kind)(first, second, **given, **({"at": place} if "at" in must else at), **name)

    def coordinates(self, joints=None):
        """Scalar coordinates of joints."""
        joints = self.system.joints if joints is None else joints
        return [joint.coordinate(n) for joint in joints for n, m in zip(joint.names, joint.motions()) if isinstance(m, Helical)]

    # --- loads, constraints, drives --------------------------------------------------------------------------------------------

    def signal(self, size=1):
        """A signal of numbers, or of a function."""
        times = np.cumsum([self.random.uniform(0.1, 2) for _ in range(self.random.choice([2, 3, 7, 40]))])
        values = [self.number() if size == 1 else [self.number() for _ in range(size)] for _ in times]
        ends = self.random.choice([(0, 1), (0.0, 2), (np.float64(-0.5), 1 / 3)])
        to = self.number() if size == 1 else self.sequence([self.number() for _ in range(size)])
        shape = (len(times) - 1, 3) if size == 1 else (len(times) - 1, 3, size)
        ways = [
            lambda: po.signals.step(*ends, to=to),
            lambda: po.signals.step(*ends, to, begin=self.number() if size == 1 else [self.number() for _ in range(size)]),
            lambda: po.signals.spline(self.sequence(times.tolist()), np.array(values, float) if self.chance(0.5) else values),
            lambda: po.signals.table(times, values),
            lambda: po.signals.Polynomials(times.tolist(), np.array([self.number() for _ in range(math.prod(shape))], float).reshape(shape)),
        ]
        if self.functions:
            f = file_models
            ways += [lambda: f.swing, lambda: po.Signal(f.swing, f.torque_of_time)] if size == 1 else []
            ways += [lambda: f.path, lambda: po.Signal(f.path, f.path_rate, f.path_acceleration)] if size == 2 else []
        return self.random.choice(ways)()

    def law(self):
        if self.functions and self.chance(0.5):
            return self.random.choice([file_models.torque_of_time, file_models.feedback])
        return self.number() if self.chance(0.6) else self.signal()

    def named(self):
        return {"name": self.name()} if self.chance(0.7) else {}

    def loads(self):
        for _ in range(self.random.randint(0, 5)):
            load = self.further_load() if self.chance(0.2) else self.load()
            if load is not None:
                self.system.add(load)

    def further_load(self):
        """One that is not written below, in space."""
        s, hinges = self.system, [joint for joint in self.system.joints if type(joint).kind == "revolute"]
        found = [] if self.plane or not hinges else further.loads(np.random.default_rng(self.random.randrange(10**6)), WRITTEN)
        return self.random.choice(found).element(po, [self.random.choice(s.bodies), s.ground], hinges) if found else None

    def load(self):
        s, r = self.system, self.random
        body = r.choice(s.bodies)
        frame = {"frame": r.choice(["world", "body"])} if self.chance(0.5) else {}
        kind = r.randrange(7)
        if kind == 0:
            other = r.choice([b for b in [s.ground, *s.bodies] if b is not body])
            length = {"length": self.positive()} if self.chance(0.5) else {}
            damping = {"damping": self.number()} if self.chance(0.5) else {}
            at = self.random.choice([tuple, list])((self.point(body), self.point(other)))
            return po.Spring(body, other, at=at, stiffness=self.positive(), **length, **damping, **self.named())
        if kind == 1:
            place = {"at": self.point(body)} if self.chance(0.5) else {}
            target = self.point(body) if not place else body
            target = target if isinstance(target, type(body.at(self.vector()))) else body
            if self.functions and not self.plane and self.chance(0.5):
                return po.Force(target, file_models.push, **place, **frame, **self.named())
            return po.Force(target, self.vector(), **place, **frame, **self.named())
        if kind == 2:
            return po.Torque(body, self.number() if self.plane else self.vector(), **frame, **self.named())
        if kind == 3:
            if not self.functions:
                return None
            on = r.sample(s.bodies, r.randint(1, len(s.bodies)))
            return po.UserForce(file_models.drag, on, self.sequence([self.number() for _ in range(r.randint(1, 3))]), **self.named())
        joints = [joint for joint in s.joints if joint.motions()]
        return self.joint_load(r.choice(joints), kind) if joints else None

    def joint_load(self, joint, kind):
        scalars = self.coordinates([joint])
        target = self.random.choice([joint, *scalars])
        balls = any(isinstance(m, Ball) for m in joint.motions())
        turning = [c for c in scalars if joint.motions()[joint.names.index(c.name)].rot != 0]
        if kind == 4:
            return po.JointDamper(target, self.number(), **self.named())
        if kind == 5 and type(joint).kind != "free":
            if type(joint).kind == "spherical":
                rest = {"rest": self.rotation(spatial=True)} if self.chance(0.6) else {}
                law = {"law": self.random.choice(["rotation-vector", "euler-angles"])} if self.chance(0.5) else {}
                return po.TorsionSpring(joint, self.positive(), **rest, **law, **self.named())
            rest = {"rest": self.number()} if self.chance(0.6) else {}
            if turning and self.chance(0.5):
                return po.TorsionSpring(self.random.choice(turning), self.positive(), **rest, **self.named())
            return po.JointSpring(target, self.positive(), **rest, **self.named())
        if not scalars or balls:
            return None
        coordinate = self.random.choice(scalars)
        law = self.law()
        right = "torque" if coordinate in turning else "force"
        if self.chance(0.4):
            return po.Motor(coordinate, **{right: law}, **self.named())
        return po.Motor(coordinate, law, **self.named())

    def constraints(self):
        s = self.system
        if len(s.bodies) > 1 and self.chance(0.3):
            one, other = self.random.sample(s.bodies, 2)
            length = {"length": self.positive()} if self.chance(0.4) else {}
            s.add(po.Distance(one, other, at=(self.point(one), self.point(other)), **length, **self.named()))
        scalars = self.coordinates()
        if len(scalars) > 1 and self.chance(0.3):
            s.add(po.Gear(*self.random.sample(scalars, 2), self.positive() * self.random.choice([-1, 1]), **self.named()))
        for entry in further.constraints((po.Distance, po.Gear, po.VelocityRows)):
            if not self.plane and len(scalars) > 1 and self.chance(0.2):
                body = self.random.choice(s.bodies)
                further.add_constraint(s, entry, (s.ground, body), (self.world(), self.world()), self.random.sample(scalars, 2))

    def drives(self):
        s = self.system
        scalars = self.coordinates()
        self.random.shuffle(scalars)
        body = self.random.choice(s.bodies)
        point = body.at(self.vector())
        points = [*(getattr(body, n) for n in "xyz"), *(getattr(point, n) for n in "xyz"), *([body.angle] if self.plane else [])]
        if body.ends is not None:
            points += [body.end.x, body.start.y]
        for _ in range(self.random.choice([0, 0, 1, 2])):
            coordinate = self.random.choice(points) if self.chance(0.4) or not scalars else scalars.pop()
            if coordinate not in [output for drive in s.drives for output in drive.outputs]:
                s.add(po.Motion(coordinate, self.signal(), **self.named()))
        count = self.random.choice([1, 2])
        if len(scalars) >= count and self.chance(0.3):
            motors = [s.add(po.Motor(scalars.pop(), **self.named())) for _ in range(count)]
            outputs = [c for c in self.random.sample(points, count) if c not in [o for d in s.drives for o in d.outputs]]
            if len(outputs) == count and len(set(outputs)) == count:
                s.add(po.Servo(self.random.choice([tuple, list])(outputs), self.signal(count), motors, **self.named()))

    # --- initial values ----------------------------------------------------------------------------------------------------------

    def initial(self):
        for joint in self.system.joints:
            for name, rate, motion in zip(joint.names, joint.rate_names, joint.motions()):
                if self.chance(0.25):
                    joint.set(**{name: self.coordinate_value(motion)})
                if self.chance(0.25):
                    joint.set(**{rate: self.number() if motion.rates == 1 else self.vector(spatial=True)})
            if joint.freedoms and self.chance(0.2):
                rates = [self.number() for _ in range(joint.freedoms)]
                joint.set(rate=rates[0] if len(rates) == 1 and self.chance(0.5) else self.sequence(rates))
        joined = {body for joint in self.system.joints for body in (joint.first, joint.second)}
        for body in [b for b in self.system.bodies if b not in joined and self.chance(0.6)]:
            spin = self.number() if self.plane else self.vector()
            values = {
                "position": self.world(),
                "rotation": self.rotation(),
                "velocity": self.vector(),
                self.random.choice(["angular_velocity", "angular_velocity_body"]): spin,
            }
            body.set(**{key: value for k, (key, value) in enumerate(values.items()) if k == 0 or self.chance(0.5)})

    def coordinate_value(self, motion):
        if isinstance(motion, Ball):
            return self.rotation()
        return self.vector() if isinstance(motion, Translation) else self.number()
