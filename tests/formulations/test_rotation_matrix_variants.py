"""Variants of the rotation-matrix formulation: elimination in one step, stabilisation, the printed form, multipliers that are held."""

import numpy as np
import pytest

import bridge
import poinsot as po
import random_models
from analysis.test_reselect import ladder
from formulations.test_rotation_matrix import REFERENCE, angles_of, bars
from loops import four_bar
from stewart import FORCES, stewart

NAME = "rotation-matrix"


def orthonormality(run):
    """Largest entry of D'D - 1 of all bodies at every output."""
    n = len(run.frozen.layout.bodies)
    D = run.raw[:, : 12 * n].reshape(-1, n, 12)[:, 1:, 3:].reshape(len(run.t), n - 1, 3, 3)
    return np.abs(np.einsum("tbji,tbjk->tbik", D, D) - np.eye(3)).max(axis=(1, 2, 3))


def final(system, options, integrator="rk4", step=1e-3, duration=0.2):
    """The last state of a short run, poses and velocities of all bodies."""
    name = f"{NAME}:{options}" if options else NAME
    run = po.simulate(system, duration, step=step, formulation=name, integrator=integrator, progress=False)
    last = [
        np.concatenate([run[b].position[-1], run[b].quaternion[-1], run[b].velocity[-1], run[b].angular_velocity[-1]])
        for b in system.bodies
    ]
    return np.concatenate(last), run


def swinging_four_bar():
    system = four_bar()
    system["base"].set(rate=2.0)
    return system


SYSTEMS = {
    "bars": lambda: bars([0.3, -0.4, 1.0]),
    "loop": lambda: bars([0.2, 1.0, 2.6], closed=True),
    "four-bar": swinging_four_bar,
    "Stewart platform": lambda: stewart(FORCES["B"]),
    "redundant": lambda: ladder(0.4),
}


def rates_of(run, states):
    """Derivatives of these states, with the equations of a run."""
    layout, equations = run.frozen.layout, run.formulation
    found = np.zeros_like(states)
    for y, ydot in zip(states, found):
        assert equations.rates.velocity(0.0, y, layout, np.zeros(equations.work_size), ydot) == 0
    return found


def assert_same_rates(system, stabilisation, tolerance):
    """Of both eliminations, at states on the constraints."""
    states = final(system, "", duration=0.02)[1].raw[::5].copy()
    one, two = (rates_of(final(system, f"{way},{stabilisation}", duration=1e-3)[1], states) for way in ("one-step", "two-step"))
    assert one == pytest.approx(two, abs=tolerance * np.abs(two).max())
    assert np.abs(two).max() > 0.1


