"""The tree with loops and drives, against bodies in absolute coordinates: all results, loads and drives at joints that close loops, turns,
redundant rows, bits, and what is refused.
"""

import sys
from pathlib import Path

import numpy as np
import pytest

import mechanisms
import poinsot as po
from analysis.test_reselect import ladder
from linkages import KINDS
from loops import four_bar, slider_crank
from measures import open_rows
from poinsot import driver
from poinsot.errors import FormulationError
from poinsot.formulations.registry import find
from poinsot.formulations.tree.loops.cost import is_cheap
from poinsot.layout.freeze import freeze
from serial_joints import POINT, gimbal, join, turn
from serial_joints import chain as serial_chain
from test_drives import WAVE, cart_pole

sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))
from delta_robot import build as delta_robot

TIGHT = {"rtol": 1e-12, "atol": 1e-12, "progress": False}


def both(system, duration, **settings):
    """Runs on the tree and in absolute coordinates."""
    given = {"output_step": duration / 10, **TIGHT, **settings}
    runs = [po.simulate(system, duration, formulation=name, **given) for name in ("tree", "rotation-matrix")]
    assert runs[0].audit.formulation == "tree"
    return runs


def agree(one, two, tolerance=1e-9, loads=1e-7):
    """Motion, joint coordinates and rates, energies, accelerations, efforts, powers; reactions where they are unique."""
    signs = np.ones(one.motion.shape[1], bool)
    for b in range(len(one.frozen.layout.bodies)):
        signs[13 * b + 3 : 13 * b + 7] = False  # quaternions have a sign
    assert np.abs(one.motion - two.motion)[:, signs].max() < tolerance * (1.0 + np.abs(two.motion).max())
    for body in one.system.bodies:
        assert np.abs(one[body].rotation - two[body].rotation).max() < tolerance
    layout, unique = one.frozen.layout, np.ones(one.loads.shape[1], bool)
    for k, owner in enumerate(one.frozen.owners):
        if owner.name in one.ambiguous:
            first = 6 * (len(layout.bodies) + k)
            unique[first : first + 6] = False
    assert np.abs(one.loads - two.loads)[:, unique].max() < loads * np.abs(two.loads).max()
    assert np.abs(one.work - two.work).max() < tolerance * (1.0 + np.abs(two.work).max())


@pytest.mark.parametrize("name", [name for name in mechanisms.ALL if name != "chain"])
def test_mechanisms_in_all_their_results(name):
    """Springs, dampers, motors, a universal joint, a screw, gears, distances and a planar joint in loops."""
    one, two = both(mechanisms.ALL[name](), 0.6)
    agree(one, two)
    assert max(one.audit.constraint_metres, one.audit.constraint_radians) < 1e-12


def test_skew_inertias_on_ball_joints():
    """No axis of a body is a principal one, so the inertias that joints see are full."""
    s = po.System("skew", gravity=(0.5, 3.0, -9.81))
    inertia = ((0.3, 0.06, -0.05), (0.06, 0.25, 0.07), (-0.05, 0.07, 0.2))
    a = s.body("a", mass=2.0, inertia=inertia, position=(0.1, 0.05, 0.5))
    b = s.body("b", mass=1.0, inertia=inertia, position=(0.5, -0.1, 1.0))
    s.spherical(s.ground, a, at=(0, 0, 0), name="base").set(rate=(0.4, 0.0, 0.5))
    s.spherical(a, b, at=(0, 0, 1), name="elbow")
    s.spherical(b, s.ground, at=(1, 0, 1), name="last")
    agree(*both(s, 0.6))


def swing(t):
    return 2.0 * np.cos(3.0 * t)


def loaded_where_it_closes(kind):
    """Loads of all kinds on the joint that closes the loop."""
    s = po.System(kind, gravity=(0.5, 3.0, -9.81))
    a = s.body("a", po.Box(0.1, 0.2, 1.0, mass=2.0), position=(0, 0, 0.5))
    b = s.body("b", po.Box(1.0, 0.2, 0.1, mass=1.0), position=(0.5, 0, 1.0))
    s.spherical(s.ground, a, at=(0, 0, 0), name="base")
    s.spherical(a, b, at=(0, 0, 1), name="elbow")
    if kind == "ball":
        last = s.spherical(b, s.ground, at=(1, 0, 1), name="last")
        s.add(po.TorsionSpring(last, stiffness=4.0))
        s.add(po.JointDamper(last, 0.3))
        return s
    if kind == "slide":
        s.add(po.Spring(s.ground, b, at=((1, 1, 1), (1, 0, 1)), stiffness=9.0, length=0.4, damping=0.1))
        last = s.cylindrical(b, s.ground, at=(1, 0, 1), axis=(0.6, 0, 0.8), name="last")
        s.add(po.JointSpring(last.displacement, stiffness=30.0, rest=0.1))
        s.add(po.Motor(last.displacement, swing, name="motor"))
        s.add(po.JointDamper(last, 0.2))
        return s
    last = s.universal(b, s.ground, at=(1, 0, 1), axis="y", axis2="z", name="last")
    s.add(po.Motor(last.coordinate("angle1"), swing, name="motor"))
    s.add(po.JointSpring(last.coordinate("angle2"), stiffness=3.0, rest=0.2))
    s.add(po.JointDamper(last, 0.1))
    return s


