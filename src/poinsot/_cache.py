"""Where compiled kernels are kept: a directory for each version of Python and Numba, with a bound on the size of all of them.

It is in the user's cache directory, or in a private temporary directory when that is not writable. File names contain a digest of
the sources of their kernels (`_sources.py`): when sources change, new files are added, and the least recently used ones are
removed.

Its files are machine code that is executed, so it must belong to the user, and nobody else may write to it.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import platform
import re
import shutil
import stat
import sys
import tempfile
import time
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path

KEPT, UNUSED = 3, 14 * 86_400.0  # directories of other versions: how many stay, and those used within so many seconds
LARGEST = 300_000_000  # bytes, total; all methods of one version need a fifth of that
RECENT = 600.0  # s: files used within that time stay, whatever their size, since another process may be using them
DAY = 86_400.0
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH

_root: Path | None = None  # root of the directory in use, if it is in the cache


def machine_hash() -> str:
    """Hash of the versions of Python and Numba and of the kind of machine: 16 hexadecimal digits."""
    return hashlib.sha256(f"{sys.version} numba {version('numba')} {platform.machine()}".encode()).hexdigest()[:16]


def cache_root() -> Path | None:
    """The user's cache directory for compiled kernels: `POINSOT_CACHE`, `XDG_CACHE_HOME` or `~/.cache`; None without a home."""
    if os.environ.get("POINSOT_CACHE"):
        return Path(os.environ["POINSOT_CACHE"]).absolute()
    if os.environ.get("XDG_CACHE_HOME"):
        return Path(os.environ["XDG_CACHE_HOME"]).absolute() / "poinsot"
    try:
        home = Path.home()
    except RuntimeError:  # no home directory
        return None
    return home / ".cache" / "poinsot" if home.is_absolute() and home != home.parent else None


def prepare_cache() -> None:
    """Point Numba at the cache directory; must run before Numba is imported. A `NUMBA_CACHE_DIR` set by the user is respected."""
    if "NUMBA_CACHE_DIR" in os.environ:
        return
    try:
        directory = str(_directory(machine_hash()))
    except OSError:  # nothing is writable: kernels are compiled and not cached
        return
    os.environ["NUMBA_CACHE_DIR"] = directory
    numba = sys.modules.get("numba")
    if numba is not None:  # imported before this package: it has already read its settings
        numba.config.CACHE_DIR = directory


class Unsafe(Exception):
    """Why a directory is not safe for code that is executed."""


def _directory(name: str) -> Path:
    """The user's own directory of that name: in the cache, else among the temporary files, else one for this process alone."""
    root = cache_root()
    if root is not None:
        try:
            return _own(root, name)
        except Unsafe as reason:
            print(
                f"poinsot: {reason}, so compiled kernels are not cached there; set POINSOT_CACHE to another folder",
                file=sys.stderr,
            )
        except OSError:  # not writable
            pass
    temporary = Path(tempfile.gettempdir())
    try:
        private = temporary / f"poinsot-{_user()}"
        _make_private(private)
        return _own(private, name)
    except (Unsafe, OSError):
        directory = Path(tempfile.mkdtemp(prefix="poinsot-", dir=temporary))
        atexit.register(_remove, directory, os.getpid())
        return directory


def _own(root: Path, name: str) -> Path:
    """A writable directory in the root that belongs to the user; when it is new, old ones beside it are removed."""
    global _root
    root.mkdir(parents=True, exist_ok=True, mode=0o700)
    found = root.stat()
    if hasattr(os, "geteuid"):
        if found.st_uid not in (0, os.geteuid()):
            raise Unsafe(f"{root} belongs to another user")
        if found.st_mode & OTHERS_WRITE and not found.st_mode & stat.S_ISVTX:
            if found.st_uid != os.geteuid() or os.environ.get("POINSOT_CACHE"):
                raise Unsafe(f"others can write to {root}")
            root.chmod(stat.S_IMODE(found.st_mode) & ~OTHERS_WRITE)
    directory = root / name
    new = _make_private(directory)
    with tempfile.TemporaryFile(dir=directory):
        pass
    os.utime(directory)
    if new:
        _prune(root, name)
    _root = root
    return directory


def _make_private(directory: Path) -> bool:
    """Create a directory that only the user can write to, or check that it is one; returns whether it is new.

    A directory of the user that others could write to is emptied, since its contents cannot be trusted.
    """
    try:
        directory.mkdir(mode=0o700)
        return True
    except FileExistsError:
        found = directory.lstat()
    if not stat.S_ISDIR(found.st_mode):
        raise Unsafe(f"{directory} is not a folder")
    if not _ours(found):
        raise Unsafe(f"{directory} belongs to another user")
    if hasattr(os, "geteuid") and found.st_mode & OTHERS_WRITE:
        shutil.rmtree(directory)
        directory.mkdir(mode=0o700)
        return True
    return False


def _prune(root: Path, name: str) -> None:
    """Remove directories of other versions that were not used for a while, except the newest."""
    try:
        others = [path for path in root.iterdir() if re.fullmatch("[0-9a-f]{16}", path.name) and path.name != name]
        found = {path: path.lstat() for path in others}
    except OSError:
        return
    used = {path: one.st_mtime for path, one in found.items() if stat.S_ISDIR(one.st_mode) and _ours(one)}
    for path in sorted(used, key=lambda path: used[path], reverse=True)[KEPT:]:
        if time.time() - used[path] > UNUSED:
            shutil.rmtree(path, ignore_errors=True)


@cache
def trim_at_exit() -> None:
    """Called when something was added to the cache: limits its size when this process ends."""
    if _root is not None:
        atexit.register(trim, _root, os.getpid())


def trim(root: Path, process: int | None = None) -> None:
    """Remove the least recently used files until the rest is small enough. Missing kernels are compiled again."""
    if process not in (None, os.getpid()):
        return
    found = []
    for folder in root.iterdir() if root.is_dir() else ():
        with suppress(OSError):  # removed by another process
            if re.fullmatch("[0-9a-f]{16}", folder.name) and stat.S_ISDIR(folder.lstat().st_mode) and _ours(folder.lstat()):
                files = [(path, path.lstat()) for path in folder.glob("*/*.nb[ci]")]
                found += [(one.st_mtime, one.st_size, path) for path, one in files if stat.S_ISREG(one.st_mode)]
    total, now = sum(size for _, size, _ in found), time.time()
    for used, size, path in sorted(found):
        if total <= LARGEST or now - used < RECENT:
            return
        with suppress(OSError):
            path.unlink()
        total -= size


def mark_used(*paths: str) -> None:
    """Mark files of the cache as used; once a day is enough."""
    with suppress(OSError):
        for path in paths:
            if time.time() - os.stat(path).st_mtime > DAY:
                os.utime(path)


def _remove(directory: Path, process: int) -> None:
    """Remove a temporary directory, but only in the process that created it, not in a fork."""
    if os.getpid() == process:
        shutil.rmtree(directory, ignore_errors=True)


def _ours(found: os.stat_result) -> bool:
    return not hasattr(os, "geteuid") or found.st_uid == os.geteuid()


def _user() -> str:
    return str(os.geteuid()) if hasattr(os, "geteuid") else "user"
