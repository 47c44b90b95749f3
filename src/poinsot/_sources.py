"""The sources of a compiled kernel: its module and all modules that it imports, directly or indirectly.

Numba compiles constants and callees into a kernel, and does not notice when they change in another file. A kernel refers to other
modules only through imports at the top of its own, from the first column; imports within functions or for type checkers do not affect kernels.
So the digest over these sources changes whenever the kernel may change, and does not change with any other file. Kernels are also handed
the tables of a system without importing what describes them: that is a source of all, except of the algebra, which sees no tables.
"""

from __future__ import annotations

import hashlib
import platform
import re
import sys
from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from pathlib import Path

PACKAGE = Path(__file__).parent
ALGEBRA, TABLES = PACKAGE / "algebra", PACKAGE / "tables" / "layout_type.py"
# rooms after all equations; `tests/test_house.py` checks the order
AFTER = (
    *("progress", "choices", "interrupts", "calls", "driver", "plans", "remembered", "equations", "kept", "starts", "events", "agenda"),
    *("diagnosis", "launches", "failures", "accuracy", "stepping", "simulation"),
    *("files", "view", "comparison", "sweeps", "live", "studies", "cli"),
)
IMPORT = re.compile(r"^(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)|import[ \t]+([^\n]*))", re.MULTILINE)
KERNEL = re.compile(r"^@(?:kernel|helper|internal|handed|compiled)\b", re.MULTILINE)

AT_IMPORT = re.compile(r"^@(?:internal|handed|compiled)\b", re.MULTILINE)


def module_file(name: str, beside: Path | None = None) -> Path | None:
    """The source of a module of this package, or of one in the folder of a file that imports it; None for all others."""
    parts = name.split(".")
    if parts[0] == PACKAGE.name:
        path = PACKAGE.joinpath(*parts[1:])
    elif beside is not None and name in sys.modules:
        path = beside.parent.joinpath(*parts)
    else:
        return None
    found = [file for file in (path.with_suffix(".py"), path / "__init__.py") if path != PACKAGE and file.is_file()]
    return found[0] if found else None


@cache
def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def _digest(path: Path) -> bytes:
    """Digest of the name and the content of one source."""
    name = path.relative_to(PACKAGE).as_posix() if PACKAGE in path.parents else path.name
    return hashlib.sha256(f"{name}\n{_text(path)}".encode()).digest()


@cache
def _imported(path: Path) -> frozenset[Path]:
    """Sources imported at the top of a source."""
    found: set[Path | None] = set()
    for origin, names, plain in IMPORT.findall(_text(path)):
        if origin:
            words = [word.split()[0] for word in re.sub(r"#[^\n]*", "", names).strip("() \n").split(",") if word.strip()]
            modules = {word: module_file(f"{origin}.{word}", path) for word in words}
            found |= set(modules.values())
            if None in modules.values():  # a name that is not a module of that package is defined in the package
                found.add(module_file(origin, path))
        else:
            found |= {module_file(word.split()[0], path) for word in plain.split("#")[0].split(",") if word.strip()}
    return frozenset(file for file in found if file is not None)


@cache
def reached(path: Path) -> frozenset[Path]:
    """A source and all that it imports, directly or indirectly."""
    found, new = {path}, {path}
    while new:
        new = set().union(*(_imported(one) for one in new)) - found
        found |= new
    return frozenset(found)


@cache
def stamp(path: Path) -> str:
    """Digest over everything that the kernels of a source can depend on: 16 hexadecimal digits."""
    digest = hashlib.sha256()
    tables = frozenset[Path]() if ALGEBRA in path.parents else reached(TABLES)
    for one in sorted(reached(path) | tables):
        digest.update(_digest(one))
    return digest.hexdigest()[:16]


@cache
def _kernels(path: Path) -> int:
    """Number of kernels in one source."""
    return len(KERNEL.findall(_text(path)))


@cache
def compiles(module: str) -> bool:
    """Whether a module of this package compiles kernels when it is imported, rather than when others use them."""
    file = module_file(module)
    return file is not None and AT_IMPORT.search(_text(file)) is not None


def imported_modules(module: str) -> list[str]:
    """Names of the modules of this package that a module of it imports at its top."""
    file = module_file(module)
    own = [] if file is None else [one.relative_to(PACKAGE) for one in _imported(file) if PACKAGE in one.parents]
    return [".".join([PACKAGE.name, *path.parts[:-1], *([] if path.stem == "__init__" else [path.stem])]) for path in own]


@cache
def _within(module: str) -> frozenset[tuple[str, str, int]]:
    """Name, stamp and number of kernels of the sources of a module of this package and of all that it imports."""
    file = module_file(module)
    return frozenset() if file is None else frozenset((str(one), stamp(one), _kernels(one)) for one in reached(file))


def kernels_within(modules: Iterable[str]) -> int:
    """Number of kernels in these modules of this package and all that they import."""
    return sum(kernels for _, _, kernels in set().union(*map(_within, modules)))


def stamps_within(modules: Iterable[str]) -> set[str]:
    """Stamps of these modules of this package and of all that they import."""
    return {found for _, found, _ in set().union(*map(_within, modules))}


def source_hash() -> str:
    """Digest over everything that affects the digits of a run (tables, kernels, Python, Numba): 16 hexadecimal digits."""
    digest = hashlib.sha256(f"{sys.version} numba {version('numba')} {platform.machine()}".encode())
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.relative_to(PACKAGE).parts[0].removesuffix(".py") not in AFTER:
            digest.update(path.name.encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
