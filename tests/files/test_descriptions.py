"""Elements describe themselves: what they say is complete, is what the tables hold, and what nobody could balance is refused."""

from dataclasses import dataclass
from typing import Any, ClassVar

import file_models
import numpy as np
import pytest

import poinsot as po
from poinsot.elements import frame_laws, laws, wrenches
from poinsot.files.models.elements import entries
from poinsot.layout.freeze import freeze
from poinsot.model.constraints import Constraint, ConstraintRow
from poinsot.model.load import Load, LoadRow
from poinsot.model.parameters import parameters, value_of
from poinsot.results.quantities import quantity
from poinsot.view.arrows import arrows
from poinsot.view.scene import describe

LOADS = [entry.cls for entry in entries().values() if entry.section == "forces"]


def everything():
    """One or more of every load of the package."""
    return [load for build in (file_models.spatial, file_models.planar) for load in build().loads]


def test_every_load_describes_itself():
    assert {type(load) for load in everything()} == set(LOADS)
    for load in everything():
        rows = load.rows()
        assert rows and any(row.potential for row in rows) == load.conservative, load.label()
        units = [unit for unit in load.units().values() if unit]  # others are known to users' functions alone
        assert set(units) <= {"N", "N m"} and len(units) in (0, 1, len(rows))
        assert set(load.changes()) <= set(parameters(load)) and all(value_of(load, name) is not None for name in load.changes())
        assert load.mutual or not load.conservative, "a potential that acts on one side changes momenta without notice"
        if load.conservative:
            assert load.stiffnesses(), load.label()


def test_tables_hold_what_loads_say():
    frozen = freeze(file_models.spatial())
    table, owner = frozen.layout.loads, frozen.loads.owner
    assert len(table) == len(owner) == sum(len(load.rows()) for load in frozen.system.loads)
    assert table["potential"].tolist() == [int(row.potential) for load in dict.fromkeys(owner) for row in load.rows()]


def test_every_law_belongs_to_a_load():
    """A law without a load, or with a number that another has, is a slip."""
    for known in (laws.LAWS, wrenches.LAWS, frame_laws.LAWS):
        assert len(set(known.values())) == len(known)
        assert set(known) <= {row.law for load in everything() for row in load.rows()}


@dataclass(frozen=True, eq=False)
class Slip(Load):
    """A load whose row is given."""

    kind: ClassVar[str] = "slip"
    row: Any = None
    name: str = ""

    def rows(self):
        return [self.row]


def two_bodies():
    s = po.System("two", gravity=(0, 0, -9.81))
    a = s.body("a", po.Box(0.3, 0.4, 0.5, mass=2.0), position=(0.2, 0, 0))
    b = s.body("b", po.Box(0.2, 0.3, 0.6, mass=1.0), position=(1.0, 0.3, 0))
    s.spherical(s.ground, a, at=(0, 0, 0), name="ball").set(rotation=(0.1, 0.2, 0.3), rate=(1, 2, -1.0))
    b.set(velocity=(0.1, 0.2, 0.3), angular_velocity=(0.5, -1, 0.3))
    return s, a, b


@pytest.mark.parametrize(
    "law, where, words",
    [
        ("force", {"second": "b"}, "steps cannot balance"),
        ("joint damper", {"joint": "ball", "motion": 0}, "steps cannot balance"),
        ("bushing rotation", {"first": "a", "second": "b", "axes": (1.0, 0, 0, 0)}, "steps cannot balance"),
        ("bushing", {"first": "a", "second": "b", "axes": (1.0, 0, 0, 0), "weights": (1.0, 0.0)}, "no law 'bushing' on frames"),
    ],
)
def test_a_potential_that_no_step_can_balance_is_refused(law, where, words):
    s, _, _ = two_bodies()
    given = {name: s[value] if isinstance(value, str) else value for name, value in where.items()}
    s.add(Slip(LoadRow(law, True, **given)))
    with pytest.raises(po.ModelError, match=words):
        freeze(s)


def mounted(damping=None):
    """Two bodies with a bushing between them, one of which flies."""
    s, a, b = two_bodies()
    at = ((0.6, 0.1, 0), (0.65, 0.1, 0.05))
    s.add(po.Bushing(a, b, at, (200, 300, 400, 20, 30, 50), damping, rotation=(0.3, -0.2, 0.5), name="mount"))
    return s


def test_a_potential_between_frames_is_conserved_exactly():
    errors = []
    best = po.simulate(mounted(), duration=0.4, step=0.002, formulation="tree", integrator="gauss3")
    for step in (0.01, 0.005):
        run = po.simulate(mounted(), duration=0.4, step=step, formulation="directors", integrator="energy-momentum-4")
        assert np.ptp(run.energy) < 1e-11 * run.kinetic.max()
        errors.append(np.abs(run["b"].position[-1] - best["b"].position[-1]).max())
    assert np.log2(errors[0] / errors[1]) > 3.3 and errors[1] < 1e-4


