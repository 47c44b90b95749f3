"""Rates and projections of planar systems in absolute coordinates in their plane: against the oracle, kernels in space, and whole runs."""

import numpy as np
import pytest

import bridge
import oracle
import poinsot as po
import random_models
from formulations.test_plane_kernels import CLOSING, KINDS
from formulations.test_plane_steps import agree, chain, four_bar, gears, parallelogram, rig, spatial, tilted_body
from poinsot.analysis.start import start
from poinsot.elements.director_scalars import POSE
from poinsot.formulations.registry import find, formulate
from poinsot.layout.freeze import freeze
from poinsot.layout.initial import initial_values
from poinsot.tables.types import PROJECTED

NAMES = ("rotation-matrix", "newton-euler")
TIGHT = {"rtol": 1e-12, "atol": 1e-12, "progress": False}


def tables(system, name):
    """Tables and equations in the plane and in space, with the rows of a start, and the state that it gives."""
    frozen = freeze(system)
    first = start(frozen, *initial_values(frozen.system, frozen.topology), decided=False)
    both = [formulate(frozen, full).rows.without(frozen, first.dropped) for full in (name, name + ":spatial")]
    assert both[1][1].kernels == "in space, as was asked for"
    return both, both[0][1].pack(first.coordinates, first.rates)


def rates_of(made, y):
    """y' at a state, by the kernel for velocities."""
    frozen, equations = made
    work, ydot = np.full(equations.work_size, np.nan), np.zeros(equations.state_size)
    assert equations.rates.velocity(0.3, y, frozen.layout, work, ydot) == 0
    return ydot


def projected(made, y):
    """A state put back onto the constraints."""
    frozen, equations = made
    state, work = y.copy(), np.full(equations.work_size, np.nan)
    assert equations.rates.project(0.0, state, frozen.layout, work, np.zeros(len(y))) == PROJECTED
    return state


def distance(one, two):
    return np.abs(one - two).max() / np.abs(two).max()


def nudged(made, y, rng, size):
    """A state beside the constraints, as the stages of a step are: in the plane, first directors of any length, second ones a quarter turn away."""
    layout, new = made[0].layout, y.copy()
    at, plane, ground = layout.places[0], layout.frames["plane"], layout.frames["plane"][0]
    axes = [ground["first"], ground["second"]]
    for b in range(1, len(layout.bodies)):
        frame = plane[b]
        if made[1].name == "newton-euler":
            new[7 * b + np.array(axes)] += size * rng.normal(size=2)
            twist = int(at["velocities"]) + 6 * b
            new[[twist + axes[0], twist + axes[1], twist + 3 + ground["third"]]] += size * rng.normal(size=3)
            continue
        for first in (POSE * b, int(at["velocities"]) + POSE * b):
            new[first + np.array(axes)] += size * rng.normal(size=2)
            x, z = size * rng.normal(size=2)
            rows = [first + 3 + 3 * axis for axis in axes]
            new[[rows[0] + frame["first"], rows[1] + frame["first"]]] += (x, z)
            new[[rows[0] + frame["second"], rows[1] + frame["second"]]] += frame["sense"] * np.array((-z, x))
    return new


def straightened(model, normal):
    """The model with the normal among the principal axes of every body."""
    for body in model.bodies:
        J = body.rotation @ body.inertia @ body.rotation.T
        across = J @ normal - (normal @ J @ normal) * normal
        J -= np.outer(across, normal) + np.outer(normal, across)
        body.inertia = body.rotation.T @ J @ body.rotation
        body.inertia = 0.5 * (body.inertia + body.inertia.T)
    return model


def accelerations_of(made, y, ydot):
    """Of the centres of mass, and angular ones, of all bodies but the ground."""
    layout, name = made[0].layout, made[1].name
    n, first = len(layout.bodies), int(layout.places["velocities"][0])
    if name == "newton-euler":
        found = ydot[first : first + 6 * n].reshape(n, 6)
        return found[1:, :3], found[1:, 3:]
    poses, second = (values[k : k + POSE * n].reshape(n, POSE) for values, k in ((y, 0), (ydot, first)))
    D, change = (values[:, 3:].reshape(n, 3, 3).swapaxes(1, 2) for values in (poses, second))
    return second[1:, :3], 0.5 * np.cross(D, change).sum(axis=1)[1:]


