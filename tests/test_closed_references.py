"""External references for closed systems and for the energy-momentum methods: same scheme, same step, same digits; and converged values."""

import math

import numpy as np
import pytest

import poinsot as po
from loops import four_bar
from measures import NAMES, open_rows
from reference_cases import assert_close, heavy_top, load, numbers, output, spherical_double_pendulum

SIX = {"integrator": "energy-momentum-6", "formulation": "directors"}


def test_four_bar():
    """Ten seconds: one degree of freedom, three redundant rows by name, loops closed, energy kept."""
    s = four_bar()
    s["base"].set(rate=3.0)
    for order, name in NAMES.items():
        run = po.simulate(s, 10.0, step=0.01, integrator=name)
        found = run.record.redundancy
        gap, drift = open_rows(run, 10), run.audit.energy_drift
        print(f"order {order}: {found.words()}, closed to {gap:.1e} m, energy to {drift:.1e} J of {run.audit.energy_scale:.4g} J")
        assert found.degrees_of_freedom == 1
        assert [r.direction for r in found.redundant] == ["translation along y", "rotation about x", "rotation about z"]
        assert {r.element.name for r in found.redundant} == {"foot"}
        assert gap <= 1e-12
        assert drift <= 1e-11
        assert (run.audit.halvings, run.audit.corrections) == (0, 0)


# --- n-four-bar --------------------------------------------------------------------------------------------------------


def n_four_bar(n, plane=None):
    """IFToMM A02: n + 1 upright rods joined by n level ones; every quarter turn all of them lie in a line."""
    flat = slice(0, 2 if plane else 3)
    axis = None if plane else "z"
    s = po.System("n-four-bar", plane=plane, gravity=(0, -9.81, 0)[flat])
    upright, level = (1 / 12, 1 / 12) if plane else ((1 / 12, 1e-3, 1 / 12), (1e-3, 1 / 12, 1 / 12))
    rods = [s.body(f"up{k}", mass=1.0, inertia=upright, position=(k, 0.5, 0)[flat]) for k in range(n + 1)]
    for k, rod in enumerate(rods):
        s.revolute(s.ground, rod, at=(k, 0, 0)[flat], axis=axis, name=f"low{k}")
    for k in range(n):
        across = s.body(f"across{k}", mass=1.0, inertia=level, position=(k + 0.5, 1, 0)[flat])
        s.revolute(rods[k], across, at=(k, 1, 0)[flat], axis=axis, name=f"left{k}")
        s.revolute(across, rods[k + 1], at=(k + 1, 1, 0)[flat], axis=axis, name=f"right{k}")
    s["low0"].set(rate=-1.0)
    return s


def follows(run, n):
    """Largest error against the reference at all of its times; checks that all rods stay on the parallel branch."""
    values = load("iftomm_A02_nfourbar")["reference"][f"N{n}"]["B0_xy_omega_cw"]
    first, worst = run["up0"], 0.0
    for at, value in values.items():
        k = int(np.argmin(np.abs(run.t - float(at))))
        if abs(run.t[k] - float(at)) < 1e-9:
            tip = 2 * first.position[k][:2]
            spin = first.angular_velocity[k] if run.frozen.system.plane else first.angular_velocity[k, 2]
            worst = max(worst, np.abs([*tip, -spin] - numbers(value)).max())
    height = 2 * first.position[:, 1]
    slant = max(np.abs(run[f"across{k}"].position[:, 1] - height).max() for k in range(n))
    assert slant < 1e-10, f"left the parallel branch by {slant:.1e} m"
    assert run.audit.energy_drift <= 1e-11 * run.audit.energy_scale
    return worst


