"""`poinsot sweep model.yaml --vary spring1.stiffness=10:20:11`: many variants of a model file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

import poinsot as po
from poinsot.cli.options import Json, Plot, Quiet, Say, check_pictures, check_writable

REDUCTIONS = {"last": po.last, "largest": po.largest, "smallest": po.smallest, "mean": po.mean}
TEXTS = ("formulation", "integrator")
FAILED = 3  # exit code: no variant could be run
TABLES = (".csv",)


def sweep(
    model: Annotated[Path, typer.Argument(help="Model file (.yaml), or an unfinished sweep (.h5) to continue.", show_default=False)],
    vary: Annotated[
        list[str] | None,
        typer.Option(help="What varies: spring1.stiffness=10:20:11 (from, to, number), joint1.angle=0,0.1,0.2; may be repeated.", show_default=False),
    ] = None,
    duration: Annotated[float, typer.Option(help="How long to run [s].")] = 10.0,
    record: Annotated[
        str, typer.Option(help="What is kept: energy, link4.position at all outputs; last(energy), largest(...), smallest(...), mean(...).")
    ] = "",
    step: Annotated[float | None, typer.Option(help="Size of fixed steps [s].", show_default="adaptive")] = None,
    output_step: Annotated[float | None, typer.Option(help="Time between outputs [s].")] = None,
    start: Annotated[float, typer.Option(help="Time at the start [s].")] = 0.0,
    rtol: Annotated[float | None, typer.Option(help="Relative tolerance of adaptive steps [1].")] = None,
    atol: Annotated[float | None, typer.Option(help="Absolute tolerance of adaptive steps [rad, m].")] = None,
    formulation: Annotated[str, typer.Option(help="As in `poinsot run`.")] = "auto",
    integrator: Annotated[str, typer.Option(help="As in `poinsot run`.")] = "auto",
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write results (.h5) as they come, or a table (.csv).")] = None,
    plot: Plot = None,
    engine: Annotated[str, typer.Option(help="threads, processes or dask.")] = "threads",
    workers: Annotated[int | None, typer.Option(help="Number of workers.", show_default="one per core")] = None,
    lanes: Annotated[bool | None, typer.Option(help="Four variants at once on every core, where they can.", show_default="where it pays")] = None,
    scheduler: Annotated[str | None, typer.Option(help="Of Dask, such as tcp://host:8786.", show_default="workers on this machine")] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Run many variants of a model.

    Every value of a --vary is combined with all of the others. A sweep that was stopped is continued by `poinsot sweep out.h5`.
    """
    say = Say(as_json, quiet)
    check_pictures(None, plot, None)
    check_writable(output)
    crew: dict[str, Any] = {"engine": engine, "workers": workers, "scheduler": scheduler, "progress": say.progress}
    stopped = False
    try:
        if model.suffix.lower() in (".h5", ".hdf5"):
            found = po.resume(model, **crew)
        else:
            if not vary:
                raise po.SettingsError("--vary: say what varies, such as --vary spring1.stiffness=10:20:11")
            if output is not None and output.suffix.lower() not in (".h5", ".hdf5", *TABLES):
                raise po.SettingsError(f"--output writes .h5 or .csv, not '{output.name}'")
            grid = dict(_varied(text) for text in vary)
            chosen: dict[str, Any] = {"step": step, "rtol": rtol, "atol": atol, "formulation": formulation, "integrator": integrator}
            times: dict[str, Any] = {"output_step": output_step, "start": start}
            stream = output if output is not None and output.suffix.lower() not in TABLES else None
            found = po.sweep(po.read(model), grid, duration, record=_records(record), stream=stream, lanes=lanes, **chosen, **times, **crew)
    except KeyboardInterrupt as error:
        if getattr(error, "sweep", None) is None:
            raise
        found, stopped = error.sweep, True  # type: ignore[attr-defined]
    say.words(str(found))
    written = {}
    if found.path is not None:
        written["results"] = str(found.path)
    if output is not None and output.suffix.lower() in TABLES:
        found.to_dataframe().to_csv(output)
        written["table"] = str(output)
    if plot is not None and not stopped:
        found.plot().savefig(plot)
        written["plots"] = str(plot)
    for kind, path in written.items():
        say.words(f"{kind.capitalize()}: {path}")
    failures = [{"variant": one.variant, "change": one.change, "message": one.message} for one in found.failures]
    say.data({"variants": len(found), "complete": found.complete, "kept": list(found.names), "failures": failures, "written": written})
    if stopped:
        if found.path is not None:
            say.words(f"`poinsot sweep {found.path}` continues from here.")
        raise typer.Exit(130)
    if len(failures) == len(found):
        raise typer.Exit(FAILED)


def _varied(text: str) -> tuple[str, list[Any]]:
    """'spring1.stiffness=10:20:11', 'joint1.angle=0,0.1,0.2' or 'integrator=rk4,gauss4'."""
    name, equals, given = (part.strip() for part in text.partition("="))
    try:
        if name in TEXTS and given:
            return name, [word.strip() for word in given.split(",")]
        if ":" in given:
            first, last, count = given.split(":")
            values = np.linspace(float(first), float(last), int(count)).tolist()
        else:
            values = [float(word) for word in given.split(",")]
    except ValueError:
        values = []
    if not (name and equals and values):
        raise po.SettingsError(f"--vary {text}: write name=first:last:number or name=value,value, such as spring1.stiffness=10:20:11")
    return name, values


def _records(text: str) -> list[Any]:
    """'energy,last(link4.position)' as names and reductions."""
    found: list[Any] = []
    for word in (word.strip() for word in text.split(",") if word.strip()):
        kind, bracket, rest = word.partition("(")
        if bracket and (kind not in REDUCTIONS or not rest.endswith(")")):
            raise po.SettingsError(f"--record {word}: write a name, or one of {', '.join(f'{name}(...)' for name in REDUCTIONS)}")
        found.append(REDUCTIONS[kind](rest[:-1].strip()) if bracket else word)
    return found
