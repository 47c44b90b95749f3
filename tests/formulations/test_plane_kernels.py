"""Planar trees, open and closed, in planes of any orientation: against the oracle, kernels of spatial trees, and runs in absolute coordinates."""

import numpy as np
import pytest

import bridge
import mechanisms
import oracle
import poinsot as po
import random_models
from formulations.test_tree_loops import agree
from loops import four_bar, parallelogram, slider_crank
from measures import open_rows
from poinsot.analysis.start import start
from poinsot.formulations.registry import find, formulate
from poinsot.layout.freeze import freeze
from poinsot.layout.initial import initial_values
from poinsot.tables.types import OPENED, PROJECTED

KINDS = ("revolute", "prismatic", "planar", "fixed")
CLOSING = ("revolute", "spherical", "cylindrical", "planar", "prismatic")
TIGHT = {"rtol": 1e-12, "atol": 1e-12, "progress": False}


def tables(system):
    """A frozen system, its equations in the plane and in space, each with its tables, and the state that it starts from."""
    frozen, names = freeze(system), ("tree", "tree:spatial")
    first = start(frozen, *initial_values(frozen.system, frozen.topology), decided=False)
    if frozen.closed:
        both = [formulate(frozen, name).rows.without(frozen, first.dropped) for name in names]
    else:
        both = [(frozen, formulate(frozen, name)) for name in names]
    return both, both[0][1].pack(first.coordinates, first.rates)


def rates_of(made, y):
    """y' at a state, by the kernel for velocities."""
    frozen, equations = made
    work, ydot = np.full(equations.work_size, np.nan), np.zeros(equations.state_size)
    assert equations.rates.velocity(0.3, y, frozen.layout, work, ydot) == 0
    return ydot


def is_planar(system):
    frozen = freeze(system)
    module = find("tree").formulation(frozen).rates.velocity.py_func.__module__
    return ".plane." in module


def distance(one, two):
    return np.abs(one - two).max() / np.abs(two).max()


def joint_accelerations(made, y, ydot):
    """Derivatives of the rates of all joints; of those that close loops only the part that is linear in the accelerations."""
    nq = made[1].rates.positions
    return made[1].unpack(np.r_[y[:nq], ydot[nq : 2 * nq], y[2 * nq :]])[1]


def tree_rates(frozen):
    """Positions of the rates of joints of the spanning tree among those of all joints; motions are scalars here."""
    motions = frozen.layout.motions
    return motions["ir"][motions["link"] >= 0]


def expected_accelerations(model, q, u):
    """Derivatives of the joint rates by the oracle, which finds the motion along the joints that are one per body."""
    n = len(model.bodies)
    tree = oracle.OModel(model.bodies, model.joints[:n], [], model.gravity)
    poses, twists = oracle.kinematics(tree, q[:n], u[:n])
    solution = oracle.accelerations(model, poses, twists, q, u)
    return np.concatenate(oracle.joint_accelerations(model, poses, twists, q, u, solution))


@pytest.mark.parametrize("seed", range(40))
def test_random_trees(seed):
    """All loads, which act in any direction; hinges, slides, planar joints, welds, branches, either body first."""
    rng = np.random.default_rng(seed)
    normal = random_models.unit_vector(rng) if seed % 4 else np.eye(3)[seed % 3]
    model, q, u = random_models.random_tree(rng, (1, 2, 4, 8, 16)[seed % 5], KINDS, normal=normal)
    system = bridge.to_system(model, q, u)
    both, y = tables(system)
    assert is_planar(system)
    plane, space = (rates_of(made, y) for made in both)
    assert distance(plane, space) < 1e-13
    assert distance(joint_accelerations(both[0], y, plane), expected_accelerations(model, q, u)) < 1e-12
    frozen, equations = both[0]
    nq = equations.rates.positions
    assert np.array_equal(plane[:nq], np.zeros(nq))  # left to the kernel for positions
    ydot = np.zeros(len(y))
    equations.rates.position(0.3, y, frozen.layout, np.zeros(equations.work_size), ydot)
    assert np.array_equal(ydot[:nq], y[nq : 2 * nq])


def random_loop(seed):
    rng = np.random.default_rng(seed)
    normal = random_models.unit_vector(rng) if seed % 4 else np.eye(3)[seed % 3]
    return random_models.random_loop(rng, 6, 1 + seed % 2, KINDS, CLOSING, normal=normal)