@pytest.mark.parametrize("kind", ["ball", "slide", "universal"])
def test_loads_at_joints_that_close_loops(kind):
    one, two = both(loaded_where_it_closes(kind), 0.5)
    agree(one, two)
    assert one.frozen.layout.joints["tree"][2] == 0 and np.abs(one.loads[:, -1]).max() > 0.0


def hold(t, x, p, u):
    u[0] = -p.k * x[0] - p.c * x[1] - 0.1 * x[2]


@pytest.mark.parametrize("period", [None, 0.01])
def test_feedback_sees_and_drives_joints_that_close_loops(period):
    s = four_bar()
    motor = s.add(po.Motor(s["foot"], name="motor"))
    foot, more = s["foot"], {} if period is None else {"period": period}
    s.add(po.Feedback(hold, [motor], [foot.angle, foot.rate, s["base"].angle], {"k": 5.0, "c": 1.0}, name="law", **more))
    s["base"].set(rate=1.0)
    agree(*both(s, 0.4), 1e-8)


def test_turns_of_joints_that_close_loops_are_counted():
    """A wheel turns around many times on a crank, in more than half a turn per step, and outputs are many turns apart."""
    s = slider_crank(crank=0.5)
    foot = s.body("wheel", po.Cylinder(radius=0.2, length=0.1, mass=1.0, axis="y"))
    s.revolute(s.ground, foot, at=(0, 0, 0), axis="y", name="axle")
    s.revolute(s["crank"], foot, at=(0, 0, 0), axis="y", name="pin2")
    s["base"].set(rate=6.0)
    s["axle"].set(rate=-110.0)
    run = po.simulate(s, 6.0, formulation="tree", rtol=1e-6, atol=1e-6, output_step=1.5, progress=False)
    closing = run["pin2"].angle
    assert np.abs(closing + run["base"].angle - run["axle"].angle).max() < 1e-7
    assert np.abs(closing).max() / run.audit.steps > 4.0  # rad in a step


def test_a_gimbal_that_closes_a_loop_and_a_gear_on_one_in_the_tree():
    s = po.System("gimbal", gravity=(0, 4.0, -9.81))
    a = s.body("a", po.Box(0.1, 0.2, 1.0, mass=2.0), position=(0, 0, 0.5))
    b = s.body("b", po.Box(1.0, 0.2, 0.1, mass=1.0), position=(0.5, 0, 1.0))
    s.spherical(s.ground, a, at=(0, 0, 0), name="base")
    s.universal(a, b, at=(0, 0, 1), axis="x", axis2="y", name="elbow")
    join(s, [turn((0, 0, 1)), turn((0, 1, 0.2)), turn((1, 0, 0))], POINT, b, s.ground, (1, 0, 1), "last")
    agree(*both(s, 0.3))
    s, joint = serial_chain(np.random.default_rng(3), gimbal, links=1)
    joint.set(q1=0.2, q2=0.3, q3=0.1, rate=(1.0, 0.5, 0.5))
    s.add(po.Gear(joint.coordinate("q1"), joint.coordinate("q3"), ratio=2.0, name="gear"))
    one, two = both(s, 0.5)
    agree(one, two)
    assert np.abs(one.coordinates[:, 0] - 2.0 * one.coordinates[:, 2]).max() < 1e-12


def driven(where):
    s = four_bar()
    s.add(po.Motion(s[where].angle, WAVE, name="motion"))
    s.add(po.JointDamper(s["foot"], 0.3))
    return s


DRIVEN = {
    "in the tree": lambda: driven("base"),
    "where it closes": lambda: driven("foot"),
    "servo": delta_robot,
}


@pytest.mark.parametrize("name", DRIVEN)
def test_drives_in_loops(name):
    one, two = both(DRIVEN[name](), 0.4)
    agree(one, two)
    if name == "servo":
        assert np.abs(one["servo"].grip - two["servo"].grip).max() < 1e-8 * np.abs(two["servo"].grip).max()


def test_drives_of_an_open_system():
    s, rail = cart_pole()
    s.add(po.Motion(rail.displacement, WAVE, name="motion"))
    agree(*both(s, 0.3))


