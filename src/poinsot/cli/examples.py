"""`poinsot examples`: list the examples, or run one."""

from __future__ import annotations

import ast
import shutil
from pathlib import Path
from runpy import run_path
from typing import Annotated, Any

import typer

import poinsot as po
from poinsot.cli.options import Json, Quiet, Say


def examples(
    name: Annotated[str | None, typer.Argument(help="Run this one.", show_default="list all")] = None,
    folder: Annotated[Path, typer.Option(help="Folder for its pictures, page and results.")] = Path("out"),
    copy: Annotated[Path | None, typer.Option(help="Copy its source to this folder instead of running it.")] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """List or run the examples.

    Or copy the source of one as a starting point.
    """
    say = Say(as_json, quiet)
    found = _found()
    if name is None:
        width = max(map(len, found))
        for each, entry in found.items():
            say.words(f"{each:{width}}  {entry[1]}")
        say.data({each: {"path": str(path), "about": words} for each, (path, words) in found.items()})
        return
    if name not in found:
        raise po.SettingsError(f"there is no example '{name}'; there are {', '.join(found)}")
    path = found[name][0]
    if copy is not None:
        if (copy / path.name).exists():
            raise po.FileError(f"{copy / path.name}: exists already; copy to another folder, or delete it")
        copy.mkdir(parents=True, exist_ok=True)
        say.words(f"Copied: {shutil.copy(path, copy)}")
        say.data({"copied": str(copy / path.name)})
        return
    folder.mkdir(parents=True, exist_ok=True)
    run = run_path(str(path))["main"](folder=folder) if not (quiet or as_json) else _silently(path, folder)
    say.data({"audit": run.audit.to_dict(), "folder": str(folder)})


def _silently(path: Path, folder: Path) -> Any:
    from contextlib import redirect_stdout
    from io import StringIO

    with redirect_stdout(StringIO()):
        return run_path(str(path))["main"](folder=folder)


def _found() -> dict[str, tuple[Path, str]]:
    """Name, path and first line of every example: inside the installed package, or in the source tree."""
    package = Path(po.__file__).parent
    places = [package / "examples", package.parents[1] / "examples"]
    place = next((p for p in places if p.is_dir()), None)
    if place is None:
        raise po.FileError(f"the examples are not installed: there is no folder {places[0]}")
    scripts = {path.stem: path for path in sorted(place.glob("*.py")) if path.stem != "__init__"}
    return {name: (path, _about(path)) for name, path in scripts.items()}


def _about(path: Path) -> str:
    text = ast.get_docstring(ast.parse(path.read_text())) or ""
    return " ".join(text.split("\n\n")[0].split())
