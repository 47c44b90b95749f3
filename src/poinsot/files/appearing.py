"""Atomic writing: a file appears under its name only when it is complete. All files of this package are written this way.

The content goes to a temporary file in the same folder, which replaces the old one at the end. Whatever goes
wrong before (a full disk, an exception, Ctrl-C) leaves the old file unchanged, and errors of the operating system become a `FileError`.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from poinsot.errors import FileError

LONGEST_ENDING = 16  # characters of the longest file ending that the temporary file keeps


@contextmanager
def appearing(path: Any) -> Iterator[Path]:
    """Path of a temporary file that appears under its final name, or replaces the file there, only when it is complete.

    Links are followed: the file they point to is replaced, the link stays. The access rights of a replaced file are preserved.

    Raises
    ------
    FileError : when there is no such folder, the name is too long or names a folder, a device or a pipe, or the disk or
        the access rights do not allow it
    """
    target = replaceable(path)
    new = target.with_name(f".poinsot-{secrets.token_hex(6)}{target.suffix[:LONGEST_ENDING]}")
    with report_os_errors(path):
        try:
            os.close(os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
            with suppress(OSError):  # no file there, or a file system without access rights
                os.chmod(new, stat.S_IMODE(target.stat().st_mode))
            yield new
            os.replace(new, target)
        except FileError as error:  # names the temporary file: name the requested one instead
            raise FileError(str(error).replace(str(new), str(path))) if str(new) in str(error) else error from None
        finally:
            with suppress(OSError):
                new.unlink(missing_ok=True)


def write_whole(path: Any, text: str) -> Path:
    """Write a text file (UTF-8, lines end in a line feed) that appears when it is complete; returns its path."""
    with appearing(path) as new:
        new.write_text(text, encoding="utf-8", newline="\n")
    return Path(path)


def replaceable(path: Any) -> Path:
    """The file at a path, links followed, if it can be written or replaced; otherwise a FileError says why not."""
    asked = Path(path)
    with report_os_errors(asked):
        target = Path(os.path.realpath(asked))
        if not target.parent.is_dir():
            raise FileError(f"{asked}: there is no folder {target.parent if asked.is_symlink() else asked.parent}")
        try:
            found = target.stat()
        except FileNotFoundError:
            return target
        if stat.S_ISDIR(found.st_mode):
            raise FileError(f"{asked}: is a folder; give the name of a file")
        if not stat.S_ISREG(found.st_mode):
            raise FileError(f"{asked}: is a device or a pipe, not a file; give another name")
        if not os.access(target, os.W_OK):
            raise FileError(f"{asked}: cannot be written (Permission denied)")
    return target


@contextmanager
def report_os_errors(path: Any) -> Iterator[None]:
    """Turn errors of the operating system when a file cannot be written into a FileError that names the file."""
    try:
        yield
    except OSError as error:
        raise FileError(f"{path}: cannot be written ({error.strerror or error})") from None
    except ValueError as error:
        if "null" not in str(error):  # a zero character in the name
            raise
        raise FileError(f"{str(path)!r}: cannot be the name of a file ({error})") from None
