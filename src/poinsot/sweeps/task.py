"""What a sweep has to do, as a whole, and the results of a part of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from poinsot.model.system import System
from poinsot.sweeps.reductions import Kept
from poinsot.sweeps.variants import Variants

ELSEWHERE = "the process that computed it ended unexpectedly, twice"


@dataclass(frozen=True)
class Spec:
    """One thing that is kept of every run: its name, the shape of one value, and what the axes mean.

    Attributes
    ----------
    dims : name of every axis; the first of a series is "t"
    labels : of the components, on the last axis
    unit, words : as results have them; empty where only a user's function knows
    """

    name: str
    shape: tuple[int, ...]
    dims: tuple[str, ...]
    labels: tuple[str, ...] = ()
    unit: str = ""
    words: str = ""
    series: bool = False


@dataclass(frozen=True)
class Task:
    """Everything that a worker needs.

    Attributes
    ----------
    source : the system, or a function that builds it
    built : names that are arguments of that function
    options : settings of `prepare`
    running : settings of a run
    batch : number of variants that are done together; it depends on the sweep alone, so that nothing depends on the workers
    lanes, lanes_words : whether variants run in lanes where they can (`lanes.py`), and why, or why not
    """

    source: System | Callable[..., System]
    built: tuple[str, ...]
    variants: Variants
    duration: float
    options: dict[str, Any]
    running: dict[str, Any]
    records: tuple[Kept, ...]
    specs: tuple[Spec, ...] = ()
    batch: int = 1
    lanes: bool = False
    lanes_words: str = ""

    @property
    def batches(self) -> int:
        """Number of batches."""
        return -(-len(self.variants) // self.batch)

    def members(self, batch: int) -> range:
        """Variants of a batch."""
        return range(batch * self.batch, min((batch + 1) * self.batch, len(self.variants)))


@dataclass
class Part:
    """Results of one batch.

    Attributes
    ----------
    batch : its number
    values : of everything that is kept, (n, *shape); NaN where a variant failed
    figures : (n, number of figures)
    failures : by variant, what went wrong
    warnings : messages, and the number of variants that had them
    seconds : time that it took
    """

    batch: int
    values: list[np.ndarray]
    figures: np.ndarray
    failures: dict[int, str] = field(default_factory=dict)
    warnings: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0
