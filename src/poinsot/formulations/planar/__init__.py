"""Planar chains by their attitudes: the eight models of bai2022, derived for any number of bodies.

The attitude of a body is a rotation matrix or a unit vector, relative to the body before or absolute, with rates (Lagrange) or momenta (Hamilton)
as velocities (`options.py`). The equations (`chain.py`, `rates.py`) contain no angles, and attitudes are never normalised: how well they keep their
length is a result (`run.audit.unit_length`). Loads, reactions and observations are the tree's.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

import numpy as np

from poinsot.formulations import tree
from poinsot.formulations.attitudes import in_plane
from poinsot.formulations.contract import Formulation, Rates
from poinsot.formulations.planar.accepts import reasons_against
from poinsot.formulations.planar.options import CODES, NAME, Options, parse
from poinsot.formulations.planar.places import MOMENTUM, chain_size, mark, numbers, speeds
from poinsot.layout.freeze import Frozen
from poinsot.tables.records import N_CONTROL, N_V

__all__ = ["NAME", "accepts", "formulation", "variant"]


@dataclass(frozen=True)
class Variant:
    """The formulation with options (`options.py`)."""

    options: Options = Options()

    def accepts(self, frozen: Frozen) -> list[str]:
        """Why the model is not accepted."""
        return reasons_against(frozen)

    def formulation(self, frozen: Frozen) -> Formulation:
        """The equations of a planar chain."""
        base, number, n = tree.formulation(frozen), self.options.number, int(frozen.layout.sizes[N_V])
        kernels = _kernels("kernels")
        velocities = speeds(n, number)
        turning = kernels.position_rate_by_momenta if number & MOMENTUM else kernels.position_rate
        size = velocities.stop + int(frozen.layout.sizes[N_CONTROL]) + 1
        work = base.work_size + chain_size(n, base.state_size)

        def pack(coordinates: np.ndarray, rates: np.ndarray) -> np.ndarray:
            y = np.zeros(size)
            y[velocities.start - 1] = mark(number)
            kernels.pack(0.0, tree.pack(frozen, coordinates, rates), frozen.layout, np.zeros(work), y)
            return y

        def unpack(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            scratch = np.zeros(work)
            kernels.project(0.0, np.array(y, float), frozen.layout, scratch, np.zeros(0))
            return tree.unpack(frozen, scratch[base.work_size : base.work_size + base.state_size])

        return replace(
            base,
            name=self.options.name,
            rates=Rates(turning, kernels.velocity_rate, velocities.start, kernels.project),
            observe_motion=kernels.observe_motion,
            observe_loads=lambda: _kernels("reactions").observe_loads,
            acceleration=lambda: _kernels("at_state").acceleration,
            inverse=lambda: _kernels("at_state").inverse,
            sample=lambda: _kernels("sample").sample,
            stiffness=None,
            state_size=size,
            work_size=work,
            pack=pack,
            unpack=unpack,
            attitudes=in_plane(n, numbers(number)),
            velocities=velocities,
            weightless=False,
        )


def _kernels(module: str) -> Any:
    return import_module(f"poinsot.formulations.planar.{module}")


DEFAULT = Variant()
VARIANTS = tuple(code for code in CODES if code != DEFAULT.options.code)  # for comparisons: the eight models of bai2022
accepts, formulation = DEFAULT.accepts, DEFAULT.formulation


def variant(options: str) -> Variant:
    """The formulation with these options, as users write them."""
    return Variant(parse(options))
