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
from poinsot.formulations.attitudes import of_vectors
from poinsot.formulations.contract import Formulation, Rates
from poinsot.formulations.planar.accepts import reasons_against
from poinsot.formulations.planar.options import CODES, NAME, Options, parse
from poinsot.formulations.planar.places import MATRIX, MOMENTUM, RELATIVE, chain_size, numbers, speeds
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
        kernels = import_module("poinsot.formulations.planar.kernels")
        velocities = speeds(n, number)
        turning = kernels.position_rate(number if number & MOMENTUM else number & (MATRIX | RELATIVE))
        size = velocities.stop + int(frozen.layout.sizes[N_CONTROL]) + 1
        work = base.work_size + chain_size(n, base.state_size)
        return replace(
            base,
            name=self.options.name,
            rates=Rates(turning, kernels.velocity_rate(number), velocities.start, kernels.project(number)),
            observe_motion=kernels.observe_motion(number),
            observe_loads=lambda: _rare().observe_loads(number),
            acceleration=lambda: _rare().acceleration(number),
            inverse=lambda: _rare().inverse(number),
            sample=lambda: _rare().sample(number),
            stiffness=None,
            state_size=size,
            work_size=work,
            pack=lambda coordinates, speeds: _pack(kernels.pack(number), frozen, work, size, tree.pack(frozen, coordinates, speeds)),
            unpack=lambda y: tree.unpack(frozen, _pack(kernels.unpack(number), frozen, work, base.state_size, y)),
            attitude=of_vectors(n, numbers(number)),
            attitudes=(n, numbers(number)),
            velocities=velocities,
        )


def _rare() -> Any:
    return import_module("poinsot.formulations.planar.at_state")


def _pack(convert: Any, frozen: Frozen, work: int, size: int, given: np.ndarray) -> np.ndarray:
    """A state of this many numbers by a kernel that converts from another."""
    found = np.zeros(size)
    convert(0.0, np.array(given, float), frozen.layout, np.zeros(work), found)
    return found


DEFAULT = Variant()
VARIANTS = tuple(code for code in CODES if code != DEFAULT.options.code)  # for comparisons: the eight models of bai2022
accepts, formulation = DEFAULT.accepts, DEFAULT.formulation


def variant(options: str) -> Variant:
    """The formulation with these options, as users write them."""
    return Variant(parse(options))
