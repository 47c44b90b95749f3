"""Finding an integrator by its name; its module, and with it its compiled step, is imported only then.

A method of ordinary differential equations accepts every formulation that has rates; a method of one formulation names it here.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache, lru_cache
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from poinsot.errors import SettingsError
from poinsot.integrators.contract import Method


class Entry(NamedTuple):
    """Module of a method, arguments of its function `method`, and the formulation that it belongs to, if any."""

    module: str
    fixed: dict[str, Any] = {}
    formulation: str | None = None


METHODS = {
    "rk4": Entry("poinsot.integrators.rk4"),
    "dopri5": Entry("poinsot.integrators.dopri5"),
    "dop853": Entry("poinsot.integrators.dop853"),
    "adams": Entry("poinsot.integrators.adams"),
    **{f"gauss{s}": Entry("poinsot.integrators.gauss", {"stages": s}) for s in (1, 2, 3, 4)},
    "energy-momentum": Entry("poinsot.formulations.directors.energy_momentum", {"stages": 1}, "directors"),
    "energy-momentum-4": Entry("poinsot.formulations.directors.energy_momentum", {"stages": 2}, "directors"),
    "energy-momentum-6": Entry("poinsot.formulations.directors.energy_momentum", {"stages": 3}, "directors"),
}
# methods with their stages in lanes, which nothing selects by itself: their results differ by rounding, and their kernels take long to compile
IN_LANES = {f"gauss{s}:lanes": Entry("poinsot.integrators.gauss_stage_lanes", {"stages": s}, "tree") for s in (2, 3, 4)}
# what "auto" selects: among the methods of one formulation, and among those for rates, with fixed and with adaptive steps
_OWN = {"directors": "energy-momentum-6"}
_FIXED, _ADAPTIVE = "gauss4", "dop853"
# for an accuracy (m, rad), from which on there are the least evaluations: methods for rates with adaptive steps, and with fixed implicit ones
_TO_ACCURACY = ((1e-8, "dop853"), (0.0, "adams"))
_STIFF = ((1e-4, "gauss2"), (1e-8, "gauss3"), (0.0, "gauss4"))


def entry(name: str) -> Entry | None:
    """The line of an integrator, if there is one of this name."""
    return METHODS.get(name) or IN_LANES.get(name)


def names() -> list[str]:
    """Names of all integrators of ordinary differential equations."""
    return [name for name, entry in METHODS.items() if entry.formulation is None]


def all_names() -> list[str]:
    """Names of all integrators, including those of one formulation."""
    return list(METHODS)


def names_for(formulation: str, rates: bool) -> list[str]:
    """Names of the integrators that fit a formulation, or a variant of it, which has `rates` or not."""
    base = formulation.partition(":")[0]
    return [name for name, entry in METHODS.items() if entry.formulation == base or (rates and not entry.formulation)]


def default(formulation: str, fixed: bool) -> str:
    """The integrator that "auto" selects for a formulation, or a variant of it, with fixed or with adaptive steps."""
    return _OWN.get(formulation.partition(":")[0]) or (_FIXED if fixed else _ADAPTIVE)


def to_accuracy(formulation: str, accuracy: float, fixed: bool) -> str:
    """The integrator for an accuracy (m, rad) in a formulation: with fixed implicit steps for stiff systems, or with adaptive explicit ones."""
    fitting = next(name for least, name in (_STIFF if fixed else _TO_ACCURACY) if accuracy > least or not least)
    return _OWN.get(formulation.partition(":")[0]) or fitting


def home(name: str) -> str | None:
    """The formulation that an integrator belongs to; None: it accepts all that have rates, or there is no such integrator."""
    known = entry(name)
    return known.formulation if known else None


def stages(name: str) -> int:
    """Number of stages of an implicit method."""
    known = entry(name)
    assert known is not None
    return int(known.fixed["stages"])


def find(name: str, **options: Any) -> Method:
    """The integrator of this name.

    Parameters
    ----------
    name : one of `all_names()`
    options : of the method, as its function `method` takes them: `rtol` and `atol`, or `tolerance`, ...

    Raises
    ------
    SettingsError
        for a name or an option that does not exist.
    """
    known = entry(name)
    if known is None:
        raise SettingsError(f"there is no integrator {name!r}; choose one of {', '.join([*METHODS, *IN_LANES])}")
    method = import_module(known.module).method
    allowed = [option for option in _parameters(method) if option not in known.fixed]
    unknown = [option for option in options if option not in allowed]
    if unknown:
        raise SettingsError(
            f"integrator {name!r} has no option {', '.join(map(repr, unknown))}; it takes {', '.join(allowed) or 'none'}"
        )
    plain = {option: value.item() if isinstance(value, np.ndarray) else value for option, value in options.items()}
    return _made(method, *known.fixed.items(), *plain.items())


@cache
def _parameters(method: Callable[..., Method]) -> tuple[str, ...]:
    """Names of the arguments of a function `method`."""
    return tuple(inspect.signature(method).parameters)


@lru_cache
def _made(method: Callable[..., Method], *arguments: tuple[str, Any]) -> Method:
    """The method of these arguments; none is ever changed, so runs share them."""
    return method(**dict(arguments))
