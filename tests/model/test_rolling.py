"""Rolling, knife edges and axis constraints: exact solutions, orders, energy, and what is refused."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import poinsot as po

REFERENCE = json.loads((Path(__file__).parents[1] / "reference" / "hemami2002.json").read_text())["002_nonholonomic_and_Cmatrix"]
G = 9.81
TIGHT = {"rtol": 1e-11, "atol": 1e-12, "output_step": 0.25}
WAYS = {
    "tree": {"formulation": "tree", **TIGHT},
    "rotation-matrix": {"formulation": "rotation-matrix", **TIGHT},
    "newton-euler": {"formulation": "newton-euler", **TIGHT},
    "directors": {"step": 0.005, "output_step": 0.25},
}


@pytest.fixture(params=WAYS)
def way(request):
    return WAYS[request.param]


def sleigh(plane="xy"):
    """Chaplygin's: a blade at the origin, the centre of mass ahead of it."""
    given = REFERENCE["chaplygin_sleigh"]
    s = po.System("sleigh", plane=plane, gravity=None)
    if plane is None:
        body = s.body("sleigh", mass=given["m"], inertia=(0.3, 0.4, given["I"]), com=(given["a"], 0, 0))
        s.planar(s.ground, body, at=(0, 0, 0), axis="z", name="ice")
    else:
        body = s.body("sleigh", mass=given["m"], inertia=given["I"], com=(given["a"], 0))
        body.set(velocity=(given["v0"], 0), angular_velocity=given["w0"])
    s.add(po.KnifeEdge(s.ground, body, at=(0, 0, 0)[: 3 if plane is None else 2], axis="y", name="blade"))
    return s


def test_the_sleigh(way):
    given = REFERENCE["chaplygin_sleigh"]
    run = po.simulate(sleigh(), 5.0, progress=False, **way)
    assert run["blade"].force[0] == pytest.approx([0, given["lambda0_N"]], abs=1e-12)
    for k, t in enumerate(given["t_s"][:6]):
        at = run.index(t)
        assert run["sleigh"].position[at] == pytest.approx(given["contact_xy"][k], abs=1e-9)
        assert run["sleigh"].angle[at] == pytest.approx(given["theta"][k], abs=1e-9)
        assert run["sleigh"].angular_velocity[at] == pytest.approx(given["omega"][k], abs=1e-9)
    across = np.stack([-np.sin(run["sleigh"].angle), np.cos(run["sleigh"].angle)], axis=1)
    assert np.abs(np.sum(across * run["sleigh"].velocity, axis=1)).max() < 1e-13


def disc(theta, spin, given):
    """A disc that leans by theta from the plane, its angular velocity along its own line of steepest descent, the horizontal, and its axis."""
    up = np.array([0.0, np.cos(theta), np.sin(theta)])
    axes = np.array([[1.0, 0.0, 0.0], up, np.cross([1.0, 0.0, 0.0], up)]).T
    s = po.System("disc", gravity=(0, 0, -G))
    body = s.body("disc", mass=given["m"], inertia=(given["I1"], given["I1"], given["I3"]), position=given["r"] * up, rotation=axes)
    s.add(po.Rolling(s.ground, body, at=given["r"] * up, radius=given["r"], axis=axes[:, 2], name="rim"))
    omega = axes @ np.array(spin)
    body.set(velocity=np.cross(omega, given["r"] * up), angular_velocity=omega)
    return s


def test_the_rolling_disc(way):
    given = REFERENCE["rolling_disk"]
    run = po.simulate(disc(np.radians(given["theta0_deg"]), given["w0"], given), 3.0, progress=False, **way)
    for k, t in enumerate(given["t_s"]):
        if t in (0, 0.25, 0.5, 1, 2, 3):
            at = run.index(t)
            assert run["disc"].position[at] == pytest.approx(given["centre"][k], abs=1e-9)
            assert run["rim"].contact[at, :2] == pytest.approx(given["contact_xy"][k], abs=1e-9)
            assert run["rim"].force[at] == pytest.approx(given["contact_force_N"][k], abs=1e-8)
    assert slip(run, "rim", "disc") < 1e-12 and run.audit.constraint_metres < 1e-12


def slip(run, contact, body):
    """Largest velocity of the rolling body where it touches the ground."""
    arm = run[contact].contact - run[body].position
    return np.abs(run[body].velocity + np.cross(run[body].angular_velocity, arm)).max()


