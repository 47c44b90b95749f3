"""What an FMU shows of a system: motors and forces as inputs, results as outputs, numbers as parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from poinsot.errors import ModelError
from poinsot.model.change import check_change
from poinsot.model.element import Element
from poinsot.model.forces import Motor
from poinsot.model.guard import is_number
from poinsot.model.load import Load
from poinsot.model.parameters import initial_names, parameters, value_of
from poinsot.model.system import System
from poinsot.model.words import short_repr, suggestion
from poinsot.model.wrenches import BodyVector
from poinsot.results.quantities import names, quantity

PARTS = ("x", "y", "z")


@dataclass(frozen=True)
class Variable:
    """A variable of an FMU.

    Attributes
    ----------
    name : in the FMU
    key : of inputs and parameters: that of `change=`; of outputs: the name of the result
    start : its value at the start
    words : its description, with its unit
    tunable : of parameters: whether it may change during a simulation
    """

    name: str
    key: str
    start: float = 0.0
    words: str = ""
    tunable: bool = False

    def data(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


def read_inputs(system: System, given: Sequence[Any] | None) -> list[Variable]:
    """The inputs of motors, forces and torques, given as elements or by name; None: of all motors of a constant effort."""
    if given is None:
        given = [load for load in system.loads if isinstance(load, Motor) and load.parameters]
    found: list[Variable] = []
    for one in given:
        element = _element(system, one, "inputs")
        if not isinstance(element, Motor | BodyVector):
            raise ModelError(f"inputs: {element.label()} is not a motor, force or torque; parameters=[...] takes numbers of other elements")
        if not element.parameters:
            what = "torque=0.0" if isinstance(element, Motor) else "the vector (0, 0, 0)"
            raise ModelError(f"inputs: {element.label()} has no constant value that an input could replace; give it {what}")
        (unit,) = set(element.units().values())
        if isinstance(element, Motor):
            found.append(Variable(element.name, f"{element.name}.law", float(element.values()[0]), f"effort of {element.name} [{unit}]"))
            continue
        for k, (part, value) in enumerate(zip(PARTS, element.values())):
            words = f"{part} of {element.name} [{unit}]"
            found.append(Variable(f"{element.name}.{part}", f"{element.name}.vector[{k}]", float(value), words))
    return found


def read_parameters(system: System, given: Sequence[str]) -> list[Variable]:
    """Parameters by the names that `change=` takes, of one number each."""
    return [_parameter(system, key) for key in given]


def _parameter(system: System, key: Any) -> Variable:
    if not isinstance(key, str):
        raise ModelError(f"parameters: give names such as 'spring.stiffness', not {short_repr(key)}")
    check_change(system, {key: 0.0} if not key.endswith("gravity") else {})
    whole, _, entry = key.partition("[")
    first = False
    if whole == "gravity":
        now: Any = system.gravity
        tunable = True
    else:
        name, _, parameter = whole.rpartition(".")
        element = system[name]
        first = parameter in initial_names(element) and parameter not in parameters(element)
        now = _initial(system, element, parameter) if first else value_of(element, parameter)
        tunable = isinstance(element, Load)
    value = now[int(entry.rstrip("]"))] if entry else now
    if not is_number(value):
        raise ModelError(f"parameters: {key} is not one number but {short_repr(value)}; name one of several, such as {whole}[0]")
    return Variable(f"initial.{key}" if first else key, key, float(value), key, tunable)


def _initial(system: System, element: Element, parameter: str) -> Any:
    held = system.initial.get(element, {}).get(parameter, (0.0,))
    return held[0] if len(held) == 1 else held


def read_outputs(run: Any, given: Sequence[str] | None) -> list[Variable]:
    """Outputs by the names of results; vectors become their components. None: coordinates and rates of all joints, and the energy."""
    if given is None:
        owners = {joint.name for joint in run.frozen.joints if joint.motions()}
        kept = {name for joint in run.frozen.joints for name in (*joint.names, *joint.rate_names)}
        given = [name for name in names(run) if name.rpartition(".")[0] in owners and name.rpartition(".")[2] in kept] + ["energy"]
    found = []
    for name in given:
        for part in quantity(run, name).parts():
            found.append(Variable(part.name, part.name, float(part.values[0]), part.axis))
    return found


def check_unique(variables: Sequence[Variable]) -> None:
    """Raise a ModelError where two variables have one name."""
    seen: set[str] = {"time"}
    for variable in variables:
        if variable.name in seen:
            raise ModelError(f"two variables of the FMU would be called '{variable.name}'; leave one of them out")
        seen.add(variable.name)


def _element(system: System, one: Any, what: str) -> Any:
    name = one if isinstance(one, str) else getattr(one, "name", None)
    if not isinstance(name, str) or name not in system.by_name or (isinstance(one, Element) and system.by_name[name] is not one):
        known = suggestion(name, system.by_name) if isinstance(name, str) else "give elements of the system, or their names"
        raise ModelError(f"{what}: system '{system.name}' has no element {short_repr(one)}; {known}")
    return system.by_name[name]
