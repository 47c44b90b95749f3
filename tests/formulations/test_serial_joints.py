"""Joints made of motions in series: coordinates, rates, accelerations and reactions in every formulation."""

import numpy as np
import pytest

import poinsot as po
from serial_joints import FAMILIES, chain

SEEDS = range(3)


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("family", FAMILIES, ids=lambda f: f.__name__)
def test_directors_agree_with_the_tree_at_a_state(family, backwards):
    for seed in SEEDS:
        s, joint = chain(np.random.default_rng(seed), family, backwards=backwards)
        s.add(po.JointDamper(joint, 0.7))
        tree, directors = po.dynamics(s, "tree"), po.dynamics(s, "directors")
        q, v = directors.formulation.unpack(directors._raw(None)[1])
        assert np.abs(q - tree.start.coordinates).max() < 1e-12, seed
        assert np.abs(v - tree.start.rates).max() < 1e-11, seed
        wanted, found = tree.acceleration(), directors.acceleration()
        assert np.abs(found - wanted).max() < 1e-9 * np.abs(wanted).max(), seed
        effort = np.random.default_rng(seed).normal(size=len(wanted))
        wanted, found = tree.acceleration(effort=effort), directors.acceleration(effort=effort)
        assert np.abs(found - wanted).max() < 1e-9 * np.abs(wanted).max(), seed
        for name, wrench in tree.reactions().items():
            for wanted, found in zip(wrench, directors.reactions()[name]):
                assert np.abs(found - wanted).max() < 1e-8, (seed, name, wanted, found)
