"""Energy-momentum steps of planar systems in their plane: the same results as the steps in space, and which systems they are for."""

import numpy as np
import pytest

import poinsot as po
from loops import four_bar, parallelogram
from poinsot.formulations.absolute.plane.tables import why_spatial
from poinsot.formulations.absolute.tables import with_tables
from poinsot.formulations.directors import state_places
from poinsot.formulations.registry import find
from poinsot.layout.freeze import freeze

METHODS = ("energy-momentum", "energy-momentum-4", "energy-momentum-6")


def turn(normal):
    """Rotation matrix that takes y, the normal of the mechanisms as they are drawn here, to a world axis."""
    return np.roll(np.eye(3), "xyz".index(normal) - 1, axis=0)


def push(t, x, p, f):
    """A user's force that looks at positions, attitudes, velocities and angular velocities, and acts in all directions."""
    f[0, :3] = p[0] * x[0, :3] + p[1] * x[0, 7:10] + x[0, 3:6]
    f[0, 3:6] = 0.2 * x[0, 10:13] + p[0] * x[0, 4:7]


def steer(t, x, p, u):
    u[0] = -4.0 * x[0] - x[1] + 0.3 * x[2] + 0.2 * x[5] - 0.1 * x[8]


def rig(normal="y", closing="hinge", loads=True, functions=False):
    """Cranks, a slide and a table on which a wheel turns, closed in several ways; bodies lie at different heights."""
    s, R = po.System("rig", gravity=tuple(turn(normal) @ (3.0, -1.0, -9.0))), turn(normal)

    def at(x, z, height=0.0):
        return tuple(R @ (x, height, z))

    def along(x, z, height=0.0):
        return tuple(R @ (x, height, z) / np.sqrt(x * x + z * z + height * height))

    n, bodies = tuple(R[:, 1]), {}
    for k, (x, z, height) in enumerate(((0.5, 0.0, 0.0), (1.3, 0.4, 0.2), (2.0, 0.1, -0.1), (0.2, 1.0, 0.3), (1.0, 1.5, 0.0))):
        inertia = np.diag(np.roll((0.02 + 0.01 * k, 0.05 - 0.005 * k, 0.03), k))  # the normal is another principal axis in each
        frame = R @ np.roll(np.eye(3), k, axis=1)
        name = "abcde"[k]
        place = {"position": at(x, z, height), "rotation": frame}
        bodies[name] = s.body(name, mass=1.0 + x, com=(0.1, -0.05, 0.2), inertia=inertia, **place)
    a, b, c, d, e = bodies.values()
    s.revolute(s.ground, a, at=at(0, 0), axis=n, name="base").set(rate=1.0)
    s.revolute(b, a, at=at(1, 0), axis=tuple(-R[:, 1]), name="elbow")
    s.prismatic(b, c, at=at(1.5, 0.3), axis=along(0.6, 0.8), name="slide")
    s.planar(s.ground, d, at=at(0.2, 1.0), axis=n, direction=along(1.0, 2.0), name="table")
    s.revolute(d, e, at=at(0.8, 1.2), axis=n, name="axle")
    if closing == "open":
        s["elbow"].set(angle=0.1, rate=-0.7)
        s["slide"].set(displacement=0.1, rate=0.4)
        s["axle"].set(rate=2.0)
    elif closing == "hinge":
        s.revolute(c, e, at=at(1.4, 0.9), axis=n, name="last")
    elif closing == "slide":
        s.prismatic(e, c, at=at(1.4, 0.9), axis=along(1.0, 0.0), name="last")
    elif closing == "ball":
        s.spherical(c, e, at=at(1.4, 0.9, 0.3), name="last")
    elif closing == "distance":
        s.add(po.Distance(c, e, at=(at(2.1, 0.2, 0.4), at(1.0, 1.4, -0.2)), name="last"))
    elif closing == "weld":
        f = s.body("f", mass=0.5, inertia=np.diag((0.01, 0.02, 0.02)), position=at(2.4, 0.3), rotation=R)
        s.fixed(c, f, at=at(2.2, 0.2), name="last")
    if loads:
        s.add(po.JointSpring(s["elbow"].angle, stiffness=3.0, rest=0.3))
        s.add(po.JointDamper(s["axle"], 0.4))
        s.add(po.Spring(a, d, at=(at(0.7, 0.1, 0.5), at(0.1, 0.9, -0.4)), stiffness=20.0, damping=0.5, length=0.6))
        s.add(po.Force(c, (1.0, 2.0, -3.0), at=at(2.2, 0.0, 0.3)))
        s.add(po.Torque(b, (0.5, -0.2, 0.4)))
        s.add(po.Bushing(d, s.ground, at=at(0.3, 0.8), stiffness=(3.0, 4.0, 5.0, 0.5, 0.4, 0.3)))
    if functions:
        s.add(po.UserForce(push, [e], [0.3, -0.2]))
        seen = [s["base"].angle, s["base"].rate, "c.position", "e.velocity", "c.angular_velocity"]
        s.add(po.Feedback(steer, [s.add(po.Motor(s["base"], name="drive"))], seen))
    return s