@pytest.mark.parametrize("integrator", ["rk4", "gauss2", "gauss4", "dopri5"])
def test_every_method_converges_to_the_same(integrator):
    system = mechanisms.ALL["four-bar"]()
    best = po.simulate(system, 0.4, formulation="rotation-matrix", output_step=0.1, **TIGHT)
    run = po.simulate(system, 0.4, formulation="tree", integrator=integrator, step=0.0005, output_step=0.1, progress=False)
    assert max(np.abs(run[b].position - best[b].position).max() for b in system.bodies) < 2e-7
    assert run.audit.corrections == run.audit.steps


@pytest.mark.parametrize("formulation", ["tree", "tree:spatial"])
def test_rows_are_selected_again_and_runs_continue_to_the_bit(formulation, monkeypatch):
    system = ladder(np.radians(100), damping=20.0)
    settings = {"step": 0.01, "formulation": formulation, "integrator": "rk4", "progress": False}
    whole = po.simulate(system, 12.0, **settings)
    ((when, rows),) = whole.record.selections
    assert whole.audit.reselections == 1 and open_rows(whole) <= 1e-12
    parts = [po.simulate(system, 6.0, **settings)]
    parts.append(po.simulate(system, 6.0, state=parts[0].state(), **settings))
    assert np.array_equal(np.concatenate([parts[0].raw, parts[1].raw[1:]]), whole.raw)
    monkeypatch.setattr(driver, "CHUNK", 0.0)
    monkeypatch.setattr(driver, "FIRST", 0)
    chunked = po.simulate(system, 12.0, **settings)
    assert np.array_equal(chunked.raw, whole.raw) and chunked.record.selections == whole.record.selections
    directors = po.simulate(system, 12.0, step=0.01, integrator="energy-momentum-6", progress=False)
    assert np.abs(whole["low0"].angle - directors["low0"].angle).max() < 1e-6
    assert np.abs(sum(whole[f"low{k}"].force - directors[f"low{k}"].force for k in range(3))).max() < 1e-3


def test_files_and_streams(tmp_path):
    system = mechanisms.ALL["slider"]()
    whole = po.simulate(system, 0.3, **TIGHT, output_step=0.03)
    assert whole.audit.formulation == "tree"
    streamed = po.simulate(system, 0.3, **TIGHT, output_step=0.03, stream=tmp_path / "run.h5")
    again = po.load(tmp_path / "run.h5")
    for run in (streamed, again):
        assert np.array_equal(run["slide"].force, whole["slide"].force) and np.array_equal(run.coordinates, whole.coordinates)


@pytest.mark.parametrize("formulation", ["tree", "tree:spatial"])
def test_a_run_whose_joints_open_stops(formulation, monkeypatch):
    from poinsot.analysis import start

    needed = start.Start.dropped.fget
    monkeypatch.setattr(start.Start, "dropped", property(lambda self: [*needed(self), 25, 27]))
    system = KINDS["equal cranks"](np.random.default_rng(2))
    with pytest.raises(po.RunError, match="joints come apart, revolute '(low|high)") as caught:
        po.simulate(system, 2.0, formulation=formulation, integrator="rk4", step=0.002)
    assert max(np.max(x) for x in caught.value.trajectory.openings[1:]) <= 1e-8


def test_rows_of_the_tree_cannot_be_left_out():
    with pytest.raises(FormulationError, match="revolute 'base' belongs to the spanning tree"):
        find("tree").formulation(freeze(four_bar())).rows.without(freeze(four_bar()), [0])


def test_what_auto_selects():
    """The tree where its rates are cheap, absolute coordinates for many loops in a row; directors for fixed steps."""
    assert po.simulate(four_bar(), 0.1, progress=False).audit.formulation == "tree"
    assert po.simulate(four_bar(), 0.1, step=0.01, integrator="gauss2", progress=False).audit.formulation == "tree"
    assert po.simulate(four_bar(), 0.1, step=0.01, progress=False).audit.formulation == "directors"
    assert is_cheap(freeze(stack(3))) and not is_cheap(freeze(stack(15)))
    assert po.prepare(stack(15)).formulation.name == "rotation-matrix"


def stack(floors):
    """Four-bars on top of each other."""
    s = po.System("stack", gravity=(0, 0, -9.81))
    below = s.ground
    for k in range(floors):
        a = s.body(f"a{k}", po.Rod(radius=0.02, mass=1.0), between=((0, 0, k), (0, 0, k + 1)))
        c = s.body(f"c{k}", po.Rod(radius=0.02, mass=1.0), between=((0, 0, k + 1), (1, 0, k + 1)))
        b = s.body(f"b{k}", po.Rod(radius=0.02, mass=1.0), between=((1, 0, k + 1), (1, 0, k)))
        s.revolute(below, a, at=(0, 0, k), axis="y")
        s.revolute(a, c, at=(0, 0, k + 1), axis="y")
        s.spherical(c, b, at=(1, 0, k + 1))
        s.universal(b, below, at=(1, 0, k), axis="y", axis2="x")
        below = c
    return s