def random_planar(rng, seed):
    """A random tree or loop in one of the three planes."""
    normal = np.eye(3)[seed % 3]
    if seed % 2:
        model, q, u = random_models.random_loop(rng, 6, 1 + seed // 2 % 2, KINDS, CLOSING, normal=normal)
    else:
        model, q, u = random_models.random_tree(rng, (2, 4, 8, 16)[seed // 2 % 4], KINDS, normal=normal)
    return straightened(model, normal), q, u


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(24))
def test_random_systems(name, seed):
    """Trees and loops of hinges, slides, planar joints and welds in all three planes, with all loads: the oracle, and kernels in space at states on
    the constraints and beside them.
    """
    rng, kernels = np.random.default_rng(seed), ""
    while kernels != "in the plane":
        model, q, u = random_planar(rng, seed)
        both, y = tables(bridge.to_system(model, q, u), name)
        kernels = both[0][1].kernels
        assert kernels == "in the plane" or "redundant constraints in the plane" in kernels
    plane, space = (rates_of(made, y) for made in both)
    assert distance(plane, space) < 1e-12
    n = len(model.bodies)
    tree = oracle.OModel(model.bodies, model.joints[:n], [], model.gravity)
    known = oracle.accelerations(model, *oracle.kinematics(tree, q[:n], u[:n]), q, u)
    for found, expected in zip(accelerations_of(both[0], y, plane), (known.com, known.angular)):
        assert np.abs(found - expected).max() < 1e-10 * max(np.abs(known.com).max(), np.abs(known.angular).max())
    for size in (1e-6, 1e-2):
        state = nudged(both[0], y, rng, size)
        plane, space = (rates_of(made, state) for made in both)
        assert distance(plane, space) < 1e-11
    state = nudged(both[0], y, rng, 1e-6)
    one, two = (projected(made, state) for made in both)
    assert np.abs(one - two)[:-2].max() < 1e-12 * (1.0 + np.abs(y).max()) and np.abs(one - y).max() > 1e-8


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("normal", "closing"), [("x", "hinge"), ("y", "slide"), ("z", "distance"), ("y", "open"), ("z", "ball"), ("x", "weld")])
def test_loads_and_rows(name, normal, closing):
    """Users' functions and controllers, rows of all kinds; also where rates are taken at states that were put back, next to a singular position."""
    both, y = tables(rig(normal, closing, functions=True), name)
    assert both[0][1].kernels == "in the plane"
    rng = np.random.default_rng(0)
    for size, looked in ((0.0, 0.0), (1e-3, 0.0), (0.1, 0.0), (1e-3, 1e-4)):
        state = nudged(both[0], y, rng, size)
        state[int(both[0][0].layout.places["efforts"][0])] = looked
        plane, space = (rates_of(made, state) for made in both)
        assert distance(plane, space) < 1e-12


def test_numbers_out_of_the_plane_stay_what_they_are():
    """Rates of them are zero, and projections leave them alone."""
    both, y = tables(rig("x", "hinge"), NAMES[0])
    layout = both[0][0].layout
    first, n = int(layout.places["velocities"][0]), len(layout.bodies)
    heights, velocities = POSE * np.arange(1, n), first + POSE * np.arange(1, n)
    y[velocities] = 1e-9
    assert not rates_of(both[0], y)[velocities].any()
    state = projected(both[0], y)
    assert np.array_equal(state[heights], y[heights]) and not state[velocities].any()


def runs(system, name, **settings):
    """The same run in the plane and in space."""
    given = {"output_step": 0.05, **TIGHT, **settings}
    return [po.simulate(system, 0.3, formulation=full, **given) for full in (name, name + ":spatial")]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("normal", "closing"), [("x", "hinge"), ("y", "slide"), ("z", "distance"), ("y", "open"), ("z", "ball"), ("x", "weld")])
def test_whole_runs_and_all_their_results(name, normal, closing):
    """Reactions out of the plane as well, which only kernels in space know."""
    plane, space = runs(rig(normal, closing, functions=closing == "hinge"), name)
    agree(plane, space)
    assert plane.audit.steps == space.audit.steps
    for other in ("hinge", "slide", "open"):
        if closing == other:
            tree = po.simulate(plane.system, 0.3, formulation="tree", output_step=0.05, **TIGHT)
            assert np.abs(plane["c"].position - tree["c"].position).max() < 1e-9


