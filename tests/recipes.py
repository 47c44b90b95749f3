"""The recipes of CONTRIBUTING.md, followed: in each file what is written, and after which text. The headings there say how many files that are."""

from typing import NamedTuple


class Recipe(NamedTuple):
    """What is added: a heading of CONTRIBUTING.md, by file (of the repository) pairs of a text and what follows it, and tests that then see it."""

    heading: str
    edits: dict[str, list[tuple[str, str]]]
    tests: str


EVERYWHERE = "tests/files/test_round_trip.py tests/files/test_descriptions.py tests/results/test_units.py tests/model tests/test_docs.py"

RAIL = Recipe(
    "A joint",
    {
        "src/poinsot/model/joints.py": [
            (
                '''    def rows(self) -> tuple[Row, ...]:
        """None."""
        return ()
''',
                '''

@dataclass(frozen=True, eq=False)
class Rail(Axial):
    """A point of the second body slides along an axis of the first, and the body turns freely. 2 constraints, 4 degrees of freedom:
    displacement (m), rotation; the rate of the rotation is in the second frame (rad/s).
    """

    kind: ClassVar[str] = "rail"
    names: ClassVar = ("displacement", "rotation")

    def motions(self) -> tuple[Motion, ...]:
        """A translation, then a ball."""
        return (Helical(self.axis, rot=0.0, lin=1.0), Ball())

    def rows(self) -> tuple[Row, ...]:
        """The second point stays on the axis."""
        m1, m2 = perpendicular(self.axis)
        return (Slide(m1), Slide(m2))
''',
            ),
            (
                "        return self._joint(Free, first, second, at, name)\n",
                '''
    @record_arguments
    @door(**ENDS, at=PLACE)
    @explained
    def rail(self, first: Body, second: Body, *, at: Any, axis: Any, name: str = "") -> Rail:
        """A point that slides along an axis, and turns freely."""
        return self._axial(Rail, first, second, at, axis, name)
''',
            ),
            ("    Planar,\n    Free,\n", "    Rail,\n"),
        ],
        "tests/oracle/joints.py": [
            ('"planar": 3, "free": 6,', ' "rail": 4,'),
            ('QUATERNIONS = {"spherical": 0, "free": 3', ', "rail": 1'),
            (
                "            s[:3, :3], s[3:, 3:] = np.eye(3), r\n",
                '''        case "rail":
            p, r = a * q[0], quaternion_matrix(q[1:])
            s[:3, 0], s[3:, 1:] = a, r
''',
            ),
            (
                "    a, b, quaternion = joint.axis, joint.axis2, matrix_quaternion(r)\n",
                '    if joint.kind == "rail":\n        return np.r_[a @ p, quaternion]\n',
            ),
        ],
        "docs/model-files.md": [
            (
                "- {body: i, mass: 1, inertia: [0.1, 0.1, 0.1], position: [7, 0, 1]}\n",
                "- {body: j, mass: 1, inertia: [0.1, 0.1, 0.1], position: [8, 0, 1]}\n",
            ),
            ("- {fixed: weld, first: h, second: i}\n", "- {rail: runner, first: i, second: j, at: [8, 0, 1], axis: x}\n"),
        ],
    },
    f"{EVERYWHERE} tests/formulations/test_tree.py tests/formulations/test_directors.py tests/elements tests/files/test_random_round_trip.py",
)

