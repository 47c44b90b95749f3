"""The converged reference: two solutions by different methods in different formulations, each refined until it no longer changes.

Their difference is the accuracy that is known. Neither is taken to be more accurate than that.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import floor, log10
from typing import Any

import numpy as np

from poinsot.comparison.candidates import Candidate
from poinsot.comparison.error import error_over_time, size_of
from poinsot.comparison.limits import time_limit
from poinsot.comparison.measure import Setting, Task, poses, prepared, quiet, run_once, words

CONVERGED = 1e-6  # largest difference of the two that counts as agreement
TRIED = 3  # candidates, until one runs
STILL = 1e-9  # motion, in the error norm, below which errors do not tell methods apart
USEFUL = 0.1  # least part of the duration for which they must agree
ROUNDING = 1e-15
STALLED = 0.5  # refining that reduces the change by less than this no longer helps
FIXED_REFINEMENTS, TIGHT = 8, (1e-10, 1e-11, 1e-12, 1e-13, 1e-14)
ABSOLUTE = 0.1  # atol relative to rtol
BUDGET = 20.0  # s that a solution may take
FINEST = 64  # steps between two outputs, where no step is given
ROOM = 4.0  # factor by which a further refinement is expected to take longer


@dataclass(frozen=True)
class Solution:
    """One of the two: poses (times, bodies, 7), `change` in its last refinement, size of the mechanism (m), and words about how it was
    computed or why there is none.
    """

    words: str
    candidate: Candidate | None = None
    poses: np.ndarray | None = None
    change: float = np.inf
    size: float = 1.0


def two_kinds(candidates: Sequence[Candidate]) -> tuple[list[Candidate], list[Candidate]]:
    """Candidates for the two solutions, best first: of fixed steps, and of adaptive ones in other formulations.

    Joint coordinates come first for the one, multipliers for the other, so that the two have as little in common as possible.
    """
    fixed = sorted((c for c in candidates if not c.adaptive), key=lambda c: (c.variant, c.multipliers, -c.order))
    adaptive = sorted((c for c in candidates if c.adaptive), key=lambda c: (c.variant, not c.multipliers, -c.order))
    one, others = (fixed, adaptive) if fixed else (adaptive[:1], adaptive[1:])
    others = others or fixed[1:]  # at least another method
    return one, sorted(others, key=lambda c: one[0].family == c.family) if one else []


def solution(task: Task, candidates: Sequence[Candidate]) -> Solution:
    """The first of the candidates that runs, refined until it no longer changes."""
    alike: dict[str, tuple[str, list[str]]] = {}  # messages that differ in numbers only, with the first of them
    for candidate in candidates[:TRIED]:
        found = _refined(task, candidate)
        if found.poses is not None:
            return found
        alike.setdefault(re.sub(r"[\d.]+", "0", found.words), (found.words, []))[1].append(f"{candidate.formulation} with {candidate.integrator}")
    return Solution("; ".join(f"{', '.join(names)} failed ({words})" for words, names in alike.values()) or "no candidate")


def _refined(task: Task, candidate: Candidate) -> Solution:
    best, change, failure, size = None, np.inf, "", 1.0
    began = time.perf_counter()
    for setting in _refinements(task, candidate):
        left = BUDGET - (time.perf_counter() - began)
        before = time.perf_counter()
        try:
            with quiet(), time_limit(left, "for a reference"):
                run = run_once(task, prepared(task, setting))
                new = poses(run, task.grid)
                size = size_of(run.frozen, new[0])
        except Exception as error:
            failure = words(error)
            break
        took = time.perf_counter() - before
        if best is not None:
            difference = float(error_over_time(best[1], new, size).max())
            if difference > STALLED * change and difference < CONVERGED:  # as far as rounding allows
                break
            change = difference
        best = (setting, new)
        if change <= ROUNDING or ROOM * took > BUDGET - (time.perf_counter() - began):
            break
    if best is None:
        return Solution(failure)
    named = f"{candidate.formulation} with {candidate.integrator} ({best[0].row().setting}{' s' * (not candidate.adaptive)})"
    return Solution(named, candidate, best[1], change, size)


def _refinements(task: Task, candidate: Candidate) -> Iterator[Setting]:
    if candidate.adaptive:
        for rtol in TIGHT:
            yield Setting(candidate, tolerance=(rtol, ABSOLUTE * rtol))
        return
    step = task.grid.steps[-1] if task.grid.steps else task.grid.output_step / FINEST
    for k in range(FIXED_REFINEMENTS):
        yield Setting(candidate, step=step / 2**k)


@dataclass(frozen=True)
class Reference:
    """What errors are measured against.

    Attributes
    ----------
    words : how it was computed, or why there is none
    agreement : largest difference of the two solutions until `until`, in the error norm; None: no reference
    until : s after the start, up to which the two agree
    methods : words about the two solutions
    size : of the mechanism, m
    poses : (times, bodies, 7), of the better one; not saved
    uncertainty : (times,) largest difference of the two up to every time; not saved
    """

    words: str
    agreement: float | None
    until: float
    methods: tuple[str, ...]
    size: float
    poses: np.ndarray | None = None
    uncertainty: np.ndarray | None = None

    @property
    def digits(self) -> int | None:
        """To how many digits the two solutions agree."""
        return None if self.agreement is None else digits_of(self.agreement)

    def to_dict(self) -> dict[str, Any]:
        """All but the poses."""
        plain = {"words": self.words, "agreement": self.agreement, "digits": self.digits}
        return plain | {"until": self.until, "methods": list(self.methods), "size": self.size}


def digits_of(difference: float) -> int:
    """To how many digits two numbers of size 1 with this difference agree."""
    return max(0, floor(-log10(difference)))


def verified(one: Solution, other: Solution, times: np.ndarray) -> Reference:
    """The reference from two solutions at times (n,), counted from the start, s."""
    size = one.size if one.poses is not None else other.size
    names = tuple(s.words for s in (one, other))
    if one.poses is None or other.poses is None:
        failed = "; ".join(s.words for s in (one, other) if s.poses is None)
        return Reference(f"none: a reference needs two solutions, and there are fewer: {failed}", None, 0.0, names, size)
    difference = np.maximum.accumulate(error_over_time(one.poses, other.poses, size))
    last = int(np.searchsorted(difference, CONVERGED, side="right")) - 1
    if last < USEFUL * (len(times) - 1) or last < 1:
        words = f"none: {one.words} and {other.words} differ by more than {CONVERGED:g} after {times[max(last, 0)]:.3g} s"
        return Reference(words, None, 0.0, names, size)
    better = one if one.change <= other.change else other
    agreement = max(float(difference[last]), ROUNDING)
    part = "" if last == len(times) - 1 else f" until t = {times[last]:.4g} s, and errors are those until then"
    text = f"{one.words} and {other.words} agree to {agreement:.1g} ({digits_of(agreement)} digits){part}"
    assert better.poses is not None
    moved = float(error_over_time(np.broadcast_to(better.poses[:1], better.poses.shape), better.poses, size).max())
    if moved < STILL:
        amount = f"hardly moves (by {moved:.0e} of its size, or rad)" if moved > ROUNDING else "does not move"
        text += f"; but the system {amount}, so that errors do not tell methods apart"
    return Reference(text, agreement, float(times[last]), names, size, better.poses, np.maximum(difference, ROUNDING))
