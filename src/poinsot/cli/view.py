"""`poinsot view out.h5`: show results in a browser."""

from __future__ import annotations

import sys
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

import poinsot as po
from poinsot.cli.options import Json, Plot, Quiet, Say, Video, check_pictures, pictures


def view(
    results: Annotated[
        list[Path], typer.Argument(help="Results files (.h5); several are overlaid.", show_default=False)
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The page.", show_default="results file with .html")
    ] = None,
    plot: Plot = None,
    video: Video = None,
    show: Annotated[
        bool | None, typer.Option("--open/--no-open", help="Open the page in a browser.", show_default="in a terminal")
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show results in a browser.

    Writes a self-contained page that needs no network, and opens it.
    """
    say = Say(as_json, quiet)
    page = output or results[0].with_suffix(".html")
    check_pictures(page, plot, video, "--output")
    runs = [po.load(path) for path in results]
    po.write_html(runs if len(runs) > 1 else runs[0], page)
    say.words(f"Page: {page}")
    written = {"page": str(page)} | pictures(runs[0], None, plot, video, say)
    say.data({"written": written})
    if show or (show is None and sys.stdout.isatty() and not (as_json or quiet)):
        webbrowser.open(page.resolve().as_uri())
