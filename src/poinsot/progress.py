"""The progress bar of a run: in terminals by rich, in notebooks by a display that is updated in place."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from html import escape
from typing import Any

PATIENCE = 1.0  # s before a bar appears
RENEWED = 0.2  # s between two updates in a notebook


def bar(show: bool | None, name: str, start: float, duration: float) -> AbstractContextManager[Callable[[float], None]]:
    """A bar with the remaining time, on stderr. `show` None: only in a terminal or notebook, and only when the run takes longer than a second."""
    display = _notebook() if show is None or show else None
    wanted = (display is not None or sys.stderr.isatty()) if show is None else show
    if not wanted:
        return _NONE
    return _in_notebook(display, show, name, start, duration) if display else _in_terminal(show, name, start, duration)


def _silent(t: float) -> None:
    """In place of a bar."""


_NONE = nullcontext(_silent)


@contextmanager
def _in_terminal(show: bool | None, name: str, start: float, duration: float) -> Iterator[Callable[[float], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    console = Console(stderr=True)
    progress = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:3.0f} %"),
        TimeElapsedColumn(),
        TextColumn("to go"),
        TimeRemainingColumn(),
        console=console,
        transient=console.is_terminal,
    )
    task = progress.add_task(name, total=duration)
    began = time.perf_counter()
    shown = False

    def tell(t: float) -> None:
        nonlocal shown
        if not shown and (show or time.perf_counter() - began > PATIENCE):
            progress.start()
            shown = True
        progress.update(task, completed=t - start)

    try:
        yield tell
    finally:
        if shown:
            progress.stop()


def _notebook() -> Any:
    """The function that displays HTML in a notebook; None outside of notebooks. Nothing is imported that is not there already."""
    python = sys.modules.get("IPython")
    shell = python.get_ipython() if python is not None else None
    if shell is None or type(shell).__name__ != "ZMQInteractiveShell":
        return None
    from IPython.display import display

    return display


@contextmanager
def _in_notebook(display: Any, show: bool | None, name: str, start: float, duration: float) -> Iterator[Callable[[float], None]]:
    began = last = time.perf_counter()
    handle: Any = None

    def tell(t: float) -> None:
        nonlocal handle, last
        now = time.perf_counter()
        if handle is None and not (show or now - began > PATIENCE):
            return
        if handle is not None and now - last < RENEWED:
            return
        last, done = now, min(max((t - start) / duration, 0.0), 1.0) if duration > 0 else 1.0
        html = _html(name, done, now - began)
        if handle is None:
            handle = display(html, raw=True, display_id=True)
        else:
            handle.update(html, raw=True)

    try:
        yield tell
    finally:
        if handle is not None:
            handle.update({"text/plain": "", "text/html": ""}, raw=True)  # as in a terminal, nothing is left


def _html(name: str, done: float, seconds: float) -> dict[str, str]:
    left = f", {seconds * (1.0 - done) / done:.0f} s to go" if done > 0 else ""
    words = f"{name}: {100 * done:.0f} %, {seconds:.0f} s{left}"
    return {"text/plain": words, "text/html": f"<progress value='{done:.4f}' max='1'></progress> {escape(words)}"}
