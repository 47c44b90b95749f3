"""The rotation-matrix formulation: its elimination against plain linear algebra, its references, its orders, its drift."""

import numpy as np
import pytest
from numba import njit
from scipy.linalg import solve_continuous_lyapunov
from scipy.spatial.transform import Rotation

import poinsot as po
from analysis.test_reselect import ladder
from loops import four_bar
from poinsot.algebra.matrices import load33, store33
from poinsot.algebra.vectors import vector
from poinsot.formulations.rotation_matrix.lyapunov import director_accelerations
from poinsot.formulations.rotation_matrix.point_forces import moment_dyad
from poinsot.studies.dumitriu2016_models import reference
from stewart import FORCES, stewart

REFERENCE = reference()


@njit
def accelerations(E, D, Z, moment, damping, out):
    P = moment_dyad(load33(D, 0), vector(moment))
    store33(out, 0, director_accelerations(vector(E), load33(D, 0), load33(Z, 0), P, damping))


def by_lyapunov(E, D, Z, moment):
    """D'' = (P + D^-T L) E^-1 with L from the Lyapunov equation (25), solved by SciPy."""
    P = 0.5 * np.cross(moment, D.T).T
    inverse = np.diag(1.0 / E)
    right = -(D.T @ P @ inverse + inverse @ P.T @ D + 2.0 * Z.T @ Z)
    L = solve_continuous_lyapunov(inverse, right)
    assert pytest.approx(L.T, abs=1e-12 * np.abs(L).max()) == L
    return (P + np.linalg.inv(D).T @ L) @ inverse


@pytest.mark.parametrize("off", [0.0, 1e-3])
@pytest.mark.parametrize("seed", range(5))
def test_body_multipliers_are_eliminated(seed, off):
    """On directors that are orthonormal and on others."""
    rng = np.random.default_rng(seed)
    E, moment, w = rng.uniform(0.1, 2.0, 3), rng.normal(size=3), rng.normal(size=3)
    D = Rotation.random(random_state=rng).as_matrix() + off * rng.normal(size=(3, 3))
    Z, out = np.cross(w, D.T).T, np.zeros(9)
    accelerations(E, np.ascontiguousarray(D).ravel(), np.ascontiguousarray(Z).ravel(), moment, 0.0, out)
    found = out.reshape(3, 3)
    assert found == pytest.approx(by_lyapunov(E, D, Z, moment), rel=1e-12, abs=1e-12)
    assert D.T @ found + found.T @ D + 2.0 * Z.T @ Z == pytest.approx(np.zeros((3, 3)), abs=1e-13)
    if off == 0.0:  # Newton and Euler
        J = np.trace(np.diag(E)) * np.eye(3) - D @ np.diag(E) @ D.T
        alpha = np.linalg.solve(J, moment - np.cross(w, J @ w))
        assert found == pytest.approx(np.cross(alpha, D.T).T + np.cross(w, np.cross(w, D.T)).T, rel=1e-12, abs=1e-12)


def test_a_plate_has_an_axis_without_euler_inertia():
    """Inertias (1, 2, 3) of a plate: one of the values that the printed method divides by is zero."""
    E, w, moment = np.array([2.0, 1.0, 0.0]), np.array([0.3, -0.5, 0.7]), np.array([0.1, 0.2, -0.3])
    out, D = np.zeros(9), np.eye(3)
    accelerations(E, D.ravel(), np.ascontiguousarray(np.cross(w, D).T).ravel(), moment, 0.0, out)
    J = np.diag([1.0, 2.0, 3.0])
    alpha = np.linalg.solve(J, moment - np.cross(w, J @ w))
    assert out.reshape(3, 3) == pytest.approx(np.cross(alpha, D).T + np.cross(w, np.cross(w, D)).T, abs=1e-14)