CUBIC_SPRING = Recipe(
    "A force",
    {
        "src/poinsot/model/forces.py": [
            ('__all__ = ["', 'CubicSpring", "'),
            (
                '''    name : of the element; results are `run[name].effort` (N m or N) and `.power` (W, not positive)
    """

    kind: ClassVar[str] = "joint damper"
    parameters: ClassVar = ("damping",)
    damping: float = 0.0
    name: str = ""
''',
                '''

@door(target=TARGET, stiffness=NUMBER, name=TEXT)
@dataclass(frozen=True, eq=False)
class CubicSpring(JointLoad):
    """Effort -stiffness coordinate^3 on scalar coordinates, zero in the drawing. N m/rad^3 or N/m^3."""

    kind: ClassVar[str] = "cubic spring"
    parameters: ClassVar = ("stiffness",)
    conservative: ClassVar[bool] = True
    stiffness: float = 0.0
    name: str = ""

    def stiffnesses(self) -> list[tuple[float, bool]]:
        """Three times its stiffness, at a coordinate of 1."""
        return [(3 * self.stiffness, getattr(self.joint.motions()[self.motions()[0]], "rot", 1.0) != 0.0)]

    def faults(self) -> list[str]:
        """Also coordinates that are no scalars."""
        found = super().faults()
        if not found and not all(isinstance(self.joint.motions()[k], Helical) for k in self.motions()):
            found.append(f"{self.label()}: acts on scalar coordinates alone; give one, such as joint.angle")
        return found
''',
            ),
        ],
        "src/poinsot/elements/laws.py": [
            ("JOINT_DAMPER, MOTOR, STOP, STOP_DAMPER = 0, 1, 2, 3, 4, 5\n", "CUBIC_SPRING = 6\n"),
            ('"motor": MOTOR', ', "cubic spring": CUBIC_SPRING'),
            (
                "        return k * stretch, 0.5 * k * stretch * stretch\n",
                '''    if load.kind == CUBIC_SPRING:
        k = layout.values[load.value]
        return k * x**3, 0.25 * k * x**4
''',
            ),
        ],
        "tests/oracle/loads.py": [
            (
                "        return po.JointDamper(joints[self.joint], self.damping)\n",
                '''

@dataclass
class OCubicSpring(JointLoad):
    """Effort -stiffness angle^3."""

    joint: int
    stiffness: float
    KINDS = ("revolute", "screw")
    UNITS = {"stiffness": "N m"}

    def on_second(self, state, joint, motions, rel):
        return effort_wrench(joint, motions, -self.stiffness * state.coordinates[self.joint] ** 3)

    def potential(self, state):
        return 0.25 * self.stiffness * state.coordinates[self.joint][0] ** 4

    @classmethod
    def draw_on(cls, rng, joint, kind):
        return cls(joint, rng.uniform(1.0, 20.0))

    def element(self, po, bodies, joints):
        return po.CubicSpring(joints[self.joint], self.stiffness)
''',
            ),
        ],
        "docs/model-files.md": [
            ("- {joint_spring: return, target: slide, stiffness: 30, rest: 0.1}\n", "- {cubic_spring: stop, target: hinge, stiffness: 3}\n"),
        ],
    },
    f"{EVERYWHERE} tests/formulations/test_tree.py tests/formulations/test_work.py tests/formulations/test_directors.py tests/test_oracle.py",
)

ON_PLANE = Recipe(
    "A constraint other than a joint",
    {
        "src/poinsot/model/constraints.py": [
            ('__all__ = ["Distance", "Gear"', ', "OnPlane"'),
            (
                'not {short_repr(self.ratio)}")\n        return found\n',
                '''

@door(first=BODY, second=BODY, name=TEXT)
@dataclass(frozen=True, eq=False)
class OnPlane(Constraint):
    """Keeps a point of the second body in a plane of the first: `at` is where it is in the drawing, `normal` that of the plane there."""

    kind: ClassVar[str] = "on plane"
    written: ClassVar = {"normal": "direction"}
    first: Body
    second: Body
    at: Any
    normal: Any
    name: str = ""

    def attach(self, system: System) -> None:
        """Resolve the point and the normal."""
        super().attach(system)
        object.__setattr__(self, "place", system.point(self.at, self.second, f"{self.label()}: at"))
        object.__setattr__(self, "u", system.axis(self.normal, f"{self.label()}: normal"))

    def bodies(self) -> tuple[Body, ...]:
        """The two bodies."""
        return (self.first, self.second)

    def row(self) -> ConstraintRow:
        """The second point does not leave the plane through the first."""
        place, u = (getattr(self, name) for name in ("place", "u"))
        return ConstraintRow("slide", ends=((self.first, place), (self.second, place)), u=u)

    def faults(self) -> list[str]:
        """One body, a point or normal that is none."""
        found = [f"{self.label()}: give two different bodies"] if self.first is self.second else []
        if not finite(getattr(self, "place", 0.0)):
            found.append(f"{self.label()}: at must be a point of finite numbers")
        if not finite(u := getattr(self, "u", 1.0)) or not any(u):
            found.append(f"{self.label()}: normal {self.normal!r} is not a direction")
        return found
''',
            ),
        ],
        "tests/model/test_constraints.py": [
            (
                "    return s, a, b, left, right\n",
                '''

def test_a_point_stays_on_a_plane():
    s = po.System("plane", gravity=(0, 0, -9.81))
    block = s.body("block", po.Box(0.3, 0.4, 0.5, mass=2.0))
    s.add(po.OnPlane(s.ground, block, (0.1, 0.2, 0.3), (0.6, 0, 0.8), name="glass"))
    run = po.simulate(s, duration=0.3, step=0.01)
    moved = run["block"].world(block.local((0.1, 0.2, 0.3))) - (0.1, 0.2, 0.3)
    assert np.abs(moved @ (0.6, 0, 0.8)).max() < 1e-12 and np.abs(moved).max() > 0.1
''',
            ),
        ],
        "docs/model-files.md": [
            (
                "- {gear: gear, first: hinge.angle, second: screw.angle, ratio: -2}\n",
                "- {on_plane: glass, first: ground, second: e, at: [3, 0, 1], normal: z}\n",
            ),
        ],
    },
    f"{EVERYWHERE} tests/files/test_random_round_trip.py",
)

RECIPES = (RAIL, CUBIC_SPRING, ON_PLANE)
COUNTS = {"bodies": 9, "joints": 9, "forces": 14}  # of the model in docs/model-files.md
