"""One instant of a system."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from poinsot.model.guard import NUMBER, NUMBERS, instance, settings_door
from poinsot.model.words import NearNames


@settings_door(t=NUMBER, coordinates=NUMBERS, rates=NUMBERS, raw=instance(dict, "a dictionary"))
@dataclass(frozen=True, eq=False)
class State(NearNames):
    """Joint coordinates and rates at a time; `raw` holds the state of the formulation and the memory of the integrator,
    so that a run can continue.

    Attributes
    ----------
    t : s
    coordinates, rates : of all joints, joint after joint
    raw : of the run this state comes from: formulation, integrator, step, y and memory; empty for a state made by hand
    """

    t: float
    coordinates: np.ndarray
    rates: np.ndarray
    raw: dict[str, Any] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        for name in ("coordinates", "rates"):  # copies, independent of the arrays that were given
            object.__setattr__(self, name, np.atleast_1d(np.array(getattr(self, name), float)))
