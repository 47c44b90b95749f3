"""Models on disk: write a System as YAML, read it back to the bit, list differences."""

from __future__ import annotations

import inspect
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from poinsot.errors import ModelError
from poinsot.files.appearing import write_whole
from poinsot.files.contents import read_content
from poinsot.files.models.compare import differences, same_model
from poinsot.files.models.functions import function_references
from poinsot.files.models.reader import from_text
from poinsot.files.models.writer import to_text
from poinsot.model.guard import PATH, TRUTH, door, instance, maybe
from poinsot.model.system import System

__all__ = ["differences", "function_references", "read", "read_text", "same_model", "write"]

ROBOTS = (".urdf", ".xacro", ".xml", ".mjcf")


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
    """Read a model file: a model of this package (.yaml), a robot (.urdf), or a model of MuJoCo (.xml). XML files are told apart by their root.

    Parameters
    ----------
    path : the file
    functions : the functions that the file names, by that name or by "element.argument"; without them the system can be
        inspected but not run
    strict : whether a function other than the one the model was written with is an error, or only a warning
    parameters : values of named parameters of the file, other than those it gives
    options : of robots and models of MuJoCo: the arguments of `po.read_urdf` and `po.read_mjcf`
    """
    if Path(path).suffix.lower() in ROBOTS:
        if functions or parameters:
            raise ModelError(f"{path}: a robot's file names no functions and no parameters; leave them out")
        return _read_robot(path, options)
    if options:
        raise ModelError(f"{path}: {', '.join(options)}: only robots (.urdf, .xml) are read with such options; leave them out")
    content = read_content(path, "a model file")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ModelError(
            f"{path}: is not UTF-8 text, so not a model file; results of runs are read by po.load"
        ) from None
    return read_text(text, str(path), functions, strict=strict, parameters=parameters, folder=Path(path).parent)


def _read_robot(path: str | os.PathLike[str], options: dict[str, Any]) -> System:
    """An XML file, read as its outermost tag says."""
    from poinsot.files.mjcf.read import read_mjcf
    from poinsot.files.urdf.read import read_urdf
    from poinsot.files.urdf.tags import root_name

    readers: list[Any] = [read_urdf, read_mjcf]
    if root_name(read_content(path, "a robot's file")) == "mujoco":
        readers.reverse()
    own, other = ([name for name in inspect.signature(reader).parameters if name != "path"] for reader in readers)
    for option in options:
        if option in other and option not in own:
            raise ModelError(f"{path}: there is no option {option} for such files; {readers[0].__name__} takes {', '.join(own)}")
    return readers[0](path, **options)


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
