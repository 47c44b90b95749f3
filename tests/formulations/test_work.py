"""Energy is balanced against work: in every formulation, by every integrator, for every load and drive alone and for all of them together."""

import numpy as np
import pytest
from scipy.integrate import cumulative_simpson

import bridge
import loaded
import poinsot as po
import random_models
from fitting import find_method, for_open_systems, integrators, runs

STEP, STEPS = 1e-3, 200
LITTLE = 1e-3  # of the change of kinetic energy: if less is exchanged, errors of the motion hide what is missing, and steps are finer
SEEN = 1e-3  # of what is exchanged: methods of order 2 do better, and a power that is left out does much worse


class Idle(Exception):
    """Nothing is exchanged, so that nothing could be missed."""


def powers(run):
    """Powers over time of all loads and drives, each once: a servo's are those of its motors."""
    own = [run[load].power for load in run.system.loads]
    return np.array(own + [run[drive].power for drive in run.system.drives if not any(drive.motors())] + [np.zeros(len(run.t))])


def unbalanced(run):
    """Energy that appeared from nowhere; work that is not the integral of the powers; what was exchanged: work or motion. J."""
    work = run.work - run.work[0]
    rates = powers(run)
    integral = cumulative_simpson(rates.sum(axis=0), x=run.t, initial=0.0)
    exchanged = np.abs(cumulative_simpson(rates, x=run.t, initial=0.0)).max()
    return np.abs(run.energy - run.energy[0] - work).max(), np.abs(work - integral).max(), exchanged


def check(system, every=True, step=STEP):
    """Balance the runs of a system, by every integrator or by one per formulation; returns their names."""
    found = runs(system, STEP * STEPS, step, every)
    for name, run in found.items():
        energy, work, exchanged = unbalanced(run)
        conservative = all(load.conservative and not np.any(getattr(load, "damping", 0.0)) for load in run.system.loads) and not run.system.drives
        scale = np.ptp(run.kinetic) if conservative else max(exchanged, np.ptp(run.energy))
        if not scale > 1e-3:
            raise Idle(f"{name}: nothing is exchanged, take another seed")
        if scale < LITTLE * np.ptp(run.kinetic) and step == STEP:
            return check(system, every, STEP / 4)
        assert energy < SEEN * scale, f"{name}: {energy} J of {scale} J appeared from nowhere"
        assert work < SEEN * scale, f"{name}: the work is {work} J apart from the integral of the powers, of {scale} J"
    return list(found)


@pytest.mark.parametrize("case", loaded.CASES)
def test_one_load_alone(case):
    """A power that is zero, of the wrong sign or twice too large is noticed: there is no other."""
    system, every = loaded.CASES[case](1), case not in loaded.WITH_FUNCTIONS
    found = check(system, every)
    if not system.drives:
        assert {formulation for formulation, _ in found} >= set(for_open_systems())
        assert not every or {integrator for _, integrator in found} == set(integrators())
    assert found


def test_every_load_and_drive_has_a_case():
    assert not loaded.missing(), "add a class to tests/oracle/loads.py, or a function to tests/loaded.py"


@pytest.mark.parametrize("seed", range(2))
def test_random_open_models(seed):
    check(bridge.to_system(*random_models.random_tree(np.random.default_rng(seed), 5)))


@pytest.mark.parametrize("seed", range(2))
def test_random_closed_models(seed):
    check(bridge.to_system(*random_models.random_loop(np.random.default_rng(seed), 4)))


def bouncing():
    """A slide that leaves a stop whose damper takes up all of its push: its power goes on, with kinks, while no rate of the state sees the stop."""
    s = po.System("gate", gravity=None)
    slide = s.prismatic(s.ground, s.body("leaf", mass=1.0, inertia=(1, 1, 1)), axis="x", name="slide")
    s.add(po.Stop(slide, lower=-1.0, upper=0.0, stiffness=20.0, damping=8.0, blend=0.05))
    s.add(po.Motor(slide, -12.0))
    s.add(po.JointDamper(slide, 0.3))
    slide.set(displacement=0.1, rate=1.0)
    return s


@pytest.mark.parametrize("integrator", [name for name in integrators() if find_method(name).adaptive])
def test_the_work_is_as_accurate_as_tolerances_ask(integrator):
    missing = []
    for rtol in (1e-6, 1e-8, 1e-10):
        run = po.simulate(bouncing(), 0.4, rtol=rtol, atol=1e-2 * rtol, formulation="tree", integrator=integrator)
        missing.append(unbalanced(run)[0])
    assert missing[0] < 2e-2 and missing[1] < 1e-3 and missing[2] < 1e-5, missing  # J, of 7.6 J


def check_a_moving_one(draw, seed):
    """Draw models until one moves: loops may have no freedom left, or hardly any room."""
    rng = np.random.default_rng(seed)
    for _ in range(5):
        try:
            return check(bridge.to_system(*draw(rng)))
        except Idle:
            continue
    raise AssertionError("five models stand still")


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 32))
def test_many_random_models(seed):
    check_a_moving_one(lambda rng: random_models.random_tree(rng, 6), seed)
    check_a_moving_one(lambda rng: random_models.random_loop(rng, 5, 1 + seed % 2), seed)
    check(loaded.CASES[list(loaded.CASES)[seed % len(loaded.CASES)]](seed))
