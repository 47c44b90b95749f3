"""The command line: `poinsot reproduce saetran2018`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Annotated

import typer

import poinsot as po

STUDIES = ("saetran2018",)

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
) -> None:
    """Run the cases of a paper and compare every number; exit code 1 if one differs."""
    with readable_errors():
        if study not in STUDIES:
            raise po.SettingsError(f"there is no study '{study}'; there are {', '.join(STUDIES)}")
        result = import_module(f"poinsot.studies.{study}").run(quick=quick)
    typer.echo(json.dumps(result.to_dict(), indent=2) if as_json else str(result))
    if not result.agrees:
        raise typer.Exit(1)
