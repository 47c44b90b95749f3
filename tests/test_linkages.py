"""Random overconstrained linkages: their joints stay closed and their energy is conserved, whatever the step."""

import numpy as np
import pytest

import poinsot as po
from linkages import KINDS

CLOSED = 1e-11  # m and rad, and of the energy scale
FREEDOMS = {"equal cranks": (1,), "Bennett": (1,), "Sarrus": (1,), "spherical loop": (1, 2)}


def audit_of(kind, seed, step, duration):
    system = KINDS[kind](np.random.default_rng(seed))
    found = system.check()
    assert found.degrees_of_freedom in FREEDOMS[kind] and found.redundant, found
    return po.simulate(system, duration, step=step, output_step=0.05).audit


def assert_true(audit, energy=CLOSED):
    assert max(audit.constraint_metres, audit.constraint_radians) <= CLOSED
    assert audit.energy_drift <= energy * audit.energy_scale


@pytest.mark.parametrize("step", [0.01, 0.002])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", KINDS)
def test_linkages_stay_closed(kind, seed, step):
    assert_true(audit_of(kind, seed, step, 2.0))


@pytest.mark.long
@pytest.mark.parametrize("seeds", range(10))
@pytest.mark.parametrize("kind", KINDS)
def test_two_hundred_linkages(kind, seeds):
    """50 of each kind, steps of 10, 2 and 0.5 ms: none of them stops, even where a step ends next to a singular position."""
    worst = []
    for seed in range(100 + 5 * seeds, 105 + 5 * seeds):
        for step in (0.01, 0.002, 0.0005):
            audit = audit_of(kind, seed, step, 5.0)
            assert_true(audit)
            worst.append((audit.constraint_metres, audit.constraint_radians, audit.energy_drift / audit.energy_scale))
    print(f"{kind}: open by {np.max(worst, axis=0)[:2]} m, rad; energy {np.max(worst, axis=0)[2]:.1e}")


@pytest.mark.parametrize("seed, step", [(104, 0.002), (134, 0.01), (160, 0.005), (165, 0.01), (167, 0.01), (218, 0.002)])
def test_singular_positions_are_passed(seed, step):
    """Linkages that come within 1e-5 of a position where branches meet, several times: rounding that nearly dependent rows amplify is not
    solved for, and multipliers are solved for as well as velocities are. With steps of 0.01 the runs would stop if energy stayed in
    velocities that joints forbid (`directors/give_back.py`).
    """
    audit = audit_of("Sarrus", seed, step, 5.0)
    assert_true(audit)
    assert audit.newton_steps > 0 and audit.forbidden < 0.2


@pytest.mark.parametrize("seed", [104, 146])
def test_closing_gaps_gains_no_energy(seed):
    """Gaps are rounding, but next to singular positions multipliers are so large that closing them would change energy by 1e-11."""
    audit = audit_of("Sarrus", seed, 0.0005, 5.0)
    assert_true(audit)
    assert audit.energy_drift <= 1e-12 * audit.energy_scale


def test_a_run_whose_joints_open_stops(monkeypatch):
    """Rows that are left out although they are needed: the run reports which joint opens, and its results are closed."""
    from poinsot.analysis import start

    needed = start.Start.dropped.fget
    monkeypatch.setattr(start.Start, "dropped", property(lambda self: [*needed(self), 25, 27]))
    system = KINDS["equal cranks"](np.random.default_rng(2))
    with pytest.raises(po.RunError, match="joints come apart, revolute '(low|high)") as caught:
        po.simulate(system, 2.0, step=0.002)
    run = caught.value.trajectory
    assert max(np.max(x) for x in run.openings[1:]) <= 1e-8
