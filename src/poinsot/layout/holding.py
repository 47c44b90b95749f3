"""Tables of a system whose locks hold given coordinates, and in which some constraints are idle."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from poinsot.layout.freeze import Frozen
from poinsot.model.locks import Lock


def holding(frozen: Frozen, held: Mapping[str, Sequence[float]]) -> Frozen:
    """The same tables with locks that hold these coordinates."""
    if not held:
        return frozen
    rows = frozen.layout.rows.copy()
    for k, owner in enumerate(frozen.owners):
        if isinstance(owner, Lock) and owner.name in held:
            first = int(frozen.layout.joints["row"][k])
            for r, row in enumerate(owner.rows_at(held[owner.name]), first):
                rows["u"][r], rows["c"][r] = row.u, row.c
                if row.v is not None:
                    rows["v"][r] = row.v
    return replace(frozen, layout=frozen.layout._replace(rows=rows))


def rows_of(frozen: Frozen, names: Collection[str]) -> list[int]:
    """Rows of joints and constraints by their names."""
    joints = frozen.layout.joints
    return [
        row
        for k, owner in enumerate(frozen.owners)
        if owner.name in names
        for row in range(int(joints["row"][k]), int(joints["row"][k] + joints["rows"][k]))
    ]


def unwatch(frozen: Frozen, idle: Collection[str]) -> None:
    """Steps test that rows which are left out hold, since redundant ones do: those of idle constraints are not tested."""
    if idle:
        left_out = frozen.layout.left_out
        left_out["unit"][np.isin(left_out["number"], rows_of(frozen, idle))] = 0.0
