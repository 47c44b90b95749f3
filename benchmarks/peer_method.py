"""What a program offers for a mechanism: methods with settings from coarse to fine, and what a setting computes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

OUTPUTS = 5  # equal parts of the duration, at whose ends motions are compared


@dataclass
class Prepared:
    """A mechanism ready to run: `motion()` gives (OUTPUTS, bodies, 18) after the start; `march()` does the same run, and is what is timed.

    `loop()`, if any: seconds of the last march that were spent in the time loop alone.
    """

    motion: Callable[[], np.ndarray]
    march: Callable[[], object]
    loop: Callable[[], float] | None = None


@dataclass
class Method:
    """A method of a program; `make` prepares one of its settings: steps in an output interval, or a tolerance."""

    program: str
    name: str
    make: Callable[[float], Prepared]
    settings: Sequence[float]
    points: list = field(default_factory=list)

    def label(self, setting: float, duration: float) -> str:
        """With the setting in words."""
        size = f"{duration / OUTPUTS / setting:.3g} s" if setting >= 1 else f"to {setting:.0e}"
        return f"{self.name}, {size}" if self.name else size


def step_counts(duration: float, step: float, finest: float = 20000.0, octave: int = 2) -> list[float]:
    """Steps in an output interval, from about `step` (s) to that over `finest`, `octave` of them until they have doubled."""
    first = max(1.0, duration / OUTPUTS / step)
    count = int(octave * np.log2(finest)) + 1
    return list(dict.fromkeys(float(round(first * 2 ** (k / octave))) for k in range(count)))


def tolerances(per_decade: int = 2, finest: int = 14) -> list[float]:
    """From 1e-2 on."""
    return [10.0 ** -(2 + k / per_decade) for k in range((finest - 2) * per_decade + 1)]
