"""Reactions are called unique where no dependency between constraint rows reaches: against the null space of all rows, by singular values."""

import numpy as np
import pytest

import bridge
import poinsot as po
import random_models
from poinsot.analysis.constraints import Geometry

BATCH = 15


def involved(frozen, coordinates):
    """Names of the elements whose rows are part of a dependency between rows."""
    geometry = Geometry(frozen)
    blocks = geometry.rows(geometry.poses(coordinates), coordinates)[1]
    J = geometry.jacobian(blocks, geometry.row_bodies).toarray()
    size = np.linalg.norm(J, axis=1)
    left, values, _ = np.linalg.svd(J / size[:, None])
    rank = np.count_nonzero(values > 1e-9)
    part = np.abs(left[:, rank:]).max(axis=1, initial=0.0)
    return {frozen.owners[k].name for k in frozen.layout.rows["joint"][part > 1e-7]}


@pytest.mark.parametrize("start", range(0, 60, BATCH))
def test_reactions_of_random_loops(start):
    redundant = 0
    for seed in range(start, start + BATCH):
        rng = np.random.default_rng(seed)
        system = bridge.to_system(*random_models.random_loop(rng, int(rng.integers(4, 8)), n_loops=int(rng.integers(1, 4)), loads=False))
        d = po.dynamics(system, "directors")
        expected = involved(d.frozen, d.state().coordinates)
        assert set(d.ambiguous) == expected, seed
        redundant += len(expected) > 0
    assert redundant > 0
