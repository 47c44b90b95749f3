"""Timing that is robust on a busy machine.

Everything compared is measured in turns, in windows shorter than what a scheduler gives a process, in processor time;
the shortest counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

WINDOW = 0.002  # s that one measurement takes
ROUNDS = 500
TURN = 0.02  # s that runs of one kind take in a row


def seconds_per_call(
    repeaters: Sequence[Callable[[int], object]], rounds: int = ROUNDS, window: float = WINDOW
) -> list[float]:
    """Shortest time per call of each of several functions `repeat(count)`, measured in turns."""
    counts = [calibrated(repeat, window) for repeat in repeaters]
    best = [float("inf")] * len(repeaters)
    for _ in range(rounds):
        for k, (repeat, count) in enumerate(zip(repeaters, counts)):
            began = time.thread_time()
            repeat(count)
            best[k] = min(best[k], (time.thread_time() - began) / count)
    return best


def calibrated(repeat: Callable[[int], object], window: float) -> int:
    """Number of calls that fill the window."""
    repeat(1)  # what only a first call does is not counted
    count = 1
    while True:
        began = time.thread_time()
        repeat(count)
        took = time.thread_time() - began
        if took > 0.3 * window:
            return max(1, round(count * window / took))
        count *= 4


def shortest(calls: Sequence[Callable[[], object]], rounds: int) -> list[float]:
    """Shortest time of each of several calls, measured in turns; for calls that take longer than a window."""
    best = [float("inf")] * len(calls)
    for _ in range(rounds):
        for k, call in enumerate(calls):
            began = time.thread_time()
            call()
            best[k] = min(best[k], time.thread_time() - began)
    return best


def shortest_within(calls: Sequence[Callable[[], object]], rounds: int, budget: float, turn: float = TURN) -> list[float]:
    """Shortest time of each of several calls, measured in turns, every one at least once and then while it took less than the budget (s).

    A turn is calls in a row until they have taken `turn` (s), so that none is measured only right after others have filled the caches.
    """
    best, spent = [float("inf")] * len(calls), [0.0] * len(calls)
    for _ in range(rounds):
        for k, call in enumerate(calls):
            end = spent[k] + turn
            while spent[k] <= budget:
                began = time.thread_time()
                call()
                took = time.thread_time() - began
                best[k], spent[k] = min(best[k], took), spent[k] + took
                if spent[k] >= end:
                    break
    return best
