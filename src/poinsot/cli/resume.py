"""`poinsot resume out.h5`: resume an interrupted run."""

from __future__ import annotations

from pathlib import Path
from runpy import run_path
from typing import Annotated, Any

import typer

import poinsot as po
from poinsot.cli.options import (
    Html,
    Json,
    Like,
    Plot,
    Quiet,
    Say,
    Video,
    check_pictures,
    exit_if_interrupted,
    pictures,
    run_until_interrupt,
)


def resume(
    results: Annotated[Path, typer.Argument(help="Results file (.h5) of an unfinished run.", show_default=False)],
    system: Annotated[
        str | None,
        typer.Option(
            help="script.py:function that builds the system, if it has Python functions; the script is executed."
        ),
    ] = None,
    html: Html = None,
    plot: Plot = None,
    video: Video = None,
    like: Like = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Resume an interrupted run.

    The result is, bit for bit, that of an uninterrupted run.
    """
    say = Say(as_json, quiet)
    check_pictures(html, plot, video, like)
    before = po.load(results)
    if before.complete:
        say.words(f"{results}: the run is finished; there is nothing to resume.")
    else:
        say.words(f"{results}: continues from t = {before.t[-1]:g} s, output {len(before)}.")
    built = None if system is None else _built(system)
    run, stopped = run_until_interrupt(lambda: po.resume(results, built, progress=say.progress))
    say.words(str(run.audit))
    written = {"results": str(results)} | pictures(run, html, plot, video, like, say)
    found = {"audit": run.audit.to_dict(), "resumed_at": float(before.t[-1]), "written": written}
    say.data(found)
    exit_if_interrupted(run, stopped, results, say)


def _built(where: str) -> Any:
    """The system that a function of a script builds."""
    script, _, name = where.rpartition(":")
    if not script or not Path(script).exists():
        raise po.SettingsError(f"--system {where}: write script.py:function, with a script that exists")
    found = run_path(script).get(name)
    if not callable(found):
        raise po.SettingsError(f"--system {where}: {script} has no function '{name}'")
    return found()
