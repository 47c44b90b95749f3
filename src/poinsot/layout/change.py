"""Change values of a frozen system: it is frozen again as if written with them, without compiling its functions again."""

from __future__ import annotations

from typing import Any

import numpy as np

from poinsot.layout.freeze import Frozen, freeze
from poinsot.layout.initial import initial_values
from poinsot.model.change import with_change
from poinsot.model.snapshot import snapshot


def with_changes(frozen: Frozen, change: dict[str, Any]) -> tuple[Frozen, tuple[np.ndarray, np.ndarray]]:
    """A frozen system with some values changed, and its initial coordinates and rates. The original is unchanged.

    See `poinsot.model.change` for the keys, and docs/changes.md for what every change means.
    """
    if change:
        system = snapshot(with_change(frozen.system, change))
        system.check(rank=False).raise_faults()
        frozen = freeze(system, callbacks=frozen.loads.callbacks)
    return frozen, initial_values(frozen.system, frozen.topology)
