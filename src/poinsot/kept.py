"""What the next run of a prepared system takes from the last one, where it begins from the same: its start, its equations, its driver.

Unlike in `remembered.py`, keys are objects and not numbers: that they are the same is seen at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from poinsot.analysis.start import Start
from poinsot.driver import Driver
from poinsot.equations import Equations
from poinsot.formulations.contract import Formulation
from poinsot.integrators.contract import Method
from poinsot.layout.freeze import Frozen
from poinsot.tables.records import own_values

Initial = tuple[np.ndarray, np.ndarray]  # joint coordinates and rates


@dataclass(frozen=True)
class Equipment:
    """Equations with these tables, and a driver that has done nothing yet and never will: runs get others like it."""

    key: tuple[Equations, Method, Frozen]
    dropped: list[int]
    frozen: Frozen
    driver: Driver

    def suits(self, key: tuple[Equations, Method, Frozen], dropped: Sequence[int]) -> bool:
        """Whether these are the equations for tables without some rows, and the driver is that of a method."""
        equations, method, bare = self.key
        return equations is key[0] and method is key[1] and bare is key[2] and self.dropped == dropped


class Kept:
    """Of the last run. Runs in several threads may use it at once: what is kept is replaced as a whole."""

    def __init__(self) -> None:
        self._start: tuple[Initial, Start] | None = None
        self._equipment: Equipment | None = None

    def start(self, initial: Initial) -> Start:
        """The start from initial values."""
        known = self._start
        if known is None or known[0] is not initial:
            self._start = known = initial, Start(initial[0].copy(), initial[1].copy())
        return known[1]

    def equipment(
        self, key: tuple[Equations, Method, Frozen], dropped: list[int], idle: Sequence[str], held: Mapping[str, Any]
    ) -> tuple[Frozen, Formulation, Driver]:
        """Complete tables without some rows, equations, and a driver that has done nothing yet.

        They are kept where all constraints act and no functions are called, whose values every driver has for itself.
        """
        equations, method, bare = key
        known = None if idle or held else self._equipment
        if known is not None and known.suits(key, dropped):
            return known.frozen, known.driver.formulation, known.driver.fresh()
        frozen, formulation = equations.find(bare, dropped, idle, held)
        driver = Driver(formulation, method.bound(formulation), own_values(frozen.layout))
        if not (idle or held or len(frozen.layout.addresses)):
            self._equipment = Equipment(key, list(dropped), frozen, driver.fresh())
        return frozen, formulation, driver
