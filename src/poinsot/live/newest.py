"""One question at a time: whoever asks while another question is answered waits, and only the newest of those that wait is answered."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

PATIENCE = 0.5  # s that an answer may take once a newer question waits; then its run is stopped
LOOK = 0.05  # s between two looks at it


class Superseded(Exception):
    """A newer question came, or everything was closed, before this one was answered."""


class _Question:
    """A question, and its answer once there is one."""

    def __init__(self, question: Any):
        self.question, self.answer, self.began = question, None, 0.0
        self.dropped = False
        self.done = threading.Event()

    def drop(self) -> None:
        self.dropped = True
        self.done.set()


class Newest:
    """Answers questions in a thread of its own, one after the other.

    Parameters
    ----------
    answer : the answer to a question; it may raise `Superseded` when it was stopped
    stop : asks the present answer, by the number of its thread, to end soon
    """

    def __init__(self, answer: Callable[[Any], Any], stop: Callable[[int], None]):
        self.answer, self.stop = answer, stop
        self.closed = False
        self._waiting: _Question | None = None
        self._present: _Question | None = None
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._work, name="poinsot live", daemon=True)
        self._thread.start()

    def ask(self, question: Any) -> Any:
        """The answer to a question; raises `Superseded` when a newer one came before it was begun, or while it took long."""
        mine = _Question(question)
        with self._changed:
            if self.closed:
                raise Superseded
            if self._waiting is not None:
                self._waiting.drop()
            self._waiting = mine
            self._changed.notify()
        while not mine.done.wait(LOOK):
            self._hurry(mine)
        if mine.dropped:
            raise Superseded
        return mine.answer

    def _hurry(self, mine: _Question) -> None:
        """Stop an answer that takes long while this question waits."""
        with self._changed:
            present = self._present
            slow = present is not None and time.perf_counter() - present.began > PATIENCE
            if self._waiting is mine and slow:
                self.stop(self._thread.ident or 0)

    def _work(self) -> None:
        while True:
            with self._changed:
                while self._waiting is None and not self.closed:
                    self._changed.wait()
                if self.closed:
                    return
                present, self._waiting = self._waiting, None
                assert present is not None
                self._present, present.began = present, time.perf_counter()
            try:
                present.answer = self.answer(present.question)
                present.done.set()
            except BaseException:  # whoever asks must not wait for ever; `answer` turns errors of runs into answers
                present.drop()
            with self._changed:
                self._present = None

    def close(self) -> None:
        """Answer nothing more; a present answer is stopped."""
        with self._changed:
            self.closed = True
            if self._waiting is not None:
                self._waiting.drop()
                self._waiting = None
            self._changed.notify_all()
        while self._thread.is_alive() and threading.current_thread() is not self._thread:
            self.stop(self._thread.ident or 0)
            self._thread.join(LOOK)