def chain():
    """Rods on hinges that swing fast."""
    s = po.System("chain", gravity=(0, 0, -9.81))
    before = s.ground
    for k in range(4):
        rod = s.body(f"rod{k}", po.Rod(radius=0.02, mass=1.0), between=((k, 0, 0), (k + 1, 0, 0)))
        s.revolute(before, rod, at=(k, 0, 0), axis="y", name=f"hinge{k}").set(rate=4.0 - 3.0 * k)
        before = rod
    return s


def both(system, method, duration=0.4, step=0.01, **settings):
    """The same run in the plane and in space."""
    names = ("directors", "directors:spatial")
    return [po.simulate(system, duration, step=step, integrator=method, formulation=name, progress=False, **settings) for name in names]


def worst(plane, space, name):
    """Largest difference of a result of all bodies or joints, relative to the largest value of it."""
    elements = [e.name for e in (*plane.system.bodies, *plane.system.joints) if hasattr(plane[e.name], name)]
    one, two = (np.stack([getattr(run[e], name) for e in elements]) for run in (plane, space))
    return np.abs(one - two).max() / max(1.0, np.abs(two).max())


def agree(plane, space, tolerance=1e-11):
    """All motion, reactions, energies, and the audits."""
    assert plane.audit.kernels == "in the plane" and space.audit.kernels == "in space, as was asked for"
    for name in ("position", "quaternion", "velocity", "angular_velocity", "acceleration"):
        assert worst(plane, space, name) < tolerance, name
    for name in ("force", "torque"):
        assert worst(plane, space, name) < 100 * tolerance, name
    assert np.abs(plane.energy - space.energy).max() < tolerance * space.audit.energy_scale
    assert plane.audit.ambiguous == space.audit.ambiguous and plane.audit.redundant == space.audit.redundant


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("normal", "closing"), [("x", "hinge"), ("y", "slide"), ("z", "distance"), ("y", "open"), ("z", "ball"), ("x", "weld")])
def test_all_results_are_those_of_space(method, normal, closing):
    """Loads act out of the plane as well, and joints transmit what holds the bodies there."""
    plane, space = both(rig(normal, closing), method)
    agree(plane, space)
    assert abs(plane.audit.iterations - space.audit.iterations) <= 0.1 * space.audit.iterations
    across = turn(normal)[:, 1]
    assert max(np.abs(plane[name].force @ across).max() for name in ("base", "elbow", "slide")) > 1.0
    assert plane.audit.energy_drift < 1e-12 * plane.audit.energy_scale


@pytest.mark.parametrize("method", METHODS[::2])
def test_users_functions_and_controllers(method):
    plane, space = both(rig(closing="hinge", functions=True), method, duration=0.1)
    agree(plane, space)
    assert np.abs(plane.work - space.work).max() < 1e-11 and np.abs(space.work).max() > 0.1


@pytest.mark.parametrize("method", METHODS)
def test_energy_and_joints_over_many_steps(method):
    run = po.simulate(four_bar(), 100.0, step=0.01, integrator=method, output_step=1.0, progress=False)
    assert run.audit.kernels == "in the plane"
    assert run.audit.energy_drift < 1e-11 * run.audit.energy_scale
    assert run.audit.constraint_metres < 1e-13 and run.audit.constraint_radians < 1e-13


