"""The size of a mechanism, and the gap per value of its constraint rows, in comparable units."""

from __future__ import annotations

import numpy as np

from poinsot.tables.records import COINCIDE, DISTANCE, EDGE, GEAR, LINKED, SLIDE, SLIP, TOUCH, USER_ROW, Layout

ROUNDING = 1e-12  # of the distances from the body's origin: shorter arms are none
OPEN = 1e-8  # relative to the size of the mechanism, or rad: joints with a larger gap have come apart


def reach(layout: Layout, bodies: np.ndarray | None = None) -> float:
    """A characteristic length of a mechanism, or of some of its bodies, m: the longest arm from a centre of mass to a joint."""
    longest = 0.0
    for side in ("first", "second"):
        body = layout.joints[side]
        place, com = layout.joints[f"{side}_origin"], layout.bodies["com"][body]
        arm = np.linalg.norm(place - com, axis=1)
        arm[arm <= ROUNDING * (np.linalg.norm(place, axis=1) + np.linalg.norm(com, axis=1))] = 0.0
        counts = body > 0 if bodies is None else np.isin(body, bodies)
        longest = max(longest, arm[counts].max(initial=0.0))
    return longest or 1.0


def in_metres(layout: Layout) -> np.ndarray:
    """For every row whether it is measured in m; in rad otherwise."""
    rows, motions = layout.rows, layout.motions
    slides = np.isin(rows["kind"], (COINCIDE, SLIDE, DISTANCE, LINKED, TOUCH, SLIP, EDGE, USER_ROW))
    return slides | ((rows["kind"] == GEAR) & (motions["rot"][rows["motion"]] == 0 if len(motions) else False))


def per_value(layout: Layout) -> np.ndarray:
    """m or rad per value of every row; that of a distance is half the difference of squares."""
    rows = layout.rows
    return np.where(rows["kind"] == DISTANCE, 1.0 / np.where(rows["c"] > 0, rows["c"], 1.0), 1.0)


def opening_units(layout: Layout) -> np.ndarray:
    """Gap per value of every row, relative to the size of the mechanism, or in rad."""
    return per_value(layout) * np.where(in_metres(layout), 1.0 / reach(layout), 1.0)
