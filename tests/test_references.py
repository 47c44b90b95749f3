"""External reference cases (tests/reference): closed forms and values of high precision, each reproduced to the accuracy stated there.

Where that is more than double precision can hold, the bound follows from the problem: see `rounding`.
Tolerances are relative to vectors longer than 1.
"""

import math

import numpy as np
import pytest

import poinsot as po
from reference_cases import (
    STILL,
    assert_clean,
    assert_close,
    double_pendulum,
    free_top,
    growth,
    heavy_top,
    lagrange_top,
    load,
    numbers,
    output,
    pendulum,
    rounding,
    spherical_double_pendulum,
    stated,
)

GAUSS = {"integrator": "gauss4", "formulation": "tree"}
ADAPTIVE = {"integrator": "dop853", "formulation": "tree", "rtol": 1e-13, "atol": 1e-14}


# --- free tops ---------------------------------------------------------------------------------------------------------


def top_motion(run):
    top = run["top"]
    return {"omega": top.angular_velocity_body, "rotation": top.rotation}


def check_free_top(case, run, permitted):
    """Compare all that is given at all times; `permitted(name, t)` is the error that double precision permits."""
    found = top_motion(run)
    for at, values in case["reference"]["values"].items():
        k, t = output(run, float(at)), float(at)
        for name, key in (("omega", "omega_body"), ("rotation", "R_body_to_space")):
            assert_close(found[name][k], values[key], stated(case), f"{name} at {at} s", permitted(name, t))


def check_free_top_invariants(case, run):
    reference, tolerance = case["reference"], stated(case)
    assert_close(run.energy, float(reference["T"]), tolerance, "energy")
    assert_close(np.linalg.norm(run.angular_momentum, axis=1), float(reference["L"]), tolerance, "angular momentum")
    assert run.audit.angular_momentum_drift <= tolerance * float(reference["L"])
    assert run.audit.momentum_drift == 0.0


@pytest.mark.parametrize(
    "settings", [{"step": 0.01} | GAUSS, {"output_step": 1.0} | ADAPTIVE], ids=["gauss4", "dop853"]
)
@pytest.mark.parametrize("name", ["euler_top_axis1", "euler_top_axis3"])
def test_euler_top(name, settings):
    """Perturbations of these tops grow only with time, by a factor of 20 in 10 s: the stated tolerance holds."""
    case = load(name)
    run = po.simulate(free_top(case), 10, **settings)
    check_free_top(case, run, permitted=lambda name, t: 0.0)
    check_free_top_invariants(case, run)
    if settings["integrator"] == "gauss4":
        assert_clean(run)


def test_dzhanibekov():
    """Perturbations grow by 1e4 until t = 8, beside the unstable axis: there rounding exceeds the stated tolerance."""
    case, step = load("dzhanibekov"), 0.005
    run = po.simulate(free_top(case), 8, step=step, **GAUSS)
    grown = growth(lambda nudge: free_top(case, nudge), top_motion, duration=8, step=0.02, output_step=1.0)
    check_free_top(case, run, permitted=lambda name, t: rounding(t / step, grown[name][round(t)]))
    check_free_top_invariants(case, run)
    assert_clean(run)


