"""`poinsot export out.h5 -o x.csv`: results for spreadsheets."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import poinsot as po
from poinsot.cli.options import Degrees, Json, Quiet, Residue, Results, Say, loaded


def export(
    results: Results,
    output: Annotated[Path, typer.Option("--output", "-o", help="The file: .csv or .xlsx.", show_default=False)],
    columns: Annotated[
        list[str] | None,
        typer.Option("--columns", help="Results by name, with commas between them, such as knee.force,crank.angle or 'knee.*'; may be repeated."),
    ] = None,
    degrees: Degrees = False,
    keep_residue: Residue = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write results to a .csv or .xlsx file.

    One row per output, units in the header. Without columns: joint coordinates and rates, positions of bodies, energies. Rounding
    residue, below 1e-12 of a result, is written as 0.
    """
    say = Say(as_json, quiet)
    ending = output.suffix.lower()
    if ending not in (".csv", ".xlsx"):
        raise po.SettingsError(f"--output {output}: must be a .csv or .xlsx file")
    names = [name.strip() for text in columns or () for name in text.split(",") if name.strip()]
    run = loaded(results)
    (run.to_csv if ending == ".csv" else run.to_excel)(output, *names, degrees=degrees, keep_residue=keep_residue)
    say.words(f"Table: {output}, {len(run)} rows")
    say.data({"written": str(output), "rows": len(run)})
