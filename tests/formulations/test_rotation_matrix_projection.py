"""Projection after every step: joints, their velocities and directors over many steps, energy by the method's order, and overconstrained loops.

In bodies with directors, and in joint coordinates with loops.
"""

from functools import cache

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import poinsot as po
from linkages import KINDS
from loops import four_bar, parallelogram
from measures import open_rows
from moved_mechanisms import CASES
from stewart import FORCES, stewart

FORMULATIONS = ("rotation-matrix", "tree")
CLOSED, ORTHONORMAL = 1e-12, 1e-14  # m and rad; entries of D'D - 1


def turning_four_bar():
    """A four-bar of 3D revolutes, three of whose rows are redundant, that turns through."""
    s = four_bar()
    s["base"].set(rate=2.0)
    return s


LOOPS = {  # system, steps of rk4 and dop853 at which energy errors are above rounding (s)
    "four-bar": (turning_four_bar, 0.002, 0.01),
    "loop in space": (lambda: CASES["closed loop in space"](75).system(), 0.001, 0.008),
    "Stewart platform": (lambda: stewart(FORCES["B"]), 0.002, 0.01),
}


def not_orthonormal(run):
    """Largest entry of D'D - 1, or deviation of a quaternion from unit length, of the raw states at all outputs."""
    if run.audit.formulation == "tree":
        attitudes = run.formulation.attitudes
        return 0.0 if attitudes is None else attitudes.deviations(run.raw).max()
    bodies = len(run.frozen.layout.bodies)
    D = run.raw[:, : 12 * bodies].reshape(len(run), bodies, 12)[:, 1:, 3:].reshape(-1, 3, 3)
    return np.abs(np.swapaxes(D, 1, 2) @ D - np.eye(3)).max()


def slip(run):
    """Largest speed (m/s) with which points that joints hold together move apart, at all outputs; slides are left out."""

    def velocity(body, at):
        if body is run.system.ground:
            return np.zeros((len(run), 3))
        view = run[body]
        arm = view.rotation @ Rotation.from_quat(body.rotation, scalar_first=True).inv().apply(np.array(at) - body.position)
        return view.velocity + np.cross(view.angular_velocity, arm)

    joints = [joint for joint in run.system.joints if joint.kind != "prismatic"]
    return max(np.abs(velocity(j.first, j.first_at) - velocity(j.second, j.second_at)).max() for j in joints)


def stepped(name, integrator, step, duration, formulation="rotation-matrix"):
    """A run in fixed steps, with every step projected, its joints closed and its directors orthonormal."""
    run = po.simulate(
        LOOPS[name][0](), duration, step=step, output_step=duration / 100, formulation=formulation, integrator=integrator, progress=False
    )
    gap, off = max(open_rows(run), run.audit.constraint_metres, run.audit.constraint_radians), not_orthonormal(run)
    drift = run.audit.energy_drift / run.audit.energy_scale
    print(f"{name}, {integrator}, {run.audit.steps} steps of {step} s: open {gap:.1e}, {slip(run):.1e} m/s, directors {off:.1e}, energy {drift:.1e}")
    assert run.audit.corrections == run.audit.steps == round(duration / step)
    assert max(gap, slip(run)) <= CLOSED and off <= ORTHONORMAL
    return drift


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("name", LOOPS)
def test_energy_drifts_by_the_order_of_the_method(name, formulation):
    """Projection costs no order: with half the step rk4 is at least 2^4 better, dop853 2^8, but for rounding and where in a swing it ends."""
    _, coarse4, coarse8 = LOOPS[name]
    first, second = (stepped(name, "rk4", h, 4.0, formulation) for h in (coarse4, coarse4 / 2))
    assert 2**4 / 1.5 < first / second < 2**6
    first, second = (stepped(name, "dop853", h, 4.0, formulation) for h in (coarse8, coarse8 / 2))
    assert first / second > 2**8 / 2 or second < 2e-13


@pytest.mark.long
@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("integrator", ["rk4", "dop853"])
@pytest.mark.parametrize("name", LOOPS)
def test_a_hundred_thousand_steps(name, integrator, formulation):
    """Neither gaps nor errors of the directors grow, and energy errors follow the order: of rk4 over the same time with twice the steps."""
    step = 0.5 * LOOPS[name][1]
    drift = stepped(name, integrator, step, 1e5 * step, formulation)
    if integrator == "rk4":
        assert 2**3 < stepped(name, integrator, 2 * step, 1e5 * step, formulation) / drift < 2**6  # the loop in space is chaotic: its two runs differ
    else:
        assert drift < 2e-11  # rounding


def parallel_cranks(rng):
    s = parallelogram(4)
    s["low0"].set(rate=2.0)
    return s


OVERCONSTRAINED = KINDS | {"four-bar": lambda rng: turning_four_bar(), "parallel cranks": parallel_cranks}


