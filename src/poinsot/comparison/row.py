"""One run of a comparison as numbers."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from typing import Any

import numpy as np

CURVES = ("error", "energy", "attitude", "gap")


@dataclass(frozen=True, eq=False)
class Row:
    """A formulation with an integrator at one step or tolerance. None: not known, or the run does not have it.

    Attributes
    ----------
    formulation, integrator : names
    order : declared order of the integrator
    step : size of fixed steps, s; None: adaptive
    rtol, atol : tolerances of adaptive steps
    error : largest error until the end of the reference: of positions relative to the size of the mechanism, or of attitudes
        in rad, whichever is larger; with `error_known` False it is only an upper bound, because the reference is not more accurate
    error_position, error_rotation : the same in m and in rad, in the same sense
    error_before_growth : largest error until small deviations have grown by a factor e, where they grow exponentially
    grown : whether most of the error is due to the exponential growth of small deviations (chaos)
    energy_drift : largest |E - E0 - work|, J; `energy_drift_relative` is relative to the energy scale
    momentum_drift, angular_momentum_drift : kg m/s and kg m^2/s, where they are conserved
    attitude_drift : largest deviation of a quaternion from unit length, or of directors from orthonormality
    gap_metres, gap_radians : largest gap of a joint or constraint; None: joint coordinates
    steps, evaluations, rejections, halvings, corrections : counts
    seconds : computing time of the run without compilation and preparation, median of `repeats` runs
    undisturbed : whether the processor was computing the run nearly all of this time, and nothing else
    failure : why the run did not reach its end; empty when it did
    reached : time that it reached, s
    curves : over the times of the comparison, "error" (as above, until the end of the reference), "energy" (relative drift), "attitude" and
        "gap" (m); each where there is one
    """

    formulation: str
    integrator: str
    order: int
    step: float | None
    rtol: float | None
    atol: float | None
    error: float | None = None
    error_known: bool = False
    error_position: float | None = None
    error_rotation: float | None = None
    error_before_growth: float | None = None
    grown: bool = False
    energy_drift: float | None = None
    energy_drift_relative: float | None = None
    momentum_drift: float | None = None
    angular_momentum_drift: float | None = None
    attitude_drift: float | None = None
    gap_metres: float | None = None
    gap_radians: float | None = None
    steps: int = 0
    evaluations: int = 0
    rejections: int = 0
    halvings: int = 0
    corrections: int = 0
    seconds: float | None = None
    repeats: int = 0
    undisturbed: bool = True
    failure: str = ""
    reached: float | None = None
    curves: dict[str, np.ndarray] = field(default_factory=dict, repr=False)

    @property
    def seconds_per_step(self) -> float | None:
        """Computing time per step, s."""
        return self.seconds / self.steps if self.seconds is not None and self.steps else None

    @property
    def name(self) -> str:
        """Formulation and integrator."""
        return f"{self.formulation} with {self.integrator}"

    @property
    def setting(self) -> str:
        """Step or tolerance in words."""
        return f"step {self.step:g}" if self.step is not None else f"rtol {self.rtol:g}"

    def to_dict(self, curves: bool = False) -> dict[str, Any]:
        """All numbers by name; the curves only on request."""
        found = asdict(self) | {"seconds_per_step": self.seconds_per_step}
        found["curves"] = {name: values.tolist() for name, values in self.curves.items()}
        return found if curves else {name: value for name, value in found.items() if name != "curves"}

    @classmethod
    def from_dict(cls, found: dict[str, Any]) -> Row:
        """The row of which `to_dict(curves=True)` was made."""
        curves = {name: np.array(values, float) for name, values in found["curves"].items()}
        return cls(**{one.name: found[one.name] for one in fields(cls)} | {"curves": curves})
