"""The command line: `poinsot reproduce uhlar2008`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

import poinsot as po

STUDIES = ("saetran2018", "uhlar2008")

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"poinsot {po.__version__}")
        raise typer.Exit


@contextmanager
def readable_errors() -> Iterator[None]:
    """Print errors of this package as one block, without a traceback."""
    try:
        yield
    except po.PoinsotError as error:
        typer.echo(f"{type(error).__name__}: {error}", err=True)
        raise typer.Exit(2) from None


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Dynamics of rigid multibody systems that stays true over long times."""


@app.command()
def reproduce(
    study: Annotated[str, typer.Argument(help=f"One of: {', '.join(STUDIES)}.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
    quick: Annotated[bool, typer.Option("--quick", help="Leave out what takes long.")] = False,
    folder: Annotated[
        Path | None, typer.Option(help="Where the figures go.", show_default="out/ and the name of the study")
    ] = None,
    figures: Annotated[bool, typer.Option(help="Draw the figures (.svg and .png).")] = True,
) -> None:
    """Run the cases of a paper, compare every number and draw its figures; exit code 1 if a number differs."""
    with readable_errors():
        if study not in STUDIES:
            raise po.SettingsError(f"there is no study '{study}'; there are {', '.join(STUDIES)}")
        if figures and find_spec("matplotlib") is None:
            raise po.SettingsError(
                "figures need matplotlib: pip install 'poinsot[viz]', or leave them out with --no-figures"
            )
        place = (folder or Path("out") / study) if figures else None
        result = import_module(f"poinsot.studies.{study}").run(quick=quick, folder=place)
    typer.echo(json.dumps(result.to_dict(), indent=2) if as_json else str(result))
    if result.figures:
        typer.echo(f"Figures: {len(result.figures)} files in {place}", err=as_json)
    if not result.agrees:
        raise typer.Exit(1)