@pytest.mark.parametrize("plane", [None, "xy"])
def test_n_four_bar(plane):
    """N = 2, in space with redundant rows and in the plane: the printed digits, through twenty singular positions."""
    errors = {}
    for order, step, tolerance in ((2, 0.005, 5e-3), (4, 0.005, 1e-7), (6, 0.005, 1e-10)):
        errors[order] = follows(po.simulate(n_four_bar(2, plane), 10.0, step=step, integrator=NAMES[order]), 2)
        assert errors[order] < tolerance
    print(f"N = 2, plane {plane}: errors at all times {errors}")


@pytest.mark.parametrize("order", NAMES)
def test_n_four_bar_at_many_steps(order):
    """Whatever the step, and so however near to the singular position a stage falls, the branch is the right one."""
    worst, newton = {}, 0
    for step in np.concatenate([[0.02, 0.025, 0.04, 0.05], 10.0 / np.arange(601, 1400, 40)]):
        run = po.simulate(n_four_bar(2), 10.0, step=float(step), integrator=NAMES[order])
        worst[step] = follows(run, 2) / step**order
        newton += run.audit.newton_steps
        assert run.audit.halvings == 0
    print(f"order {order}: errors / step^order from {min(worst.values()):.3g} to {max(worst.values()):.3g}, {newton} steps by Newton's method")
    assert max(worst.values()) < 4 * min(worst.values())


@pytest.mark.long
@pytest.mark.parametrize("order", NAMES)
def test_n_four_bar_of_forty(order):
    run = po.simulate(n_four_bar(40), 10.0, step=0.005, integrator=NAMES[order])
    error = follows(run, 40)
    print(f"N = 40, order {order}: error {error:.2e}, {run.audit.newton_steps} steps by Newton's method")
    assert run.audit.halvings == 0
    assert error < {2: 5e-3, 4: 2e-7, 6: 1e-10}[order]


# --- governor ----------------------------------------------------------------------------------------------------------


def governor():
    """IFToMM A05: two rods with heavy ends on a turning shaft, held to a slider by stiff spring-dampers."""
    s = po.System("governor", gravity=(0, 0, -9.81))
    shaft = s.body("shaft", po.Box(0.01, 0.01, 1.0, mass=0.3), position=(0, 0, 0.5))
    slider = s.body("slider", po.Box(0.1, 0.1, 0.1, mass=3.0), position=(0, 0, 0.5))
    turn = s.revolute(s.ground, shaft, at=(0, 0, 0), axis="z", name="turn")
    s.prismatic(shaft, slider, at=(0, 0, 0.5), axis="z", name="slide")
    slant = math.radians(30)
    for side, name in ((1, "right"), (-1, "left")):
        pivot = np.array([0.05 * side, 0, 1.0])
        along = np.array([math.cos(slant) * side, 0, -math.sin(slant)])
        # the rod, a box of 1 m, and 5 kg at its end, about their common centre of mass
        own, heavy = 0.3, 5.0
        com = (0.5 * own + heavy) / (own + heavy)
        across = own / 12 * (1 + 1e-4) + own * (com - 0.5) ** 2 + heavy * (1 - com) ** 2
        frame = np.stack([along, (0, 1, 0), np.cross(along, (0, 1, 0))], axis=1)
        inertia = frame @ np.diag([own / 12 * 2e-4, across, across]) @ frame.T
        rod = s.body(name, mass=own + heavy, inertia=inertia, position=pivot + com * along)
        s.revolute(shaft, rod, at=pivot, axis="y", name=f"hinge {name}")
        ends = ((0.05 * side, 0, 0.5), pivot + 0.5 * along)
        s.add(po.Spring(slider, rod, at=ends, stiffness=8e5, damping=4e4, length=0.5))
    turn.set(rate=2 * math.pi)
    return s


