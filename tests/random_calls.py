"""Random calls of the public interface, some of their arguments wild: what `call_sequences.py` runs."""

import random

import numpy as np

import poinsot as po
from poinsot.files.models.elements import entries
from poinsot.files.models.numbers import LIST, NUMBER, ROTATION
from poinsot.files.models.references import BODY, COORDINATE, PLACE, TARGET
from poinsot.formulations.registry import names
from poinsot.model.joints import JOINTS
from systems import taken
from wild_values import NAMES, RESULTS, WILD, Odd, constant, endless

METHODS = ["auto", "gauss2", "energy-momentum", "rk4"]

VARIANTS = ("rotation-matrix:one-step,baumgarte", "rotation-matrix:frozen", "newton-euler:euler", "tree:momentum")  # of formulations


class Calls:
    """One sequence: a system or two, built, changed, checked, run and looked at by random calls."""

    def __init__(self, seed, folder):
        self.random = r = random.Random(seed)
        self.folder = folder
        self.wildness = r.choice([0.0, 0.02, 0.02, 0.06, 0.06, 0.2, 0.6])
        self.systems, self.runs, self.made = [po.System("first", gravity=(0, 0, -9.81))], [], []
        if r.random() < 0.3:
            self.systems.append(po.System("second", plane="xz", gravity=(0, -9.81)))
        wildness, self.wildness = self.wildness, 0.0
        for self.number_of_system in (0, 1):
            self.a_link()
        self.wildness = wildness

    # --- arguments -------------------------------------------------------------------------------------------------

    def wild(self):
        r = self.random
        if r.random() < 0.08:
            things = [endless(), (x for x in (1, 2, 3)), Odd(), iter([1, 2, 3]), self.element(), self.systems[0], constant]
            return r.choice(things)
        return r.choice(WILD)

    def some(self, sane):
        """The requested value, or now and then a wild one."""
        return self.wild() if self.random.random() < self.wildness else sane()

    def number(self):
        return self.some(lambda: self.random.choice([0.1, 0.5, 1, 1.0, 2.0, 3.3]))

    def vector(self):
        size = 3 if self.system.plane is None else 2
        return self.some(lambda: tuple(self.random.choice([0, 0.5, 1, -1, 2.0]) for _ in range(size)))

    def axis(self):
        flat = ["y", (0, 1, 0)]
        return self.some(lambda: self.random.choice(flat if self.system.plane else ["x", "y", "z", "-x", (0, 0, 1), (1, 1, 0)]))

    def name(self):
        r = self.random
        return self.some(lambda: r.choice(NAMES)) if r.random() < self.wildness else f"n{r.randrange(10**6)}"

    def pick(self, things):
        return self.random.choice(things) if things else self.wild()

    def body(self):
        return self.some(lambda: self.pick([*self.system.bodies, self.system.ground]))

    def joint(self):
        return self.some(lambda: self.pick(self.system.joints))

    def element(self):
        return self.pick([e for s in self.systems for e in [s.ground, *s.elements()]])

    def point(self):
        body = self.body()
        fixed = isinstance(body, type(self.system.ground)) and self.random.random() < 0.3
        return self.some(lambda: body.at(self.vector())) if fixed else self.vector()

    def pair(self):
        return self.some(lambda: (self.vector(), self.vector()))

    def coordinate(self):
        r, joint = self.random, self.joint()
        if r.random() < 0.3 or not self.system.joints:
            return getattr(self.body(), r.choice(["x", "y", "z", "angle"]))
        return self.some(lambda: r.choice([lambda: joint.angle, lambda: joint.displacement, lambda: joint.coordinate(self.name())])())

    def shape(self):
        n = self.number
        weight = {self.random.choice(["mass", "density"]): n()}
        made = self.random.choice(
            [
                lambda: po.Box(n(), n(), n(), **weight),
                lambda: po.Sphere(n(), **weight),
                lambda: po.Cylinder(n(), n(), axis=self.some(lambda: "x"), **weight),
                lambda: po.Rod(n(), n(), **weight),
                lambda: po.Disc(n(), thickness=n(), axis=self.some(lambda: "z"), **weight),
                lambda: po.Composite(self.some(lambda: [po.Sphere(n(), mass=n()), (po.Box(1, 1, 1, mass=n()), self.vector(), ("x", n()))])),
            ]
        )
        return self.some(made)

    def signal(self):
        n, r = self.number, self.random
        made = [
            lambda: po.signals.step(self.some(lambda: 0.0), self.some(lambda: 5.0), n()),
            lambda: po.signals.spline(self.some(lambda: [0, 1, 2]), self.some(lambda: [0, 0.1, 0])),
            lambda: po.signals.table(self.some(lambda: [0, 1]), self.some(lambda: [0, n()])),
            lambda: po.signals.Polynomials(self.some(lambda: [0, 1]), self.some(lambda: [[0.0, n()]])),
            lambda: po.Signal(self.some(lambda: constant)),
        ]
        return self.some(r.choice(made))

    # --- calls -----------------------------------------------------------------------------------------------------

    def another_system(self):
        plane = self.some(lambda: self.random.choice([None, "xy", "xz", "yz"]))
        self.systems.append(po.System(self.name(), gravity=self.some(lambda: None), plane=plane))

    def a_body(self):
        r = self.random
        given = [
            lambda: {"shape": self.shape(), "position": self.vector()},
            lambda: {"shape": self.shape(), "position": self.vector(), "rotation": self.some(lambda: ("y", 0.3))},
            lambda: {"shape": self.some(lambda: po.Rod(0.1, mass=1.0)), "between": self.pair()},
            lambda: {"mass": self.number(), "inertia": self.some(lambda: (1, 1, 1)), "com": self.vector(), "position": self.vector()},
        ]
        chosen = r.choice(given)()
        if r.random() < self.wildness:
            chosen[r.choice(["mass", "com", "inertia", "rotation", "between", "mas", "positon"])] = self.wild()
        self.system.body(self.name(), **chosen)

    def a_link(self):
        """A body that hangs on another by a joint: most systems are made of these."""
        s, r = self.system, self.random
        flat = s.plane is not None
        parent, place = self.body(), self.vector()
        body = s.body(self.name(), self.some(lambda: po.Box(0.3, 0.4, 0.5, mass=1.5)), position=place)
        spatial = [cls.kind for cls in JOINTS]
        kind = r.choice(["revolute", "prismatic", "fixed"] if flat else spatial)
        self.join(kind, parent, body)

    def a_joint(self):
        self.join(self.random.choice(JOINTS).kind, self.body(), self.body())

    def join(self, kind, first, second):
        flat = self.system.plane is not None and kind != "prismatic"
        at = self.point() if self.random.random() < 0.9 else self.pair()
        axis = self.some(lambda: self.system.normal) if flat else self.axis()
        given = taken(kind, at=at, axis=axis, axis2=self.axis(), pitch=self.number())
        if self.random.random() < self.wildness:
            given[self.random.choice(["axs", "axis2", "direction", "pitch", "limits"])] = self.wild()
        getattr(self.system, kind)(first, second, name=self.name(), **given)

    def a_force(self):
        n, name = self.number, self.name()
        made = self.random.choice(
            [
                lambda: po.Spring(self.body(), self.body(), at=self.pair(), stiffness=n(), damping=n(), length=self.some(lambda: None), name=name),
                lambda: po.TorsionSpring(self.joint(), n(), rest=self.some(lambda: 0.0), law=self.some(lambda: "rotation-vector"), name=name),
                lambda: po.JointSpring(self.joint(), n(), rest=self.some(lambda: 0.0), name=name),
                lambda: po.JointDamper(self.joint(), n(), name=name),
                lambda: po.Motor(self.coordinate(), n(), name=name),
                lambda: po.Motor(self.joint(), torque=n(), name=name),
                lambda: po.Motor(self.joint(), name=name),
                lambda: po.Force(self.body(), self.vector(), frame=self.some(lambda: "world"), name=name, at=self.some(lambda: None)),
                lambda: po.Torque(self.body(), self.vector(), name=name),
                lambda: self.any_of("forces", name),
                lambda: po.Spring(self.body(), self.body(), stifness=n()),
            ]
        )()
        self.made.append(made)
        self.system.add(made)

    def any_of(self, section, name):
        """Any element of a section, with arguments of the kinds that it takes."""
        entry = self.random.choice([entry for entry in entries().values() if entry.section == section])
        makers = {
            BODY: self.body,
            PLACE: lambda: self.random.choice([self.point, self.pair])(),
            NUMBER: self.number,
            LIST: lambda: [self.number() for _ in range(self.random.choice([1, 3, 6]))],
            TARGET: self.joint,
            COORDINATE: self.coordinate,
            ROTATION: self.vector,
        }
        said = [(argument, kind) for argument, kind in entry.arguments.items() if kind in makers or self.random.random() < 0.3]
        given = {argument: makers.get(kind, self.wild)() for argument, kind in said}
        return entry.cls(**given, name=name)

    def a_constraint(self):
        made = self.random.choice(
            [
                lambda: self.any_of("constraints", self.name()),
                lambda: po.Distance(self.body(), self.body(), at=self.pair(), length=self.some(lambda: None), name=self.name()),
                lambda: po.Gear(self.coordinate(), self.coordinate(), self.number(), name=self.name()),
            ]
        )()
        self.system.add(made)

    def a_drive(self):
        motors = [load for load in self.system.loads if load.kind == "motor"]
        made = self.random.choice(
            [
                lambda: po.Motion(self.coordinate(), self.signal(), name=self.name()),
                lambda: po.Servo(self.some(lambda: [self.coordinate()]), self.signal(), self.some(lambda: [self.pick(motors)])),
            ]
        )()
        self.system.add(made)

    def add_anything(self):
        self.system.add(self.some(lambda: self.pick(self.made)))

    def set_values(self):
        r = self.random
        target = self.pick([*self.system.joints, *self.system.bodies])
        names = [*getattr(target, "names", ()), "rate"] if target in self.system.joints else ["velocity", "angular_velocity", "position"]
        if r.random() < self.wildness:
            names = ["angel", "rotation", "displacement", "velocity", "x", "rate"]
        if hasattr(target, "set"):
            target.set(**{r.choice(names): self.some(r.choice([lambda: r.choice([0.1, 1.0]), self.vector]))})

    def look_up(self):
        s = self.system
        misspelt = [lambda: s.bodis, lambda: self.element().lable, lambda: po.Sping]
        self.random.choice([*misspelt, lambda: s[self.name()], lambda: s.ground.at(self.vector())])()

    def check(self):
        report = self.system.check(self.some(lambda: True))
        assert str(report) and report.faults is not None

    def to_yaml(self):
        self.system.to_yaml(self.some(lambda: None))

    def options(self):
        r, choices = self.random, {
            "rtol": lambda: None, "atol": lambda: None, "tolerance": lambda: None, "output_step": lambda: None, "start": lambda: 0.0,
            "state": lambda: self.runs[-1].state() if self.runs else None, "integrator": lambda: r.choice(METHODS),
            "formulation": lambda: r.choice(["auto", *names(), *VARIANTS]), "until": lambda: None, "estimate_error": lambda: False,
            "progress": lambda: False, "setp": lambda: 0.1,
        }  # fmt: skip
        chosen = r.sample(list(choices), r.choice([0, 0, 1, 3]))
        return {name: self.some(choices[name]) for name in chosen if name != "setp" or r.random() < self.wildness}

    def simulate(self):
        duration, step = self.some(lambda: 0.05), self.some(lambda: self.random.choice([0.01, 0.01, None]))
        if isinstance(duration, int | float) and isinstance(step, float) and step and not abs(duration) <= 1e4 * abs(step):
            step = 0.01 if abs(duration) < 100 else None  # a long run is not a failure
        given = self.options()
        if self.random.random() < 0.05:
            given["stream"] = self.some(lambda: self.folder / "stream.h5")
        self.keep(po.simulate(self.some(lambda: self.system), duration, step=step, **given))

    def prepare(self):
        ready = po.prepare(self.some(lambda: self.system), step=self.some(lambda: 0.01))
        parameters = ["mass", "stiffness", "damping", "angle", "rate", "law", "position", "com", "length", "ratio", "stifness"]
        names = [e.name for e in self.system.elements()]
        change = {f"{self.pick(names)}.{self.random.choice(parameters)}": self.number() for _ in range(self.random.randrange(3))}
        self.keep(ready.run(self.some(lambda: 0.03), change=self.some(lambda: change)))

    def keep(self, run):
        """Results are numbers."""
        assert np.all(np.isfinite(run.energy)) and np.all(np.isfinite(run.momentum)), "not finite"
        words = str(run.audit).replace("information", "")
        assert "nan" not in words and "inf" not in words.split(), words
        self.runs.append(run)

    def assemble(self):
        names = [f"{joint.name}.{coordinate}" for joint in self.system.joints for coordinate in joint.names]
        hold = {self.pick(names): self.number()} if self.random.random() < 0.3 else None
        found = po.assemble(self.some(lambda: self.system), self.some(lambda: hold))
        _ = str(found), found.state(self.some(lambda: 0.0)), found[self.some(lambda: self.pick(names))]

    def dynamics(self):
        d = po.dynamics(self.some(lambda: self.system), self.some(lambda: self.random.choice(["tree", "directors"])))
        some = lambda: self.some(lambda: None)  # noqa: E731
        self.random.choice(
            [
                lambda: d.acceleration(some(), effort=some()),
                lambda: d.inverse(some(), acceleration=some()),
                lambda: d.mass_matrix(some()),
                lambda: d.state(some(), some(), t=self.some(lambda: 0.0)),
                lambda: d.reactions(some()),
                lambda: d.acelleration(),
            ]
        )()

    def results(self):
        if not self.runs:
            return
        run, r = self.random.choice(self.runs), self.random
        view = run[self.some(lambda: self.pick([e.name for e in run.system.elements()]))]
        value = getattr(view, r.choice(RESULTS))
        assert not isinstance(value, np.ndarray) or np.all(np.isfinite(value)), "not finite"

    def look_at_run(self):
        if not self.runs:
            return
        run, r, folder = self.random.choice(self.runs), self.random, self.folder
        names = self.some(lambda: self.pick(["energy", "momentum", "angular_momentum.x", "a.position", "enrgy"]))
        r.choice(
            [
                lambda: run.plot(names),
                lambda: run.plot(self.some(lambda: ("kinetic", "potential"))),
                lambda: run.snapshots(self.some(lambda: 2), paths=self.some(lambda: ())),
                lambda: run.write_html(self.some(lambda: folder / "page.html"), description=self.some(lambda: "d")),
                lambda: run.write_html(folder / "page.html", frames=self.some(lambda: 10), max_bytes=self.some(lambda: 5e6)),
                lambda: run.write_html(folder / "page.html", plots=self.some(list), names=self.some(lambda: None)),
                lambda: run.write_html(folder / "page.html", trails=self.some(list)),
                lambda: po.write_html(self.some(lambda: [run, run]), folder / "page.html", names=self.some(lambda: ["a", "b"])),
                lambda: run.save(self.some(lambda: folder / "run.h5")),
                lambda: po.load(self.some(lambda: folder / "run.h5"), self.some(lambda: None)),
                lambda: po.resume(self.some(lambda: folder / "run.h5"), self.some(lambda: None)),
                lambda: po.read(self.some(lambda: folder / "none.yaml"), self.some(lambda: None)),
                lambda: run.to_dataframe(names),
                lambda: run.to_xarray(),
                lambda: run.state(self.some(lambda: -1)),
                lambda: run.index(self.some(lambda: 0.0)),
                lambda: run.write_video(
                    self.some(lambda: folder / "v.txt"), fps=self.some(lambda: 10), size=self.some(lambda: (64, 64)), like=self.some(lambda: "sticks")
                ),
                lambda: run.enrgy,
                lambda: po.State(self.some(lambda: 0.0), self.some(lambda: [0.0]), self.some(lambda: [0.0])),
            ]
        )()

    def steps(self):
        """The calls of this sequence, in their order."""
        r = self.random
        build = [self.a_link] * 6 + [self.a_force] * 3 + [self.set_values] * 2
        build += [self.a_body, self.a_joint, self.a_constraint, self.a_drive]
        ask = [self.check, self.to_yaml, self.simulate, self.assemble, self.dynamics, self.prepare, self.look_up, self.add_anything]
        order = [r.choice(build if r.random() < 0.75 else ask) for _ in range(r.choice([3, 6, 10]))]
        if r.random() < 0.1:
            order.insert(0, self.another_system)
        last = [[self.check], [self.simulate, self.results, self.look_at_run], [self.simulate, self.dynamics, self.results], [self.prepare]]
        return order + r.choice(last)

    @property
    def system(self):
        """The system of the present call."""
        return self.systems[self.number_of_system % len(self.systems)]

    number_of_system = 0
