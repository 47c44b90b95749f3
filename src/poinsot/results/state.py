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
    """Joint coordinates and rates at a time; what a formulation and an integrator carried beside them goes in `raw`,
    so that a run can go on.

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
        for name in ("coordinates", "rates"):  # its own, whatever becomes of the arrays that were given
            object.__setattr__(self, name, np.atleast_1d(np.array(getattr(self, name), float)))
