"""The formulations by name. A module is imported only when its formulation is asked for.

A line also names modules of kernels that runs need, to be compiled ahead by several processes (`warmup.py`): all of them may be left out.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

from poinsot.errors import FormulationError
from poinsot.formulations.contract import Formulation
from poinsot.layout.freeze import Frozen


class Entry(NamedTuple):
    """Module of a formulation, and modules whose kernels a run with it needs, beside those of the integrator.

    `closed`, `planar`, `closed_planar`: in place of `runs`, where such systems need others; `cheap`: of a formulation that is not cheap for every
    closed system it accepts, the module whose `is_cheap(frozen)` tells.
    """

    module: str
    runs: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    planar: tuple[str, ...] = ()
    closed_planar: tuple[str, ...] = ()
    cheap: str = ""

    def ahead(self, frozen: Frozen, variant: bool = False) -> tuple[str, ...]:
        """The modules of the runs of a system; variants take planar ones as any other."""
        planar = len(frozen.layout.plane_links) > 0 and not variant and not frozen.alike.system.drives
        special = [self.closed_planar] if planar and frozen.closed else []
        special += [self.planar] if planar else []
        special += [self.closed] if frozen.closed else []
        return next(filter(None, special), self.runs)


OBSERVING = ("poinsot.results.observe",)
ASSEMBLING = (
    "poinsot.analysis.assemble",
    "poinsot.analysis.redundancy",
    "poinsot.analysis.row_kernels",
    "poinsot.formulations.tree.placement",
    *OBSERVING,
)
OF_TREES = ("poinsot.formulations.tree.observe", *OBSERVING)
OF_LOOPS = ("poinsot.formulations.tree.loops.loads", "poinsot.formulations.tree.loops.observe", *ASSEMBLING)
OF_DIRECTORS = ("poinsot.formulations.directors.observe", *ASSEMBLING)
OF_MATRICES = ("poinsot.formulations.rotation_matrix.positions", "poinsot.formulations.rotation_matrix.observe", *ASSEMBLING)
OF_BODIES = ("poinsot.formulations.newton_euler.positions", "poinsot.formulations.newton_euler.observe", *ASSEMBLING)
FORMULATIONS = {
    "tree": Entry(
        "poinsot.formulations.tree",
        runs=("poinsot.formulations.tree.rates", *OF_TREES),
        closed=("poinsot.formulations.tree.loops.rates", "poinsot.formulations.tree.loops.projection", *OF_LOOPS),
        planar=("poinsot.formulations.tree.plane.rates", *OF_TREES),
        closed_planar=("poinsot.formulations.tree.plane.loops.rates", "poinsot.formulations.tree.plane.loops.projection", *OF_LOOPS),
        cheap="poinsot.formulations.tree.loops.cost",
    ),
    "moving-frame": Entry(
        "poinsot.formulations.moving_frame",
        runs=("poinsot.formulations.moving_frame.rates", "poinsot.formulations.tree.rates", *OF_TREES),
        planar=("poinsot.formulations.moving_frame.rates", "poinsot.formulations.tree.rates", "poinsot.formulations.tree.plane.rates", *OF_TREES),
    ),
    "planar": Entry(
        "poinsot.formulations.planar",
        tuple(f"poinsot.formulations.{name}" for name in ("planar.rates", "planar.kernels", "planar.states", "tree.plane.rates")) + OF_TREES,
    ),
    "rotation-matrix": Entry(
        "poinsot.formulations.rotation_matrix",
        runs=("poinsot.formulations.rotation_matrix.rates", *OF_MATRICES),
        planar=("poinsot.formulations.rotation_matrix.plane_rates", *OF_MATRICES),
    ),
    "newton-euler": Entry(
        "poinsot.formulations.newton_euler",
        runs=("poinsot.formulations.newton_euler.rates", *OF_BODIES),
        planar=("poinsot.formulations.newton_euler.plane_rates", *OF_BODIES),
    ),
    "directors": Entry(
        "poinsot.formulations.directors",
        runs=("poinsot.formulations.directors.energy_momentum_step", *OF_DIRECTORS),
        planar=("poinsot.formulations.directors.plane.several_stages", *OF_DIRECTORS),
    ),
}

# what "auto" selects: for open systems; for closed ones, those with drives, and long conservative runs; for closed ones and those with drives
# with methods for rates, the first of these that accepts them and is cheap for them
OPEN, CLOSED, CLOSED_RATES = "tree", "directors", ("tree", "rotation-matrix")


def choose(frozen: Frozen, home: str | None, conserve: bool, rates: bool) -> str:
    """The formulation that "auto" selects: that of the chosen integrator (`home`), otherwise by the system.

    `conserve`: whether the energy error must not grow, as in a long conservative run; `rates`: whether the method needs rates, as
    adaptive ones do.
    """
    if home is not None:
        return home
    if (frozen.closed or frozen.system.drives) and rates:
        return next((name for name in CLOSED_RATES[:-1] if _fits(frozen, name)), CLOSED_RATES[-1])
    if frozen.closed or frozen.system.drives:
        return OPEN if find(CLOSED).accepts(frozen) and not find(OPEN).accepts(frozen) else CLOSED
    return CLOSED if conserve and not find(CLOSED).accepts(frozen) else OPEN


def _fits(frozen: Frozen, name: str) -> bool:
    """Whether a formulation accepts a closed system, and is cheap for it."""
    cheap = entry(name).cheap
    return not find(name).accepts(frozen) and (not cheap or bool(import_module(cheap).is_cheap(frozen)))


def names() -> list[str]:
    """All formulations."""
    return list(FORMULATIONS)


def variants(name: str) -> list[str]:
    """Full names of the variants of a formulation that are worth comparing with it, as its module lists their options in `VARIANTS`."""
    return [f"{name}:{options}" for options in getattr(import_module(entry(name).module), "VARIANTS", ())]


def entry(name: str) -> Entry:
    """The line of a formulation; options after a colon do not matter."""
    base = name.partition(":")[0]
    if base not in FORMULATIONS:
        raise FormulationError(f"there is no formulation '{base}'; there is {', '.join(FORMULATIONS)}")
    return FORMULATIONS[base]


def ahead(name: str, frozen: Frozen) -> tuple[str, ...]:
    """The modules whose kernels runs of a system need in a formulation, or in a variant of it."""
    return entry(name).ahead(frozen, ":" in name)


def find(name: str) -> Any:
    """The module of a formulation, or of its variant: options follow the name after a colon, as in "rotation-matrix:one-step"."""
    module, (base, colon, options) = import_module(entry(name).module), name.partition(":")
    if not colon:
        return module
    if not hasattr(module, "variant"):
        raise FormulationError(f"formulation '{base}' has no options: leave out ':{options}'")
    return module.variant(options)


def check_accepted(frozen: Frozen, name: str) -> None:
    """Raise an error that says why a formulation does not accept the model, if it does not."""
    reasons = find(name).accepts(frozen)
    if reasons:
        raise FormulationError(
            f"formulation '{name}' does not accept system '{frozen.system.name}': {'; '.join(reasons)}"
            + (f"; '{CLOSED}' accepts closed systems, with step= in a run, and '{CLOSED_RATES[0]}' with adaptive steps" if frozen.closed else "")
        )


def formulate(frozen: Frozen, name: str) -> Formulation:
    """The equations of a frozen system in a formulation, or an error that says why it does not accept the model."""
    check_accepted(frozen, name)
    return find(name).formulation(frozen)
