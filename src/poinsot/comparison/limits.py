"""A time limit on a piece of work."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def time_limit(seconds: float | None, what: str = "of time_limit=") -> Iterator[None]:
    """Raise a TimeoutError in the work below after this time (s); `what` says whose limit it is.

    Runs return to Python several times a second, and end there. Only the main thread of a process has such a limit, on systems with
    alarms, and only while nobody else uses them.
    """
    usable = seconds is not None and hasattr(signal, "SIGALRM") and threading.current_thread() is threading.main_thread()
    if not usable or signal.getitimer(signal.ITIMER_REAL)[0] > 0:
        yield
        return

    def expired(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"the run was stopped after {seconds:g} s, the limit {what}")

    old = signal.signal(signal.SIGALRM, expired)
    signal.setitimer(signal.ITIMER_REAL, float(seconds))  # type: ignore[arg-type]
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, old)
