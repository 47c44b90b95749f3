"""`poinsot compare model.yaml`: a model file in every formulation and by every integrator that fits."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import poinsot as po
from poinsot.cli.options import Html, Json, Plot, Quiet, Say, check_pictures, check_writable

DEFAULT_STEP = 0.01  # s
FAILED = 3  # exit code: no run reached its end


def compare(
    model: Annotated[Path, typer.Argument(help="Model file (.yaml), or a comparison (.json) to show again.", show_default=False)],
    duration: Annotated[float, typer.Option(help="How long to run [s].")] = 10.0,
    step: Annotated[
        list[float] | None,
        typer.Option(help="Size of fixed steps [s]; its half and quarter are run as well, unless it is repeated.", show_default="0.01"),
    ] = None,
    rtol: Annotated[
        list[float] | None, typer.Option(help="Relative tolerance of adaptive steps [1]; may be repeated.", show_default="1e-6, 1e-9, 1e-12")
    ] = None,
    start: Annotated[float, typer.Option(help="Time at the start [s].")] = 0.0,
    formulation: Annotated[list[str] | None, typer.Option(help="Only this one; may be repeated.", show_default="all that fit")] = None,
    integrator: Annotated[list[str] | None, typer.Option(help="Only this one; may be repeated.", show_default="all that fit")] = None,
    workers: Annotated[int | None, typer.Option(help="Number of processes; 1 for undisturbed times.", show_default="one per core")] = None,
    time_limit: Annotated[float, typer.Option(help="Stop a run after this time [s].")] = 60.0,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write the comparison to one file (.json).")] = None,
    html: Html = None,
    plot: Plot = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Compare formulations and integrators.

    Runs a model in every formulation and by every integrator that fits, and prints errors, drifts and times. The page shows runs overlaid.
    """
    say = Say(as_json, quiet)
    check_pictures(html, plot, None)
    check_writable(output)
    if output is not None and output.suffix.lower() != ".json":
        raise po.SettingsError(f"--output writes .json, not '{output.name}'")
    stopped = False
    if model.suffix.lower() == ".json":
        found = po.Comparison.load(model)
    else:
        sizes: dict[str, Any] = {"steps": step} if step and len(step) > 1 else {"step": step[0] if step else DEFAULT_STEP}
        chosen: dict[str, Any] = {"tolerances": rtol or None, "formulations": formulation or None, "integrators": integrator or None}
        settings: dict[str, Any] = {"start": start, "workers": workers, "time_limit": time_limit, "progress": say.progress}
        try:
            found = po.compare(po.read(model), duration, **sizes, **chosen, **settings)
        except KeyboardInterrupt as error:
            if getattr(error, "comparison", None) is None:
                raise
            found, stopped = error.comparison, True  # type: ignore[attr-defined]
    say.words(str(found))
    written = {}
    for kind, path in (("comparison", output), ("page", html), ("plots", plot)):
        if path is None or (not found.succeeded and (stopped or kind != "comparison")):
            continue
        if kind == "comparison":
            found.save(path)
        elif kind == "page":
            found.write_html(path)
        else:
            found.plot().savefig(path)
        written[kind] = str(path)
        say.words(f"{kind.capitalize()}: {path}")
    say.data(found.to_dict() | {"written": written})
    if stopped:
        raise typer.Exit(130)
    if not found.succeeded:
        say.words("No run reached its end.")
        raise typer.Exit(FAILED)