def check_governor(duration, step, tolerance):
    case = load("iftomm_A05_flyball")
    run = po.simulate(governor(), duration, step=step, output_step=0.01, **SIX)
    worst = dict.fromkeys(("s", "alpha_deg", "shaft_angle"), 0.0)
    for at, value in case["reference"].items():
        if float(at) <= duration:
            k = output(run, float(at))
            slope = 30.0 + np.degrees(run["hinge right"].angle[k])
            found = {"s": run["slider"].position[k, 2], "alpha_deg": slope, "shaft_angle": run["turn"].angle[k]}
            for name in worst:
                worst[name] = max(worst[name], abs(found[name] - float(value[name])))
    balance = run.audit.energy_drift / run.audit.energy_scale
    print(f"governor to {duration} s, step {step}: errors {worst}, energy - work {balance:.1e}, {run.audit.halvings} halvings")
    assert max(worst.values()) < tolerance
    assert balance < 1e-11


def test_governor():
    check_governor(1.0, 0.0005, 1e-9)


@pytest.mark.long
def test_governor_to_the_digits():
    check_governor(10.0, 0.00025, 1e-9)


# --- tops and pendulums ------------------------------------------------------------------------------------------------


def test_heavy_top_bruls():
    case, duration = load("heavy_top_bruls"), 1.0
    run = po.simulate(heavy_top(case), duration, step=0.00025, output_step=0.01, **SIX)
    worst = 0.0
    for at, com in case["reference"]["analytic_COM"].items():
        if float(at) <= duration:
            worst = max(worst, np.abs(run["top"].com[output(run, float(at))] - numbers(com)).max())
    print(f"heavy top: centre of mass to {worst:.1e} m, energy to {run.audit.energy_drift:.1e} J")
    assert 0 < worst < 1e-10
    assert run.audit.energy_drift <= 1e-12 * run.audit.energy_scale


def test_spherical_double_pendulum_3d():
    case = load("spherical_double_pendulum_3d")
    run = po.simulate(spherical_double_pendulum(case), 5.0, step=0.0025, output_step=0.5, **SIX)
    for at, values in case["reference"].items():
        k = output(run, float(at))
        for n in "12":
            body = run[f"body{n}"]
            assert_close(body.com[k], values[f"com{n}"], 1e-10, f"com{n} at {at} s")
            assert_close(body.angular_velocity[k], values[f"omega{n}"], 1e-10, f"omega{n} at {at} s")
    assert run.audit.energy_drift <= 1e-12 * run.audit.energy_scale


# --- uhlar2008 ---------------------------------------------------------------------------------------------------------


def uhlar_top(d):
    s = po.System("top", gravity=(0, 0, -d["g"]))
    top = s.body("top", mass=d["M"], com=(0, 0, d["pivot_to_COM_along_d3_m"]), inertia=d["J_COM"])
    upright = np.array([0.0, math.sin(math.pi / 3), math.cos(math.pi / 3)])  # e3 in the axes of the top
    s.spherical(s.ground, top, at=(0, 0, 0)).set(rotation=("x", math.pi / 3), rate=2 * upright + (0, 0, 15))
    return s


def test_uhlar_top():
    """The same scheme at the same steps to 1e-8; order 6 to all digits of the converged values."""
    case = load("uhlar2008")["ex4_heavy_top_3d"]
    for key, values in case["BEM"].items():
        run = po.simulate(uhlar_top(case["definition"]), 1.0, step=float(key[3:]), integrator=NAMES[2])
        error = np.abs(run["top"].rotation[-1][:, 2] - values["d3_t1"]).max()
        print(f"top, {key}: {error:.1e} from the scheme's own value")
        assert error < 1e-8
        assert run.energy[0] == pytest.approx(case["energy_J"], rel=1e-13)
    run = po.simulate(uhlar_top(case["definition"]), 2.0, step=0.001, output_step=0.5, integrator=NAMES[6])
    for axis, name in ((2, "d3_reference"), (0, "d1_reference")):
        for at, value in case[name].items():
            error = np.abs(run["top"].rotation[output(run, float(at))][:, axis] - value).max()
            print(f"top, order 6, {name} at {at} s: {error:.1e}")
            assert error < 1e-10
    assert np.abs(run.angular_momentum[:, 2] - case["Lz"]).max() < 1e-12 * case["Lz"]