def bars(angles, closed=False, spins=None):
    """Bars of the paper on spherical joints: x down, y horizontal; angles of the drawing from x, rad."""
    m, length, a, b = 0.108, 0.2, 0.02, 0.01
    s = po.System("bars", gravity=(9.81, 0, 0))
    end, parent = np.zeros(3), s.ground
    for k, angle in enumerate(angles):
        along = np.array([np.cos(angle), np.sin(angle), 0.0])
        body = s.body(f"bar{k + 1}", po.Box(length, a, b, mass=m), position=end + 0.5 * length * along, rotation=("z", angle))
        s.spherical(parent, body, at=end, name=f"ball{k + 1}")
        end, parent = end + length * along, body
    if closed:
        s.spherical(parent, s.ground, at=end, name="closing")
    return s


def angles_of(run, count):
    """Angles of the bars from x at the outputs, (n, count) rad."""
    turns = [Rotation.from_quat(run[f"bar{k + 1}"].quaternion, scalar_first=True).as_matrix() for k in range(count)]
    return np.array([np.arctan2(R[:, 1, 0], R[:, 0, 0]) for R in turns]).T


TIGHT = {"formulation": "rotation-matrix", "integrator": "dop853", "rtol": 1e-12, "atol": 1e-13}
EXACT = {"step": 1e-3, "integrator": "energy-momentum-6"}


def at_times(known):
    """Times of a reference, but for its start, with what is known then."""
    return [(float(t), values) for t, values in known.items() if float(t) > 0]


@pytest.mark.parametrize("settings", [TIGHT, {"formulation": "rotation-matrix", "integrator": "rk4", "step": 1e-4}], ids=["dop853", "rk4"])
def test_the_double_pendulum_of_the_paper(settings):
    drawn = [REFERENCE["double_pendulum"]["params"][name] for name in ("phi0", "psi0")]
    run = po.simulate(bars(drawn), 5.0, output_step=0.25, progress=False, **settings)
    for t, known in at_times(REFERENCE["double_pendulum"]["angles"]):
        if t <= 5.0:
            k = round(4 * t)
            assert angles_of(run, 2)[k] == pytest.approx([known["phi_rad"], known["psi_rad"]], abs=1e-9), t
            assert run.energy[k] == pytest.approx(run.energy[0], abs=1e-10)
            multipliers = REFERENCE["double_pendulum"]["multipliers_N_and_Nm"].get(f"{t:g}")
            if multipliers:
                for name, label in (("ball1", "Lambda01"), ("ball2", "Lambda12")):
                    assert -run[name].force[k] == pytest.approx(multipliers[label], abs=1e-8), (t, name)


@pytest.mark.parametrize("settings", [TIGHT, EXACT], ids=["rotation-matrix", "energy-momentum-6"])
@pytest.mark.parametrize("name, closed", [("open5", False), ("fourbar3_closed", True)])
def test_the_chain_and_the_closed_loop(name, closed, settings):
    known = REFERENCE["chain"][name]
    run = po.simulate(bars(known["phi0"], closed), 1.0, output_step=0.25, progress=False, **settings)
    for t, values in at_times(known["angles_rad"]):
        assert angles_of(run, len(known["phi0"]))[round(4 * t)] == pytest.approx(values["angles"], abs=2e-9), t


@pytest.mark.parametrize("settings", [TIGHT, EXACT], ids=["rotation-matrix", "energy-momentum-6"])
@pytest.mark.parametrize("case", "AB")
def test_the_stewart_platform(case, settings):
    run = po.simulate(stewart(FORCES[case]), 1.0, output_step=0.05, progress=False, **settings)
    assert Rotation.from_quat(run["platform"].quaternion[0], scalar_first=True).as_rotvec() == pytest.approx([0.1, -0.05, 0.15], abs=1e-15)
    known = at_times(REFERENCE[f"stewart_{case}"]["platform"])
    off = max(np.abs(run["platform"].position[round(20 * t)] - values["p"]).max() for t, values in known)
    turned = max(np.abs(run["platform"].rotation[round(20 * t)] - values["R_abs"]).max() for t, values in known)
    joints = max(run.audit.constraint_metres, run.audit.constraint_radians)
    print(f"case {case}, {run.audit.integrator}: platform to {off:.1e} m and {turned:.1e} rad of the reference, joints to {joints:.1e}")
    assert off < 1e-9 and turned < 1e-9 and joints < 1e-12