@pytest.mark.parametrize("seed", range(40))
def test_random_loops(seed):
    """The same for closed trees, with loads at the joints that close them, and rows that vanish in the plane left out."""
    model, q, u = random_loop(seed)
    system = bridge.to_system(model, q, u)
    both, y = tables(system)
    assert len(both[0][0].layout.plane_scalars) or not len(both[0][0].layout.terms)
    plane, space = (rates_of(made, y) for made in both)
    assert distance(plane, space) < 1e-12
    expected, of_tree = expected_accelerations(model, q, u), tree_rates(both[0][0])
    assert distance(joint_accelerations(both[0], y, plane)[of_tree], expected[of_tree]) < 1e-10
    rng = np.random.default_rng(seed)
    y[: len(y) - 1] += 1e-3 * rng.normal(size=len(y) - 1) * (y[: len(y) - 1] != 0.0)  # beside the constraints
    plane, space = (rates_of(made, y) for made in both)
    assert distance(plane, space) < 1e-12


def tilted(x, y, height=0.0):
    """A point of a plane that lies askew in space."""
    return tuple(AXES.T @ (x, y, height))


AXES = np.array([(2.0, -1.0, 2.0), (2.0, 2.0, -1.0), (-1.0, 2.0, 2.0)]) / 3.0  # two directions of the plane, and its normal


def push(t, x, p, f):
    """A user's force that looks at positions, attitudes, velocities and angular velocities in the world."""
    f[0, :3] = p[0] * x[0, :3] + p[1] * x[0, 7:10] + x[0, 3:6]
    f[0, 3:6] = 0.2 * x[0, 10:13] + p[0] * x[0, 4:7]


def steer(t, x, p, u):
    u[0] = -4.0 * x[0] - x[1] + 0.3 * x[2] + 0.2 * x[5] - 0.1 * x[8]


def rig(closing, functions=False):
    """Cranks, a slide and a wheel in a tilted plane, closed in several ways, with loads of all kinds that act out of the plane too.

    functions: also users' functions, which look at bodies and joints.
    """
    s = po.System("rig", gravity=(1.0, -3.0, -9.0))
    n = tuple(AXES[2])
    bodies = {}
    for name, x, y, height in (("a", 0.5, 0.0, 0.0), ("b", 1.3, 0.4, 0.2), ("c", 2.0, 0.1, -0.1), ("d", 0.2, 1.0, 0.3), ("e", 1.0, 1.5, 0.0)):
        inertia = 0.02 * np.eye(3) + 0.01 * np.outer((1.0, 0.3, -0.2), (1.0, 0.3, -0.2))
        bodies[name] = s.body(name, mass=1.0 + x, com=(0.1, -0.05, 0.2), inertia=inertia, position=tilted(x, y, height), rotation=("z", x))
    a, b, c, d, e = bodies.values()
    s.revolute(s.ground, a, at=tilted(0, 0), axis=n, name="base").set(rate=1.0)
    s.revolute(b, a, at=tilted(1, 0), axis=tuple(-AXES[2]), name="elbow")
    s.prismatic(b, c, at=tilted(1.5, 0.3), axis=tuple(0.6 * AXES[0] + 0.8 * AXES[1]), name="slide")
    s.planar(s.ground, d, at=tilted(0.2, 1.0), axis=n, direction=tuple(AXES[1]), name="table")
    s.revolute(d, e, at=tilted(0.8, 1.2), axis=n, name="axle")
    if closing == "open":
        s["base"].set(angle=0.2, rate=1.0)
        s["elbow"].set(angle=0.1, rate=-0.7)
        s["slide"].set(displacement=0.1, rate=0.4)
        s["axle"].set(rate=2.0)
    elif closing == "hinge":
        last = s.revolute(c, e, at=tilted(1.4, 0.9), axis=n, name="last")
        s.add(po.JointSpring(last.angle, stiffness=3.0, rest=0.3))
    elif closing == "slide":
        last = s.prismatic(e, c, at=tilted(1.4, 0.9), axis=tuple(AXES[0]), name="last")
        s.add(po.Motor(last.displacement, 2.0, name="motor"))
    elif closing == "distance":
        s.add(po.Distance(c, e, at=(tilted(2.1, 0.2, 0.4), tilted(1.0, 1.4, -0.2)), name="last"))
    elif closing == "gears":
        s.add(po.Gear(s["axle"].angle, s["base"].angle, ratio=-1.5, name="last"))
        s.add(po.Gear(s["slide"].displacement, s["elbow"].angle, ratio=0.3, name="rack"))
    if closing in ("hinge", "slide"):
        s.add(po.JointDamper(s["last"], 0.4))
    s.add(po.Spring(a, d, at=(tilted(0.7, 0.1, 0.5), tilted(0.1, 0.9, -0.4)), stiffness=20.0, damping=0.5, length=0.6))
    s.add(po.Force(c, (1.0, 2.0, -3.0), at=tilted(2.2, 0.0, 0.3)))
    s.add(po.Torque(b, (0.5, -0.2, 0.4)))
    s.add(po.Bushing(d, s.ground, at=tilted(0.3, 0.8), stiffness=(3.0, 4.0, 5.0, 0.5, 0.4, 0.3)))
    if not functions:
        return s
    s.add(po.UserForce(push, [e], [0.3, -0.2]))
    seen = [s["base"].angle, s["base"].rate, "c.position", "e.velocity", "c.angular_velocity"]
    s.add(po.Feedback(steer, [s.add(po.Motor(s["base"], name="drive"))], seen))
    return s


