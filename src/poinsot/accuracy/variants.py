"""A prepared system with other settings: what it has in common with the first is not prepared again."""

from __future__ import annotations

from copy import copy
from typing import Any

from poinsot.remembered import Remembered


class Variants:
    """Variants of a prepared system (`Ready`) that were used before; `values`: the numbers that they were made for."""

    def __init__(self, values: Any):
        self.values, self.known = values, Remembered[Any]()


def variant(ready: Any, formulation: str, integrator: str, step: float | None, **options: float) -> Any:
    """The system of a `Ready` prepared with another formulation, integrator, step (s) or tolerances."""
    if ready.variants.values is not ready.values:  # it is a copy that was given other numbers
        ready.variants = Variants(ready.values)

    def make() -> Any:
        made = copy(ready)
        made.variants = Variants(ready.values)
        if formulation != ready.formulation.name:
            made.reviews = Remembered()
            made.formulate(formulation, integrator, step)
        made.take(integrator, step, {"rtol": None, "atol": None, "tolerance": None} | options)
        return made

    return ready.variants.known.get((formulation, integrator, step, *options.items()), make)