ORDERS = [("energy-momentum", 2, (0.0025, 0.00125)), ("energy-momentum-4", 4, (0.01, 0.005)), ("energy-momentum-6", 6, (0.02, 0.01))]


@pytest.mark.parametrize("integrator, order, steps", ORDERS)
def test_orders_and_energy_of_the_disc(integrator, order, steps):
    """Its height is not quadratic in the directors: the next step closes the gap that a step leaves, and what that gains is taken back."""
    given = REFERENCE["rolling_disk"]
    system = disc(np.radians(given["theta0_deg"]), given["w0"], given)
    errors = []
    for step in steps:
        run = po.simulate(system, 1.0, step=step, integrator=integrator, progress=False)
        assert run.audit.energy_drift < 1e-12 * run.audit.energy_scale
        errors.append(np.abs(run["disc"].position[-1] - given["centre"][given["t_s"].index(1)]).max())
    print(f"{integrator}: errors {errors[0]:.2e}, {errors[1]:.2e} m, order {np.log2(errors[0] / errors[1]):.2f}")
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.3)


def test_steady_rolling_closes_its_circle(way):
    given = {**REFERENCE["rolling_disk"], **REFERENCE["rolling_disk_steady"]}
    system = disc(np.radians(given["theta_deg"]), (0.0, given["w2"], given["w3"]), given)
    settings = {k: v for k, v in way.items() if k != "output_step"}
    if "step" in settings:
        settings["step"] = given["period"] / 600
    run = po.simulate(system, given["period"], progress=False, **settings)
    contact = run["rim"].contact
    assert contact[-1] == pytest.approx(contact[0], abs=1e-9)
    assert np.ptp(contact[:, 0]) / 2 == pytest.approx(given["contact_circle_radius"], rel=1e-3)


def test_a_ball_on_an_incline(way):
    """A solid ball accelerates by 5/7 of what a sliding one would."""
    s = po.System("incline", gravity=(1.0, 0, -G))
    ball = s.body("ball", po.Sphere(0.3, mass=2.0), position=(0, 0, 0.3))
    s.add(po.Rolling(s.ground, ball, at=(0, 0, 0.3), radius=0.3, normal="z", name="contact"))
    spin = np.array([1.0, 2.0, 0.5])
    ball.set(angular_velocity=spin, velocity=np.cross(spin, (0, 0, 0.3)))
    run = po.simulate(s, 1.0, progress=False, **way)
    assert run["ball"].position[-1] == pytest.approx([0.6 + 0.5 * 5 / 7, -0.3, 0.3], abs=1e-9)
    assert run["contact"].force == pytest.approx(np.tile([-2 / 7 * 2.0, 0, 2.0 * G], (len(run.t), 1)), abs=1e-8)
    assert run.audit.momentum_drift is None


def test_a_ball_on_a_turntable():
    """On a plane that turns at W a solid ball goes round at 2/7 W."""
    s = po.System("turntable", gravity=(0, 0, -G))
    table = s.body("table", po.Cylinder(2.0, 0.1, mass=50.0), position=(0, 0, -0.05))
    axle = s.revolute(s.ground, table, at=(0, 0, 0), axis="z", name="axle")
    s.add(po.Motion(axle.angle, po.Signal(lambda t: 3.0 * t, lambda t: 3.0, lambda t: 0.0), name="drive"))
    ball = s.body("ball", po.Sphere(0.1, mass=1.0), position=(1, 0, 0.1))
    s.add(po.Rolling(table, ball, at=(1, 0, 0.1), radius=0.1, name="contact"))
    ball.set(velocity=(0, 0.5, 0), angular_velocity=(25.0, 0, 0))
    axle.set(rate=3.0)
    found = s.check()
    assert found.degrees_of_freedom == 4 and found.position_freedoms == 6 and "6 independent directions" in str(found)
    k = 2 / 7 * 3.0
    for settings in ({"step": 2 * np.pi / k / 1000}, {"rtol": 1e-10, "atol": 1e-11}):
        run = po.simulate(s, 2 * np.pi / k, progress=False, **settings)
        exact = np.stack([1 - 0.5 / k * (1 - np.cos(k * run.t)), 0.5 / k * np.sin(k * run.t), 0 * run.t + 0.1], axis=1)
        assert run["ball"].position == pytest.approx(exact, abs=1e-8)


