"""`poinsot summary out.h5`: peaks, means and root mean squares of results."""

from __future__ import annotations

from typing import Annotated

import typer

from poinsot.cli.options import Degrees, Json, Quiet, Residue, Results, Say, loaded


def summary(
    results: Results,
    names: Annotated[list[str] | None, typer.Argument(help="Results by name, such as knee.force.norm or 'knee.*'.", show_default=False)] = None,
    degrees: Degrees = False,
    keep_residue: Residue = False,
    list_names: Annotated[bool, typer.Option("--names", help="List all results with units instead.")] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Peaks, means and root mean squares of results.

    Without names: joint coordinates and rates, magnitudes of reactions, efforts, powers and energies.
    """
    say, run = Say(as_json, quiet), loaded(results)
    if list_names:
        found = run.names()
        say.words(repr(found))
        say.data({"names": [{"name": one.name, "unit": one.unit, "shape": list(one.shape), "meaning": one.words} for one in found.table]})
        return
    table = run.summary(*(names or ()), degrees=degrees, keep_residue=keep_residue)
    say.words(repr(table))
    say.data({"summary": table.to_dict()})
