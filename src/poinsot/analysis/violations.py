"""Constraints on velocities that a start does not obey, in words: what slips and how fast, and what stands off its plane."""

from __future__ import annotations

import numpy as np

from poinsot.analysis.constraints import Geometry
from poinsot.model.rolling import VelocityConstraint
from poinsot.model.user_rows import VelocityRows

NOTHING = 1e-12  # m, m/s or rad/s: less is rounding


def violations(geometry: Geometry, values: np.ndarray, rates: bool) -> list[str]:
    """A sentence for every such constraint that is violated: `values` are those of all rows, or their rates less what they must be."""
    found = []
    layout = geometry.layout
    for k, element in enumerate(geometry.frozen.owners):
        if isinstance(element, VelocityConstraint | VelocityRows):
            record = layout.joints[k]
            own = values[int(record["row"]) : int(record["row"] + record["rows"])]
            words = element.violated(own.tolist(), rates) if np.abs(own).max(initial=0.0) > NOTHING else ""
            found += [f"{element.label()} {words}"] if words else []
    return found
