"""Compiled kernels on disk, each file with a checksum: damaged, truncated or foreign files are compiled again.

Numba does not check its files: a damaged one fails to unpickle, or is run as machine code. Here every file ends
with a digest of itself, and any failure in loading is treated as a missing file.

File names contain the digest of all sources that the kernel can depend on (`_sources.py`), so that files of another
version are never loaded, and versions do not overwrite each other's.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import FunctionCache, IndexDataCacheFile, NullCache

from poinsot import _sources

DIGEST = hashlib.sha256
SIZE = DIGEST().digest_size


class KernelFiles(IndexDataCacheFile):
    """Index and data files of one kernel, with digests at their ends, which Numba ignores."""

    _token = ""

    def save(self, key: Any, data: Any) -> None:
        """Save an entry. Its file is named after its key: processes that save others at the same time use other files."""
        self._token = DIGEST(repr(key).encode()).hexdigest()[:12]
        super().save(key, data)

    def _data_name(self, number: int) -> str:
        return f"{super()._data_name(number).removesuffix('.nbc')}-{self._token}.nbc"

    def _load_index(self) -> dict[Any, str]:
        try:
            return super()._load_index() if _whole(self._index_path) else {}
        except Exception:  # unpickling may raise anything
            return {}

    def _load_data(self, name: str) -> Any:
        path = self._data_path(name)
        if not _whole(path):
            raise FileNotFoundError(path)  # Numba treats it as a missing file
        _disk().mark_used(self._index_path, path)
        return super()._load_data(name)

    @contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[io.BytesIO]:
        content = io.BytesIO()
        yield content
        with super()._open_for_write(filepath) as file:
            file.write(content.getvalue() + DIGEST(content.getvalue()).digest())


class KernelCache(FunctionCache):
    """The cache of one kernel. Where nothing can be read or written, the kernel is compiled and not cached."""

    def __init__(self, function: Any):
        super().__init__(function)
        source = Path(function.__code__.co_filename)
        base, stamp = self._impl.filename_base, self._impl.locator.get_source_stamp()
        if source.is_file():  # not a notebook cell
            stamp = _sources.stamp(source)
            base = f"{base}-{stamp}"
            folder = getattr(numba.config, "CACHE_DIR", "")
            if folder and _sources.PACKAGE in source.parents:  # the same for copies of the package elsewhere
                self._cache_path = self._impl.locator._cache_path = str(Path(folder) / function.__module__)
        self._cache_file = KernelFiles(cache_path=self._cache_path, filename_base=base, source_stamp=stamp)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled kernel, or None: then it is about to be compiled."""
        try:
            found = super().load_overload(sig, target_context)
        except Exception:  # a foreign file may raise anything
            found = None
        if found is None:
            _tell().begin()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Cache a compiled kernel, if it can be written."""
        with suppress(OSError):
            super().save_overload(sig, data)
            _disk().trim_at_exit()
        _tell().count()


class NoCache(NullCache):
    """Used where nothing can be cached."""

    def load_overload(self, sig: Any, target_context: Any) -> None:
        """Nothing: the kernel is about to be compiled."""
        _tell().begin()

    def save_overload(self, sig: Any, cres: Any) -> None:
        """Do nothing."""
        _tell().count()


def settle() -> None:
    """A kernel is ready: clear the notice about compiling."""
    _tell().end()


def _tell() -> Any:
    """The notice for the user; imported here, so that compiled kernels do not depend on it."""
    from poinsot.notice import notice

    return notice


def _disk() -> Any:
    """The cache on disk; imported here for the same reason."""
    from poinsot import _cache

    return _cache


def _whole(path: str) -> bool:
    """Whether a file ends with the digest of its content."""
    data = Path(path).read_bytes()
    return len(data) > SIZE and DIGEST(memoryview(data)[:-SIZE]).digest() == data[-SIZE:]
