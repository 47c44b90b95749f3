"""Stages whose rates carry rounding errors far above those of the state: steps are not halved for that."""

import numpy as np
import pytest

import poinsot as po


def thin_rods(radius):
    """Two rods of 1 m and 1 kg on revolutes: the inertia about their axes is `radius`^2 / 2, and the joints' forces cancel on it."""
    s = po.System("thin rods", gravity=(0, 0, -9.81))
    parent = s.ground
    for k, angle in enumerate((1.0, 0.5)):
        rod = s.body(f"rod{k}", po.Rod(radius=radius, mass=1.0), between=((0, 0, -k), (0, 0, -k - 1)))
        s.revolute(parent, rod, at=(0, 0, -k), axis="y").set(angle=angle)
        parent = rod
    return s


@pytest.mark.parametrize("formulation", ["rotation-matrix", "newton-euler", "rotation-matrix:spatial", "newton-euler:spatial"])
def test_thin_rods_are_not_halved(formulation):
    """In the plane nothing cancels; in space much does."""
    for radius in (1e-3, 1e-4):
        settings = {"output_step": 0.5, "step": 0.01, "integrator": "gauss3"}
        run = po.simulate(thin_rods(radius), 2.0, formulation=formulation, **settings)
        tree = po.simulate(thin_rods(radius), 2.0, formulation="tree", **settings)
        assert run.audit.halvings == 0
        assert run.audit.evaluations < 2.5 * tree.audit.evaluations
        assert np.abs(run["rod1"].position - tree["rod1"].position).max() < 1e-8
