"""Finding an integrator by its name; its module, and with it its compiled step, is imported only then."""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import Any

from poinsot.errors import SettingsError
from poinsot.integrators.contract import Method

# name: module, and what its function `method` is given
_METHODS: dict[str, tuple[str, dict[str, Any]]] = {
    "rk4": ("rk4", {}),
    "dopri5": ("dopri5", {}),
    "dop853": ("dop853", {}),
    **{f"gauss{s}": ("gauss", {"stages": s}) for s in (1, 2, 3, 4)},
    "energy-momentum": ("energy_momentum", {"stages": 1}),
    "energy-momentum-4": ("energy_momentum", {"stages": 2}),
    "energy-momentum-6": ("energy_momentum", {"stages": 3}),
}


def names() -> list[str]:
    """Names of all integrators of ordinary differential equations."""
    return [name for name in _METHODS if not name.startswith("energy-momentum")]


def all_names() -> list[str]:
    """Names of all integrators, those of equations with multipliers too."""
    return list(_METHODS)


def find(name: str, **options: Any) -> Method:
    """The integrator of this name.

    Parameters
    ----------
    name : one of `names()`
    options : of the method, as its function `method` takes them: `rtol` and `atol`, or `tolerance`, ...

    Raises
    ------
    SettingsError
        for a name or an option that does not exist.
    """
    if name not in _METHODS:
        raise SettingsError(f"there is no integrator {name!r}; choose one of {', '.join(all_names())}")
    module, fixed = _METHODS[name]
    method = import_module(f"poinsot.integrators.{module}").method
    allowed = [option for option in inspect.signature(method).parameters if option not in fixed]
    unknown = [option for option in options if option not in allowed]
    if unknown:
        raise SettingsError(
            f"integrator {name!r} has no option {', '.join(map(repr, unknown))}; it takes {', '.join(allowed) or 'none'}"
        )
    found: Method = method(**fixed, **options)
    return found
