"""Derivatives next to singular positions: those of the branch, however close, and the runs that need them."""

from functools import cache

import numpy as np
import pytest
from numpy.polynomial import Chebyshev
from test_rotation_matrix_projection import agrees_with_directors

import poinsot as po
from linkages import sarrus
from poinsot.tables.types import OK

FORMULATIONS = ("rotation-matrix", "tree", "newton-euler")
SEED, FLAT = 106, 0.4434929  # s, when that linkage is flat
AROUND, GAP = 0.05, 0.006  # s, of outputs that polynomials are fitted to
DISTANCES = (1e-3, 3e-4, 1e-4, 1e-5, 1e-6, 1e-7)  # s


class Branch:
    """States of a run through a singular position, as polynomials, and rates of its equations at them."""

    def __init__(self, formulation):
        system = sarrus(np.random.default_rng(SEED))
        run = po.simulate(system, 0.504, rtol=1e-11, atol=1e-11, output_step=0.001, formulation=formulation, progress=False)
        self.frozen, self.equations = run.frozen, run.formulation
        self.near = int(self.frozen.layout.places[0]["efforts"])
        away = np.abs(run.t - FLAT)
        used = (away < AROUND) & (away > GAP)
        self.states = [Chebyshev.fit(run.t[used], column, 14, domain=[FLAT - AROUND, FLAT + AROUND]) for column in run.raw[used].T]

    def rates(self, t, near=1e-6, beside=0.0, of=None):
        """Derivatives of velocities at a state of the branch, moved `beside` it; `near`: the pivot at the last look; `of` other equations."""
        frozen, equations = of or (self.frozen, self.equations)
        y = np.array([state(t) for state in self.states]) + beside
        y[self.near] = near
        found, layout = np.zeros_like(y), frozen.layout.with_positions(equations.rates.positions)
        assert equations.rates.velocity(t, y, layout, np.zeros(equations.work_size), found) == OK
        return found[equations.velocities or slice(int(layout.places[0]["velocities"]), self.near)]


branch = cache(Branch)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_accelerations_next_to_singular_positions(formulation):
    """On one branch they are smooth; gaps that rounding leaves are divided by the cube of the distance, and would show from 1e-4 s on."""
    path = branch(formulation)
    times = FLAT + np.concatenate([np.linspace(-0.04, -0.012, 40), np.linspace(0.012, 0.04, 40)])
    smooth = [Chebyshev.fit(times, column, 12, domain=[FLAT - AROUND, FLAT + AROUND]) for column in np.array([path.rates(t) for t in times]).T]
    rng = np.random.default_rng(0)
    for distance in DISTANCES:
        worst = 0.0
        for side in (-1.0, 1.0):
            t = FLAT + side * distance
            beside = 1e-10 * rng.normal(size=len(path.states)) if formulation == "tree" else 0.0
            exact = np.array([column(t) for column in smooth])
            worst = max(worst, np.abs(path.rates(t, beside=beside) - exact).max() / np.abs(exact).max())
        print(f"{formulation}, {distance:g} s: {worst:.1e}")
        assert worst < 1e-7


def test_loads_that_set_in_nearby():
    """A stop that does not touch yet has no effect, though states around, further along,: rates are those at the state, with the noise there."""
    path, system = branch("tree"), sarrus(np.random.default_rng(SEED))
    before = po.simulate(sarrus(np.random.default_rng(SEED)), 0.443, output_step=0.001, rtol=1e-10, atol=1e-10, progress=False)["a0"]
    angle, ahead = before.angle[-1], np.sign(before.rate[-1])
    limits = {"lower": -10.0, "upper": angle + 0.006} if ahead > 0 else {"lower": angle - 0.006, "upper": 10.0}
    system.add(po.Stop(system["a0"].angle, stiffness=1e4, blend=1e-3, name="stop", **limits))
    run = po.simulate(system, 0.001, rtol=1e-10, atol=1e-10, formulation="tree", progress=False)
    t = FLAT - 1e-4
    free, stopped = path.rates(t), path.rates(t, of=(run.frozen, run.formulation))
    assert np.abs(stopped - free).max() < 1e-2 * np.abs(free).max()


@pytest.mark.parametrize(("formulation", "seed"), [("tree", s) for s in (101, 106, 109, 112)] + [("rotation-matrix", s) for s in (222, 224, 230)])
def test_steps_with_stages_next_to_singular_positions(formulation, seed):
    """Steps are as large there as elsewhere; with noise among the rates smaller ones are no better, and a run would stop."""
    run = agrees_with_directors(formulation, "Sarrus", seed, 0.75, beyond=100.0)
    assert run.audit.steps < 120 and run.audit.rejections < 20
