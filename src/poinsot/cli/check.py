"""`poinsot check model.yaml`: describe a model and report all its faults."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import poinsot as po
from poinsot.cli.options import Base, Json, Keyframe, Packages, Quiet, Say, Set, read_model


def check(
    model: Annotated[Path, typer.Argument(help="Model file (.yaml), a robot (.urdf), or a model of MuJoCo (.xml).", show_default=False)],
    set_: Set = None,
    base: Base = None,
    packages: Packages = None,
    keyframe: Keyframe = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Check a model file.

    Describes the model (bodies, degrees of freedom, loops, redundant constraints, gaps) and reports all faults. Exit code 1 if it cannot run.
    """
    say = Say(as_json, quiet)
    try:
        found = read_model(model, base, packages, set_, keyframe).check()
    except po.ModelError as error:
        say.data({"runs": False, "faults": error.faults})
        if not as_json:
            raise
        raise typer.Exit(1) from None
    say.words(str(found))
    say.data(
        {
            "system": found.name,
            "bodies": found.bodies,
            "joints": found.joints,
            "forces": found.loads,
            "constraints": found.constraints,
            "degrees_of_freedom": found.degrees_of_freedom,
            "position_freedoms": found.position_freedoms,
            "loops": found.loops,
            "free": found.free,
            "redundant": [{"element": r.element.name, "direction": r.direction} for r in found.redundant],
            "gaps": found.gaps,
            "notes": found.notes,
            "faults": found.faults,
            "unassembled": found.unassembled,
            "runs": found.ok,
        }
    )
    if not found.ok:
        raise typer.Exit(1)