@pytest.mark.parametrize("name", ["euler_top_axis1", "euler_top_axis3", "dzhanibekov"])
def test_period_of_free_top(name):
    """After a period the angular velocity is the same; after half of it two components have changed sign."""
    case, steps = load(name), 1000
    omega0 = numbers(case["definition"]["omega0_body"])
    period = float(case["reference"]["period_of_omega"])
    run = po.simulate(free_top(case), period, step=period / steps, **GAUSS)
    grown = growth(lambda nudge: free_top(case, nudge), top_motion, period, period / steps, period / 2)["omega"]
    omega = run["top"].angular_velocity_body
    half = omega[steps // 2]
    assert_close(omega[steps], omega0, stated(case), "after a period", rounding(steps, grown[2]))
    signs = np.sign(half * omega0)
    assert sorted(signs) == [-1, -1, 1]
    assert_close(half, signs * omega0, stated(case), "after half a period", rounding(steps / 2, grown[1]))


@pytest.mark.parametrize("name", ["euler_top_axis1", "euler_top_axis3", "dzhanibekov"])
def test_first_time_without_spin_about_the_middle_axis(name):
    """Found with `until`; an error in omega becomes one in time by the slope at the zero."""
    case = load(name)
    zero = case["reference"]["omega2_zero_times_numeric"][0]

    def middle(t, state):
        return state["top"].angular_velocity_body[1]

    run = po.simulate(free_top(case), 5, step=0.01, until=middle, **GAUSS)
    i1, i2, i3 = numbers(case["definition"]["I_principal"])
    omega = run["top"].angular_velocity_body[-1]
    slope = abs((i3 - i1) * omega[0] * omega[2] / i2)
    grown = growth(lambda nudge: free_top(case, nudge), top_motion, zero, 0.01, 0.01)["omega"][-1]
    assert_close(run.t[-1], zero, stated(case), "time", rounding(zero / 0.01, grown / slope))
    assert abs(omega[1]) <= 1e-14 * np.abs(omega).max()


# --- heavy tops --------------------------------------------------------------------------------------------------------


def axis_and_angles(run):
    """Axis z of a top, its unwrapped precession about the vertical, and its unwrapped spin: R = Rz Ry Rz."""
    rotation = run["top"].rotation
    axis = rotation[:, :, 2]
    precession = np.unwrap(np.arctan2(axis[:, 1], axis[:, 0]))
    spin = np.unwrap(np.arctan2(rotation[:, 2, 1], -rotation[:, 2, 0]))
    return {"axis_xyz": axis, "precession_angle": precession, "spin_angle": spin}


def cuspidal(case, nudge=STILL):
    d = case["definition"]
    theta = math.radians(d["theta0_deg"])
    return lagrange_top(case["case"], d["I_about_pivot"], d["l"], theta, d["omega0_body"], nudge)


def test_lagrange_top_cuspidal():
    case, step, coarse = load("lagrange_top_cuspidal"), 0.00125, 0.01
    run = po.simulate(cuspidal(case), 5, step=step, **GAUSS)
    grown = growth(lambda nudge: cuspidal(case, nudge), axis_and_angles, 5, coarse, coarse)
    found = axis_and_angles(run)
    for at, values in case["reference"]["values"].items():
        t = float(at)
        for name, value in values.items():
            permitted = rounding(t / step, grown[name][round(t / coarse)])
            assert_close(found[name][output(run, t)], value, stated(case), f"{name} at {at} s", permitted)
    lowest, highest = numbers(case["reference"]["roots_u"][:2])
    height = found["axis_xyz"][:, 2]
    assert np.all((height > lowest - 1e-13) & (height < highest + 1e-13))
    assert run.audit.angular_momentum_drift <= stated(case)
    assert_clean(run)


def test_nutation_of_lagrange_top_cuspidal():
    """The axis is lowest after half a nutation period, and back at its cusp after a whole one."""
    case, steps = load("lagrange_top_cuspidal"), 600
    period = float(case["reference"]["nutation_period"])
    run = po.simulate(cuspidal(case), period, step=period / steps, **GAUSS)
    height, fall = run["top"].rotation[:, 2, 2], run["top"].com_velocity[:, 2]
    lowest, highest = numbers(case["reference"]["roots_u"][:2])
    for k, root in ((steps // 2, lowest), (steps, highest)):
        assert_close(height[k], root, stated(case), f"height of the axis after {k} steps")
        assert_close(fall[k], 0.0, stated(case), f"fall of the axis after {k} steps")


@pytest.mark.parametrize("which", ["slow", "fast"])
def test_steady_precession(which):
    """No nutation, and a precession at the rate of the formula. The spin of 400 rad in 2 s multiplies what is rounded."""
    case, duration, step, coarse = load("steady_precession"), 2, 0.0005, 0.0025
    d, rate = case["definition"], float(case["reference"][f"Omega_{which}"])
    theta, about_pivot = math.pi / 6, [float(d["I1_about_pivot"])] * 2 + [float(d["I3"])]
    omega = (-rate * math.sin(theta), 0.0, d["omega3_total_axial_spin"])

    def build(nudge):
        return lagrange_top(which, about_pivot, float(d["l"]), theta, omega, nudge)

    # the default tolerance leaves errors of one sign, 1e-16 per step, which exceed the random ones of rounding here
    run = po.simulate(build(STILL), duration, step=step, output_step=coarse, tolerance=1e-18, **GAUSS)
    grown = growth(build, axis_and_angles, duration, coarse, coarse)
    found = axis_and_angles(run)
    sine, cosine, turned = math.sin(theta), math.cos(theta), rate * run.t
    steady = np.stack([sine * np.cos(turned), sine * np.sin(turned), np.full_like(turned, cosine)], axis=1)
    for k, t in enumerate(run.t):
        for name, reference in (("axis_xyz", steady[k]), ("precession_angle", turned[k])):
            assert_close(
                found[name][k], reference, stated(case), f"{name} at {t} s", rounding(t / step, grown[name][k])
            )
    nutation = np.ptp(np.arccos(found["axis_xyz"][:, 2]))
    assert nutation <= rounding(duration / step, grown["axis_xyz"].max())
    assert_clean(run)


def heavy_top_motion(run):
    top = run["top"]
    return {
        "com": top.com,
        "rotation": top.rotation,
        "quat_wxyz": top.quaternion,
        "Omega_body": top.angular_velocity_body,
    }


def turned_by_angles(com, precession, spin):
    """Rotation of the closed form, Rz Rx Ry: its axis y points to the centre of mass."""
    sine, cosine = com[2], math.hypot(com[0], com[1])
    c, s = math.cos(precession), math.sin(precession)
    a, b = math.cos(spin), math.sin(spin)
    about_z = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    about_x = np.array([[1, 0, 0], [0, cosine, -sine], [0, sine, cosine]])
    about_y = np.array([[a, 0, b], [0, 1, 0], [-b, 0, a]])
    return about_z @ about_x @ about_y


def test_heavy_top_bruls():
    """A spin of 1500 rad in 10 s, past the vertical at 7e-7 rad: angles jump there by pi and are compared as rotations.

    The numeric values of the case are themselves 4e-12 from its closed form (`how_obtained`).
    """
    case, step, every = load("heavy_top_bruls"), 0.0005, 0.1
    run = po.simulate(heavy_top(case), 10, step=step, output_step=10 * step, **GAUSS)
    grown = growth(lambda nudge: heavy_top(case, nudge), heavy_top_motion, 10, 0.005, every)
    found, reference = heavy_top_motion(run), case["reference"]

    def compare(name, value, tolerance, at):
        t = float(at)
        permitted = rounding(t / step, grown[name][round(t / every)])
        assert_close(found[name][output(run, t)], value, tolerance, f"{name} at {at} s", permitted)

    for at, com in reference["analytic_COM"].items():
        compare("com", com, stated(case), at)
        closed = turned_by_angles(numbers(com), *numbers(reference["analytic_angles"][at]))
        compare("rotation", closed, stated(case), at)
        for name, value in reference["numeric"][at].items():
            compare(name, value, 4e-12, at)
    assert_close(found["Omega_body"][:, 1], 150.0, stated(case), "spin")
    assert run.audit.angular_momentum_drift <= stated(case) * np.abs(run.angular_momentum).max()
    assert_clean(run)


def test_nutation_of_heavy_top_bruls():
    """After a nutation period the centre of mass is level with the pivot again, and at its highest."""
    case, steps = load("heavy_top_bruls"), 1500
    period = float(case["reference"]["nutation_period"])
    run = po.simulate(heavy_top(case), period, step=period / steps, **GAUSS)
    grown = growth(
        lambda nudge: heavy_top(case, nudge), lambda r: {"fall": r["top"].com_velocity}, period, period / 150, period
    )
    assert_close(run["top"].com[-1, 2], 0.0, stated(case), "height")
    assert_close(run["top"].com_velocity[-1, 2], 0.0, stated(case), "fall", rounding(steps, grown["fall"][-1]))


# --- pendulums ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "settings", [{"step": 0.005} | GAUSS, {"output_step": 0.05} | ADAPTIVE], ids=["gauss4", "dop853"]
)
def test_spherical_double_pendulum_3d(settings):
    """Perturbations grow by a factor of 25 in 5 s: the stated tolerance holds."""
    case = load("spherical_double_pendulum_3d")
    run = po.simulate(spherical_double_pendulum(case), 5, **settings)
    for at, values in case["reference"].items():
        k = output(run, float(at))
        for n in "12":
            body = run[f"body{n}"]
            for name, value in (
                (f"com{n}", body.com),
                (f"quat{n}_wxyz", body.quaternion),
                (f"omega{n}", body.angular_velocity),
            ):
                assert_close(value[k], values[name], stated(case), f"{name} at {at} s")
    assert run.audit.angular_momentum_drift <= stated(case)
    if settings["integrator"] == "gauss4":
        assert_clean(run)


@pytest.mark.parametrize("plane", ["xy", None])
def test_iftomm_pendulum(plane):
    case = load("iftomm_A01_pendulum")
    run = po.simulate(pendulum(case, plane), case["definition"]["duration_s"], step=0.005, **GAUSS)
    position = run["P1"].position
    for at, value in case["reference"]["P1_xy"].items():
        assert_close(position[output(run, float(at)), :2], value, stated(case), f"P1 at {at} s")
    assert plane or not position[:, 2].any()
    assert run.audit.energy_drift < 5e-5
    assert_clean(run)


def test_period_of_iftomm_pendulum():
    """After a period the mass is where it was let go, and at rest; after half of it on the other side."""
    case, steps = load("iftomm_A01_pendulum"), 500
    period = float(case["reference"]["period_s"])
    run = po.simulate(pendulum(case, "xy"), period, step=period / steps, **GAUSS)
    for k, x in ((steps // 2, 1.0), (steps, -1.0)):
        assert_close(run["P1"].position[k], (x, 0.0), stated(case), "position")
        assert_close(run["P1"].velocity[k], (0.0, 0.0), 10 * stated(case), "velocity")  # the force is 9.81 N


def test_double_pendulum_chaotic():
    """The reference is exact for double precision; the bound is rounding times the growth that the case gives."""
    case, step = load("double_pendulum_chaotic"), 0.0025
    run = po.simulate(double_pendulum(case), 20, step=step, **GAUSS)
    upper, lower = run["upper"], run["lower"]
    for at, value in case["reference"].items():
        k = output(run, float(at))
        found = [upper.angle[k], lower.angle[k], upper.angular_velocity[k], lower.angular_velocity[k]]
        grown = case["error_growth_of_initial_perturbation"][at]
        assert_close(found, value, 0.0, f"angles and rates at {at} s", rounding(float(at) / step, grown))
    assert_clean(run)
