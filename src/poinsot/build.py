"""Kernels of many modules compiled by several processes: each takes a module that no other has taken, as soon as what that imports is compiled.

A folder that the processes share has an empty file for every module that was taken, and another when its kernels are on disk.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

from poinsot import _sources

LOOK = 0.03  # s between two looks at what the others have done
TAKEN, DONE = ".taken", ".done"


def compiling_modules(modules: Iterable[str]) -> dict[str, set[str]]:
    """Those that compile kernels among some modules and all that these import, each with those of them that it imports."""
    found = {name for module in modules for name in _imports(module) if _sources.compiles(name)}
    return {name: set(_imports(name) & found - {name}) for name in found}


def by_urgency(below: dict[str, set[str]]) -> list[str]:
    """Modules in the order in which to compile them: first those that the longest chain of others waits for, lengths of sources taken for times."""
    above: dict[str, list[str]] = {name: [] for name in below}
    for name, imported in below.items():
        for one in imported:
            above[one].append(name)
    length: dict[str, float] = {}
    for name in sorted(below, key=lambda name: -len(below[name])):  # a module imports all that those below it import, and them
        length[name] = _weight(name) + max((length.get(one, 0.0) for one in above[name]), default=0.0)
    return sorted(below, key=lambda name: -length[name])


class Build:
    """The part of one process; `folder` is the one that all share."""

    def __init__(self, folder: Path, modules: Iterable[str]):
        self.folder, self.below = folder, compiling_modules(modules)
        self.left = by_urgency(self.below)
        for name in self.left:
            if name in sys.modules:
                self._mark(name, DONE)

    def work(self, others_go_on: Callable[[], bool]) -> None:
        """Compile modules until all are on disk. `others_go_on` is asked while this process waits: if not, it compiles what they have taken.

        Cycles of garbage are searched for once at the end, not after every kernel, which would take a twentieth of the time.
        """
        collecting = gc.isenabled()
        gc.disable()
        try:
            for name in self._next(others_go_on):
                import_module(name)
                self._mark(name, DONE)
        finally:
            if collecting:
                gc.enable()

    def _next(self, others_go_on: Callable[[], bool]) -> Iterator[str]:
        alone = False
        while True:
            done, taken = ({path.stem for path in self.folder.glob(f"*{what}")} for what in (DONE, TAKEN))
            self.left = [name for name in self.left if name not in done]
            if not self.left:
                return
            circle = not taken - done and all(self.below[name] - done for name in self.left)  # modules wait for each other
            ready = [name for name in self.left if alone or circle or not self.below[name] - done]
            mine = next((name for name in ready if alone or self._mark(name, TAKEN)), None)
            if mine is not None:
                yield mine
            elif others_go_on():
                time.sleep(LOOK)
            else:
                alone = True

    def _mark(self, name: str, what: str) -> bool:
        """Leave a file for a module; False where there is one."""
        try:
            (self.folder / f"{name}{what}").touch(exist_ok=False)
        except FileExistsError:
            return False
        return True


def _weight(module: str) -> int:
    """Length of the sources that are compiled with a module: its own, and those it imports whose kernels are compiled where they are used."""
    own = [module, *(name for name in _imports(module) if not _sources.compiles(name))]
    return sum(len(file.read_bytes()) for file in map(_sources.module_file, own) if file is not None)


@cache
def _imports(module: str) -> frozenset[str]:
    """A module, all that it imports, directly or indirectly, and the packages of all of them."""
    found, new = set[str](), {module}
    while new:
        found |= new
        reached = {name for one in new for name in _sources.imported_modules(one)}
        new = {".".join(name.split(".")[:k]) for name in reached | new for k in range(2, name.count(".") + 2)} - found
    return frozenset(found)

