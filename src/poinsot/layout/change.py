"""Change values of a frozen system: its tables are refilled, or it is frozen again as if written with them, without compiling functions again."""

from __future__ import annotations

from typing import Any

import numpy as np

from poinsot.layout.freeze import Frozen, freeze
from poinsot.layout.initial import initial_values
from poinsot.layout.refill import Refill
from poinsot.model.change import with_change
from poinsot.model.given import independent_copy
from poinsot.model.snapshot import snapshot
from poinsot.model.system import System


def with_changes(refill: Refill, change: dict[str, Any]) -> tuple[Frozen, tuple[np.ndarray, np.ndarray]]:
    """A frozen system with some values changed, and its initial coordinates and rates. The original, that of `refill`, is unchanged.

    See `poinsot.model.change` for the keys, and docs/changes.md for what every change means.
    """
    numbers = refill.read(change)
    if numbers is None:
        frozen = frozen_anew(refill.frozen, change)
        return frozen, initial_values(frozen.system, frozen.topology)
    given = {key: independent_copy(value) for key, value in change.items()}  # the user's arrays may change before anybody asks for the system
    made = Frozen.refilled(refill.frozen, refill.layout(numbers), lambda: frozen_anew(refill.frozen, given), refill.initial_of(numbers))
    return made, refill.start(numbers)


def with_values_of(refill: Refill, system: System) -> tuple[Frozen, tuple[np.ndarray, np.ndarray]] | None:
    """The tables of a system that has the same structure and geometry, and its initial coordinates and rates; None where it must be frozen anew."""
    numbers = refill.read_system(system)
    if numbers is None:
        return None
    kept = snapshot(system)
    made = Frozen.refilled(refill.frozen, refill.layout(numbers), lambda: freeze(kept), refill.initial_of(numbers))
    return made, refill.start(numbers)


def frozen_anew(frozen: Frozen, change: dict[str, Any]) -> Frozen:
    """The system frozen again with some values changed."""
    system = snapshot(with_change(frozen.system, change))
    system.check(rank=False).raise_faults()
    return freeze(system, callbacks=frozen.loads.callbacks)
