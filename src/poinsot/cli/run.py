"""`poinsot run model.yaml`: run a model file."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

import poinsot as po
from poinsot.cli.options import (
    Base,
    Html,
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
    check_writable,
    exit_if_interrupted,
    pictures,
    read_model,
    run_until_interrupt,
)
from poinsot.formulations.registry import names

DEFAULT_STEP = 0.01  # s, where adaptive steps do not fit


def run(
    model: Annotated[Path, typer.Argument(help="Model file (.yaml), a robot (.urdf), or a model of MuJoCo (.xml).", show_default=False)],
    duration: Annotated[float, typer.Option(help="How long to run [s].")] = 10.0,
    step: Annotated[
        float | None, typer.Option(help="Size of fixed steps [s].", show_default="adaptive; 0.01 where the integrator needs it")
    ] = None,
    output_step: Annotated[float | None, typer.Option(help="Time between outputs [s].")] = None,
    start: Annotated[float, typer.Option(help="Time at the start [s].")] = 0.0,
    rtol: Annotated[float | None, typer.Option(help="Relative tolerance of adaptive steps [1].")] = None,
    atol: Annotated[float | None, typer.Option(help="Absolute tolerance of adaptive steps [rad, m].")] = None,
    accuracy: Annotated[
        float | None, typer.Option(help="Choose method and steps so that positions [m] and attitudes [rad] are that accurate at all outputs.")
    ] = None,
    formulation: Annotated[str, typer.Option(help=f"auto, {', '.join(names())}.")] = "auto",
    integrator: Annotated[str, typer.Option(help="auto, gauss1 ... gauss4, dop853, energy-momentum-6, ...")] = "auto",
    change: Annotated[
        list[str] | None, typer.Option(help="New value of a parameter: spring1.stiffness=20; may be repeated.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write results (.h5) during the run; `poinsot resume` resumes it.")
    ] = None,
    set_: Set = None,
    base: Base = None,
    packages: Packages = None,
    keyframe: Keyframe = None,
    html: Html = None,
    plot: Plot = None,
    video: Video = None,
    like: Like = None,
    estimate_error: Annotated[bool, typer.Option(help="Run again with finer steps to estimate the error.")] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Run a model file.

    Prints the audit, and writes results, a page, plots or a video. Units are SI: s, m, kg, rad, N.
    """
    say = Say(as_json, quiet)
    check_pictures(html, plot, video, like)
    check_writable(output)
    system = read_model(model, base, packages, set_, keyframe)
    chosen: dict[str, Any] = {"rtol": rtol, "atol": atol, "formulation": formulation, "integrator": integrator}
    settings: dict[str, Any] = {"output_step": output_step, "start": start, "estimate_error": estimate_error, "progress": say.progress}
    values = dict(_changed(text) for text in change or [])
    stream = None if estimate_error or accuracy is not None else output
    if accuracy is None:
        run_now = partial(_prepared(system, step, chosen).run, duration, **settings, change=values, stream=stream)
    elif values:
        run_now = partial(po.prepare(system, step=step, **chosen).run, duration, **settings, change=values, accuracy=accuracy)
    else:
        run_now = partial(po.simulate, system, duration, step=step, accuracy=accuracy, **chosen, **settings)
    if stream is None and output is not None and output.exists() and not po.load(output).complete:
        raise po.FileError(
            f"{output}: holds an unfinished run; `poinsot resume {output}` resumes it, or delete it"
        )
    result, stopped = run_until_interrupt(run_now)
    say.words(str(result.audit))
    written = {} if output is None else {"results": str(output)}
    if output is not None:
        if stream is None:
            result.save(output)
        say.words(f"Results: {output}")
    written |= pictures(result, html, plot, video, like, say)
    say.data({"audit": result.audit.to_dict(), "written": written})
    exit_if_interrupted(result, stopped, stream, say)


def _prepared(system: po.System, step: float | None, chosen: dict[str, Any]) -> Any:
    """A system prepared with these settings, and with fixed steps where adaptive ones do not fit."""
    try:
        return po.prepare(system, step=step, **chosen)
    except po.SettingsError:
        if step is not None or chosen["rtol"] is not None or chosen["atol"] is not None:
            raise
        return po.prepare(system, step=DEFAULT_STEP, **chosen)


def _changed(text: str) -> tuple[str, Any]:
    """'spring1.stiffness=20', 'gravity=0,0,-1.6' or 'gravity=none'."""
    name, equals, value = text.partition("=")
    if (name.strip(), value.strip()) == ("gravity", "none"):
        return "gravity", None
    try:
        numbers = [float(part) for part in value.split(",")]
    except ValueError:
        numbers = []
    if not (equals and name and numbers):
        raise po.SettingsError(f"--change {text}: write element.parameter=number, such as spring1.stiffness=20")
    return name.strip(), numbers[0] if len(numbers) == 1 else numbers
