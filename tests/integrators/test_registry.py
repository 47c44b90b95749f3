"""Finding integrators."""

import subprocess
import sys

import pytest

from poinsot.errors import SettingsError
from poinsot.integrators import find, names


def test_names():
    assert names() == ["rk4", "dopri5", "dop853", "gauss1", "gauss2", "gauss3", "gauss4"]
    for name in names():
        assert find(name).name == name
        assert find(name).adaptive == (name in ("dopri5", "dop853"))


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
