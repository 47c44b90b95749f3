"""Work in several processes: each does one piece after the other, and takes those for which it has loaded the kernels.

A process that dies costs the piece it was doing. Without processes (one worker, or where they cannot be started) the work is done here.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any

CRASHED = "the process that computed it ended unexpectedly (exit code {code})"


@dataclass(frozen=True)
class Piece:
    """A piece of work: a function of this package and its arguments after the task; `kind`: pieces of one kind use the same kernels."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    kind: str


class Crash(Exception):
    """A piece of work that could not be done, and why."""


@dataclass
class Worker:
    """A process, the connection to it, and the piece that it is doing."""

    process: Any
    connection: Connection
    piece: int | None = None
    kind: str = ""


def results(task: Any, pieces: Sequence[Piece], workers: int) -> Iterator[tuple[int, Any]]:
    """Number and result of every piece as it is done; the result of one that could not be done is a `Crash`.

    Closing the iterator, or an exception such as that of Ctrl-C, ends all processes.
    """
    context = _context(task) if workers > 1 and len(pieces) > 1 else None
    if context is None:
        for k, piece in enumerate(pieces):
            yield k, _done(task, piece.function, piece.arguments)
        return
    waiting = list(range(len(pieces)))
    crew: list[Worker] = []
    try:
        while waiting or any(worker.piece is not None for worker in crew):
            while waiting and len([w for w in crew if w.piece is not None]) < workers:
                idle = next((w for w in crew if w.piece is None), None) or _hire(context, task, crew)
                _give(idle, waiting, pieces, crew)
            busy = {worker.connection: worker for worker in crew if worker.piece is not None}
            for ready in wait(list(busy)):
                worker = busy[ready]  # type: ignore[index]
                done, worker.piece = worker.piece, None
                assert done is not None
                try:
                    result = worker.connection.recv()
                except (EOFError, OSError, pickle.UnpicklingError):
                    worker.process.join(5)
                    result = Crash(CRASHED.format(code=worker.process.exitcode))
                    crew.remove(worker)
                yield done, result
    finally:
        for worker in crew:
            worker.process.terminate()
        for worker in crew:
            worker.process.join(5)
            worker.connection.close()


def _context(task: Any) -> Any:
    """How processes are started: as copies of this one where that is possible, else anew if the task can be sent to them; None: not at all."""
    if multiprocessing.current_process().daemon:  # such processes may not have others
        return None
    if "fork" in multiprocessing.get_all_start_methods() and os.name == "posix":
        return multiprocessing.get_context("fork")
    try:
        pickle.dumps(task)
    except Exception:
        return None
    return multiprocessing.get_context("spawn")


def _hire(context: Any, task: Any, crew: list[Worker]) -> Worker:
    here, there = context.Pipe()
    copied = [*(w.connection for w in crew), here] if context.get_start_method() == "fork" else []
    process = context.Process(target=_serve, args=(there, task, copied), daemon=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # copies of processes with threads: those here do no work
        process.start()
    there.close()
    worker = Worker(process, here)
    crew.append(worker)
    return worker


def _give(worker: Worker, waiting: list[int], pieces: Sequence[Piece], crew: Sequence[Worker]) -> None:
    """The next piece: of the kind that the process did last, else of one that no other does, else the first."""
    others = {other.kind for other in crew if other is not worker}
    own = [k for k in waiting if pieces[k].kind == worker.kind]
    new = [k for k in waiting if pieces[k].kind not in others]
    chosen = (own or new or waiting)[0]
    waiting.remove(chosen)
    worker.piece, worker.kind = chosen, pieces[chosen].kind
    with suppress(OSError):  # it has ended: its connection tells
        worker.connection.send((pieces[chosen].function, pieces[chosen].arguments))


def _serve(connection: Connection, task: Any, others: Sequence[Connection]) -> None:
    """What a process does: pieces, until the connection closes. Ctrl-C is for the process that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for other in others:
        with suppress(OSError):
            other.close()
    while True:
        try:
            function, arguments = connection.recv()
        except (EOFError, OSError):
            return
        try:
            connection.send(_done(task, function, arguments))
        except OSError:
            return
        except Exception as error:
            connection.send(Crash(f"{type(error).__name__}: {error}"))


def _done(task: Any, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    try:
        return function(task, *arguments)
    except Exception as error:
        return Crash(f"{type(error).__name__}: {error}")
