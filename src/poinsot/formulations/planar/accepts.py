"""What planar chains are: bodies one after the other from the ground on, which turn about parallel axes."""

from __future__ import annotations

import numpy as np

from poinsot.formulations import tree
from poinsot.formulations.planar.options import NAME
from poinsot.layout.freeze import Frozen
from poinsot.tables.records import HELICAL

PARALLEL = 1e-9  # rad, by which axes may differ in direction


def reasons_against(frozen: Frozen) -> list[str]:
    """Why the model is not accepted; empty when it is."""
    reasons = tree.open_only(frozen, NAME)
    if reasons:
        return reasons
    links, motions = frozen.layout.links, frozen.layout.motions
    labels = {int(m["link"]): frozen.joints[m["joint"]].label() for m in motions}
    if len(links) < 2:
        return [f"no body of it can move, and '{NAME}' accepts chains of bodies that turn"]
    turning = (links["kind"] == HELICAL) & (links["rot"] != 0) & (links["lin"] == 0)
    other = list(dict.fromkeys(labels[k] for k in range(1, len(links)) if not turning[k]))
    if other:
        return [f"{label} allows other motion than turning about one axis, and '{NAME}' accepts chains of bodies that turn only" for label in other]
    branches = [k for k in range(2, len(links)) if links["parent"][k] != k - 1]
    if branches:
        return [
            f"{labels[k]} begins a branch, and '{NAME}' accepts a single chain from the ground on, where every joint connects the next body to the "
            "one before"
            for k in branches
        ]
    tilted = [k for k in range(2, len(links)) if np.abs(links["rotation"][k][2, :2]).max() > PARALLEL]
    return [f"the axis of {labels[k]} is not parallel to that of {labels[k - 1]}, and '{NAME}' accepts parallel axes only" for k in tilted]
