"""Options shared by several commands, and how results are shown."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer

import poinsot as po
from poinsot.model.expressions import BadExpression, evaluate, parse

Json = Annotated[bool, typer.Option("--json", help="Print JSON, and nothing else.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.")]
Base = Annotated[str | None, typer.Option(help="Of robots (.urdf): fixed, or free.", show_default="fixed")]
Keyframe = Annotated[str | None, typer.Option(help="Of models of MuJoCo: the keyframe to start from.", show_default="the first")]
Packages = Annotated[list[Path] | None, typer.Option(help="Of robots: folder with the packages of its meshes; may be repeated.")]
Set = Annotated[list[str] | None, typer.Option("--set", help="Value of a named parameter of the file: length=2; may be repeated.")]
Html = Annotated[Path | None, typer.Option(help="Write a page that shows the run in a browser.")]
Plot = Annotated[Path | None, typer.Option(help="Write a panel of plots (.svg, .pdf, .png).")]
Video = Annotated[Path | None, typer.Option(help="Write a video (.mp4, .gif).")]
Like = Annotated[
    str | None,
    typer.Option("--like", help="Look of the video: page (by a headless Chromium), solids, sticks.", show_default="page if possible, else solids"),
]
Results = Annotated[Path, typer.Argument(help="Results file (.h5).", show_default=False)]
Degrees = Annotated[bool, typer.Option("--degrees", help="Angles in degrees.")]
Residue = Annotated[bool, typer.Option("--keep-residue", help="Keep numbers below 1e-12 of their result, which are rounding errors.")]


class Say:
    """Output of a command: words, or JSON, or nothing. `wants_json`: of the running command, for its errors."""

    wants_json = False

    def __init__(self, as_json: bool, quiet: bool):
        self.as_json, self.quiet = as_json, quiet
        Say.wants_json = as_json

    def words(self, text: str = "") -> None:
        """A line for people."""
        if not (self.as_json or self.quiet):
            typer.echo(text)

    def data(self, found: dict[str, Any]) -> None:
        """The result for programs."""
        if self.as_json:
            typer.echo(json.dumps(found, indent=2, allow_nan=False))

    @property
    def progress(self) -> bool | None:
        """Whether to show a bar: None lets the terminal decide."""
        return False if self.quiet or self.as_json else None


def loaded(path: Path) -> Any:
    """The run in a results file; a SettingsError for files of other kinds."""
    run: Any = po.load(path)
    if not hasattr(run, "audit"):
        raise po.SettingsError(f"{path}: is not the results file of a single run")
    return run


def read_model(model: Path, base: str | None, packages: list[Path] | None, parameters: list[str] | None, keyframe: str | None = None) -> po.System:
    """The system of a model file or a robot's file."""
    options: dict[str, Any] = ({} if base is None else {"base": base}) | ({"packages": packages} if packages else {})
    if keyframe is not None:
        options["keyframe"] = int(keyframe) if keyframe.isdecimal() else keyframe
    if parameters:
        options["parameters"] = dict(_assigned(text) for text in parameters)
    return po.read(model, **options)


def _assigned(text: str) -> tuple[str, float]:
    """'length=2' or 'angle=pi/6'."""
    name, equals, given = text.partition("=")
    try:
        if not equals or not name.strip():
            raise BadExpression("lacks a name or a value")
        return name.strip(), evaluate(parse(given), {})
    except BadExpression as wrong:
        raise po.SettingsError(f"--set {text}: {wrong}; write name=number, such as length=2 or angle=pi/6") from None


def pictures(run: Any, html: Path | None, plot: Path | None, video: Path | None, like: str | None, say: Say) -> dict[str, str]:
    """Write the requested files, the video with that look; paths by kind."""
    written = {}
    for kind, path in (("page", html), ("plots", plot), ("video", video)):
        if path is None:
            continue
        if kind == "page":
            run.write_html(path)
        elif kind == "plots":
            run.plot().savefig(path)
        else:
            run.write_video(path, like=like, progress=say.progress)
        written[kind] = str(path)
        say.words(f"{kind.capitalize()}: {path}")
    return written


def check_pictures(html: Path | None, plot: Path | None, video: Path | None, like: str | None = None, page: str = "--html") -> None:
    """Check, before anything is computed, that the requested files can be written, and the look of the video."""
    if like is not None and video is None:
        raise po.SettingsError("--like is the look of a video; give --video, too")
    if like is not None:
        from poinsot.view.video import check_like

        check_like(like)
    for path in (html, plot, video):
        check_writable(path)
    if (plot or video) and find_spec("matplotlib") is None:
        raise po.SettingsError("plots and videos need matplotlib: pip install 'poinsot[viz]'")
    formats = (
        (html, (".html", ".htm"), page),
        (plot, (".svg", ".pdf", ".png"), "--plot"),
        (video, (".mp4", ".gif"), "--video"),
    )
    for path, known, option in formats:
        if path is not None and path.suffix.lower() not in known:
            raise po.SettingsError(f"{option} writes {', '.join(known)}, not '{path.name}'")


def check_writable(path: Path | None) -> None:
    """Whether a file can be written."""
    if path is None:
        return
    if not path.parent.exists():
        raise po.SettingsError(f"{path}: there is no folder {path.parent}")
    if path.is_dir():
        raise po.SettingsError(f"{path}: is a folder; give the name of a file")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise po.SettingsError(f"{path}: cannot be written")


def run_until_interrupt(compute: Callable[[], Any]) -> tuple[Any, bool]:
    """A run, and whether Ctrl-C ended it; in that case the part computed until then."""
    try:
        return compute(), False
    except KeyboardInterrupt as error:
        run = getattr(error, "trajectory", None)
        if run is None:
            raise
        return run, True


def exit_if_interrupted(run: Any, stopped: bool, results: Path | None, say: Say) -> None:
    """Exit code 130 after Ctrl-C, with the command that resumes the run."""
    if not stopped:
        return
    if results is not None and not run.complete:
        say.words(f"`poinsot resume {results}` continues from here.")
    raise typer.Exit(130)
