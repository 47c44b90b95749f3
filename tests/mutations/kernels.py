"""Compiled kernels for mutated copies of the package: those of the sources as they are, less the ones that a mutation reaches."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from dependents import Name
from numba.core.caching import UserProvidedCacheLocator

# imports every module, which compiles its kernels; two processes meet in the middle
COMPILE = """
import os, pkgutil, sys
from importlib import import_module
import poinsot
names = [found.name for found in pkgutil.walk_packages(poinsot.__path__, "poinsot.")]
for name in names[:: int(sys.argv[1])]:
    import_module(name)
print(os.environ["NUMBA_CACHE_DIR"])
"""


class Kernels:
    """All kernels of a package, taken from the user's cache into a directory; what is not there yet is compiled first."""

    def __init__(self, package: Path, directory: Path):
        self.package, self.directory = package, directory
        environment = os.environ | {"PYTHONPATH": str(package.parent)}
        environment.pop("NUMBA_CACHE_DIR", None)  # may be out of date: callers in it do not notice changed callees
        commands = [[sys.executable, "-c", COMPILE, step] for step in ("1", "-1")]
        processes = [subprocess.Popen(c, env=environment, stdout=subprocess.PIPE, text=True) for c in commands]
        try:
            cache = {Path(process.communicate()[0].strip()) for process in processes}
        finally:
            for process in processes:
                process.kill()
        if any(process.returncode for process in processes):
            raise SystemExit("the sources as they are cannot be imported")
        self.index: dict[Name, list[Path]] = {}
        for folder in (path for path in package.rglob("*") if path.is_dir()):
            place = UserProvidedCacheLocator.get_suitable_cache_subpath(str(folder / "any.py"))
            for path in (path for root in cache for path in (root / place).glob("*.nb?")):
                module, name = path.name.split(".")[:2]
                kept = directory / folder.relative_to(package) / path.name
                kept.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, kept)
                key = ".".join((*folder.relative_to(package).parts, module)), name.split("-")[0]
                self.index.setdefault(key, []).append(kept)

    def size(self, names: Iterable[Name]) -> int:
        """Bytes of these kernels: about as the time that it takes to compile them."""
        return sum(path.stat().st_size for name in names for path in self.index.get(name, ()))

    def give(self, package: Path, cache: Path, without: set[Name]) -> None:
        """Fill a cache directory for a copy of the package with all kernels except some."""
        for (module, name), paths in self.index.items():
            if (module, name) not in without:
                folder = package.joinpath(*module.split(".")[:-1])
                place = cache / UserProvidedCacheLocator.get_suitable_cache_subpath(str(folder / "any.py"))
                place.mkdir(parents=True, exist_ok=True)
                for path in paths:
                    os.link(path, place / path.name)  # files of a cache are replaced, never written to
