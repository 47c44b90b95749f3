"""Poinsot: dynamics of rigid multibody systems, reliable over long times.

A mechanism is described once as a `System`; `simulate` runs it and returns a trajectory with an audit of what was conserved.
"""

# ruff: noqa: F405  (some of __all__ is imported when it is first used)
import sys
from typing import TYPE_CHECKING, Any

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
from poinsot.model import constraints as _constraints  # noqa: E402
from poinsot.model import drives as _drives  # noqa: E402
from poinsot.model import events as _events  # noqa: E402
from poinsot.model import feedback as _feedback  # noqa: E402
from poinsot.model import forces as _forces  # noqa: E402
from poinsot.model import locks as _locks  # noqa: E402
from poinsot.model import rolling as _rolling  # noqa: E402
from poinsot.model import signals  # noqa: E402
from poinsot.model import springs as _springs  # noqa: E402
from poinsot.model import user_rows as _user_rows  # noqa: E402
from poinsot.model import wrenches as _wrenches  # noqa: E402
from poinsot.model.constraints import *  # noqa: E402, F403
from poinsot.model.drives import *  # noqa: E402, F403
from poinsot.model.events import *  # noqa: E402, F403
from poinsot.model.feedback import *  # noqa: E402, F403
from poinsot.model.forces import *  # noqa: E402, F403
from poinsot.model.locks import *  # noqa: E402, F403
from poinsot.model.looks import Look  # noqa: E402
from poinsot.model.mesh import Mesh  # noqa: E402
from poinsot.model.rolling import *  # noqa: E402, F403
from poinsot.model.shapes import Box, Composite, Cylinder, Disc, Rod, Sphere  # noqa: E402
from poinsot.model.signals import Signal  # noqa: E402
from poinsot.model.springs import *  # noqa: E402, F403
from poinsot.model.system import System  # noqa: E402
from poinsot.model.user_rows import *  # noqa: E402, F403
from poinsot.model.wrenches import *  # noqa: E402, F403

if TYPE_CHECKING:  # names imported on first use, for editors and type checkers; the same as below
    from poinsot import control
    from poinsot.analysis.assemble import assemble
    from poinsot.analysis.dynamics import dynamics
    from poinsot.analysis.kinematics import jacobian
    from poinsot.analysis.paths import follow
    from poinsot.analysis.reduction import reduce
    from poinsot.analysis.workspace import workspace
    from poinsot.comparison.compare import compare
    from poinsot.comparison.comparison import Comparison
    from poinsot.files.fmu.write import write_fmu
    from poinsot.files.mjcf.read import read_mjcf
    from poinsot.files.models.read_write import read
    from poinsot.files.runs.reader import load
    from poinsot.files.runs.resume import resume
    from poinsot.files.urdf.read import read_urdf
    from poinsot.live.app import app
    from poinsot.results.state import State
    from poinsot.results.trajectory import Trajectory
    from poinsot.simulation import prepare, simulate
    from poinsot.sweeps.reductions import largest, last, mean, smallest
    from poinsot.sweeps.result import Sweep
    from poinsot.sweeps.samples import sample
    from poinsot.sweeps.sweep import sweep
    from poinsot.view.page import write_html

__version__ = "0.1.0"

_LATER = {  # modules that need compiled kernels are imported on first use
    "Comparison": "poinsot.comparison.comparison",
    "app": "poinsot.live.app",
    "assemble": "poinsot.analysis.assemble",
    "compare": "poinsot.comparison.compare",
    "dynamics": "poinsot.analysis.dynamics",
    "follow": "poinsot.analysis.paths",
    "jacobian": "poinsot.analysis.kinematics",
    "reduce": "poinsot.analysis.reduction",
    "simulate": "poinsot.simulation",
    "prepare": "poinsot.simulation",
    "resume": "poinsot.files.runs.resume",
    "State": "poinsot.results.state",
    "Sweep": "poinsot.sweeps.result",
    "sweep": "poinsot.sweeps.sweep",
    **dict.fromkeys(("largest", "last", "mean", "smallest"), "poinsot.sweeps.reductions"),
    "Trajectory": "poinsot.results.trajectory",
    "write_fmu": "poinsot.files.fmu.write",
    "workspace": "poinsot.analysis.workspace",
}

_LIGHT = {  # without kernels, but not always used
    "load": "poinsot.files.runs.reader",
    "read": "poinsot.files.models.read_write",
    "sample": "poinsot.sweeps.samples",
    "read_mjcf": "poinsot.files.mjcf.read",
    "read_urdf": "poinsot.files.urdf.read",
    "write_html": "poinsot.view.page",
}

_ROOMS = {"control": "poinsot"}  # whole modules

__all__ = [
    "AssemblyError",
    "AssemblyWarning",
    "Box",
    "CallbackError",
    "Comparison",
    "Composite",
    "ConvergenceError",
    "Cylinder",
    "Disc",
    "DriveWarning",
    "FileError",
    "FormulationError",
    "FunctionWarning",
    "Look",
    "Mesh",
    "ModelError",
    "ModelWarning",
    "PoinsotError",
    "ResumeWarning",
    "Rod",
    "RunError",
    "SettingsError",
    "Signal",
    "Sphere",
    "State",
    "Sweep",
    "System",
    "Trajectory",
    "app",
    "assemble",
    "compare",
    "control",
    "dynamics",
    "follow",
    "jacobian",
    "largest",
    "last",
    "load",
    "mean",
    "prepare",
    "read",
    "read_mjcf",
    "read_urdf",
    "reduce",
    "resume",
    "sample",
    "signals",
    "simulate",
    "smallest",
    "sweep",
    "write_fmu",
    "workspace",
    "write_html",
]
__all__ += _constraints.__all__  # elements are made public in their own modules
__all__ += _drives.__all__
__all__ += _feedback.__all__
__all__ += _events.__all__
__all__ += _forces.__all__
__all__ += _locks.__all__
__all__ += _rolling.__all__
__all__ += _springs.__all__
__all__ += _user_rows.__all__
__all__ += _wrenches.__all__


if not TYPE_CHECKING:  # otherwise type checkers would accept every name

    def __getattr__(name: str) -> Any:
        return _later(name)


def _later(name: str) -> Any:
    from importlib import import_module

    if name in _ROOMS:
        return import_module(f"{_ROOMS[name]}.{name}")
    if name in _LIGHT:
        return getattr(import_module(_LIGHT[name]), name)
    if name in _LATER:
        if _LATER[name] not in sys.modules:
            from poinsot import warmup

            warmup.start()
        return getattr(import_module(_LATER[name]), name)
    from poinsot.model.words import nearest

    near = "" if name.startswith("_") else "".join(f"; did you mean '{found}'?" for found in nearest(name, __all__))
    raise AttributeError(f"module 'poinsot' has no attribute '{name}'{near}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_LATER, *_LIGHT, *_ROOMS])