@pytest.mark.parametrize("closing", ["open", "hinge", "slide", "distance", "gears"])
def test_all_loads_and_rows(closing):
    """What rates see of bodies, of joints that close loops, and of coordinates in gears, at states on the constraints and beside them."""
    both, y = tables(rig(closing, functions=True))
    assert closing == "open" or len(both[0][0].layout.plane_scalars) >= len(both[0][0].layout.terms) > 0
    rng = np.random.default_rng(0)
    for size in (0.0, 1e-3, 0.3):
        state = y + size * rng.normal(size=len(y)) * (np.arange(len(y)) < 2 * both[0][1].rates.positions)
        plane, space = (rates_of(made, state) for made in both)
        assert distance(plane, space) < 1e-13


@pytest.mark.parametrize("closing", ["hinge", "slide", "distance", "gears"])
def test_projections(closing):
    """From near the constraints both reach the same state; rows in use hold there, and rates too."""
    both, y = tables(rig(closing))
    rng, found = np.random.default_rng(1), []
    y[: 2 * both[0][1].rates.positions] += 1e-7 * rng.normal(size=2 * both[0][1].rates.positions)
    for frozen, equations in both:
        state, work = y.copy(), np.full(equations.work_size, np.nan)
        assert equations.rates.project(0.0, state, frozen.layout, work, np.zeros(len(y))) == PROJECTED
        found.append(state)
    assert np.abs(found[0] - y).max() > 1e-8
    assert np.abs(found[0] - found[1]).max() < 1e-13 * (1.0 + np.abs(y).max())


@pytest.mark.parametrize("closing", ["open", "hinge", "slide", "gears"])
def test_whole_runs_and_all_their_results(closing):
    """Reactions out of the plane as well, which only the kernels of spatial trees know."""
    given = {"output_step": 0.05, **TIGHT}
    names = ("tree", "tree:spatial", "rotation-matrix")
    plane, space, absolute = (po.simulate(rig(closing), 0.3, formulation=name, **given) for name in names)
    assert plane.audit.formulation == "tree" and space.audit.formulation == "tree:spatial"
    assert plane.audit.steps == space.audit.steps
    agree(plane, space, 1e-11, 1e-9)
    agree(plane, absolute)
    assert max(np.abs(plane[name].force @ AXES[2]).max() for name in ("base", "elbow", "table")) > 1.0


def test_gauss_methods_and_stiff_hinges():
    """Newton iterations take the linear part of the equations in space."""
    s = rig("open")
    s.add(po.JointDamper(s["elbow"], 2000.0))
    given = {"step": 0.02, "integrator": "gauss3", "progress": False}
    plane, space = (po.simulate(s, 0.4, formulation=name, **given) for name in ("tree", "tree:spatial"))
    assert plane.audit.newton_steps > 0
    agree(plane, space, 1e-9, 1e-6)


def test_redundant_rows_are_watched():
    """A beam on three bars: rows hold to rounding; one that is left out and does not hold stops a run."""
    s = parallelogram()
    s["low0"].set(rate=2.0)
    run = po.simulate(s, 0.6, **TIGHT, output_step=0.1)
    assert run.audit.formulation == "tree" and open_rows(run) < 1e-12
    frozen, equations = formulate(freeze(s), "tree").rows.without(freeze(s), run.record.dropped)
    table, y = frozen.layout.plane_scalars, run.state().raw["y"]

    def status():
        return equations.rates.project(0.0, y.copy(), frozen.layout, np.zeros(equations.work_size), np.zeros(len(y)))

    assert status() == PROJECTED
    table["first_point"][len(frozen.layout.terms) :, 0] += 1e-3
    assert status() == OPENED
    frozen.layout.left_out["unit"] = 0.0  # as of constraints that are idle
    assert status() == PROJECTED


