"""`poinsot view out.h5`: show results in a browser; `poinsot view model.yaml`: show a model as it is drawn, before anything runs."""

from __future__ import annotations

import sys
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

import poinsot as po
from poinsot.cli.options import (
    Base,
    Json,
    Keyframe,
    Like,
    Packages,
    Plot,
    Quiet,
    Say,
    Set,
    Video,
    check_pictures,
    pictures,
    read_model,
)

MODELS = (".yaml", ".yml", ".urdf", ".xacro", ".xml", ".mjcf")


def view(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILES...", help="Results files (.h5); several are overlaid. Or one model (.yaml, .urdf, .xml).", show_default=False),
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", "--html", help="The page.", show_default="results file with .html; model-drawing.html")
    ] = None,
    plot: Plot = None,
    video: Video = None,
    like: Like = None,
    set_: Set = None,
    base: Base = None,
    packages: Packages = None,
    keyframe: Keyframe = None,
    show: Annotated[
        bool | None, typer.Option("--open/--no-open", help="Open the page in a browser.", show_default="in a terminal")
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show results, or the drawing of a model, in a browser.

    Writes a self-contained page that needs no network, and opens it. A drawing shows joints, axes, gaps and freedoms; nothing is run.
    """
    say = Say(as_json, quiet)
    models = [path for path in files if path.suffix.lower() in MODELS]
    if models and len(files) > 1:
        raise po.SettingsError(f"view: {models[0]} is a model, and a drawing has a page of its own; give one model, or results files (.h5) only")
    if models and (plot or video):
        raise po.SettingsError(f"view: {models[0]} is a model, which has no results for plots and videos; `poinsot run {models[0]}` computes them")
    reading = {"--set": set_, "--base": base, "--packages": packages, "--keyframe": keyframe}
    if not models and any(given is not None for given in reading.values()):
        listed = ", ".join(name for name, given in reading.items() if given is not None)
        raise po.SettingsError(f"view: {listed}: only for models, and {files[0]} holds results; leave it out")
    page = output or (files[0].with_name(f"{files[0].stem}-drawing.html") if models else files[0].with_suffix(".html"))
    check_pictures(page, plot, video, like, "--output")
    written = {"page": str(page)}
    if models:
        po.write_html(read_model(files[0], base, packages, set_, keyframe), page)
        say.words(f"Page: {page}")
    else:
        runs = [po.load(path) for path in files]
        po.write_html(runs if len(runs) > 1 else runs[0], page)
        say.words(f"Page: {page}")
        written |= pictures(runs[0], None, plot, video, like, say)
    say.data({"written": written})
    if show or (show is None and sys.stdout.isatty() and not (as_json or quiet)):
        webbrowser.open(page.resolve().as_uri())
