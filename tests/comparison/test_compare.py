"""Comparisons: errors that are known, bounds where they are not, drifts, reasons for what does not fit, failures."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import poinsot as po
from fed_arms import fed, sampled
from loops import four_bar
from mechanisms import skater
from poinsot.formulations.registry import names as formulation_names
from poinsot.integrators.registry import all_names, find
from systems import chain, oscillator

QUICK = {"workers": 1, "progress": False}


def double_pendulum(first=1.0, second=0.6):
    """Two rods of 1 m and 1 kg on revolutes about y; angles (rad) of the first from the vertical, and of the second from the first."""
    s = po.System("double pendulum", gravity=(0, 0, -9.81))
    parent = s.ground
    for k in range(2):
        rod = s.body(f"rod{k}", po.Rod(radius=1e-3, mass=1.0), between=((0, 0, -k), (0, 0, -k - 1)))
        s.revolute(parent, rod, at=(0, 0, -k), axis="y", name=f"joint{k}")
        parent = rod
    s["joint0"].set(angle=first)
    s["joint1"].set(angle=second)
    return s


@pytest.fixture(scope="module")
def pair():
    chosen = {"formulations": ["tree", "moving-frame", "rotation-matrix"], "integrators": ["rk4", "gauss2", "gauss3", "gauss4", "dop853"]}
    return po.compare(double_pendulum(), 1.0, steps=[0.04, 0.02, 0.01], tolerances=[1e-7, 1e-10], **chosen, **QUICK)


def test_errors_fall_with_the_order_of_the_method(pair):
    found = {}
    for row in pair.rows:
        if row.step is not None and row.error_known and row.steps == round(1.0 / row.step):  # no step was halved
            found.setdefault((row.formulation, row.integrator), []).append((row.step, row.error))
    checked = 0
    for (_, integrator), points in found.items():
        if len(points) == 3:
            steps, errors = np.log(points).T
            assert np.polyfit(steps, errors, 1)[0] == pytest.approx(find(integrator).order, abs=0.35), (integrator, points)
            checked += 1
    assert checked >= 6  # rk4, gauss2, gauss3 in two formulations


def test_the_error_is_the_one_computed_by_hand(pair):
    row = next(row for row in pair.rows if (row.formulation, row.integrator, row.step) == ("rotation-matrix", "rk4", 0.01))
    run = po.simulate(double_pendulum(), 1.0, step=0.01, formulation="rotation-matrix", integrator="rk4")
    best = po.simulate(double_pendulum(), 1.0, step=0.001, formulation="moving-frame", integrator="gauss4", output_step=0.01)
    coms = np.array([[0, 0, -0.5], [0, 0, -1.5]])
    turned = [Rotation.from_rotvec([0, 1.0, 0]), Rotation.from_rotvec([0, 1.6, 0])]  # the box around centres of mass and joints at the start
    knee = turned[0].apply([0, 0, -1.0])
    points = np.array([[0, 0, 0], knee, turned[0].apply(coms[0]), knee + turned[1].apply([0, 0, -0.5])])
    size = np.linalg.norm(points.max(axis=0) - points.min(axis=0))
    assert pair.reference.size == pytest.approx(size, rel=1e-12)
    places, angles = [], []
    for name in ("rod0", "rod1"):
        places.append(np.linalg.norm(run[name].position - best[name].position, axis=1).max())
        a, b = (Rotation.from_quat(x[name].quaternion, scalar_first=True) for x in (run, best))
        angles.append((a.inv() * b).magnitude().max())
    assert row.error_known
    assert row.error_position == pytest.approx(max(places), rel=1e-3)
    assert row.error_rotation == pytest.approx(max(angles), rel=1e-3)
    assert row.error == pytest.approx(max(max(places) / size, max(angles)), rel=1e-3)
    assert row.energy_drift == pytest.approx(run.audit.energy_drift, rel=0.2) and row.gap_metres < 1e-12
    assert row.steps == 100 and row.evaluations == 400 and row.seconds > 0


def test_errors_below_the_reference_are_bounds(pair):
    assert pair.reference.agreement < 1e-11 and pair.reference.digits >= 11
    assert len({words.partition(" with ")[0] for words in pair.reference.methods}) == 2  # in two formulations
    best = next(row for row in pair.rows if (row.integrator, row.step) == ("gauss4", 0.01))
    assert not best.error_known and best.error >= pair.reference.agreement
    lines = [line for line in str(pair).splitlines() if line.startswith("tree") and "gauss4" in line and "0.01 s" in line]
    assert len(lines) == 1 and "<= " in lines[0]
    for row in pair.rows:
        assert row.error_known == (row.error >= 4 * pair.reference.agreement) or not row.error_known


def test_drifts_are_those_of_the_formulation(pair):
    """A pendulum of revolutes: no quaternions in the tree, matrices that are projected in the other."""
    for row in pair.rows:
        assert (row.attitude_drift is None) == (row.formulation in ("tree", "moving-frame")) == (row.gap_metres is None)
        assert row.attitude_drift is None or row.attitude_drift < 1e-13
        assert {"error", "energy"} <= set(row.curves) and all(len(values) == len(pair.t) for values in row.curves.values())
        assert row.curves["energy"].max() == pytest.approx(row.energy_drift_relative, rel=1e-9)
        assert row.momentum_drift is None and row.angular_momentum_drift is None


def test_without_projection_directors_drift():
    chosen = {"formulations": ["rotation-matrix", "rotation-matrix:unstabilised", "newton-euler", "tree"], "integrators": ["rk4"]}
    found = po.compare(chain(2, 0.5), 0.5, steps=[0.05], **chosen, **QUICK)
    drift = {row.formulation: row.attitude_drift for row in found.rows}
    assert drift["rotation-matrix"] < 1e-13 and drift["newton-euler"] < 1e-13
    assert drift["rotation-matrix:unstabilised"] > 1e-8 and drift["tree"] > 1e-9  # rk4 does not keep quadratic invariants


def test_the_fastest_run_of_an_accuracy(pair):
    best = pair.fastest(1e-6)
    assert best.error <= 1e-6 and all(row.seconds >= best.seconds for row in pair.rows if row.error <= 1e-6)
    with pytest.raises(po.SettingsError, match="the smallest is"):
        pair.fastest(1e-30)


def names(one):
    """Formulations and integrators that were left out for the same reason."""
    return one.name.replace(" with ", ", ").split(", ")


def test_nothing_is_left_out_silently():
    system = four_bar()
    found = po.compare(system, 0.1, steps=[0.05], tolerances=[1e-4], **QUICK)
    rows = {(row.formulation, row.integrator) for row in found.rows}
    for formulation in formulation_names():
        for integrator in all_names():
            reasons = [one for one in found.left_out if formulation in names(one) and (integrator in names(one) or " with " not in one.name)]
            assert ((formulation, integrator) in rows) != bool(reasons), (formulation, integrator)
    frame = next(one for one in found.left_out if one.name == "moving-frame")
    assert "'foot' closes a loop" in frame.reason and "Left out:" in str(found) and "director stages" in str(found)
    assert all(row.gap_metres is not None and not row.failure for row in found.rows)
    assert found.reference.agreement < 1e-10


def test_without_steps_only_adaptive_methods_run():
    found = po.compare(double_pendulum(), 0.2, tolerances=[(1e-6, 1e-8)], formulations=["tree"], **QUICK)
    assert {row.integrator for row in found.rows} == {"dopri5", "dop853", "adams"} and {row.atol for row in found.rows} == {1e-8}
    assert any("rk4" in one.name and "give step=" in one.reason for one in found.left_out)


def test_failures_are_rows():
    """Euler angles of a rod that hangs are singular at the start."""
    chosen = {"formulations": ["tree", "newton-euler:euler"], "integrators": ["rk4"]}
    found = po.compare(double_pendulum(np.pi / 2, 0.0), 0.2, steps=[0.02, 0.01], **chosen, **QUICK)
    failed = [row for row in found.rows if row.failure]
    hanging = po.compare(double_pendulum(0.0, 0.0), 0.2, steps=[0.02, 0.01], **chosen, **QUICK)
    failed += [row for row in hanging.rows if row.failure]
    assert failed and all(row.formulation == "newton-euler:euler" and "singular" in row.failure and row.error is None for row in failed)
    text = str(found) + str(hanging)
    assert "failed" in text and "Failed:" in text and "singular" in text and "and 1 more run of it" in text
    assert len(found.succeeded) >= 2


def test_runs_over_the_time_limit_are_stopped():
    chosen = {"formulations": ["moving-frame"], "integrators": ["rk4"]}
    found = po.compare(chain(3), 50.0, steps=[0.0002], time_limit=0.3, **chosen, **QUICK)
    assert "time_limit" in found.rows[0].failure and "stopped after 0.3 s" in found.rows[0].failure


def free_body():
    s = po.System("tumbling", gravity=None)
    s.body("box", po.Box(1.0, 2.0, 3.0, mass=1.0)).set(angular_velocity=(0.1, 3.0, 0.2))
    return s


def at_rest():
    s = po.System("at rest", gravity=None)
    s.body("ball", po.Sphere(0.5, mass=1.0))
    return s


def welded():
    s = po.System("welded", gravity=(0, 0, -9.81))
    s.fixed(s.ground, s.body("ball", po.Sphere(0.5, mass=1.0)), at=(0, 0, 0))
    return s


def planar():
    s = po.System("planar", plane="xy", gravity=(0, -9.81))
    rod = s.body("rod", po.Rod(radius=0.02, mass=1.0), between=((0, 0), (1, 0)))
    s.revolute(s.ground, rod, at=(0, 0), name="pin")
    return s


def driven():
    s = four_bar()
    s.add(po.Motion(s["base"].angle, po.Signal(lambda t: 0.3 * t)))
    return s


SLOW = pytest.mark.long
SLOWER = [pytest.param(make, marks=SLOW) for make in (driven, skater, fed, sampled)]
KINDS = [free_body, at_rest, welded, planar, *SLOWER, lambda: oscillator(damping=0.3)]


@pytest.mark.filterwarnings("ignore::poinsot.errors.ModelWarning")
@pytest.mark.parametrize("make", KINDS, ids=["free", "at rest", "welded", "planar", "driven", "nonholonomic", "fed back", "sampled", "damped"])
def test_every_kind_of_system(make):
    found = po.compare(make(), 0.2, steps=[0.02, 0.01], tolerances=[1e-8], **QUICK)
    assert found.rows and not [row.failure for row in found.rows if row.failure]
    assert found.reference.agreement is not None and found.reference.until == pytest.approx(0.2)
    numbers = [value for row in found.rows for value in row.to_dict().values() if isinstance(value, float)]
    assert np.isfinite(numbers).all() and all(row.error < 0.01 for row in found.rows)
    assert all(row.curves["energy"].max() == pytest.approx(row.energy_drift_relative, rel=1e-6, abs=1e-15) for row in found.rows)
    assert "Comparison of" in str(found) and found.growth.time is None


def test_systems_that_do_not_move_are_named():
    chosen = {"formulations": ["tree"], "integrators": ["rk4"]}
    still = po.compare(double_pendulum(0.0, 0.0), 0.2, steps=[0.02], **chosen, **QUICK)
    brief = po.compare(double_pendulum(), 1e-6, steps=[1e-7], **chosen, **QUICK)
    moving = po.compare(double_pendulum(0.0, 1e-6), 0.2, steps=[0.02], **chosen, **QUICK)
    assert "the system does not move, so that errors do not tell methods apart" in still.reference.words
    assert "the system hardly moves (by " in brief.reference.words and "apart" not in moving.reference.words


def test_free_bodies_keep_their_momenta():
    found = po.compare(free_body(), 0.5, steps=[0.01], tolerances=[1e-8], **QUICK)
    assert all(row.momentum_drift < 1e-12 and row.angular_momentum_drift < 1e-3 for row in found.rows)
    assert any("energy-momentum" in row.integrator and row.angular_momentum_drift < 1e-13 for row in found.rows)


def test_events_are_compared_as_well():
    s = double_pendulum(0.3, 0.2)
    blow = po.Event(0.1, po.Impulse(s["rod1"], (0.5, 0, 0)))
    chosen = {"formulations": ["tree", "newton-euler", "directors"], "integrators": ["gauss3", "energy-momentum-6"]}
    found = po.compare(s, 0.4, steps=[0.01], events=[blow], **chosen, **QUICK)
    assert not [row.failure for row in found.rows if row.failure] and len(found.rows) == 3
    assert found.reference.agreement < 1e-9 and all(row.error < 1e-5 for row in found.rows)
    assert len(found.run(found.rows[0]).impulses) == 1


WRONG = [
    ({"duration": 0.0}, "duration must be a positive time"),
    ({"duration": float("nan")}, "duration must be a positive time"),
    ({"step": -1.0}, "step must be a positive time"),
    ({"step": 0.03}, "not a multiple of the step 0.03 s.*give step 0.0333333333 or duration 0.09"),
    ({"step": 0.01, "steps": [0.01]}, "either step=.* or steps="),
    ({"steps": []}, "steps must be a list of times"),
    ({"steps": [0.01, 0.01]}, "steps must be different"),
    ({"steps": 0.01}, "steps must be a list"),
    ({"step": 0.01, "tolerances": [2.0]}, "each of tolerances must be a relative tolerance between 0 and 1"),
    ({"step": 0.01, "tolerances": [(1e-3, -1.0)]}, "not negative"),
    ({"step": 0.01, "tolerances": 1e-3}, "tolerances must be a list"),
    ({"step": 0.01, "workers": 0}, "workers must be a whole number of at least 1"),
    ({"step": 0.01, "workers": "two"}, "workers must be a whole number"),
    ({"step": 0.01, "formulations": "tree"}, "formulations must be a list of names"),
    ({"step": 0.01, "formulations": ["tre"]}, "there is no formulation 'tre'"),
    ({"step": 0.01, "integrators": ["rk5"]}, "there is no integrator 'rk5'"),
    ({"step": 0.01, "integrators": []}, "integrators must be a list of names"),
    ({"step": 0.01, "start": "now"}, "start must be a time"),
    ({"step": 0.01, "time_limit": 0.0}, "time_limit must be a positive time"),
    ({"step": 0.01, "progress": 3}, "progress must be True or False"),
    ({"step": 1e-300}, "more than 1e.15 steps"),
]


@pytest.mark.parametrize(("settings", "words"), WRONG, ids=lambda value: str(value)[:40])
def test_wrong_settings(settings, words):
    with pytest.raises((po.SettingsError, po.FormulationError), match=words):
        po.compare(double_pendulum(), **({"duration": 0.1} | settings))


def test_when_nothing_fits_all_reasons_are_given():
    with pytest.raises(po.FormulationError, match=r"no formulation and integrator can be compared.*'foot' closes a loop"):
        po.compare(four_bar(), 0.1, step=0.01, formulations=["moving-frame"])
    with pytest.raises(po.FormulationError, match="director stages"):
        po.compare(double_pendulum(), 0.1, step=0.01, formulations=["tree"], integrators=["energy-momentum"])
    with pytest.raises(po.SettingsError, match=r"a po\.System"):
        po.compare("model.yaml", 0.1)