def two_bars(axis=(0.0, 1.0, 0.0), join=lambda s, a, b, axis: s.revolute(a, b, at=(0, 0, -1), axis=axis, name="second")):
    s = po.System("two bars", gravity=(0, 1.0, -9.81))
    a = s.body("a", po.Box(0.1, 0.2, 1.0, mass=2.0), position=(0, 0, -0.5))
    b = s.body("b", po.Box(0.1, 0.2, 1.0, mass=1.0), position=(0, 0, -1.5))
    s.revolute(s.ground, a, at=(0, 0, 0), axis="y", name="first").set(angle=0.4)
    join(s, a, b, axis)
    return s


def test_which_trees_are_planar():
    """Hinges that are parallel to rounding, either way, and slides across them; nothing else, however little it is off."""
    assert is_planar(two_bars()) and is_planar(two_bars((0, -1, 0))) and is_planar(two_bars((0, 1.0, 1e-16)))
    assert not is_planar(two_bars((0, 1.0, 1e-9))) and not is_planar(two_bars((1e-13, 1.0, 0)))
    others = {
        "prismatic": lambda s, a, b, axis: s.prismatic(a, b, axis=axis),
        "screw": lambda s, a, b, axis: s.screw(a, b, at=(0, 0, -1), axis=axis, pitch=0.1),
        "cylindrical": lambda s, a, b, axis: s.cylindrical(a, b, at=(0, 0, -1), axis=axis),
        "spherical": lambda s, a, b, axis: s.spherical(a, b, at=(0, 0, -1)),
        "free": lambda s, a, b, axis: None,
    }
    assert not any(is_planar(two_bars(join=join)) for join in others.values())
    assert is_planar(two_bars((0.6, 0.0, 0.8), others["prismatic"])) and not is_planar(two_bars((0.6, 1e-9, 0.8), others["prismatic"]))
    slides = po.System("slides", gravity=(0, 0, -9.81))
    a, b = (slides.body(name, po.Box(0.1, 0.1, 0.1, mass=1.0)) for name in "ab")
    slides.prismatic(slides.ground, a, axis=(1, 0, 1))
    slides.prismatic(a, b, axis=(0, 1, 2))
    both, y = tables(slides)
    assert is_planar(slides) and distance(*(rates_of(made, y) for made in both)) < 1e-14


def test_rows_of_other_kinds_and_drives_are_left_to_space():
    s = four_bar()
    s.add(po.Motion(s["base"].angle, lambda t: np.array([0.1 * t, 0.1, 0.0]), name="motion"))
    frozen = freeze(s)
    assert len(frozen.layout.plane_links) and ".plane." not in find("tree").formulation(frozen).rates.velocity.py_func.__module__


def test_a_change_decides_anew():
    """A screw without pitch is a hinge; a change of its pitch makes the tree spatial. Runs are those of systems written so."""

    def bars(pitch):
        return two_bars(join=lambda s, a, b, axis: s.screw(a, b, at=(0, 0, -1), axis=axis, pitch=pitch, name="second"))

    ready = po.prepare(bars(0.0), rtol=1e-9, atol=1e-9)
    for pitch in (0.0, 0.1, 0.0):
        run = ready.run(0.5, output_step=0.1, change={"second.pitch": pitch}, progress=False)
        wanted = po.simulate(bars(pitch), 0.5, output_step=0.1, rtol=1e-9, atol=1e-9, progress=False)
        assert np.array_equal(run.raw, wanted.raw) and np.array_equal(run.loads, wanted.loads)
        assert (len(run.frozen.layout.plane_links) > 0) == (pitch == 0.0)
        assert abs(run["b"].position[-1, 1]) > 1e-3 or pitch == 0.0


@pytest.mark.parametrize("closing", ["open", "hinge"])
def test_parts_and_streams_are_the_whole_run_to_the_bit(closing, tmp_path):
    given = {"rtol": 1e-8, "atol": 1e-8, "output_step": 0.02, "progress": False, "formulation": "tree"}
    whole = po.simulate(rig(closing), 0.2, **given)
    first = po.simulate(rig(closing), 0.1, **given)
    second = po.simulate(rig(closing), 0.1, state=first.state(), **given)
    streamed = po.simulate(rig(closing), 0.2, stream=tmp_path / "run.h5", **given)
    assert np.array_equal(streamed.raw, whole.raw) and np.array_equal(po.load(tmp_path / "run.h5").raw, whole.raw)
    assert np.array_equal(first.raw[-1], second.raw[0])
    assert np.abs(np.concatenate([first.raw, second.raw[1:]]) - whole.raw).max() < 1e-5  # steps differ where a run begins


def test_mechanisms_that_are_planar():
    assert [name for name, make in mechanisms.ALL.items() if len(freeze(make()).layout.plane_links)] == ["four-bar"]
    assert not is_planar(slider_crank()) and is_planar(parallelogram())