def law(t):
    """Torque of the NM logo."""
    return 20.0 * t if t < 0.25 else 20.0 * (0.5 - t) if t < 0.5 else 0.0


def logo():
    """Two bars folded onto each other, joined at their ends, free in the plane."""
    d = load("uhlar2008")["ex1_revolute_NM_logo"]["definition"]
    s = po.System("logo", plane="xy", gravity=None)
    one = s.body("one", mass=d["M"][0], inertia=sum(d["E"][0]))
    two = s.body("two", mass=d["M"][1], inertia=sum(d["E"][1]), position=(0, -0.8))
    joint = s.revolute(one, two, at=(0, -0.4), name="joint")
    joint.set(angle=math.pi)
    s.add(po.Motor(joint, law, name="drive"))
    return s


def check_logo(run, values, tolerance, what):
    """Angles, counted from the folded position as in the paper; momenta stay zero."""
    worst = 0.0
    for at, value in values.items():
        worst = max(worst, abs(run["joint"].angle[output(run, float(at))] - value))
    print(f"logo, {what}: Theta to {worst:.1e}, angular momentum {np.abs(run.angular_momentum).max():.1e}")
    assert worst < tolerance
    assert np.abs(run.angular_momentum).max() < 1e-12


def test_logo():
    case = load("uhlar2008")["ex1_revolute_NM_logo"]
    for key, values in case["BEM"].items():
        if "mid" in key:
            step = float(key.split(",")[0][3:])
            run = po.simulate(logo(), 5.0, step=step, integrator=NAMES[2])
            check_logo(run, values["Theta_rad"], 1e-8, key)
            after = run.energy[run.t > 0.5 + 1e-9]
            assert np.abs(after - values["energy_after_t2_J"]).max() < 1e-9
    case = case["reference_minimal_coordinates"]
    run = po.simulate(logo(), 5.0, step=0.0025, output_step=0.25, integrator=NAMES[6])
    check_logo(run, case["Theta_rad"], 1e-8, "order 6")
    assert run.energy[-1] == pytest.approx(case["total_energy_after_t2_J"], abs=1e-9)


def guide(case):
    """Two bodies in the plane, the second sliding along the first."""
    d = case["definition"]
    s = po.System("guide", plane="xy", gravity=None)
    one = s.body("one", mass=d["M"][0], inertia=sum(d["E"][0]))
    two = s.body("two", mass=d["M"][1], inertia=sum(d["E"][1]))
    s.prismatic(one, two, at=(0, 0), axis=(0, 1), name="slide").set(displacement=d["u0_m"], rate=d["du0_m_per_s"])
    one.set(velocity=d["v1_0"], angular_velocity=d["omega0"])
    return s


@pytest.mark.parametrize("name", ["ex2_prismatic_as_printed_du0=-6.5", "ex2_prismatic_consistent_du0=+6.5"])
def test_guide(name):
    case = load("uhlar2008")[name]
    for key, values in case["BEM"].items():
        run = po.simulate(guide(case), 3.0, step=float(key[3:]), integrator=NAMES[2])
        worst = max(
            abs(run["slide"].displacement[output(run, float(at))] - value) for at, value in values["u_m"].items()
        )
        print(f"guide, {key}: u to {worst:.1e} m")
        assert worst < 1e-8
        assert np.abs(run.energy - case["energy_J"]).max() < 1e-12 * case["energy_J"]
        assert np.abs(run.angular_momentum - case["angular_momentum_about_origin"]).max() < 1e-11
    run = po.simulate(guide(case), 3.0, step=0.005, output_step=0.1, integrator=NAMES[6])
    values = case["reference_minimal_coordinates"]["u_m"]
    worst = max(abs(run["slide"].displacement[output(run, float(at))] - value) for at, value in values.items())
    print(f"guide, order 6: u to {worst:.1e} m")
    assert worst < 1e-9