def test_turns_are_counted_where_bodies_turn_far_in_a_step():
    """More than half a turn between outputs, and nearly half of one in a step."""
    s = po.System("spinner", gravity=(0, 0, 0))
    wheel = s.body("wheel", mass=1.0, inertia=np.diag((0.1, 0.2, 0.1)))
    s.revolute(s.ground, wheel, at=(0, 0, 0), axis="y", name="axle").set(rate=200.0)
    plane, space = both(s, METHODS[2], duration=1.0, output_step=0.1)
    assert plane.audit.kernels == "in the plane"
    assert np.abs(plane["axle"].angle - space["axle"].angle).max() < 1e-9
    assert np.abs(plane["axle"].angle - 200.0 * plane.t).max() < 2.0


@pytest.mark.parametrize("method", METHODS)
def test_steps_that_fail_are_done_in_space(method):
    """Where the iteration does not converge, Newton's method in space takes over for that step."""
    plane, space = both(chain(), method, duration=3.0, step=0.2)
    assert plane.audit.newton_steps > 0 and plane.audit.halvings == space.audit.halvings == 0
    assert plane.audit.energy_drift < 1e-12 * plane.audit.energy_scale
    agree(plane, space, 1e-8)


def test_a_run_in_parts_has_the_same_bits(tmp_path):
    s = rig(closing="hinge")
    whole = po.simulate(s, 0.4, step=0.01, integrator=METHODS[2], output_step=0.01, formulation="directors", progress=False)
    chunks = po.simulate(s, 0.4, step=0.01, integrator=METHODS[2], output_step=0.2, formulation="directors", progress=False)
    assert np.array_equal(whole["e"].position[::20], chunks["e"].position)


def spatial(change):
    """A planar rig with one thing that is not for planar steps."""
    s = rig(loads=False)
    change(s)
    return s


def tilted_body(s):
    body = s.body("extra", mass=1.0, inertia=((0.02, 0.003, 0.0), (0.003, 0.03, 0.0), (0.0, 0.0, 0.04)), position=(3.0, 0.0, 0.0))
    s.revolute(s["c"], body, at=(3.0, 0.0, 0.0), axis="y", name="more")


def tilted_axis(s):
    body = s.body("extra", mass=1.0, inertia=np.diag((0.02, 0.03, 0.04)), position=(3.0, 0.0, 0.0))
    s.revolute(s["c"], body, at=(3.0, 0.0, 0.0), axis=(1e-9, 1.0, 0.0), name="more")


def gears(s):
    s.add(po.Gear(s["axle"].angle, s["base"].angle, ratio=-1.5, name="train"))


@pytest.mark.parametrize(
    ("system", "reason"),
    [
        (spatial(tilted_body), "body 'extra': the normal of the plane is not one of its principal axes of inertia"),
        (spatial(gears), "gear 'train' has constraints that are not quadratic in positions and directors"),
        (parallelogram(), "has redundant constraints in the plane"),
        (four_bar(axis=(1.0, 1.0, 0.0)), ""),
    ],
)
def test_what_stays_in_space(system, reason):
    """And says why; systems that are only nearly planar are no planar ones."""
    run = po.simulate(system, 0.02, step=0.01, integrator=METHODS[0], formulation="directors", progress=False)
    assert run.audit.kernels.startswith("in space, ") or not reason
    assert reason in run.audit.kernels and run.audit.kernels != "in the plane"
    assert not reason or reason in str(run.audit)


def test_nearly_planar_systems_are_spatial():
    run = po.simulate(spatial(tilted_axis), 0.02, step=0.01, integrator=METHODS[0], formulation="directors", progress=False)
    assert run.audit.kernels == ""


def test_drives_stay_in_space():
    s = rig(loads=False, closing="open")
    s.add(po.Motion(s["base"].angle, po.Signal(lambda t: t, lambda t: 1.0, lambda t: 0.0)))
    frozen = freeze(s)
    assert "is a drive" in why_spatial(frozen, with_tables(frozen, (), state_places))


def test_unknown_options_are_named():
    with pytest.raises(po.FormulationError, match="has the option 'spatial', not 'flat'"):
        find("directors:flat")


def test_variants_have_the_methods_of_their_formulation():
    run = po.simulate(four_bar(), 0.02, step=0.01, formulation="directors:spatial", progress=False)
    assert (run.audit.integrator, run.audit.kernels) == ("energy-momentum-6", "in space, as was asked for")
    with pytest.raises(po.SettingsError, match="use energy-momentum, energy-momentum-4, energy-momentum-6, not 'rk4'"):
        po.simulate(four_bar(), 0.02, step=0.01, formulation="directors:spatial", integrator="rk4")
