"""Poinsot: dynamics of rigid multibody systems that stays true over long times.

A mechanism is written down once as a `System`; `simulate` runs it and returns a trajectory with an audit of what was conserved.
"""

from poinsot._cache import prepare_cache

prepare_cache()  # before anything imports Numba

from poinsot.errors import (  # noqa: E402
    AssemblyError,
    AssemblyWarning,
    CallbackError,
    ConvergenceError,
    DriveWarning,
    FileError,
    FormulationError,
    FunctionWarning,
    ModelError,
    ModelWarning,
    PoinsotError,
    ResumeWarning,
    RunError,
    SettingsError,
)
from poinsot.model import signals  # noqa: E402
from poinsot.model.constraints import Distance, Gear  # noqa: E402
from poinsot.model.drives import Motion, Servo  # noqa: E402
from poinsot.model.forces import Force, JointDamper, JointSpring, Motor, Spring, Torque, TorsionSpring, UserForce  # noqa: E402
from poinsot.model.shapes import Box, Composite, Cylinder, Disc, Rod, Sphere  # noqa: E402
from poinsot.model.signals import Signal  # noqa: E402
from poinsot.model.system import System  # noqa: E402

__version__ = "0.1.0"

_LATER = {  # modules that need compiled kernels are imported on first use
    "assemble": "poinsot.analysis.assemble",
    "dynamics": "poinsot.analysis.dynamics",
    "simulate": "poinsot.simulation",
    "prepare": "poinsot.simulation",
    "resume": "poinsot.files.runs.resume",
    "State": "poinsot.results.state",
    "Trajectory": "poinsot.results.trajectory",
}

_LIGHT = {  # these need none, but are not always used
    "load": "poinsot.files.runs.reader",
    "read": "poinsot.files.models.read_write",
    "write_html": "poinsot.view.page",
}

__all__ = [
    "AssemblyError",
    "AssemblyWarning",
    "Box",
    "CallbackError",
    "Composite",
    "ConvergenceError",
    "Cylinder",
    "Disc",
    "Distance",
    "DriveWarning",
    "FileError",
    "Force",
    "FormulationError",
    "FunctionWarning",
    "Gear",
    "JointDamper",
    "JointSpring",
    "ModelError",
    "ModelWarning",
    "Motion",
    "Motor",
    "PoinsotError",
    "ResumeWarning",
    "Rod",
    "RunError",
    "Servo",
    "SettingsError",
    "Signal",
    "Sphere",
    "Spring",
    "State",
    "System",
    "Torque",
    "TorsionSpring",
    "Trajectory",
    "UserForce",
    "assemble",
    "dynamics",
    "load",
    "prepare",
    "read",
    "resume",
    "signals",
    "simulate",
    "write_html",
]


def __getattr__(name: str):
    from importlib import import_module

    if name in _LIGHT:
        return getattr(import_module(_LIGHT[name]), name)
    if name in _LATER:
        from poinsot import warmup

        warmup.start()
        return getattr(import_module(_LATER[name]), name)
    from poinsot.model.words import nearest

    near = "" if name.startswith("_") else "".join(f"; did you mean '{found}'?" for found in nearest(name, __all__))
    raise AttributeError(f"module 'poinsot' has no attribute '{name}'{near}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_LATER, *_LIGHT])
