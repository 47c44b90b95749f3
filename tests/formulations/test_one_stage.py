"""Newton's method of steps of one stage: its unsymmetric elimination against a dense one, and how few iterations steps need."""

import numpy as np
import pytest
from numba import float64

import mechanisms
import poinsot as po
from loops import four_bar
from measures import NAMES
from poinsot.algebra.compile import compiled
from poinsot.linear.pattern import BLOCKS, GROUPS, analyse
from poinsot.linear.unsymmetric import assemble_both, factor_both, solve_both
from poinsot.tables.types import FLOATS, INTEGERS


@compiled(float64(INTEGERS, FLOATS, FLOATS, FLOATS, FLOATS, FLOATS, FLOATS))
def solved(pattern, legs, weighted, blocks, mirrored, diagonal, x):
    """Replace x by S^-1 x; returns the smallest relative pivot."""
    assemble_both(pattern, legs, weighted, 18, blocks, mirrored, diagonal)
    smallest = factor_both(pattern, blocks, mirrored, diagonal)
    solve_both(pattern, blocks, mirrored, x)
    return smallest


BODIES_OF = {
    "chain": [[1], [1, 2], [2, 3], [3, 4]],
    "loop": [[1], [1, 2], [2, 3], [3, 4], [4]],
    "net": [[1, 2], [2, 3], [1, 3], [1, 4], [4, 5], [2, 5], [5]],
}


@pytest.mark.parametrize("name", BODIES_OF)
def test_unsymmetric_elimination(name):
    """Against a dense solution: groups of three rows on one or two bodies, some of them not full."""
    rng = np.random.default_rng(7)
    bodies_of = BODIES_OF[name]
    filled = [3] * (len(bodies_of) - 1) + [2]
    p = analyse(bodies_of, filled)
    legs = rng.normal(size=(len(p.leg_body), 2, 3, 3))
    weighted = legs + 0.05 * rng.normal(size=legs.shape)
    groups = np.repeat(np.arange(len(p.order)), np.diff(p.leg_start))
    full = np.array([[k < filled[g] for k in range(3)] for g in p.order])
    for array in (legs, weighted):
        array[~full[groups].repeat(2, axis=0).reshape(len(groups), 2, 3)] = 0.0
    S = np.zeros((3 * len(p.order), 3 * len(p.order)))
    for i, j in np.ndindex(len(groups), len(groups)):
        if p.leg_body[i] == p.leg_body[j]:
            a, b = 3 * groups[i], 3 * groups[j]
            S[a : a + 3, b : b + 3] += np.einsum("fik,fjk->ij", weighted[i], legs[j])
    S[~full.ravel(), ~full.ravel()] = 1.0
    x = rng.normal(size=len(S))
    found, size = x.copy(), 9 * int(p.numbers[BLOCKS])
    room = np.full(size, np.nan), np.full(size, np.nan), np.full(3 * int(p.numbers[GROUPS]), np.nan)
    smallest = solved(p.numbers, legs.ravel(), weighted.ravel(), *room, found)
    assert np.abs(S - S.T).max() > 0.01, "this is symmetric"
    np.testing.assert_allclose(found, np.linalg.solve(S, x), rtol=1e-9, atol=1e-9)
    assert 0.0 < smallest <= 1.0


@pytest.mark.parametrize(("name", "most"), [("four-bar", 3.0), ("chain", 4.5)])
def test_steps_of_one_stage_converge_quadratically(name, most):
    """With a matrix that lacks terms of the first order in the step they would need twice as many iterations."""
    build = {"four-bar": four_bar, "chain": mechanisms.swinging_chain}[name]
    run = po.simulate(build(), 2.0, step=0.005, integrator=NAMES[2])
    effort = run.audit.iterations / run.audit.steps
    print(f"{name}: {effort:.2f} iterations per step")
    assert effort <= most
    assert run.audit.energy_drift <= 1e-13 * run.audit.energy_scale


def test_a_new_matrix_where_corrections_shrink_slowly():
    """Six bodies that tumble at 40 rad/s and more: with the matrix of the prediction they need half as many iterations again."""
    s = po.System("tumbling", gravity=None)
    bodies = [s.body(f"b{k}", po.Box(0.2, 0.3, 1.0, mass=1.0 + 0.3 * k), position=(0, 0, k)) for k in range(6)]
    for k in range(5):
        s.spherical(bodies[k], bodies[k + 1], at=(0, 0, k + 0.5)).set(rate=(3.0 * (-1) ** k, 6.0, 3.0 * k))
    bodies[0].set(angular_velocity=(30.0, 18.0, 6.0))
    run = po.simulate(s, 1.0, step=0.01, integrator=NAMES[2])
    effort = run.audit.iterations / run.audit.steps
    print(f"{effort:.2f} iterations per step, {run.audit.newton_steps} rescues")
    assert effort <= 7.5 and run.audit.newton_steps == 0
    assert run.audit.energy_drift <= 1e-13 * run.audit.energy_scale


def test_stiff_loads_are_accelerated():
    """A damper that stops a body within a few steps is not in the matrix; one direction is learned at once."""
    s = po.System("braked", gravity=(0, 0, -9.81))
    bar = s.body("bar", po.Rod(radius=0.02, mass=1.0), between=((0, 0, 0), (1, 0, 0)))
    hinge = s.revolute(s.ground, bar, at=(0, 0, 0), axis="y", name="hinge")
    s.add(po.JointDamper(hinge, 20.0))
    s.add(po.TorsionSpring(hinge, stiffness=200.0))
    run = po.simulate(s, 1.0, step=0.01, integrator=NAMES[2])
    effort = run.audit.iterations / run.audit.steps
    print(f"{effort:.2f} iterations per step")
    assert effort <= 7.0
