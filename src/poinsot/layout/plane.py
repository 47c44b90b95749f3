"""Planar systems: which constraint rows keep them in their plane."""

from __future__ import annotations

import numpy as np

from poinsot.model.system import System
from poinsot.tables.records import COINCIDE, DOT, SLIDE, Layout


def out_of_plane(layout: Layout, system: System) -> np.ndarray:
    """For every row whether it keeps bodies in the plane of a planar system, or from tilting out of it; such rows are always satisfied."""
    rows = layout.rows
    if system.plane is None:
        return np.zeros(len(rows), bool)
    normal = np.array(system.normal)
    slides = np.isin(rows["kind"], (COINCIDE, SLIDE)) & (np.abs(rows["u"] @ normal) > 0.5)
    return slides | ((rows["kind"] == DOT) & (np.abs(np.cross(rows["u"], rows["v"]) @ normal) < 0.5))