@cache
def reference(kind, seed, duration):
    """A system and its run with energy-momentum steps."""
    system = OVERCONSTRAINED[kind](np.random.default_rng(seed))
    assert system.check().redundant
    return system, po.simulate(system, duration, step=0.0005, output_step=0.05, integrator="energy-momentum-6", progress=False)


def agrees_with_directors(formulation, kind, seed, duration, tolerance=1e-10, beyond=1.0):
    """Adaptive steps against energy-momentum steps: motion, accelerations, reactions that are unique; how much more these may be apart."""
    system, best = reference(kind, seed, duration)
    run = po.simulate(system, duration, rtol=tolerance, atol=tolerance, output_step=0.05, formulation=formulation, progress=False)
    assert (run.audit.formulation, best.audit.formulation) == (formulation, "directors")
    worst = {}
    for what in ("position", "velocity", "acceleration", "angular_acceleration"):
        pairs = [(getattr(run[b], what), getattr(best[b], what)) for b in system.bodies]
        worst[what] = max(np.abs(a - b).max() for a, b in pairs) / (1.0 + max(np.abs(b).max() for _, b in pairs))
    for joint in system.joints:
        if joint.name not in run.ambiguous:
            size = np.abs(best[joint].force).max() + 1e-6 * max(np.abs(best[j].force).max() for j in system.joints)
            worst[joint.name] = np.abs(run[joint].force - best[joint].force).max() / size
    print(f"{kind}, seed {seed}: {run.audit.steps} steps, largest difference {max(worst.values()):.1e} in {max(worst, key=worst.get)}")
    assert max(run.audit.constraint_metres, run.audit.constraint_radians) < CLOSED
    assert max(worst["position"], worst["velocity"]) < 1e3 * tolerance and max(worst.values()) < 1e3 * beyond * tolerance
    assert run.audit.energy_drift < 1e2 * tolerance * run.audit.energy_scale
    return run


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("kind", OVERCONSTRAINED)
def test_overconstrained_loops_with_adaptive_steps(kind, formulation):
    """Rows of a planar four-bar in space, of parallel cranks, of Sarrus's and Bennett's linkages: some are redundant wherever they are."""
    for seed in (0, 3):
        agrees_with_directors(formulation, kind, seed, 0.4)


@pytest.mark.parametrize("formulation", ["rotation-matrix", "newton-euler"])
def test_rows_left_out_close_too(formulation):
    """What is left in the rows in use when these are closed to rounding is left in the others divided by the pivot: up to 1e-12 if nobody looks."""
    for seed in (104, 122, 126):
        system = OVERCONSTRAINED["Bennett"](np.random.default_rng(seed))
        run = po.simulate(system, 3.0, rtol=1e-10, atol=1e-10, output_step=0.05, formulation=formulation, progress=False)
        assert max(open_rows(run), run.audit.constraint_metres, run.audit.constraint_radians) < 1e-13


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("seed", [1, 2, 4, 6, 7])
def test_singular_positions_are_passed_with_adaptive_steps(seed, formulation):
    """Sarrus's linkage folds flat, where branches meet: steps stay large, because rates near there are taken on the constraints."""
    assert agrees_with_directors(formulation, "Sarrus", seed, 0.5).audit.steps < 100


@pytest.mark.parametrize("formulation", [*FORMULATIONS, "newton-euler"])
def test_a_parallelogram_through_its_flat_positions(formulation):
    """Planar and without redundant rows; the bars lie in a line twice in a turn. Through them with many rates, and so at many distances."""
    for rate in (4.5, 6.0, 7.3):
        s = po.System("parallelogram", plane="xy", gravity=(0, -9.81))
        corners = [(0, 0), (0.6, 0.8), (2.6, 0.8), (2, 0)]
        bars = [s.body(f"bar{k}", po.Rod(radius=0.02, mass=1.0), between=corners[k : k + 2]) for k in range(3)]
        for k, pair in enumerate(zip([s.ground, *bars], [*bars, s.ground])):
            s.revolute(*pair, at=corners[k], name=f"pin{k}")
        s["pin0"].set(rate=rate)
        assert not s.check().redundant
        run = po.simulate(s, 2.0, rtol=1e-9, atol=1e-9, output_step=0.05, formulation=formulation, progress=False)
        best = po.simulate(s, 2.0, step=0.001, output_step=0.05, integrator="energy-momentum-6", progress=False)
        turned = run["pin0"].angle
        assert max(np.abs(run[b].position - best[b].position).max() for b in s.bodies) < 1e-7
        assert np.abs(turned).max() > np.pi and run.audit.steps < 300


@pytest.mark.long
@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("kind", OVERCONSTRAINED)
def test_many_overconstrained_loops_with_adaptive_steps(kind, formulation):
    """Some outputs lie within 1e-5 of a singular position, where rounding of positions changes accelerations by 1e-5 of them."""
    for seed in range(100, 120):
        assert agrees_with_directors(formulation, kind, seed, 3.0, beyond=100.0).audit.steps < 600
