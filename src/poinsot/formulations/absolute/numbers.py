"""Tables that a formulation completed, refilled with the numbers of a system that has the same structure and geometry."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from poinsot.formulations.absolute.tables import frames_of
from poinsot.layout.freeze import Frozen
from poinsot.layout.welds import shares
from poinsot.tables.records import Layout

PLACED = ("axes", "origin", "com", "shared")  # what rows are built on


def with_numbers(
    full: Frozen, bare: Frozen, make: Callable[[], Frozen], reweighed: Callable[[Layout], Layout | None] | None = None
) -> Frozen | None:
    """The tables `full` of a formulation with the numbers of `bare`, refilled tables without those of the formulation; `make` completes them anew,
    `reweighed` fills further tables that depend on masses, or gives None where they cannot be.

    None where links have other axes, or frames of bodies are other ones, since then so are the rows; or where bodies lack inertia.
    """
    old, new = bare.alike.layout, bare.layout
    if new.motions is not old.motions:
        return None
    changed = {name: table for name, table, before in zip(Layout._fields, new, old) if table is not before}
    changed["values"] = np.concatenate([new.values, full.layout.values[len(old.values) :]])
    if "bodies" in changed and shares(new, bare.alike.joints).lacking.any():
        return None
    if "bodies" in changed and full.layout.frames["mass"].any():  # of the formulations that divide by masses of bodies
        frames = frames_of(new, bare.alike.joints)
        if not all(np.array_equal(frames[name], full.layout.frames[name]) for name in PLACED):
            return None
        frames["grounded"] = full.layout.frames["grounded"]
        changed["frames"] = frames
    layout: Layout | None = full.layout._replace(**changed)
    if layout is not None and "frames" in changed and reweighed is not None:
        layout = reweighed(layout)
    return None if layout is None else Frozen.refilled(full, layout, make, bare.initial)
