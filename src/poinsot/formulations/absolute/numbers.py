"""Tables that a formulation completed, refilled with the numbers of a system that has the same structure and geometry."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from poinsot.formulations.absolute.tables import frames_of, principal_axes
from poinsot.layout.freeze import Frozen
from poinsot.layout.weights import full as matrices_of
from poinsot.layout.welds import FLAT, lack, shares
from poinsot.tables.records import Layout

IDENTITY = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
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
    if "bodies" in changed:
        frames = _reframed(full.layout.frames, bare)
        if frames is None:
            return None
        if frames is not full.layout.frames:
            changed["frames"] = frames
    layout: Layout | None = full.layout.refilled(**changed)
    if layout is not None and "frames" in changed and reweighed is not None:
        layout = reweighed(layout)
    return None if layout is None else Frozen.refilled(full, layout, make, bare.initial)


def _reframed(known: np.ndarray, bare: Frozen) -> np.ndarray | None:
    """Frames of bodies with the masses and inertias of a system; None where they are others than those known, or a body lacks inertia.

    Those known where a formulation does not divide by masses of bodies.
    """
    alike, joints, weighs = bare.alike, bare.alike.joints, bool(known["mass"].any())
    shared = vars(alike).get("_shared")  # whether a body has a share of its group's inertia, or lacks inertia
    if shared is None:
        own = shares(alike.layout, joints)
        shared = vars(alike)["_shared"] = bool(own.shared.any() or own.lacking.any())
    frames = known.copy() if weighs else known
    if shared:
        if shares(bare.layout, joints).lacking.any():
            return None
        if weighs:
            new = frames_of(bare.layout, joints)
            if not all(np.array_equal(new[name], known[name]) for name in PLACED):
                return None
            frames["mass"], frames["euler"] = new["mass"], new["euler"]
        return frames
    before, bodies = alike.layout.bodies, bare.layout.bodies
    changed = (bodies["mass"] != before["mass"]) | (bodies["inertia"] != before["inertia"]).any(axis=1)
    for b in np.flatnonzero(changed).tolist():
        mass, six = float(bodies["mass"][b]), bodies["inertia"][b].tolist()
        if mass <= 0.0 or _lacks(six):
            return None
        if weighs:
            euler = _euler(six, known["axes"][b])
            if euler is None:
                return None
            frames["mass"][b], frames["euler"][b] = mass, euler
    return frames


def _plain(six: Sequence[float]) -> bool:
    """Whether the axes of a body are principal axes of its inertia (xx, yy, zz, xy, xz, yz), as `principal_axes` sees it."""
    return max(map(abs, six[3:])) <= 1e-15 * max(map(abs, six))


def _lacks(six: Sequence[float]) -> bool:
    """Whether an inertia is flat, or nearly so."""
    if _plain(six):
        return min(six[:3]) <= 2.0 * FLAT * max(six[:3])
    return bool(lack(np.ones(1), matrices_of(np.array([six])))[0])


def _euler(six: Sequence[float], axes: np.ndarray) -> Sequence[float] | None:
    """The Euler tensor of an inertia, the same bits as those of `principal_axes`; None where its axes are not the given ones."""
    if _plain(six):
        xx, yy, zz = six[:3]
        half = 0.5 * (xx + yy + zz)
        return (half - xx, half - yy, half - zz) if axes.tolist() == IDENTITY else None
    found, euler = principal_axes(matrices_of(np.array([six])))
    return euler[0].tolist() if np.array_equal(found[0], axes) else None
