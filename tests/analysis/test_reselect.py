"""The choice of redundant rows is renewed during a run where those in use become dependent, but not at singular positions."""

import numpy as np
import pytest

import poinsot as po
from measures import NAMES, open_rows
from poinsot import driver
from test_closed_references import n_four_bar

WEIGHT = 9.81 * 4


def ladder(angle, damping=0.0):
    """A beam on three parallel bars that fall towards -x; two would suffice. The third is held by its row along x as long as that is independent.

    Two of the bars are pushed apart.
    """
    s = po.System("ladder", gravity=(-9.81, 0, 0))
    along = np.array([np.cos(angle), np.sin(angle), 0.0])
    beam = s.body("beam", mass=1.0, inertia=(0.3, 0.1, 0.3), position=along + (0, 1, 0))
    for k in range(3):
        low = np.array([0.0, k, 0.0])
        bar = s.body(f"bar{k}", mass=1.0, inertia=(0.1, 0.1, 0.1), position=low + along / 2)
        s.revolute(s.ground, bar, at=low, axis="z", name=f"low{k}")
        s.revolute(bar, beam, at=low + along, axis="z", name=f"high{k}")
    s.add(po.Force(s["bar2"], (0, 4, 0)))
    s.add(po.Force(s["bar0"], (0, -4, 0)))
    if damping:
        s.add(po.JointDamper(s["low0"], damping))
    return s


def held_by(run):
    """Directions of the upper joints that were left out at the start."""
    return [found.direction for found in run.record.redundancy.redundant if found.element.name in ("high1", "high2")]


@pytest.mark.parametrize("order", NAMES)
def test_rows_that_become_dependent_on_the_way(order):
    """After a turn by 80 degrees the bars come to rest where the row along x, needed at the start, is redundant."""
    system = ladder(np.radians(100), damping=20.0)
    run = po.simulate(system, 20.0, step=0.01, output_step=0.1, integrator=NAMES[order])
    gap, rest = open_rows(run), np.pi - np.radians(100) - run["low0"].angle[-1]
    held = sum(run[f"low{k}"].force[-1] for k in range(3))
    print(f"order {order}: {run.audit.reselections} re-selections, rows hold to {gap:.1e}, {rest:.1e} rad from rest, held by {held}")
    assert "translation along y" in held_by(run) and "translation along x" not in held_by(run)
    assert run.audit.reselections == 1
    assert "re-selected 1 times" in str(run.audit)
    assert abs(rest) < 1e-5
    assert gap <= 1e-12
    assert np.abs(held - (WEIGHT, 0, 0)).max() < 1e-9
    assert run["high2"].force[-1, 1] == pytest.approx(2.0, abs=1e-9)  # half of the push
    assert np.abs(run["bar2"].angular_acceleration - run["bar0"].angular_acceleration).max() < 1e-9
    assert run.audit.energy_drift <= 1e-12 * run.audit.energy_scale
    assert run.audit.halvings == 0


@pytest.mark.parametrize("order", NAMES)
def test_a_start_near_to_dependent_rows(order):
    """A swing of 2e-5 rad about the position where rows along the bars are redundant: others are chosen at the start, bars stay parallel."""
    run = po.simulate(ladder(np.pi - 2e-5), 10.0, step=0.01, integrator=NAMES[order])
    assert "translation along x" in held_by(run) and "translation along y" not in held_by(run)
    assert run.audit.reselections == 0
    assert open_rows(run, 10) <= 1e-14
    swing = [np.abs(run[f"low{k}"].angle - run["low0"].angle).max() for k in range(3)]
    assert max(swing) <= 1e-13


def test_the_same_bits_in_parts_and_in_chunks(monkeypatch):
    """When the choice of rows is renewed depends on the state, and a resumed run knows which rows it used."""
    system, settings = ladder(np.radians(100), damping=20.0), {"step": 0.01, "integrator": NAMES[6]}
    whole = po.simulate(system, 12.0, **settings)
    (when, rows), again = whole.record.selections[0], whole.audit.reselections
    parts = [po.simulate(system, 6.0, **settings)]
    parts.append(po.simulate(system, 6.0, state=parts[0].state(), **settings))
    assert again == 1 and 1.0 < when < 11.0
    assert [run.audit.reselections for run in parts] == [1, 0] if when <= 6.0 else [0, 1]
    assert parts[1].formulation.dropped == rows or when > 6.0
    assert np.array_equal(np.concatenate([parts[0].raw, parts[1].raw[1:]]), whole.raw)
    monkeypatch.setattr(driver, "CHUNK", 0.0)
    monkeypatch.setattr(driver, "FIRST", 0)
    chunked = po.simulate(system, 12.0, **settings)
    assert np.array_equal(chunked.raw, whole.raw)
    assert chunked.record.selections == whole.record.selections


def test_reactions_come_from_the_rows_that_were_in_use():
    """Those of a run over a change of rows are those of a run that starts after it, joint by joint, although rows share them at will."""
    system, settings = ladder(np.radians(100), damping=20.0), {"step": 0.01, "integrator": NAMES[2]}
    whole = po.simulate(system, 12.0, **settings)
    ((when, rows),) = whole.record.selections
    later = po.simulate(system, 0.5, state=po.simulate(system, round(when + 0.1, 2), **settings).state(), **settings)
    k = int(np.searchsorted(whole.t, later.t[0] - 0.005))
    assert later.formulation.dropped == rows and later.audit.reselections == 0
    for name in [f"{end}{j}" for end in ("low", "high") for j in range(3)]:
        assert np.abs(whole[name].force[k : k + len(later.t)] - later[name].force).max() < 1e-9, name


@pytest.mark.parametrize("order", NAMES)
def test_singular_positions_are_passed_with_the_rows_as_they_are(order):
    run = po.simulate(n_four_bar(2), 10.0, step=0.002, integrator=NAMES[order])
    assert run.audit.redundant > 0
    assert run.audit.reselections == 0
    assert open_rows(run, 100) <= 1e-12