@pytest.mark.parametrize("name", NAMES)
def test_a_four_bar_keeps_its_energy_and_its_joints(name):
    """Redundant rows of 3D hinges are left out; several turns."""
    s = four_bar()
    s["base"].set(rate=2.0)
    plane, space = (po.simulate(s, 10.0, formulation=full, rtol=1e-10, atol=1e-10, progress=False) for full in (name, name + ":spatial"))
    assert plane.audit.kernels == "in the plane" and len(plane.record.dropped) == 3
    assert plane.audit.energy_drift < 1e-7 * plane.audit.energy_scale
    assert plane.audit.constraint_metres < 1e-13 and plane.audit.constraint_radians < 1e-13
    assert np.abs(plane["coupler"].position[-1] - space["coupler"].position[-1]).max() < 1e-6


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("closing", ["open", "hinge"])
def test_parts_and_streams_are_the_whole_run_to_the_bit(name, closing, tmp_path):
    given = {"rtol": 1e-8, "atol": 1e-8, "output_step": 0.02, "progress": False, "formulation": name}
    s = rig(closing=closing)
    whole, first = po.simulate(s, 0.2, **given), po.simulate(s, 0.1, **given)
    second = po.simulate(s, 0.1, state=first.state(), **given)
    streamed = po.simulate(s, 0.2, stream=tmp_path / "run.h5", **given)
    loaded = po.load(tmp_path / "run.h5")
    assert np.array_equal(streamed.raw, whole.raw) and np.array_equal(loaded.raw, whole.raw) and np.array_equal(loaded.loads, whole.loads)
    assert np.array_equal(first.raw[-1], second.raw[0])
    assert np.abs(np.concatenate([first.raw, second.raw[1:]]) - whole.raw).max() < 1e-5  # steps differ where a run begins


@pytest.mark.parametrize("name", NAMES)
def test_a_change_decides_anew(name):
    """Masses and springs change within the plane; inertia that couples both kinds of motion does not. Runs are those of systems written so."""

    def coupled(tilt):
        return ((0.15, 0.0, 0.0), (0.0, 0.2, tilt), (0.0, tilt, 0.15))

    def bars(mass, stiffness, tilt):
        s = po.System("two bars", gravity=(0, 1.0, -9.81))
        a = s.body("a", po.Box(0.1, 0.2, 1.0, mass=mass), position=(0, 0, -0.5))
        b = s.body("b", mass=1.0, inertia=coupled(tilt), position=(0, 0, -1.5))
        first = s.revolute(s.ground, a, at=(0, 0, 0), axis="y", name="first")
        s.revolute(a, b, at=(0, 0, -1), axis="y", name="second")
        s.add(po.TorsionSpring(first, stiffness=stiffness, name="spring"))
        first.set(angle=0.4)
        return s

    ready = po.prepare(bars(2.0, 1.0, 0.0), rtol=1e-9, atol=1e-9, formulation=name)
    for mass, stiffness, tilt in ((2.0, 1.0, 0.0), (5.0, 9.0, 0.0), (2.0, 1.0, 0.05), (2.0, 1.0, 0.0)):
        change = {"a.mass": mass, "b.inertia": coupled(tilt), "spring.stiffness": stiffness}
        run = ready.run(0.5, output_step=0.1, change=change, progress=False)
        wanted = po.simulate(bars(mass, stiffness, tilt), 0.5, output_step=0.1, rtol=1e-9, atol=1e-9, formulation=name, progress=False)
        assert np.array_equal(run.raw, wanted.raw) and np.array_equal(run.loads, wanted.loads)
        assert run.audit.kernels == wanted.audit.kernels
        assert run.audit.kernels == "in the plane" or (tilt and "body 'b'" in run.audit.kernels)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("system", "reason"),
    [
        (spatial(tilted_body), "body 'extra': the normal of the plane is not one of its principal axes of inertia"),
        (spatial(gears), "gear 'train' has constraints that are not quadratic in positions and directors"),
        (parallelogram(), "has redundant constraints in the plane"),
    ],
)
def test_what_stays_in_space(name, system, reason):
    """And says why."""
    run = po.simulate(system, 0.02, formulation=name, progress=False)
    assert run.audit.kernels.startswith("in space, ") and reason in str(run.audit)


def test_options_have_kernels_in_space():
    for options in ("unstabilised", "baumgarte=5", "one-step"):
        run = po.simulate(four_bar(), 0.02, formulation=f"rotation-matrix:{options}", progress=False)
        assert run.audit.kernels == "in space, there are no others for these options"
    run = po.simulate(chain(), 0.02, formulation="newton-euler:euler", progress=False)
    assert run.audit.kernels == "in space, there are no others for Euler angles"
    assert find("rotation-matrix:two-step").formulation(freeze(four_bar())).kernels == "in the plane"
