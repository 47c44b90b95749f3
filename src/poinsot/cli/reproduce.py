"""`poinsot reproduce uhlar2008`: the cases of a paper, compared number by number."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

import poinsot as po
from poinsot.cli.options import Json, Quiet, Say
from poinsot.studies.overview import overview, write_index

STUDIES = ("saetran2018", "uhlar2008", "dumitriu2016", "hemami2002", "bai2022")


def reproduce(
    study: Annotated[str, typer.Argument(help=f"One of: {', '.join(STUDIES)}, all.")],
    as_json: Json = False,
    quiet: Quiet = False,
    quick: Annotated[bool, typer.Option("--quick", help="Leave out long runs.")] = False,
    folder: Annotated[
        Path | None, typer.Option(help="Folder for figures and pages.", show_default="out/ and the name of the study")
    ] = None,
    figures: Annotated[bool, typer.Option(help="Draw figures (.svg, .png) and write pages (.html).")] = True,
) -> None:
    """Run the cases of a paper.

    Compares every number, draws the figures, writes pages of the main runs, and lists errors in the paper. Exit code 1 if a number differs.
    """
    if study not in (*STUDIES, "all"):
        raise po.SettingsError(f"there is no study '{study}'; there are {', '.join(STUDIES)}, all")
    if figures and find_spec("matplotlib") is None:
        raise po.SettingsError(
            "figures need matplotlib: pip install 'poinsot[viz]', or leave them out with --no-figures"
        )
    say, results = Say(as_json, quiet), {}
    wanted = STUDIES if study == "all" else (study,)
    for name in wanted:
        place = (folder or Path("out")) / name if folder is None or study == "all" else folder
        results[name] = import_module(f"poinsot.studies.{name}").run(quick=quick, folder=place if figures else None)
        say.words(str(results[name]))
        for what, files in (("Figures", results[name].figures), ("Pages", results[name].pages)):
            if files and not quiet:
                typer.echo(f"{what}: {len(files)} files in {place}", err=as_json)
    if study == "all":
        say.words(f"\n{overview(results)}")
        if figures:
            say.words(f"Index of all figures and pages: {write_index(results, (folder or Path('out')) / 'studies.html')}")
    found = {name: result.to_dict() for name, result in results.items()}
    say.data(found if study == "all" else found[study])
    if not all(result.agrees for result in results.values()):
        raise typer.Exit(1)