def cart(wheels=2):
    """Two wheels on one axle, and a pendulum that hangs from it."""
    s = po.System("cart", gravity=(0, 0, -G))
    axle = s.body("axle", po.Rod(0.02, mass=1.0), between=((0, -0.4, 0.25), (0, 0.4, 0.25)))
    pole = s.body("pole", po.Rod(0.02, mass=2.0), between=((0, 0, 0.25), (0.3, 0, 0.25 + 0.4)))
    s.revolute(axle, pole, at=(0, 0, 0.25), axis="y", name="hinge")
    for k, y in enumerate((-0.4, 0.4)[:wheels]):
        wheel = s.body(f"wheel{k}", po.Cylinder(0.25, 0.02, mass=1.5), position=(0, y, 0.25), rotation=("x", np.pi / 2))
        s.revolute(axle, wheel, at=(0, y, 0.25), axis="y", name=f"hub{k}")
        s.add(po.Rolling(s.ground, wheel, at=(0, y, 0.25), radius=0.25, axis="y", name=f"contact{k}"))
    return s


def test_a_cart_on_two_wheels_with_a_pendulum():
    """Both wheels, the axle between them and the pendulum turn; the wheels share their sideways force."""
    s = cart()
    s["hub0"].set(rate=1.0)
    s["hub1"].set(rate=2.0)
    found = s.check()
    assert found.degrees_of_freedom == 4 and found.position_freedoms == 7 and len(found.redundant) == 1
    runs = {name: po.simulate(s, 1.0, progress=False, **settings) for name, settings in WAYS.items()}
    for name, run in runs.items():
        for body in s.bodies:
            assert run[body].position == pytest.approx(runs["directors"][body].position, abs=2e-8), name
    assert runs["directors"].audit.energy_drift < 1e-11 * runs["directors"].audit.energy_scale
    assert not runs["directors"]["contact0"].unique


def test_axis_constraints_leave_one_axis():
    """Two directions in space about which nothing turns: the body turns about the third (hemami2002), by itself at a constant rate."""
    given = REFERENCE_AXES["axis_example"]["params"]
    s = po.System("axis", gravity=None)
    body = s.body("body", mass=1.0, inertia=given["J"])
    for k, direction in enumerate(given["C_cols"]):
        s.add(po.AxisConstraint(s.ground, body, direction, name=f"c{k}"))
    tau = np.array(given["tau"])
    body.set(angular_velocity=16.0 * tau)
    run = po.simulate(s, 0.5, progress=False, formulation="newton-euler", rtol=1e-11, atol=1e-12, output_step=0.05)
    assert run["body"].rotation == pytest.approx(Rotation.from_rotvec(np.outer(16.0 * run.t, tau)).as_matrix(), abs=1e-9)
    J = np.diag(given["J"])
    wanted = [R @ np.cross(R.T @ (16 * tau), J @ R.T @ (16 * tau)) for R in run["body"].rotation]
    torque = run["c0"].torque + run["c1"].torque
    assert torque == pytest.approx(np.array(wanted) - np.outer(np.array(wanted) @ tau, tau), abs=1e-7)


REFERENCE_AXES = json.loads((Path(__file__).parents[1] / "reference" / "hemami2002.json").read_text())["002_hemami"]


def test_a_wheel_in_the_plane(way):
    """It rolls down a slope of 30 degrees: a disc has two thirds of the acceleration of a sliding one."""
    s = po.System("wheel", plane="xy", gravity=(0, -G))
    slope = np.array([np.cos(np.pi / 6), -0.5])
    normal = np.array([0.5, np.cos(np.pi / 6)])
    wheel = s.body("wheel", po.Disc(0.2, mass=1.0), position=0.2 * normal)
    s.add(po.Rolling(s.ground, wheel, at=0.2 * normal, radius=0.2, normal=normal, name="contact"))
    assert s.check().degrees_of_freedom == 1
    run = po.simulate(s, 1.0, progress=False, **way)
    assert run["wheel"].position[-1] - run["wheel"].position[0] == pytest.approx(0.5 * (2 / 3) * G * 0.5 * slope, abs=1e-9)
    assert run["contact"].contact[-1] @ normal == pytest.approx(0.0, abs=1e-12)


