"""The base class of the class that PythonFMU3 calls within an FMU: variables connected to a system that steps. Only FMUs import it."""

from __future__ import annotations

from typing import Any

from pythonfmu3 import Float64, Fmi3Causality, Fmi3Initial, Fmi3Variability  # the copy that the FMU contains

import poinsot as po
from poinsot.files.fmu.stepping import Stepping, read_resources


class Unit:
    """Mixed into `Fmi3Slave`, which calls these methods."""

    def __init__(self, **given: Any):
        super().__init__(**given)
        system, settings, self.variables = read_resources(given["resources"])
        self.description = f"{system.name}, by Poinsot {po.__version__}"
        self.version = po.__version__
        self.time = 0.0
        values = {one.key: one.start for kind in ("inputs", "parameters") for one in self.variables[kind]}
        self.stepping = Stepping(system, settings, values)
        self._register()

    def _register(self) -> None:
        register: Any = self.register_variable  # type: ignore[attr-defined]
        continuous = {"variability": Fmi3Variability.continuous}
        register(Float64("time", causality=Fmi3Causality.independent, getter=lambda: self.stepping.t, **continuous))
        for one in self.variables["inputs"]:
            register(Float64(one.name, causality=Fmi3Causality.input, description=one.words, **self._access(one.key), **continuous))
        for one in self.variables["parameters"]:
            kind = Fmi3Variability.tunable if one.tunable else Fmi3Variability.fixed
            register(Float64(one.name, causality=Fmi3Causality.parameter, variability=kind, description=one.words, **self._access(one.key)))
        for one in self.variables["outputs"]:
            show = {"getter": lambda name=one.key: self.stepping.output(name), "initial": Fmi3Initial.calculated}
            register(Float64(one.name, causality=Fmi3Causality.output, description=one.words, **show, **continuous))

    def _access(self, key: str) -> dict[str, Any]:
        return {"getter": lambda: self.stepping.values[key], "setter": lambda value: self.stepping.set(key, value)}

    def to_xml(self, model_options: Any = None) -> Any:
        """The description of the FMU; names of results are not those of variables in a program."""
        root = super().to_xml(model_options or {})  # type: ignore[misc]
        root.set("variableNamingConvention", "flat")
        root.set("generationTool", f"Poinsot {po.__version__}")
        return root

    def setup_experiment(self, start_time: float) -> None:
        """Called before the first step."""
        self.stepping.t = float(start_time)

    def do_step(self, current_time: float, step_size: float) -> bool:
        """Go on by a communication step, the inputs held."""
        self.stepping.advance(current_time, step_size)
        return True
