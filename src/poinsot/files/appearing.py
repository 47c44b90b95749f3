"""Files that appear under their name only when they are whole: the one way in which this package writes files.

What is written goes to a file of another name in the same folder, which takes the place of the old one at the end. Whatever goes
wrong before, a full disk, an exception, Ctrl-C, leaves things as they were, and what the system says becomes one `FileError`.
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

LONGEST_ENDING = 16  # characters of an ending that the file of another name keeps


@contextmanager
def appearing(path: Any) -> Iterator[Path]:
    """Where to write a file that appears under its name, or replaces what is there, only when it is whole.

    Links are followed: the file they point to is replaced, the link stays. The access rights of a file that is replaced stay, too.

    Raises
    ------
    FileError : when there is no such folder, the name is that of a folder, a device or a pipe or too long, or the disk or
        the access rights do not allow it
    """
    target = replaceable(path)
    new = target.with_name(f".poinsot-{secrets.token_hex(6)}{target.suffix[:LONGEST_ENDING]}")
    with os_errors_told(path):
        try:
            os.close(os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
            with suppress(OSError):  # nothing there, or a file system without such rights
                os.chmod(new, stat.S_IMODE(target.stat().st_mode))
            yield new
            os.replace(new, target)
        except FileError as error:  # of the file of another name: told of the one that was asked for
            raise FileError(str(error).replace(str(new), str(path))) if str(new) in str(error) else error from None
        finally:
            with suppress(OSError):
                new.unlink(missing_ok=True)


def write_whole(path: Any, text: str) -> Path:
    """Write a text file (UTF-8, lines end in a line feed) that appears when it is whole; its path."""
    with appearing(path) as new:
        new.write_text(text, encoding="utf-8", newline="\n")
    return Path(path)


def replaceable(path: Any) -> Path:
    """The file that a path means, links followed, if it can be written or replaced; otherwise a FileError says why not."""
    asked = Path(path)
    with os_errors_told(asked):
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
            raise FileError(f"{asked}: is a device or a pipe, not a file, and stays as it is; give another name")
        if not os.access(target, os.W_OK):
            raise FileError(f"{asked}: cannot be written (Permission denied)")
    return target


@contextmanager
def os_errors_told(path: Any) -> Iterator[None]:
    """What the system says when a file cannot be written, as a FileError that names the file."""
    try:
        yield
    except OSError as error:
        raise FileError(f"{path}: cannot be written ({error.strerror or error})") from None
    except ValueError as error:
        if "null" not in str(error):  # a zero character in the name
            raise
        raise FileError(f"{str(path)!r}: cannot be the name of a file ({error})") from None