@pytest.mark.parametrize("integrator, order", [("energy-momentum", 2), ("energy-momentum-4", 4), ("energy-momentum-6", 6)])
@pytest.mark.parametrize("damping, step", [(None, 0.0025), ((1, 2, 3, 0.1, 0.2, 0.3), 0.005)])
def test_steps_with_a_potential_between_frames_have_their_order(damping, step, integrator, order):
    """In places, velocities and spins. Without damping a body reaches 38 rad/s and 2700 rad/s^2, and steps of 0.01 s are too large for it to show."""
    best = po.simulate(mounted(damping), 0.4, step=0.0005, formulation="tree", integrator="gauss3", output_step=0.4)
    errors = []
    for h in (step, step / 2):
        run = po.simulate(mounted(damping), 0.4, step=h, formulation="directors", integrator=integrator, output_step=0.4)
        names = ("position", "velocity", "angular_velocity")
        errors.append([max(np.abs(getattr(run[b], name)[-1] - getattr(best[b], name)[-1]).max() for b in "ab") for name in names])
    assert np.log2(np.divide(*errors)) == pytest.approx([order] * 3, abs=0.2)


def test_damping_between_frames_is_work():
    runs = [
        po.simulate(mounted((1, 2, 3, 0.1, 0.2, 0.3)), duration=0.4, step=0.005, formulation=f, integrator=i)
        for f, i in (("tree", "gauss3"), ("directors", "energy-momentum-6"))
    ]
    for run, exact in zip(runs, (1e-5, 1e-11)):
        assert run.work[-1] < -0.1 and np.ptp(run.energy - run.work) < exact * run.kinetic.max()
        assert np.all(run["mount"].power <= 0.0)
    for name in ("mount.force", "mount.torque", "mount.power", "b.position"):
        assert np.abs(quantity(runs[0], name).values - quantity(runs[1], name).values).max() < 1e-4
    assert (quantity(runs[0], "mount.force").unit, quantity(runs[0], "mount.torque").unit) == ("N", "N m")


def test_loads_between_frames_are_drawn():
    run = po.simulate(mounted(), duration=0.02, step=0.01)
    assert [(mark["name"], mark["kind"]) for mark in describe(run)["joints"]] == [("ball", "spherical"), ("mount", "fixed")]
    assert [(arrow.name, arrow.turns) for arrow in arrows(run, np.arange(len(run.t))) if arrow.kind == "load"] == [("mount", False), ("mount", True)]


def test_changes_of_several_numbers():
    ready = po.prepare(mounted(), step=0.01)
    softer = ready.run(0.02, change={"mount.stiffness[3]": 2.0})
    assert softer.system["mount"].stiffness == [200, 300, 400, 2.0, 30, 50]
    with pytest.raises(po.ModelError, match="as many numbers as before, 6"):
        ready.run(0.02, change={"mount.stiffness": [1.0, 2.0]})


def test_a_bushing_in_a_plane():
    p = po.System("plane", plane="xz", gravity=(0, -9.81))
    block = p.body("block", mass=2.0, inertia=0.1, position=(1, 0))
    p.add(po.Bushing(p.ground, block, at=(1, 0.1), stiffness=(100, 200, 3), damping=(20, 20, 1), rotation=0.4, name="mount"))
    run = po.simulate(p, duration=6.0, step=0.01)
    force = run["mount"].force[-1]
    assert np.abs(force - (0, 2.0 * 9.81)).max() < 1e-3 and run["mount"].torque.shape == run.t.shape
    p.add(po.Bushing(p.ground, block, at=(1, 0.1), stiffness=(1, 1, 1, 1, 1, 1), name="wrong"))
    with pytest.raises(po.ModelError, match="bushing 'wrong': stiffness must be 3 numbers"):
        po.simulate(p, duration=0.1, step=0.01)


@dataclass(frozen=True, eq=False)
class OnPlane(Constraint):
    """A point of the second body stays in a plane through a point of the first: a row of a kind that joints have."""

    kind: ClassVar[str] = "on plane"
    first: Any
    second: Any
    at: Any
    normal: Any
    name: str = ""

    def bodies(self):
        return (self.first, self.second)

    def row(self):
        return ConstraintRow("slide", ends=((self.first, self.at), (self.second, self.at)), u=self.normal)


def test_a_constraint_is_what_its_row_says():
    s = po.System("plane", gravity=(0, 0, -9.81))
    block = s.body("block", po.Box(0.3, 0.4, 0.5, mass=2.0), rotation=(0.1, 0.2, 0.3))
    normal = np.array([0.6, 0.0, 0.8])
    s.add(OnPlane(s.ground, block, (0.1, 0.2, 0.3), tuple(normal), name="glass"))
    block.set(angular_velocity=(0, 0, 0))
    run = po.simulate(s, duration=0.3, step=0.01)
    place = run["block"].world(block.local((0.1, 0.2, 0.3)))
    assert np.abs((place - (0.1, 0.2, 0.3)) @ normal).max() < 1e-12 and np.abs(np.cross(run["glass"].force, normal)).max() < 1e-9
    assert np.ptp(run.energy) < 1e-10
