"""The bytes of a file that is read whole, within bounds."""

from __future__ import annotations

import os
from pathlib import Path

from poinsot.errors import ModelError

LARGEST = 50_000_000  # bytes of a file


def read_content(path: str | os.PathLike[str], what: str) -> bytes:
    """The bytes of a file; one that is larger than any of its kind, or cannot be read, is a ModelError."""
    try:
        with Path(path).open("rb") as file:
            content = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        raise ModelError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(content) > LARGEST:
        raise ModelError(f"{path}: has more than {LARGEST:,} bytes, which is too large for {what}; is it one?")
    return content
