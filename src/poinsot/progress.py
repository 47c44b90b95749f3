"""The progress bar of a run."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PATIENCE = 1.0  # s before a bar appears


@contextmanager
def bar(show: bool | None, name: str, start: float, duration: float) -> Iterator[Callable[[float], None]]:
    """A bar with the remaining time, on stderr. `show` None: only in a terminal, and only when the run takes longer than a second."""
    wanted = sys.stderr.isatty() if show is None else show
    if not wanted:
        yield lambda t: None
        return
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
