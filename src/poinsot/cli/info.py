"""`poinsot info file`: the contents of a results or model file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import poinsot as po
from poinsot.cli.options import Json, Quiet, Say


def info(
    file: Annotated[Path, typer.Argument(help="Results (.h5) or model file (.yaml).", show_default=False)],
    model: Annotated[
        bool, typer.Option("--model", help="Print the model file of the results.")
    ] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show the contents of a file.

    For results: the system, the settings of the run, how far it got, its audit.
    """
    say = Say(as_json, quiet)
    if file.suffix in (".yaml", ".yml"):
        system = po.read(file)
        say.words(f"Model of {_contents(system)}.")
        say.data({"kind": "model", **_counts(system)})
        return
    run = po.load(file)
    if model:
        say.words(run.system.to_yaml())
        say.data({"kind": "results", "model": run.system.to_yaml()})
        return
    settings = {name: value for name, value in run.record.settings.items() if value not in (None, {})}
    end = settings["start"] + settings["duration"]
    state = "finished" if run.complete else f"unfinished: {run.t[-1]:g} of {end:g} s; `poinsot resume {file}` resumes it"
    say.words(f"Run of {_contents(run.system)}: {state}.")
    say.words(f"{len(run)} outputs from {run.t[0]:g} to {run.t[-1]:g} s, {file.stat().st_size / 1e6:.3g} MB.")
    say.words("Settings: " + ", ".join(f"{name} {value}" for name, value in settings.items()))
    say.words("Computed with: " + ", ".join(f"{name} {value}" for name, value in run.versions.items()))
    say.words(str(run.audit))
    say.data(
        {
            "kind": "results",
            **_counts(run.system),
            "complete": run.complete,
            "outputs": len(run),
            "t": [float(run.t[0]), float(run.t[-1])],
            "settings": run.record.settings,
            "versions": run.versions,
            "audit": run.audit.to_dict(),
        }
    )


def _counts(system: Any) -> dict[str, Any]:
    names = ("bodies", "joints", "loads", "constraints", "drives")
    return {"system": system.name, **{name: len(getattr(system, name)) for name in names}}


def _contents(system: Any) -> str:
    words = {"bodies": "body", "joints": "joint", "loads": "force", "constraints": "constraint", "drives": "drive"}
    counts = {word: len(getattr(system, name)) for name, word in words.items()}
    plural = {"body": "bodies"}
    parts = [f"{n} {word if n == 1 else plural.get(word, word + 's')}" for word, n in counts.items() if n]
    return f"'{system.name}': {', '.join(parts)}"
