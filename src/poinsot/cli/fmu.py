"""`poinsot fmu model.yaml -o model.fmu`: write a model as an FMU for co-simulation."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import poinsot as po
from poinsot.cli.options import Base, Json, Keyframe, Packages, Quiet, Say, Set, check_writable, read_model


def fmu(
    model: Annotated[Path, typer.Argument(help="Model file (.yaml), a robot (.urdf), or a model of MuJoCo (.xml).", show_default=False)],
    output: Annotated[Path, typer.Option("--output", "-o", help="The FMU.", show_default="the model's name with .fmu")] = Path(),
    inputs: Annotated[list[str] | None, typer.Option("--input", help="A motor, force or torque; may be repeated.", show_default="all motors")] = None,
    outputs: Annotated[
        list[str] | None, typer.Option("--result", help="An output, such as hinge.angle; may be repeated.", show_default="all joints, energy")
    ] = None,
    parameters: Annotated[list[str] | None, typer.Option("--parameter", help="A number that may be set, such as rod.mass; may be repeated.")] = None,
    step: Annotated[float | None, typer.Option(help="Size of fixed steps [s].", show_default="adaptive")] = None,
    set_: Set = None,
    base: Base = None,
    packages: Packages = None,
    keyframe: Keyframe = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write a model as an FMU (FMI 3.0, co-simulation).

    The program that imports it needs Python with Poinsot in the same version.
    """
    say = Say(as_json, quiet)
    path = model.with_suffix(".fmu") if output == Path() else output
    check_writable(path)
    system = read_model(model, base, packages, set_, keyframe)
    po.write_fmu(system, path, inputs=inputs, outputs=outputs, parameters=parameters or [], step=step)
    say.words(f"FMU: {path}")
    say.data({"written": str(path)})
