"""Compiled kernels for mutated copies of the package: those of the sources as they are, less the ones that a mutation reaches."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from dependents import Name

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from all_kernels import compile_all  # noqa: E402
from poinsot.algebra.kernel_cache import DIGEST, SIZE


class Kernels:
    """All kernels of a package, taken from the user's cache into a directory; what is not there yet is compiled first."""

    def __init__(self, package: Path, directory: Path):
        self.package, self.directory = package, directory
        cache = compile_all(package.parent)
        self.index: dict[Name, list[Path]] = {}
        stamps = Stamps(package)
        for path in (path for root in cache for path in root.glob(f"{package.name}.*/*.nb?")):
            module, name = path.parent.name.removeprefix(f"{package.name}."), path.name.split(".")[1].split("-")[0]
            if f"-{stamps.of(module)}." in path.name:
                kept = directory / module / path.name
                kept.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, kept)
                self.index.setdefault((module, name), []).append(kept)
        self.stamps = {module: stamps.of(module) for module, _ in self.index}

    def size(self, names: Iterable[Name]) -> int:
        """Bytes of these kernels: about as the time that it takes to compile them."""
        return sum(path.stat().st_size for name in names for path in self.index.get(name, ()))

    def give(self, package: Path, cache: Path, without: set[Name]) -> None:
        """Fill a cache directory for a copy of the package with all kernels except some.

        The stamp of a module that only takes other names from the mutated one changes, too: there the kernels get the new stamp.
        """
        stamps = Stamps(package)
        for (module, name), paths in self.index.items():
            old, new = self.stamps[module], stamps.of(module)
            if (module, name) not in without and new:
                place = cache / f"{package.name}.{module}"
                place.mkdir(parents=True, exist_ok=True)
                for path in paths:
                    given = place / path.name.replace(old, new)
                    if old != new and path.suffix == ".nbi":  # an index names its stamp and its files, and ends with a digest
                        content = path.read_bytes()[:-SIZE].replace(old.encode(), new.encode())
                        given.write_bytes(content + DIGEST(content).digest())
                    else:
                        os.link(path, given)  # files of a cache are replaced, never written to


class Stamps:
    """The stamps of a package's modules, by its own `_sources.py`."""

    def __init__(self, package: Path):
        self.package = package
        found = spec_from_file_location("mutated_sources", package / "_sources.py")
        assert found is not None and found.loader is not None
        self.sources: Any = module_from_spec(found)
        found.loader.exec_module(self.sources)

    def of(self, module: str) -> str:
        """The stamp of a module; nothing if there is no such module."""
        path = self.sources.module_file(f"{self.package.name}.{module}")
        return self.sources.stamp(path) if path else ""
