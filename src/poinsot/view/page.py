"""The page: one self-contained HTML file that shows runs in a browser, from disk, without a network.

Scripts and styles are inlined under a content policy that lists their hashes, so nothing else can run and nothing is ever
fetched. Names of elements reach the page as JSON, never as markup.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.errors import SettingsError
from poinsot.files.appearing import report_os_errors, write_whole
from poinsot.model.guard import NUMBER, PATH, TEXT, settings_door
from poinsot.model.system import System
from poinsot.model.words import short_repr
from poinsot.view.page_data import FRAMES, page_data

if TYPE_CHECKING:
    from poinsot.results.trajectory import Trajectory

WEB = Path(__file__).parent / "web"
SCRIPTS = (
    "faults",
    "data",
    "derived",
    "format",
    "pens",
    "shapes",
    "instances",
    "marks",
    "model",
    "arrows",
    "quantities",
    "trails",
    "attitude",
    "labels",
    "triad",
    "cameras",
    "picking",
    "floor",
    "scene",
    "curves",
    "axes",
    "plots",
    "picker",
    "panels",
    "exports",
    "recording",
    "controls",
    "toolbar",
    "happenings",
    "page",
)  # in this order
LARGEST = 5_000_000  # bytes of a page, by default
ROOM = 100_000  # least number of bytes that a page needs in addition to its program
MOST_RUNS = 8
IN_NOTEBOOK = 3_500_000  # bytes
UPDATE = 2_000_000  # bytes of the data of another run, of a page with sliders
SELF = "'self'"


@settings_door(path=PATH, description=TEXT, max_bytes=NUMBER)
def write_html(
    runs: Trajectory | System | Sequence[Trajectory],
    path: Any,
    *,
    names: Sequence[str] | None = None,
    description: str = "",
    plots: Sequence[str] = (),
    frames: int = FRAMES,
    max_bytes: int = LARGEST,
    trails: Sequence[Any] = (),
) -> Path:
    """Write one self-contained page that shows a run, or several overlaid; it opens from disk without a network.

    Parameters
    ----------
    runs : a run or a list of up to eight; each of several has its own tint. Or a System: its drawing, before anything runs
    path : of the file, which must end in .html
    names : of the runs; default: the names of their systems, or their methods where the systems are the same
    description : words below the title
    plots : results that the page shows first, up to six, such as "joint1.angle"; default: the most important ones. As many as fit can be selected
    frames : largest number of poses stored per run; the page interpolates between them
    max_bytes : approximate upper limit of the file size; long runs and large systems then have fewer frames and results
    trails : points of bodies whose paths the page draws at first, such as [coupler.end, rod.at((0, 0, 1))]; or bodies, or their names
    """
    target = Path(path)
    if target.suffix.lower() not in (".html", ".htm"):
        raise SettingsError(f"write_html: {str(path)!r} is not the name of a page; give one that ends in .html")
    with report_os_errors(target):
        if not target.parent.is_dir():
            raise SettingsError(f"write_html: the folder {str(target.parent)!r} does not exist; create it first")
        if target.is_dir():
            raise SettingsError(f"write_html: {str(path)!r} is a folder; give the name of a file")
    page = page_html(runs, names=names, description=description, plots=plots, frames=frames, max_bytes=max_bytes, trails=trails)
    return write_whole(target, page)


def notebook_html(run: Trajectory) -> str:
    """A run in a cell of a notebook: the page in a frame of its own that may run scripts and nothing else."""
    page = page_html(run, max_bytes=IN_NOTEBOOK)
    title = html.escape(f"Run of {run.system.name}")
    return (
        f'<iframe title="{title}" sandbox="allow-scripts allow-downloads" srcdoc="{html.escape(page)}" width="100%" height="640" '
        'style="border:0;width:100%;height:640px"></iframe>'
    )


def page_html(
    runs: Trajectory | System | Sequence[Trajectory],
    *,
    names: Sequence[str] | None = None,
    description: str = "",
    plots: Sequence[str] = (),
    frames: int = FRAMES,
    max_bytes: int = LARGEST,
    trails: Sequence[Any] = (),
    live: dict[str, Any] | None = None,
) -> str:
    """The page as text; see `write_html`. `live`: what a page with sliders knows of them; it may ask its own server."""
    if isinstance(runs, System):
        given = {"names": names is not None, "plots": len(plots) > 0, "frames": frames != FRAMES, "trails": len(trails) > 0}
        return _drawing_page(runs, str(description), max_bytes, [name for name, there in given.items() if there])
    several = _runs(runs)
    called = _names(several, names)
    if isinstance(frames, bool) or not isinstance(frames, int | np.integer) or not 2 <= frames <= 100_000:
        raise SettingsError(f"write_html: frames must be a whole number from 2 to 100000, not {short_repr(frames)}")
    style = _text("page.css") + (_text("live.css") if live else "")
    program = _program((*SCRIPTS, "live") if live else SCRIPTS)
    bundle, body = _text("three.bundle.js"), _text("page.html")
    fixed = sum(len(part.encode()) for part in (style, program, bundle, body))
    if isinstance(max_bytes, str) or not np.isfinite(max_bytes) or max_bytes < fixed + ROOM:
        least = round((fixed + ROOM) / 1e6 + 0.05, 1)
        raise SettingsError(f"write_html: max_bytes must be a number of at least {least * 1e6:.0f}, not {max_bytes!r}")
    if not isinstance(plots, str | list | tuple):
        raise SettingsError(f"write_html: plots must be a list of names of results, not {short_repr(plots)}")
    wanted = [plots] if isinstance(plots, str) else list(plots)
    data = page_data(several, called, max_bytes - fixed - ROOM / 2, int(frames), wanted, str(description), trails)
    data |= {"live": live} if live else {}
    policy = (
        f"default-src 'none'; script-src {_hash(bundle)} {_hash(program)}; style-src {_hash(style)}; "
        f"img-src data: blob:;{f' connect-src {SELF};' if live else ''} base-uri 'none'; form-action 'none'"
    )
    parts = {
        "policy": html.escape(policy, quote=False),
        "title": html.escape(data["title"]),
        "style": style,
        "three": bundle,
        "licence": _text("three.LICENSE").strip(),
        "data": _json(data),
        "program": program,
    }
    pieces = body.split("@@")  # text, name, text, name, ..., text
    return "".join(parts[piece] if k % 2 else piece for k, piece in enumerate(pieces))


def page_update(run: Trajectory, *, plots: Sequence[str] = (), description: str = "", trails: Sequence[Any] = ()) -> dict[str, Any]:
    """The data of another run of the same system, which a page with sliders shows in place."""
    wanted = [plots] if isinstance(plots, str) else list(plots)
    return page_data(_runs(run), _names([run], None), UPDATE, FRAMES, wanted, description, trails)


def _runs(runs: Any) -> list[Trajectory]:
    several = list(runs) if isinstance(runs, list | tuple) else [runs]
    if not several:
        raise SettingsError("write_html: there is no run to show; give a run or a list of runs")
    if len(several) > MOST_RUNS:
        raise SettingsError(f"write_html: {len(several)} runs are too many for one page; give up to {MOST_RUNS}")
    for run in several:
        if isinstance(run, System):
            raise SettingsError(f"write_html: '{run.name}' is a system that has not run; give it alone: po.write_html(system, path)")
        if not all(hasattr(run, word) for word in ("motion", "system", "t")):
            raise SettingsError(f"write_html: {short_repr(run)} is not a run; give the result of po.simulate or po.load")
        if len(run.t) == 0:
            raise SettingsError(f"write_html: the run of '{run.system.name}' has no outputs; nothing can be shown")
    return several


def _drawing_page(system: System, description: str, max_bytes: float, settings: Sequence[str]) -> str:
    """The page of a system that has not run, with markup and a main script of its own.

    `settings`: names of arguments that were given though they are for runs only, which is an error.
    """
    from poinsot.view.preview import preview_data

    if settings:
        listed = ", ".join(f"{name}=" for name in settings)
        raise SettingsError(f"write_html: {listed}: only for runs, and '{system.name}' is a system that has not run; leave it out, or run it first")
    style, body, bundle = _text("page.css") + _text("preview.css"), _text("preview.html"), _text("three.bundle.js")
    program = _program([*(name for name in SCRIPTS if name != "page"), "preview"])
    fixed = sum(len(part.encode()) for part in (style, program, bundle, body))
    if isinstance(max_bytes, str) or not np.isfinite(max_bytes) or max_bytes < fixed + ROOM:
        least = round((fixed + ROOM) / 1e6 + 0.05, 1)
        raise SettingsError(f"write_html: max_bytes must be a number of at least {least * 1e6:.0f}, not {max_bytes!r}")
    data = preview_data(system, description, max_bytes - fixed - ROOM / 2)
    policy = (
        f"default-src 'none'; script-src {_hash(bundle)} {_hash(program)}; style-src {_hash(style)}; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
    parts = {"policy": html.escape(policy, quote=False), "title": html.escape(data["title"]), "style": style, "three": bundle}
    parts |= {"licence": _text("three.LICENSE").strip(), "data": _json(data), "program": program}
    return "".join(parts[piece] if k % 2 else piece for k, piece in enumerate(body.split("@@")))


def _names(runs: Sequence[Trajectory], names: Sequence[str] | None) -> list[str]:
    """Names of the runs: as given, or by system, by method where systems are the same, by number where both are."""
    if names is not None:
        right = isinstance(names, list | tuple) and all(isinstance(name, str) for name in names)
        if not right or len(names) != len(runs):
            raise SettingsError(f"write_html: names must be a list of one name per run, {len(runs)}, not {short_repr(names)}")
        return list(names)
    found = [run.system.name for run in runs]
    if len(set(found)) < len(found):
        methods = [f"{run.formulation.name} with {run.record.integrator}" for run in runs]
        found = methods if len(set(found)) == 1 else [f"{a}, {b}" for a, b in zip(found, methods)]
    if len(set(found)) < len(found):
        found = [f"{name} ({k})" for k, name in enumerate(found, 1)]
    return found


def _program(scripts: Sequence[str] = SCRIPTS) -> str:
    """All our scripts as one, in a scope of their own."""
    parts = "\n".join(_text(f"{name}.js") for name in scripts)
    return f'(() => {{\n"use strict";\n{parts}\n}})();\n'


@cache
def _text(name: str) -> str:
    return (WEB / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """The hash by which a content policy identifies an inlined script or style."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _json(data: Any) -> str:
    """JSON that cannot close the HTML element that contains it."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
