"""Compiled kernels on disk, each file with a checksum: damaged, truncated or foreign files are silently replaced by compiling again.

Numba does not check its own files: a damaged one fails to unpickle, or is run as machine code. Here every file ends
with a digest of itself, and any error in loading is treated as a missing file.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from numba.core.caching import FunctionCache, IndexDataCacheFile

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
        except Exception:  # whatever unpickling may raise
            return {}

    def _load_data(self, name: str) -> Any:
        path = self._data_path(name)
        if not _whole(path):
            raise FileNotFoundError(path)  # Numba treats this as an empty cache
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
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = KernelFiles(
            cache_path=self._cache_path, filename_base=self._impl.filename_base, source_stamp=stamp
        )

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled kernel, or None."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # a foreign file may raise anything
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Cache a compiled kernel, if it can be written."""
        with suppress(OSError):
            super().save_overload(sig, data)


def _whole(path: str) -> bool:
    """Whether a file ends with the digest of its content."""
    data = Path(path).read_bytes()
    return len(data) > SIZE and DIGEST(memoryview(data)[:-SIZE]).digest() == data[-SIZE:]
