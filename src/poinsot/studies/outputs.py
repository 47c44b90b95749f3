"""What studies have in common: figures written to a folder, and runs that are computed once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import poinsot as po

ENDINGS = ("svg", "png")


def write_figures(figures: Iterable[tuple[str, Any]], folder: Path) -> list[str]:
    """Write figures by their names, in both forms; returns their files."""
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for name, figure in figures:
        for ending in ENDINGS:
            file = folder / f"{name}.{ending}"
            figure.savefig(file, dpi=150)
            files.append(str(file))
    return files


class KeptRuns:
    """Runs by name, each computed once."""

    def __init__(self, quick: bool = False):
        self.quick = quick
        self._kept: dict[tuple[Any, ...], Any] = {}

    def _run(self, key: tuple[Any, ...], build: Callable[[], po.System], duration: float, **settings: Any) -> Any:
        if key not in self._kept:
            self._kept[key] = po.simulate(build(), duration, progress=False, **settings)
        return self._kept[key]