@pytest.mark.parametrize("stabilisation", ["projection", "baumgarte=5"])
@pytest.mark.parametrize("name", SYSTEMS)
def test_one_step_agrees_with_two_steps(name, stabilisation):
    assert_same_rates(SYSTEMS[name](), stabilisation, 1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_one_step_agrees_with_two_steps_on_random_trees(seed):
    model, q, u = random_models.random_tree(np.random.default_rng(seed), 5)
    assert_same_rates(bridge.to_system(model, q, u), "projection", 1e-12)


def error(options, step):
    """Error of the second angle of the double pendulum after 1 s."""
    drawn = [REFERENCE["double_pendulum"]["params"][name] for name in ("phi0", "psi0")]
    run = final(bars(drawn), options, step=step, duration=1.0)[1]
    return abs(angles_of(run, 2)[-1, 1] - REFERENCE["double_pendulum"]["angles"]["1"]["psi_rad"])


@pytest.mark.parametrize("options", ["frozen", "frozen,one-step", "frozen,baumgarte=20", "frozen,unstabilised"])
def test_multipliers_that_are_held_make_every_method_first_order(options):
    """The paper takes them as piecewise constant without major influence."""
    coarse, fine = error(options, 2e-3), error(options, 1e-3)
    assert np.log2(coarse / fine) == pytest.approx(1.0, abs=0.15)
    assert fine > 1e-3 > 1e4 * error("", 1e-3)


@pytest.mark.parametrize("options", ["", "one-step", "unstabilised", "baumgarte=20"])
def test_multipliers_at_every_stage_keep_the_order(options):
    assert np.log2(error(options, 8e-3) / error(options, 4e-3)) > 3.5


def test_drift_with_and_without_stabilisation():
    """Of a closed loop of bars, with rk4 at 4 ms: it grows without, is bounded with Baumgarte's terms, and is rounding with projection."""
    found = {}
    for options in ("unstabilised", "baumgarte=5", "projection"):
        run = final(bars([0.2, 1.0, 2.6], closed=True), options, step=4e-3, duration=20.0)[1]
        errors = orthonormality(run)
        found[options] = errors[:1250].max(), errors[-1250:].max(), run.audit.constraint_metres
    early, late, open_ = found["unstabilised"]
    assert late > 10 * early and open_ > 1e-7
    early, late, open_ = found["baumgarte=5"]
    assert late < 2 * early < 1e-8 and 1e-12 < open_ < 1e-9
    assert max(found["projection"]) < 1e-14


def test_the_printed_form_is_unstable_under_compression():
    """Errors of D'D grow exponentially in the bodies of the platform, and do not with D^-T in place of D."""
    system = stewart(FORCES["A"])
    printed = orthonormality(final(system, "printed,unstabilised", duration=0.6)[1])
    cured = orthonormality(final(system, "unstabilised", duration=0.6)[1])
    assert printed[600] > 1e-6 and printed[600] > 30 * printed[500]
    assert cured.max() < 1e-10


def test_a_pendulum_upside_down_shows_the_growth_of_the_printed_form():
    """A bar on a spherical joint above its support is under compression: D'D - 1 grows as exp(sqrt(2 Lambda / K) t)."""
    s = po.System("upright", gravity=(0, 0, -9.81))
    bar = s.body("bar", po.Box(0.02, 0.01, 0.2, mass=0.108), position=(0, 0, 0.1))
    s.spherical(s.ground, bar, at=(0, 0, 0), name="foot")
    growth = {}
    for options in ("printed,unstabilised", "unstabilised"):
        ready = po.prepare(s, step=1e-3, formulation=f"{NAME}:{options}", integrator="rk4")
        state = ready.run(1e-3, progress=False).state(0)
        first = 12 + 3
        state.raw["y"][first : first + 9] *= 1.0 + 0.5e-8
        errors = orthonormality(ready.run(0.4, state=state, progress=False))
        growth[options] = np.log(errors[400] / errors[200]) / 0.2
    assert growth["printed,unstabilised"] == pytest.approx(np.sqrt(12 * 9.81 / 0.2), rel=1e-2)
    assert abs(growth["unstabilised"]) < 0.5


@pytest.mark.parametrize("options", ["one-step", "frozen", "unstabilised,printed", "baumgarte=10"])
def test_variants_continue_to_the_bit(options):
    settings = {"step": 1e-3, "formulation": f"{NAME}:{options}", "integrator": "rk4", "progress": False}
    whole = po.simulate(swinging_four_bar(), 0.1, **settings)
    assert whole.audit.formulation == f"{NAME}:{options}"
    first = po.simulate(swinging_four_bar(), 0.05, **settings)
    rest = po.simulate(swinging_four_bar(), 0.05, start=0.05, state=first.state(), **settings)
    assert np.array_equal(rest.raw[-1], whole.raw[-1])


@pytest.mark.parametrize(
    "options, words",
    [
        ("onestep", "did you mean 'one-step'"),
        ("one-step,two-step", "choose one of the options 'one-step' and 'two-step'"),
        ("baumgarte,unstabilised", "choose one"),
        ("baumgarte=-3", "positive number in 1/s"),
        ("baumgarte=many", "positive number in 1/s"),
        ("frozen=2", "has no option 'frozen=2'"),
        ("", "has no option ''"),
        ("one-step,printed", "leave out 'one-step'"),
        ("frozen,frozen", "choose one"),
    ],
)
def test_wrong_options_are_refused_in_words(options, words):
    with pytest.raises(po.FormulationError, match=words):
        po.simulate(bars([0.1]), 0.1, formulation=f"{NAME}:{options}", progress=False)


def test_formulations_without_options_say_so():
    with pytest.raises(po.FormulationError, match="'moving-frame' has no options: leave out ':fast'"):
        po.simulate(bars([0.1]), 0.1, formulation="moving-frame:fast", progress=False)


def test_a_plate_is_refused_where_its_thickness_would_be_divided_by():
    s = po.System("plate", gravity=None)
    plate = s.body("plate", mass=1.0, inertia=(1.0, 2.0, 3.0))
    s.spherical(s.ground, plate, at=(0.5, 0, 0), name="ball")
    po.simulate(s, 0.01, formulation=f"{NAME}:unstabilised", progress=False)
    with pytest.raises(po.FormulationError, match="'plate' is flat"):
        po.simulate(s, 0.01, formulation=f"{NAME}:one-step", progress=False)
