"""Finding integrators."""

import dataclasses
import subprocess
import sys

import pytest

import poinsot as po
from poinsot.errors import SettingsError
from poinsot.integrators import find, names
from poinsot.integrators.contract import WATCH
from poinsot.integrators.registry import all_names
from systems import oscillator

OWN = ("step", "constants", "memory", "scratch", "stiff")  # what a twin for stiff systems may have of its own


def test_names():
    assert set(names()) <= set(all_names())
    assert {"rk4", "dopri5", "dop853", "gauss1", "gauss2", "gauss3", "gauss4"} <= set(names())
    assert {name for name in names() if find(name).adaptive} >= {"dopri5", "dop853"}


@pytest.mark.parametrize("name", all_names())
def test_a_method_is_called_what_the_user_writes(name):
    method = find(name)
    assert method.name == name and method.order > 0
    for field in dataclasses.fields(method):
        if field.name != "constants" and len(method.constants) > WATCH:
            assert getattr(method.watched, field.name) == getattr(method, field.name), field.name


@pytest.mark.parametrize("name", all_names())
def test_the_stiff_twin_of_a_method_is_the_same_method(name):
    """It differs in its iteration alone, and needs no less room than the method itself."""
    method = find(name)
    if method.stiff is None:
        return
    twin = method.stiff((7, 5, 3))
    for field in dataclasses.fields(method):
        if field.name not in OWN:
            assert getattr(twin, field.name) == getattr(method, field.name), field.name
    for ny in (3, 20):
        assert twin.memory(ny) >= method.memory(ny) and twin.scratch(ny) >= method.scratch(ny)


@pytest.mark.parametrize("name", [name for name in names() if find(name).stiff])
def test_runs_that_turn_stiff_keep_the_name_of_their_method(name):
    run = po.simulate(oscillator(stiffness=1e10, damping=1e3), 0.5, step=0.05, integrator=name)
    assert run.audit.newton_steps > 0 and run.audit.integrator == name


def test_unknown_name_and_option():
    with pytest.raises(SettingsError, match="no integrator 'euler'; choose one of rk4, dopri5.*gauss4"):
        find("euler")
    with pytest.raises(SettingsError, match="'rk4' has no option 'rtol'; it takes none"):
        find("rk4", rtol=1e-3)
    with pytest.raises(SettingsError, match="'gauss3' has no option 'stages'; it takes tolerance, stagnation, iterations"):
        find("gauss3", stages=2)


def test_methods_are_imported_only_when_chosen():
    code = (
        "import sys, poinsot.integrators as room; room.names();"
        "assert 'numba' not in sys.modules;"
        "room.find('gauss2');"
        "assert 'poinsot.integrators.adaptive' not in sys.modules;"
        "assert 'poinsot.integrators.explicit' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
