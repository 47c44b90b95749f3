"""An integrator added as CONTRIBUTING.md says, its module and one line in the registry, runs on every system that has rates."""

import sys
from types import ModuleType

import numpy as np
import pytest

import poinsot as po
from poinsot.integrators import registry
from poinsot.integrators.contract import Method
from systems import chain


def ralston():
    """The second-order method of Ralston (1962)."""
    from poinsot.integrators.explicit import explicit_step, tableau

    return Method(
        name="ralston",
        order=2,
        step=explicit_step,
        constants=tableau(np.diag([2 / 3], -1), weights=[1 / 4, 3 / 4], nodes=[0, 2 / 3]),
        memory=lambda ny: 0,
        scratch=lambda ny: 3 * ny,
    )


@pytest.fixture
def added(monkeypatch):
    module = ModuleType("ralston_method")
    module.method = ralston
    monkeypatch.setitem(sys.modules, "ralston_method", module)
    monkeypatch.setitem(registry.METHODS, "ralston", registry.Entry("ralston_method"))


def test_it_has_its_order(added):
    best = po.simulate(chain(2), 0.5, step=0.005, integrator="gauss4")["link2"].position[-1]
    errors = [np.abs(po.simulate(chain(2), 0.5, step=h, integrator="ralston")["link2"].position[-1] - best).max() for h in (2e-3, 1e-3, 5e-4)]
    orders = np.log2(np.divide(errors[:-1], errors[1:]))
    assert np.abs(orders - 2.0).max() < 0.1, orders


def test_what_does_not_fit_is_said_in_words(added):
    with pytest.raises(po.SettingsError, match="needs rates, which formulation 'directors' does not have: use energy-momentum"):
        po.simulate(chain(2), 0.1, step=0.01, integrator="ralston", formulation="directors")
    with pytest.raises(po.SettingsError, match="needs director stages, which formulation 'tree' does not have: use rk4, .*ralston"):
        po.simulate(chain(2), 0.1, step=0.01, integrator="energy-momentum", formulation="tree")
    with pytest.raises(po.SettingsError, match="'ralston' takes fixed steps: give step="):
        po.simulate(chain(2), 0.1, integrator="ralston")
