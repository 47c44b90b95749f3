"""A System written as an FMU for co-simulation (FMI 3.0), packed by PythonFMU3."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import poinsot as po
from poinsot.errors import ModelError, SettingsError
from poinsot.files.fmu.interface import check_unique, read_inputs, read_outputs, read_parameters
from poinsot.files.fmu.stepping import INTERFACE, MODEL, Stepping
from poinsot.files.models.functions import file_names
from poinsot.files.models.writer import to_text
from poinsot.model.guard import NUMBER, PATH, TEXT, Kind, door, maybe
from poinsot.model.system import SYSTEM, System

EXTRA = "FMUs are packed by PythonFMU3, which is not installed: pip install 'poinsot[fmu]'"
SCRIPT = '''"""Written by Poinsot: runs the model beside this file."""

from pythonfmu3 import Fmi3Slave

from poinsot.files.fmu.slave import Unit


class {name}(Unit, Fmi3Slave):
    """The system as a unit for co-simulation."""
'''
LIST = Kind(lambda value: isinstance(value, list | tuple), "a list")
CAN = {"canHandleVariableCommunicationStepSize": True, "needsExecutionTool": True}


@door(
    system=SYSTEM, path=PATH, inputs=maybe(LIST), outputs=maybe(LIST), parameters=LIST, step=maybe(NUMBER), rtol=maybe(NUMBER), atol=maybe(NUMBER),
    formulation=TEXT, integrator=TEXT,
)  # fmt: skip
def write_fmu(
    system: System,
    path: str | os.PathLike[str],
    *,
    inputs: Sequence[Any] | None = None,
    outputs: Sequence[str] | None = None,
    parameters: Sequence[str] = (),
    step: float | None = None,
    rtol: float | None = None,
    atol: float | None = None,
    formulation: str = "auto",
    integrator: str = "auto",
) -> Path:
    """Write a system as an FMU for co-simulation (FMI 3.0).

    The FMU contains the model and runs it by Poinsot, which must be installed, in the same version, in the Python of the program that imports
    it. Inputs are held between communication points; outputs are those at the end of a communication step.

    Parameters
    ----------
    system : without functions of users, which files do not contain; functions of time in model files are none
    path : the file, which ends in .fmu
    inputs : motors, forces and torques of constant effort, or their names; default: all such motors
    outputs : names of results, such as "hinge.angle" or "rod.position"; default: coordinates and rates of all joints, and the energy
    parameters : numbers that may be set, by the names that `change=` takes, such as "spring.stiffness": those of forces are tunable, others
        fixed at the start
    step, rtol, atol, formulation, integrator : as in `po.simulate`; steps are shortened so that they divide communication steps
    """
    path = Path(path)
    if path.suffix != ".fmu" or not path.parent.is_dir():
        raise SettingsError(f"{path}: the name of an FMU ends in .fmu, and its folder must exist")
    builder = _builder()
    named = file_names(system)
    if named:
        raise ModelError(f"system '{system.name}' uses functions of yours ({', '.join(list(named)[:4])}), which an FMU cannot contain; use signals")
    given = {"step": step, "rtol": rtol, "atol": atol, "formulation": formulation, "integrator": integrator}
    settings = {key: value for key, value in given.items() if value is not None}
    driven, numbers = read_inputs(system, inputs), read_parameters(system, parameters)
    stepping = Stepping(system, settings, {one.key: one.start for one in (*driven, *numbers)})
    stepping.output("energy")  # it runs
    shown = read_outputs(stepping.run, outputs)
    check_unique([*driven, *numbers, *shown])
    described = {"inputs": driven, "parameters": numbers, "outputs": shown}
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / f"{_identifier(path.stem)}.py"
        script.write_text(SCRIPT.format(name=script.stem), "utf-8")
        files = [Path(folder) / MODEL, Path(folder) / INTERFACE]
        files[0].write_text(to_text(system), "utf-8")
        table = {kind: [one.data() for one in found] for kind, found in described.items()}
        files[1].write_text(json.dumps({"poinsot": po.__version__, "settings": settings, **table}, indent=1), "utf-8")
        built = _built(builder, script, Path(folder) / "built", files)
        shutil.move(built, path)
    return path


def _built(builder: Any, script: Path, folder: Path, files: list[Path]) -> Path:
    """The file that PythonFMU3 packs; it imports the script, which is forgotten again."""
    before = set(sys.modules)
    try:
        return builder.build_FMU(script, folder, files, **CAN)
    finally:
        for name in set(sys.modules) - before:
            if name == script.stem:
                del sys.modules[name]


def _identifier(stem: str) -> str:
    """A name that a class can have."""
    found = re.sub(r"\W", "_", stem, flags=re.ASCII)
    return found if found[:1].isalpha() and not hasattr(po, found) else f"Model_{found}"


def _builder() -> Any:
    try:
        from pythonfmu3 import FmuBuilder
    except ImportError:
        raise ModelError(EXTRA) from None
    return FmuBuilder