@pytest.mark.parametrize("settings", [{}, {"rtol": 1e-9, "atol": 1e-9}, {"integrator": "dopri5"}, {"integrator": "gauss3", "step": 0.005}])
def test_closed_systems_run_with_adaptive_steps_and_with_every_method_for_rates(settings):
    system = four_bar()
    system["base"].set(rate=2.0)
    run = po.simulate(system, 1.0, output_step=0.05, progress=False, formulation="rotation-matrix", **settings)
    best = po.simulate(system, 1.0, output_step=0.05, step=0.0025, progress=False)
    assert best.audit.formulation == "directors"
    assert max(np.abs(run[b].position - best[b].position).max() for b in system.bodies) < 1e-5
    assert max(run.audit.constraint_metres, run.audit.constraint_radians) < 1e-12 and run.audit.corrections == run.audit.steps


def test_tolerances_are_kept_for_positions_velocities_and_reactions():
    system, errors = four_bar(), []
    system["base"].set(rate=2.0)
    best = po.simulate(system, 1.0, output_step=0.05, step=0.001, progress=False)
    for tolerance in (1e-6, 1e-8, 1e-10):
        run = po.simulate(system, 1.0, output_step=0.05, rtol=tolerance, atol=tolerance, progress=False)
        pairs = [(getattr(run[b], what), getattr(best[b], what)) for b in system.bodies for what in ("position", "velocity", "acceleration")]
        errors.append([max(np.abs(a - b).max() / (1 + np.abs(b).max()) for a, b in pairs[k::3]) for k in range(3)])
        assert max(errors[-1]) < 1e3 * tolerance
    assert np.all(np.array(errors[0]) > 50 * np.array(errors[2]))


@pytest.mark.parametrize("formulation", ["rotation-matrix", "newton-euler", "tree", "tree:spatial"])
def test_rows_are_chosen_anew(formulation):
    """A ladder of parallel bars turns through a right angle and more: rows that hold it at the start do not later."""
    run = po.simulate(ladder(1.2), 8.0, output_step=0.1, rtol=1e-10, atol=1e-10, formulation=formulation, progress=False)
    best = po.simulate(ladder(1.2), 8.0, output_step=0.1, step=0.005, progress=False)
    assert run.audit.reselections > 0 and max(np.max(gap) for gap in run.openings[1:]) < 1e-12
    assert max(np.abs(run[b].position - best[b].position).max() for b in run.system.bodies) < 1e-6


def test_positions_velocities_and_reactions_keep_the_tolerances():
    """Errors after 1 s of the platform follow the tolerance, over six decades; reactions as well, which no step controls by itself."""
    system, common = stewart(FORCES["B"]), {"output_step": 0.05, "progress": False}
    best = po.simulate(system, 1.0, **common, **{**TIGHT, "rtol": 1e-13, "atol": 1e-14})
    errors = []
    for tolerance in (1e-4, 1e-6, 1e-8, 1e-10):
        run = po.simulate(system, 1.0, rtol=tolerance, atol=tolerance, **common)
        positions = max(np.abs(run[b].position - best[b].position).max() for b in system.bodies)
        velocities = max(np.abs(run[b].velocity - best[b].velocity).max() for b in system.bodies)
        forces = max(np.abs(run[j].force - best[j].force).max() / np.abs(best[j].force).max() for j in system.joints)
        errors.append([positions, velocities, forces])
        assert positions < 10 * tolerance and velocities < 100 * tolerance and forces < 300 * tolerance
    assert (np.array(errors[:-1]) > 20 * np.array(errors[1:])).all()
