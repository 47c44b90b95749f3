"""Constraints on velocities that users write: against the elements that there are, an independent solution, orders, work, and what is refused."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from tests.model.test_rolling import ORDERS, REFERENCE, WAYS, G, disc, sleigh, way  # noqa: F401

import poinsot as po


def turned(x, k, v):
    """A vector of a body in the world, from row k of x."""
    w, a, b, c = x[k, 3], x[k, 4], x[k, 5], x[k, 6]
    tx, ty, tz = 2 * (b * v[2] - c * v[1]), 2 * (c * v[0] - a * v[2]), 2 * (a * v[1] - b * v[0])
    return v[0] + w * tx + b * tz - c * ty, v[1] + w * ty + c * tx - a * tz, v[2] + w * tz + a * ty - b * tx


def crossed(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


try:  # so that the functions below are compiled
    import numba

    turned, crossed = numba.njit(turned), numba.njit(crossed)
except ImportError:  # pragma: no cover
    pass


def blade(t, x, params, out):
    """No velocity of the origin along y of the body; params: the centre of mass."""
    e = turned(x, 0, (0.0, 1.0, 0.0))
    arm = turned(x, 0, (-params[0], -params[1], -params[2]))
    moment = crossed(arm, e)
    for k in range(3):
        out[0, k], out[0, 3 + k] = e[k], moment[k]


def rim(t, x, params, out):
    """A disc of radius params[0] about its z axis, on the plane z = 0, neither slips nor lifts off."""
    f = turned(x, 0, (0.0, 0.0, 1.0))
    size = np.sqrt(f[0] * f[0] + f[1] * f[1])
    arm = (params[0] * f[2] * f[0] / size, params[0] * f[2] * f[1] / size, params[0] * (f[2] * f[2] - 1.0) / size)
    for k in range(3):
        e = (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
        moment = crossed(arm, e)
        for i in range(3):
            out[k, i], out[k, 3 + i] = e[i], moment[i]


def still(t, x, params, out):
    """The second body does not turn relative to the first about a direction of the first."""
    e = turned(x, 0, (params[0], params[1], params[2]))
    for k in range(3):
        out[0, 3 + k], out[0, 9 + k] = -e[k], e[k]


def replaced(system, name, *arguments, **more):
    """The system with a constraint replaced by rows of the same name."""
    system.constraints.remove(system[name])
    del system.by_name[name]
    system.add(po.VelocityRows(*arguments, name=name, **more))
    return system


def user_sleigh():
    s = sleigh()
    return replaced(s, "blade", blade, [s["sleigh"]], params=[REFERENCE["chaplygin_sleigh"]["a"], 0.0, 0.0])


def user_disc():
    given = REFERENCE["rolling_disk"]
    s = disc(np.radians(given["theta0_deg"]), given["w0"], given)
    return replaced(s, "rim", rim, [s["disc"]], rows=3, params=[given["r"]])


def pair(user):
    """Two bodies of a chain, one of them not turning relative to the other about an axis of that."""
    s = po.System("pair", gravity=(0, 0, -G))
    a = s.body("a", mass=1.2, inertia=(0.1, 0.2, 0.15), com=(0.1, 0, -0.3), position=(0, 0, 0))
    b = s.body("b", mass=0.8, inertia=(0.05, 0.1, 0.08), com=(0, 0.1, -0.2), position=(0, 0, -0.6))
    s.spherical(s.ground, a, at=(0, 0, 0), name="top").set(rate=(0.5, 1.0, -0.7))
    s.spherical(a, b, at=(0, 0, -0.6), name="middle")
    axis = (0.6, 0.0, 0.8)
    s.add(po.VelocityRows(still, [a, b], params=axis, name="row") if user else po.AxisConstraint(a, b, axis, name="row"))
    return s


def test_a_blade_as_rows(way):  # noqa: F811
    one, two = (po.simulate(s, 2.0, progress=False, **way) for s in (user_sleigh(), sleigh()))
    assert one["sleigh"].position == pytest.approx(two["sleigh"].position, abs=1e-11)
    force, torque = one["blade"].on("sleigh")
    assert force[:, :2] == pytest.approx(two["blade"].force, abs=1e-10)
    assert np.abs(one["blade"].power).max() == 0.0 and np.abs(torque[:, :2]).max() == 0.0
    assert one["blade"].multipliers.shape == (len(one.t), 1)


def test_a_rolling_disc_as_rows(way):  # noqa: F811
    """Its height is a velocity here, which may drift; the motion is that of the disc that is kept at its height."""
    given = REFERENCE["rolling_disk"]
    run = po.simulate(user_disc(), 1.0, progress=False, **way)
    for t in (0.25, 0.5, 1):
        k, at = given["t_s"].index(t), run.index(t)
        assert run["disc"].position[at] == pytest.approx(given["centre"][k], abs=1e-9)
        assert run["rim"].on("disc")[0][at] == pytest.approx(given["contact_force_N"][k], abs=1e-8)


def test_an_axis_between_two_bodies_as_rows(way):  # noqa: F811
    one, two = (po.simulate(pair(user), 1.0, progress=False, **way) for user in (True, False))
    assert one["b"].position == pytest.approx(two["b"].position, abs=1e-10)
    assert one["row"].on("b")[1] == pytest.approx(two["row"].torque, abs=1e-9)
    assert one["row"].on("a")[1] == pytest.approx(-two["row"].torque, abs=1e-9)
    found = [s.check() for s in (pair(True), pair(False))]
    assert found[0].degrees_of_freedom == found[1].degrees_of_freedom == 5 and found[0].position_freedoms == 6


@pytest.mark.parametrize("integrator, order, steps", ORDERS)
def test_orders_and_energy(integrator, order, steps):
    given = REFERENCE["chaplygin_sleigh"]
    errors = []
    for step in (8 * steps[0], 8 * steps[1]):
        run = po.simulate(user_sleigh(), 2.0, step=step, integrator=integrator, progress=False)
        assert run.audit.energy_drift < 1e-13 * run.audit.energy_scale
        errors.append(np.abs(run["sleigh"].position[-1] - given["contact_xy"][given["t_s"].index(2)]).max())
    print(f"{integrator}: errors {errors[0]:.2e}, {errors[1]:.2e} m, order {np.log2(errors[0] / errors[1]):.2f}")
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.3)


def numbers(t, x, R, p):
    """Coefficients of two rows on three bodies and right-hand sides, of numbers that may be complex: positions x (3, 3), rotations R."""
    out = np.zeros((2, 19), np.result_type(t, x, R))
    a, b, c = (R[k] @ np.array(p[3 * k : 3 * k + 3]) for k in range(3))
    out[0, 0:3], out[0, 9:12], out[0, 12:15] = a * (1.0 + x[1, 0] * x[2, 1]), b, -c * np.exp(-x[0, 2])
    out[1, 3:6], out[1, 6:9], out[1, 15:18] = np.cross(b, c), a + np.cross(b, x[0]), np.cos(1.3 * t) * c
    out[0, 18], out[1, 18] = np.sin(2.0 * t) * a[0], x[2, 0] * b[1] + 0.1 * t
    return out


def from_x(t, x, params, out):
    R = [np.array([turned(x, k, e) for e in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))]).T for k in range(3)]
    out[:] = numbers(t, x[:, :3], np.array(R), params)


def test_accelerations_against_an_independent_solution():
    """Dense equations in NumPy; the derivative of the rows by a complex step, which has no rounding to speak of."""
    rng, worst = np.random.default_rng(5), 0.0
    for _ in range(6):
        s = po.System("three", gravity=(0.3, 0, -G))
        p = rng.normal(size=9)
        bodies = []
        for k in range(3):
            shape = {"mass": rng.uniform(0.5, 2), "inertia": rng.uniform(0.1, 0.15, 3), "com": rng.normal(size=3) * 0.1}
            body = s.body(f"b{k}", position=rng.normal(size=3), rotation=Rotation.random(random_state=rng).as_quat(scalar_first=True), **shape)
            body.set(velocity=rng.normal(size=3), angular_velocity=rng.normal(size=3))
            bodies.append(body)
        s.add(po.VelocityRows(from_x, bodies, rows=2, params=p, name="rows"))
        for body in bodies[:2]:
            del s.initial[body], s.given_values[body]
        run = po.simulate(s, 1e-3, step=1e-3, formulation="newton-euler", integrator="rk4", progress=False, start=0.4)
        x, R = (np.array([getattr(run[b], what)[0] for b in bodies]) for what in ("position", "rotation"))
        w = np.array([run[b].angular_velocity[0] for b in bodies])
        v = np.array([run[b].com_velocity[0] for b in bodies])
        V = np.concatenate([v, w], axis=1).ravel()
        at_origin = np.array([run[b].velocity[0] for b in bodies])
        found = numbers(0.4, x, R, p)
        assert found[:, :-1] @ V == pytest.approx(found[:, -1], abs=1e-12)  # the start obeys the rows
        h = 1e-30j
        spin = np.array([[[0, -c, b], [c, 0, -a], [-b, a, 0]] for a, b, c in w])
        rate = numbers(0.4 + h, x + h * at_origin, R + h * spin @ R, p).imag / h.imag
        bias = rate[:, :-1] @ V - rate[:, -1]
        M, F = np.zeros((18, 18)), np.zeros(18)
        for k, body in enumerate(bodies):
            J = R[k] @ body.inertia_matrix() @ R[k].T
            M[6 * k : 6 * k + 3, 6 * k : 6 * k + 3], M[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] = body.mass * np.eye(3), J
            F[6 * k : 6 * k + 6] = [*(body.mass * np.array([0.3, 0, -G])), *-np.cross(w[k], J @ w[k])]
        Q = found[:, :-1]
        full = np.linalg.solve(np.block([[M, Q.T], [Q, np.zeros((2, 2))]]), np.concatenate([F, -bias]))
        alpha = np.array([run[b].angular_acceleration[0] for b in bodies])
        worst = max(worst, np.abs(alpha - full[:18].reshape(3, 6)[:, 3:]).max() / np.abs(full[:18]).max())
        assert run["rows"].multipliers[0] == pytest.approx(full[18:], rel=1e-11, abs=1e-11)
        assert run["rows"].power[0] == pytest.approx(-full[18:] @ found[:, -1], rel=1e-10, abs=1e-11)
    print(f"accelerations: {worst:.1e} of the largest")
    assert worst < 2e-12


def spun(t, x, params, out):
    """The body turns about its x axis at a prescribed rate."""
    e = turned(x, 0, (1.0, 0.0, 0.0))
    for k in range(3):
        out[0, 3 + k] = e[k]
    out[0, 6] = params[0] * (1.0 + 0.5 * np.sin(params[1] * t))


def spinner():
    s = po.System("spinner", gravity=(0, 0, -G))
    body = s.body("top", mass=1.0, inertia=(0.1, 0.2, 0.25), com=(0.3, 0, 0), position=(0, 0, 0))
    s.spherical(s.ground, body, at=(0, 0, 0), name="pivot")
    s.add(po.VelocityRows(spun, [body], params=[4.0, 3.0], name="drive"))
    return s


@pytest.mark.parametrize("integrator", ["energy-momentum", "energy-momentum-4", "energy-momentum-6"])
def test_rates_that_are_prescribed_do_work_which_is_counted(integrator):
    run = po.simulate(spinner(), 2.0, step=0.01, integrator=integrator, progress=False)
    balance = run.energy - run.energy[0] - run.work
    assert np.abs(balance).max() < 1e-13 * run.audit.energy_scale and np.ptp(run.work) > 0.1
    about = np.sum(run["top"].angular_velocity * run["top"].rotation[:, :, 0], axis=1)
    assert about == pytest.approx(4.0 * (1.0 + 0.5 * np.sin(3.0 * run.t)), abs=1e-12)


def test_formulations_agree_on_prescribed_rates():
    runs = [po.simulate(spinner(), 1.0, progress=False, **settings) for settings in WAYS.values()]
    for run in runs[1:]:
        assert run["top"].position == pytest.approx(runs[0]["top"].position, abs=1e-8)
        assert run["top"].rotation == pytest.approx(runs[0]["top"].rotation, abs=2e-8)
        assert run.work[-1] == pytest.approx(runs[0].work[-1], abs=1e-7)
    power = runs[1]["drive"].power
    assert np.trapezoid(power, runs[1].t) == pytest.approx(runs[1].work[-1], rel=0.05)


def test_python_and_compiled_functions_give_the_same():
    def in_python(t, x, params, out):
        numbers = {"kept": 1}  # dicts are not compiled
        blade(t, x, params, out) if numbers else None

    s = sleigh()
    other = replaced(s, "blade", in_python, [s["sleigh"]], params=[REFERENCE["chaplygin_sleigh"]["a"], 0.0, 0.0])
    for settings in ({"step": 0.01}, {"step": 0.01, "formulation": "newton-euler", "integrator": "gauss2"}):
        one, two = (po.simulate(x, 0.5, progress=False, **settings) for x in (user_sleigh(), other))
        assert one["sleigh"].position == pytest.approx(two["sleigh"].position, abs=1e-13)


def test_parameters_change_between_runs():
    ready = po.prepare(spinner(), step=0.01)
    slow = ready.run(0.5, change={"drive.params[0]": 1.0})
    about = np.sum(slow["top"].angular_velocity * slow["top"].rotation[:, :, 0], axis=1)
    assert about == pytest.approx(1.0 + 0.5 * np.sin(3.0 * slow.t), abs=1e-12)


def rows(function, bodies=1, start=None, **more):
    s = po.System("wrong", gravity=None)
    made = [s.body(f"b{k}", mass=1.0, inertia=(0.1, 0.2, 0.3), position=(k, 0, 0)) for k in range(2)]
    made[0].set(velocity=(1.0, 0, 0), **(start or {}))
    s.add(po.VelocityRows(function, made[:bodies], name="mine", **more))
    return s


def along_y(t, x, params, out):
    out[0, 1] = 1.0


def test_functions_that_depend_on_velocities_are_refused():
    def fast(t, x, params, out):
        out[0, 1] = 1.0 + x[0, 7]

    with pytest.raises(po.ModelError, match="velocity rows 'mine': .* depends on the velocities in x"):
        po.simulate(rows(fast), 0.1, step=0.01)


def index_error(t, x, params, out):
    out[1, 0] = 1.0


def infinite(t, x, params, out):
    out[0, 1] = np.inf


def later(t, x, params, out):
    out[0, 1] = 1.0 / (t < 0.05)


@pytest.mark.parametrize(
    "function, error, words",
    [
        (index_error, IndexError, "out of bounds"),
        (infinite, po.CallbackError, "put inf into out\\[0, 1\\]"),
        (lambda t, x, params, out: 3.0, po.CallbackError, "must fill `out` \\(rows, 6 \\* bodies \\+ 1\\)"),
        (lambda t, x: None, po.ModelError, "f\\(t, x, params, out\\)"),
    ],
)
def test_functions_at_fault(function, error, words):
    with pytest.raises(error, match=words):
        po.simulate(rows(function), 0.1, step=0.01)


@pytest.mark.parametrize("settings", [{"step": 0.01}, {"formulation": "newton-euler"}])
def test_a_function_that_fails_later(settings):
    with pytest.raises((po.CallbackError, ZeroDivisionError)) as found:
        po.simulate(rows(later), 0.1, progress=False, **settings)
    assert 0.0 < found.value.trajectory.t[-1] < 0.06
    assert "mine" in "".join([str(found.value), *getattr(found.value, "__notes__", [])])


@pytest.mark.parametrize(
    "change, words",
    [
        ({"bodies": 0}, "constrains no body"),
        ({"rows": 0}, "rows must be a whole number from 1 to 6, not 0"),
        ({"rows": 7}, "from 1 to 6, not 7"),
        ({"params": [np.nan]}, "params must be finite"),
    ],
)
def test_elements_at_fault(change, words):
    with pytest.raises(po.ModelError, match=words):
        po.simulate(rows(along_y, **change), 0.1, step=0.01)


def test_rows_that_contradict_each_other_or_the_start():
    def twice(t, x, params, out):
        out[0, 1], out[1, 1] = 1.0, 2.0
        out[1, 6] = 1.0

    with pytest.raises(po.AssemblyError, match="mine"):
        po.simulate(rows(twice, rows=2), 0.1, step=0.01)

    def forward(t, x, params, out):
        out[0, 0], out[0, 6] = 1.0, 0.25

    with pytest.raises(po.AssemblyError, match="velocity rows 'mine'.*row 1.*0.75"):
        po.simulate(rows(forward), 0.1, step=0.01)


def test_dependent_rows_run_and_are_named():
    def twice(t, x, params, out):
        out[0, 1], out[1, 1] = 1.0, 2.0

    s = rows(twice, rows=2)
    found = s.check()
    assert "mine" in str(found) and len(found.redundant) == 1 and found.degrees_of_freedom == 11
    run = po.simulate(s, 0.1, step=0.01)
    assert not run["mine"].unique and run["b0"].position[-1] == pytest.approx([0.1, 0, 0], abs=1e-12)


@pytest.mark.parametrize("formulation", ["tree:momentum", "moving-frame"])
def test_formulations_that_cannot_say_why(formulation):
    with pytest.raises(po.FormulationError, match=f"velocity rows 'mine' is not a joint, and '{formulation}' accepts joints only"):
        po.simulate(rows(along_y), 0.1, formulation=formulation)


def test_files_name_the_function(tmp_path):
    path = tmp_path / "model.yaml"
    s = user_sleigh()
    path.write_text(s.to_yaml())
    with pytest.raises(po.ModelError, match="function 'blade' is named in the model file"):
        po.simulate(po.read(path), 0.1, step=0.01)
    one, two = (po.simulate(x, 0.2, step=0.01, progress=False) for x in (s, po.read(path, functions={"blade": blade})))
    assert np.array_equal(one["sleigh"].position, two["sleigh"].position)
    one.save(tmp_path / "run.h5")
    again = po.load(tmp_path / "run.h5")
    assert np.array_equal(again["sleigh"].position, one["sleigh"].position)


def test_drives_and_rows_together():
    """A spinner on a motor-driven arm: both the motion and the rows hold."""
    s = po.System("arm", gravity=(0, 0, -G))
    arm = s.body("arm", po.Rod(0.03, mass=1.0), between=((0, 0, 0), (1, 0, 0)))
    hinge = s.revolute(s.ground, arm, at=(0, 0, 0), axis="z", name="hinge")
    s.add(po.Motion(hinge.angle, po.Signal(lambda t: np.sin(t)), name="motion"))
    top = s.body("top", mass=1.0, inertia=(0.1, 0.2, 0.25), com=(0.3, 0, 0), position=(1, 0, 0))
    s.spherical(arm, top, at=(1, 0, 0), name="pivot")
    s.add(po.VelocityRows(spun, [top], params=[4.0, 3.0], name="drive"))
    ends = []
    for settings in ({"step": 0.005}, {"formulation": "newton-euler", "rtol": 1e-10, "atol": 1e-11, "output_step": 0.25}):
        run = po.simulate(s, 1.0, progress=False, **settings)
        about = np.sum(run["top"].angular_velocity * run["top"].rotation[:, :, 0], axis=1)
        assert about == pytest.approx(4.0 * (1.0 + 0.5 * np.sin(3.0 * run.t)), abs=1e-11)
        ends.append(run["top"].com[-1])
        if "step" in settings:
            assert np.abs(run.energy - run.energy[0] - run.work).max() < 1e-11
    assert ends[0] == pytest.approx(ends[1], abs=1e-7)
