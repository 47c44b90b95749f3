"""Ctrl-C: a run ends between two steps, and the KeyboardInterrupt that follows carries the results so far."""

from __future__ import annotations

import signal
import threading
from importlib import import_module
from types import FrameType, TracebackType
from typing import Any

_SIGNALS: Any = import_module("_signal")  # what `signal` wraps; it makes enumerations of all that it is given, 6 us per run

_ELSEWHERE: dict[int, Interrupt] = {}  # runs of threads other than the main one, by thread


class Interrupt:
    """Ctrl-C asks a run to end after the steps it is doing; a second one ends it at once.

    Only the main thread receives Ctrl-C; `stop_run_of` does the same for the run of another thread. A handler installed by the
    user stays in place: it decides what happens, and a KeyboardInterrupt that it raises carries the run as well. Nested runs (a
    law that simulates) all end.
    """

    def __init__(self) -> None:
        self.pressed = False
        self._outer: Interrupt | None = None
        self._old: Any = None

    def __enter__(self) -> Interrupt:
        if threading.current_thread() is threading.main_thread():
            old = _SIGNALS.getsignal(_SIGNALS.SIGINT)
            outer = getattr(old, "__self__", None)
            self._outer = outer if isinstance(outer, Interrupt) else None
            if self._outer is not None or old is signal.default_int_handler:
                self.pressed = self._outer is not None and self._outer.pressed
                self._old = _SIGNALS.signal(_SIGNALS.SIGINT, self.press)
        else:
            self._outer = _ELSEWHERE.get(threading.get_ident())
            self.pressed = self._outer is not None and self._outer.pressed
            _ELSEWHERE[threading.get_ident()] = self
        return self

    def press(self, number: int, frame: FrameType | None) -> None:
        """Signal handler of Ctrl-C."""
        again, run = self.pressed, self
        while run is not None:
            run.pressed = True
            run = run._outer  # type: ignore[assignment]
        if again:
            signal.default_int_handler(number, frame)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._old is not None:
            _SIGNALS.signal(_SIGNALS.SIGINT, self._old)
        elif self._outer is not None:
            _ELSEWHERE[threading.get_ident()] = self._outer
        else:
            _ELSEWHERE.pop(threading.get_ident(), None)


def stop_run_of(thread: int) -> None:
    """End the run that another thread is doing, after its present steps, with a KeyboardInterrupt; nothing where there is none."""
    run = _ELSEWHERE.get(thread)
    while run is not None:
        run.pressed = True
        run = run._outer


def interruption(run: Any, note: str = "") -> KeyboardInterrupt:
    """The exception after Ctrl-C, with the results so far."""
    return with_run(KeyboardInterrupt(f"system '{run.system.name}': stopped by Ctrl-C"), run, note)


def with_run(error: KeyboardInterrupt, run: Any, note: str = "") -> KeyboardInterrupt:
    """The same exception with a run, and a note on where it is and how to resume it."""
    inner = getattr(error, "trajectory", None)
    if inner is None or inner.system is not run.system:  # the exception of a law already has it
        error.trajectory = run  # type: ignore[attr-defined]
        reached = f"the run until t = {run.t[-1]:.9g} s" if len(run.t) else "the run"
        error.add_note(
            f"{note}{reached} is in error.trajectory (at a prompt or in a notebook: sys.last_value.trajectory)"
        )
    path = getattr(run, "path", None)
    if path is not None and not run.complete:
        error.add_note(f"{path} holds the run so far and is intact: po.resume({str(path)!r}) resumes it")
    return error
