"""`poinsot plot out.h5 knee.force -o x.svg`: figures of results."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import poinsot as po
from poinsot.cli.options import Degrees, Json, Quiet, Results, Say, loaded

ENDINGS = (".svg", ".pdf", ".png")


def plot(
    results: Results,
    output: Annotated[Path, typer.Option("--output", "-o", help="The figure: .svg, .pdf or .png.", show_default=False)],
    names: Annotated[
        list[str] | None, typer.Argument(help="Results by name, each in its own row; those with commas between them share one.", show_default=False)
    ] = None,
    over: Annotated[str | None, typer.Option(help="A result in place of the time, such as crank.angle.")] = None,
    degrees: Degrees = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Draw results over time, or over another result.

    Without names: a selection that suits the run.
    """
    say = Say(as_json, quiet)
    if output.suffix.lower() not in ENDINGS:
        raise po.SettingsError(f"--output {output}: must be a {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]} file")
    rows = [tuple(text.split(",")) if "," in text else text for text in names or ()]
    figure = loaded(results).plot(*rows, over=over, degrees=degrees)
    figure.savefig(output, dpi=150)
    say.words(f"Plot: {output}")
    say.data({"written": str(output)})