def rolling(**changes):
    s = po.System("ball", gravity=changes.pop("gravity", (0, 0, -G)))
    ball = s.body("ball", po.Sphere(0.3, mass=2.0), position=(0, 0, 0.3))
    s.add(po.Rolling(s.ground, ball, **{"at": (0, 0, 0.3), "radius": 0.3, "name": "contact", **changes}))
    return s, ball


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"radius": -0.3}, "radius must be a positive number of metres"),
        ({"radius": 0}, "radius must be a positive number"),
        ({"normal": (0, 0, 0)}, "normal .* is not a direction"),
        ({"axis": "z"}, "its axis is along the normal of the plane"),
        ({"axis": (0, 0, 0)}, "axis .* is not a direction"),
        ({"at": (0, 0, np.inf)}, "finite"),
    ],
)
def test_what_cannot_roll_is_refused(changes, words):
    with pytest.raises(po.ModelError, match=words):
        po.simulate(rolling(**changes)[0], 0.1, progress=False)


def test_starts_that_slip_or_leave_the_plane():
    s, ball = rolling()
    ball.set(velocity=(1, 0, 0), angular_velocity=(0, 0, 0))
    with pytest.raises(po.AssemblyError, match="rolling 'contact' slips by 1 m/s at its contact: set its velocity .*contact: 1 m/s"):
        po.simulate(s, 0.1, step=0.01)
    ball.set(velocity=(0, 0, 0.5))
    with pytest.raises(po.AssemblyError, match="rolling 'contact' leaves its plane at 0.5 m/s"):
        po.simulate(s, 0.1, step=0.01)
    s, ball = rolling(through=(0, 0, -0.05))
    with pytest.warns(po.AssemblyWarning, match="moved by up to 0.05 m .*rolling 'contact' is 0.05 m above its plane: place it"):
        run = po.simulate(s, 0.1, step=0.01)
    assert run["ball"].position[0, 2] == pytest.approx(0.25)


def test_starts_off_the_plane_that_are_held():
    s, ball = rolling(through=(0, 0, -0.05))
    ball.set(position=(0, 0, 0.3))
    with pytest.raises(po.AssemblyError, match="rolling 'contact' is 0.05 m above its plane: place it on the plane, or give its plane by through="):
        po.simulate(s, 0.1, step=0.01)
    s, ball = rolling(through=(0, 0, 0.1))
    ball.set(position=(0, 0, 0.3))
    with pytest.raises(po.AssemblyError, match="is 0.1 m below its plane"):
        po.simulate(s, 0.1, step=0.01)


def test_starts_across_blades_and_about_axes():
    s = sleigh()
    s["sleigh"].set(velocity=(1, 0.5), angular_velocity=0.0)
    with pytest.raises(po.AssemblyError, match="knife edge 'blade' slides sideways at 0.5 m/s: set a velocity along the blade"):
        po.simulate(s, 0.1, step=0.01)
    s = po.System("axis", gravity=None)
    body = s.body("body", mass=1.0, inertia=(0.1, 0.2, 0.3))
    s.add(po.AxisConstraint(s.ground, body, "x", name="axis"))
    body.set(angular_velocity=(2, 1, 0))
    with pytest.raises(po.AssemblyError, match="axis constraint 'axis' turns at 2 rad/s about its axis"):
        po.simulate(s, 0.1, step=0.01)


@pytest.mark.parametrize("formulation", ["tree:momentum", "moving-frame"])
def test_formulations_that_cannot_say_why(formulation):
    with pytest.raises(po.FormulationError, match=f"rolling 'contact' is not a joint, and '{formulation}' accepts joints only"):
        po.simulate(rolling()[0], 0.1, formulation=formulation)


def test_files_keep_them(tmp_path):
    s = cart()
    again = po.read(write(tmp_path, s))
    one, two = (po.simulate(x, 0.2, step=0.01, progress=False) for x in (s, again))
    assert np.array_equal(one["pole"].position, two["pole"].position)


def write(folder, system):
    path = folder / "model.yaml"
    path.write_text(system.to_yaml())
    return path


def test_assembly_may_move_bodies_where_they_cannot_slide():
    """A blade forbids velocities, not positions: it is set down elsewhere, sideways."""
    s = po.System("sleigh", plane="xy", gravity=None)
    body = s.body("sleigh", mass=1.0, inertia=0.5)
    s.add(po.KnifeEdge(s.ground, body, at=(0, 0), axis=(-0.6, 0.8), name="blade"))
    s.add(po.Distance(s.ground, body, at=((0, 1), (0, 0)), length=0.8, name="rope"))
    with pytest.warns(po.AssemblyWarning, match="0.2 m"):
        run = po.simulate(s, 0.1, step=0.01)
    assert run["sleigh"].position[0] == pytest.approx([0, 0.2], abs=1e-9) and run["sleigh"].angle[0] == pytest.approx(0, abs=1e-9)
