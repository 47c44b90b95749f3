"""A system advanced from one communication point to the next, with inputs that are held in between: what runs within an FMU."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import poinsot as po
from poinsot.errors import SettingsError
from poinsot.files.fmu.interface import Variable
from poinsot.model.parameters import initial_names
from poinsot.model.system import System
from poinsot.results.quantities import quantity
from poinsot.simulation import Ready, prepare

MODEL, INTERFACE = "model.yaml", "interface.json"
PROBE = 1e-3  # s: a run of this length gives the results at its start
CLOSE = 1e-9  # relative difference of times that are the same


class Stepping:
    """A system in co-simulation.

    Attributes
    ----------
    values : inputs and parameters by the names that `change=` takes
    t : the time that was reached (s)
    """

    def __init__(self, system: System, settings: dict[str, Any], values: dict[str, float], start: float = 0.0):
        self.system, self.settings, self.values = system, settings, dict(values)
        self.first = {key for key in values if _is_initial(system, key)}  # matter at the start alone
        self.t = start
        self.state: Any = None
        self.run: Any = None
        self.ready: dict[float | None, Ready] = {}

    def set(self, key: str, value: float) -> None:
        """Set an input or a parameter."""
        self.values[key] = float(value)
        if self.state is None:
            self.run = None

    def advance(self, t: float, duration: float) -> None:
        """Go on from a time by a duration (s): the first time is the start, later ones are those that were reached."""
        if self.state is None:
            self.t = float(t)
        if abs(t - self.t) > CLOSE * max(1.0, abs(t)):
            raise SettingsError(f"the system is at t = {self.t:.12g} s and cannot step from {t:.12g} s")
        change = {key: value for key, value in self.values.items() if self.state is None or key not in self.first}
        ready = self._ready(duration)
        begin = {"start": self.t} if self.state is None else {"state": self.state}
        self.run = ready.run(duration, output_step=duration, change=change, progress=False, **begin)
        self.state = self.run.state()
        self.t = float(self.run.t[-1])

    def output(self, name: str) -> float:
        """A result at the time that was reached."""
        if self.run is None:
            length = float(self.settings.get("step") or PROBE)
            self.run = self._ready(length).run(length, output_step=length, start=self.t, change=dict(self.values), progress=False)
        return float(quantity(self.run, name).values[0 if self.state is None else -1])

    def _ready(self, duration: float) -> Ready:
        """The system prepared for steps that divide a duration; adaptive ones need no division."""
        step = self.settings.get("step")
        size = None if step is None else duration / math.ceil(duration / step - CLOSE)
        if size not in self.ready:
            self.ready[size] = prepare(self.system, **{**self.settings, "step": size})
        return self.ready[size]


def _is_initial(system: System, key: str) -> bool:
    name, _, parameter = key.partition("[")[0].rpartition(".")
    return name in system.by_name and parameter in initial_names(system[name]) and parameter not in ("law", "vector")


def read_resources(folder: str) -> tuple[System, dict[str, Any], dict[str, list[Variable]]]:
    """The system, the settings and the variables that an FMU contains."""
    described = json.loads((Path(folder) / INTERFACE).read_text("utf-8"))
    if described["poinsot"] != po.__version__:
        raise SettingsError(f"this FMU was written by Poinsot {described['poinsot']}, and {po.__version__} is installed; install that version")
    system = po.read(Path(folder) / MODEL)
    variables = {kind: [Variable(**one) for one in described[kind]] for kind in ("inputs", "parameters", "outputs")}
    return system, described["settings"], variables
