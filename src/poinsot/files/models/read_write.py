"""Models on disk: write a System as YAML, read it back to the bit, list differences."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from poinsot.errors import ModelError
from poinsot.files.appearing import write_whole
from poinsot.files.models.compare import differences, same_model
from poinsot.files.models.functions import function_references
from poinsot.files.models.reader import from_text
from poinsot.files.models.writer import to_text
from poinsot.model.guard import PATH, TRUTH, door, instance, maybe
from poinsot.model.system import System

__all__ = ["differences", "function_references", "read", "read_text", "same_model", "write"]

LARGEST = 50_000_000  # bytes of a model file
ROBOTS = (".urdf", ".xacro")


def write(system: System, path: str | os.PathLike[str] | None = None) -> str:
    """The text of a system; written to a file when `path` is given."""
    text = to_text(system, None if path is None else Path(path).absolute().parent)
    if path is not None:
        write_whole(path, text)
    return text


@door(
    path=PATH,
    functions=maybe(instance(Mapping, "a dictionary of functions by name")),
    strict=TRUTH,
    parameters=maybe(instance(Mapping, "a dictionary of numbers by name")),
)
def read(
    path: str | os.PathLike[str],
    functions: Mapping[str, Any] | None = None,
    *,
    strict: bool = True,
    parameters: Mapping[str, Any] | None = None,
    **options: Any,
) -> System:
    """Read a model file: a model of this package (.yaml), or a robot (.urdf).

    Parameters
    ----------
    path : the file
    functions : the functions that the file names, by that name or by "element.argument"; without them the system can be
        inspected but not run
    strict : whether a function other than the one the model was written with is an error, or only a warning
    parameters : values of named parameters of the file, other than those it gives
    options : of robots: the arguments of `po.read_urdf`
    """
    if Path(path).suffix.lower() in ROBOTS:
        from poinsot.files.urdf.read import read_urdf

        if functions or parameters:
            raise ModelError(f"{path}: a robot's file names no functions and no parameters; leave them out")
        return read_urdf(path, **options)
    if options:
        raise ModelError(f"{path}: {', '.join(options)}: only robots (.urdf) are read with such options; leave them out")
    try:
        with Path(path).open("rb") as file:
            content = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        raise ModelError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(content) > LARGEST:
        raise ModelError(f"{path}: has more than {LARGEST:,} bytes, which is too large for a model file; is it one?")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ModelError(
            f"{path}: is not UTF-8 text, so not a model file; results of runs are read by po.load"
        ) from None
    return read_text(text, str(path), functions, strict=strict, parameters=parameters, folder=Path(path).parent)


def read_text(
    text: str,
    name: str = "model",
    functions: Mapping[str, Any] | None = None,
    *,
    strict: bool = True,
    parameters: Mapping[str, Any] | None = None,
    folder: Path | None = None,
) -> System:
    """Read a model from its text; `name` identifies it in errors. The other arguments are those of `read`."""
    return from_text(text, name, functions, strict, parameters, folder)
