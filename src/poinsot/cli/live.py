"""`poinsot app model.yaml --slider spring1.stiffness=5:50`: a page with sliders, served on this machine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

import poinsot as po
from poinsot.cli.options import Base, Json, Keyframe, Packages, Quiet, Say, Set, read_model

DEFAULT_STEP = 0.01  # s, where adaptive steps do not fit


def live(
    model: Annotated[Path, typer.Argument(help="Model file (.yaml), a robot (.urdf), or a model of MuJoCo (.xml).", show_default=False)],
    slider: Annotated[
        list[str] | None,
        typer.Option(
            help="A slider: spring1.stiffness=5:50 (lowest, highest), base.angle=-1:1:0.01 (and step), or a name alone; may be repeated.",
            show_default="initial values, springs, masses, gravity",
        ),
    ] = None,
    duration: Annotated[float, typer.Option(help="How long to run [s].")] = 5.0,
    step: Annotated[
        float | None, typer.Option(help="Size of fixed steps [s].", show_default="adaptive; 0.01 where the integrator needs it")
    ] = None,
    output_step: Annotated[float | None, typer.Option(help="Time between outputs [s].")] = None,
    rtol: Annotated[float | None, typer.Option(help="Relative tolerance of adaptive steps [1].")] = None,
    atol: Annotated[float | None, typer.Option(help="Absolute tolerance of adaptive steps [rad, m].")] = None,
    formulation: Annotated[str, typer.Option(help="As in `poinsot run`.")] = "auto",
    integrator: Annotated[str, typer.Option(help="As in `poinsot run`.")] = "auto",
    plots: Annotated[list[str] | None, typer.Option("--result", help="A result that is plotted first, such as base.angle; may be repeated.")] = None,
    port: Annotated[int, typer.Option(help="Port of the server.", show_default="a free one")] = 0,
    show: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in a browser.")] = True,
    set_: Set = None,
    base: Base = None,
    packages: Packages = None,
    keyframe: Keyframe = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show a model in a page with sliders that change its values.

    Moving a slider computes the run again. The page is served on this machine alone, until Ctrl-C.
    """
    say = Say(as_json, quiet)
    system = read_model(model, base, packages, set_, keyframe)
    sliders = _sliders(slider)
    options: dict[str, Any] = {"rtol": rtol, "atol": atol, "formulation": formulation, "integrator": integrator, "output_step": output_step}
    options |= {"sliders": sliders, "plots": plots or [], "port": port, "open": show, "block": False}
    with _served(system, duration, step, options) as page:
        say.words(f"Live page of '{system.name}': {page.url}\nCtrl-C ends it.")
        if as_json:
            typer.echo(json.dumps({"url": page.url}))  # at once: programs need the address
        page.wait()
    say.words(page.summary())


def _served(system: po.System, duration: float, step: float | None, options: dict[str, Any]) -> Any:
    """The page, with fixed steps where adaptive ones do not fit."""
    try:
        return po.app(system, duration, step=step, **options)
    except po.SettingsError:
        if step is not None or options["rtol"] is not None or options["atol"] is not None:
            raise
        return po.app(system, duration, step=DEFAULT_STEP, **options)


def _sliders(given: list[str] | None) -> dict[str, tuple[float, ...] | None] | None:
    """Ranges by name; None for a name alone, whose range is chosen."""
    return None if not given else dict(_slider(text) for text in given)


def _slider(text: str) -> tuple[str, tuple[float, ...] | None]:
    """'spring1.stiffness=5:50', 'base.angle=-1:1:0.01' or 'crank.mass'."""
    name, equals, given = (part.strip() for part in text.partition("="))
    if name and not equals:
        return name, None
    try:
        numbers = tuple(float(word) for word in given.split(":"))
    except ValueError:
        numbers = ()
    if not name or len(numbers) not in (2, 3):
        raise po.SettingsError(f"--slider {text}: write name=lowest:highest or name=lowest:highest:step, such as spring1.stiffness=5:50")
    return name, numbers
