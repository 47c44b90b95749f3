"""The sliders of a live page: which value each of them changes, its range, and the change that their positions stand for."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.errors import ModelError, SettingsError
from poinsot.live.ranges import range_around, rounded_step, unit_of
from poinsot.model.change import ENTRY, check_change
from poinsot.model.element import Element
from poinsot.model.guard import Kind, is_number
from poinsot.model.joint import Ball, Joint
from poinsot.model.parameters import initial_names, parameters, value_of
from poinsot.model.system import System
from poinsot.model.words import short_repr

if TYPE_CHECKING:
    from poinsot.results.trajectory import Trajectory

MOST = 40  # sliders of a page
POSITIONS = 200  # of a slider, without a given step
FINEST = 1e-9  # smallest step, relative to the range
WANTED = 'a dictionary of ranges such as {"spring1.stiffness": (5, 50), "base.angle": (-1, 1, 0.01)}, or a list of names'
SLIDERS = Kind(lambda value: value is None or isinstance(value, Mapping | list | tuple), WANTED)
DIGITS = 12  # of a value at the start
ROUNDING = 1e-12  # initial values below it are zero: what closing loops leaves


@dataclass(frozen=True)
class Slider:
    """One slider.

    Attributes
    ----------
    name : of the value, as in `change=`; "joint.rotation[0]" and "body.velocity[2]" are single numbers of initial values as well
    low, high, step : range and step, in the unit of the value
    value : at the start
    unit : such as "kg"; empty where it is not known
    key, index, whole : of one number of an initial value: the key in `change=`, which of its numbers, and all of them at the start
    """

    name: str
    low: float
    high: float
    step: float
    value: float
    unit: str = ""
    key: str = ""
    index: int = 0
    whole: tuple[float, ...] = ()

    def data(self) -> dict[str, Any]:
        """What the page needs to know of it."""
        return {name: getattr(self, name) for name in ("name", "low", "high", "step", "value", "unit")}


def read_sliders(given: Mapping[str, Any] | Sequence[str], run: Trajectory) -> list[Slider]:
    """Sliders as users give them; `run` is that of the values at the start. Raises a ModelError for wrong names, a SettingsError for wrong ranges."""
    ranges: dict[Any, Any] = dict(given) if isinstance(given, Mapping) else dict.fromkeys(_names(given))
    if not ranges:
        raise SettingsError(f"sliders: there is none; give {WANTED}, or leave out sliders=")
    if len(ranges) > MOST:
        raise SettingsError(f"sliders: {len(ranges)} are too many for one page; give up to {MOST}")
    return [_slider(run, name, limits) for name, limits in ranges.items()]


def _names(given: Sequence[Any]) -> Sequence[str]:
    if not all(isinstance(name, str) for name in given):
        raise SettingsError(f"sliders must be {WANTED}, not {short_repr(given)}")
    return given


def _slider(run: Trajectory, name: Any, limits: Any) -> Slider:
    if not isinstance(name, str):
        raise SettingsError(f"sliders: a name such as 'spring1.stiffness' must be a text, not {short_repr(name)}")
    value, key, index, whole = _start(run, name)
    element = _element(run.system, name)
    low, high, step = range_around(name, value) if limits is None else _limits(name, limits)
    if not low <= value <= high:
        raise SettingsError(f"sliders: {name} is {value:g}, which its range from {low:g} to {high:g} does not contain; give a range that does")
    found = Slider(name, low, high, step, value, unit_of(element, name), key, index, whole)
    for end in (low, high):
        check_names(run.system, change_of([found], {name: end}) or {name: end})
    return found


def _limits(name: str, limits: Any) -> tuple[float, float, float]:
    right = isinstance(limits, list | tuple | np.ndarray) and len(limits) in (2, 3) and all(is_number(x) and math.isfinite(x) for x in limits)
    if not right:
        raise SettingsError(f"sliders: the range of {name} must be (lowest, highest) or (lowest, highest, step), not {short_repr(limits)}")
    low, high = float(limits[0]), float(limits[1])
    if not low < high:
        raise SettingsError(f"sliders: the range of {name} must go from a lower to a higher value, not from {low:g} to {high:g}")
    step = float(limits[2]) if len(limits) == 3 else rounded_step((high - low) / POSITIONS)
    if not FINEST * (high - low) <= step <= high - low:
        raise SettingsError(f"sliders: the step of {name} must be positive and fit into its range from {low:g} to {high:g}, not {step:g}")
    return low, high, step


def check_names(system: System, change: dict[str, Any]) -> None:
    """Raise a ModelError, with the nearest right name, where a change is not possible."""
    try:
        check_change(system, change)
    except ModelError as error:
        raise ModelError([f"sliders: {fault.removeprefix('change: ')}" for fault in error.faults]) from None


def _element(system: System, name: str) -> Element | None:
    entry = ENTRY.fullmatch(name)
    owner = (entry[1] if entry else name).rpartition(".")[0]
    return next((element for element in system.elements() if element.name == owner), None)


def _start(run: Trajectory, name: str) -> tuple[float, str, int, tuple[float, ...]]:
    """Value at the start; of an initial value also its key, the number meant, and all of its numbers."""
    entry = ENTRY.fullmatch(name)
    whole, index = (entry[1], int(entry[2])) if entry else (name, 0)
    owner, _, parameter = whole.rpartition(".")
    element = _element(run.system, name)
    initial = element is not None and parameter in initial_names(element)
    if initial:
        now = _initial(run, element, parameter)
    elif element is not None:
        now = _parameter(run.system, element, parameter)
    else:
        if whole != "gravity":
            check_names(run.system, {name: 1.0})
        now = run.system.gravity
    numbers = np.asarray(now, float)
    if numbers.ndim > 1 or (numbers.ndim == 1 and not entry and len(numbers) > 1):
        raise SettingsError(f"sliders: {name} has {numbers.size} numbers; choose one of them, such as '{name}[0]'")
    if index >= max(numbers.size, 1) or (entry and numbers.ndim == 0):
        raise ModelError(f"sliders: there is no '{name}'; {whole} has {numbers.size} number{'s' * (numbers.size != 1)}, from [0] on")
    value = float(f"{float(numbers.ravel()[index]):.{DIGITS}g}") + 0.0
    value = 0.0 if initial and abs(value) < ROUNDING else value
    return value, whole if initial else "", index, tuple(numbers.ravel().tolist()) if initial and numbers.size > 1 else ()


def _parameter(system: System, element: Element, parameter: str) -> Any:
    """The present value of a parameter, as numbers."""
    if parameter not in parameters(element):
        check_names(system, {f"{element.name}.{parameter}": 1.0})
    now = value_of(element, parameter)
    if not _numeric(now):
        raise SettingsError(f"sliders: {element.label()}: {parameter} is {short_repr(now)}, which a slider cannot change; it must be a number")
    return now


def _numeric(value: Any) -> bool:
    try:
        return bool(np.all(np.isfinite(np.asarray(value, float))))
    except (TypeError, ValueError):
        return False


def _initial(run: Trajectory, element: Any, parameter: str) -> Any:
    """An initial value as numbers: as it was at the start of the run, after loops were closed. A rotation is its rotation vector (rad)."""
    view: Any = run[element.name]
    ball = isinstance(element, Joint) and parameter in element.names and isinstance(element.motions()[element.names.index(parameter)], Ball)
    if ball or parameter == "rotation":
        flat = not isinstance(element, Joint) and run.system.plane is not None
        return view.angle[0] if flat else rotation_vector(view.quaternion[0])
    return np.asarray(getattr(view, parameter))[0]


def rotation_vector(q: np.ndarray) -> np.ndarray:
    """The rotation vector (rad, shorter than pi) of a unit quaternion (w, x, y, z)."""
    q = q if q[0] >= 0.0 else -q
    length = float(np.linalg.norm(q[1:]))
    return 2.0 * np.arctan2(length, q[0]) / length * q[1:] if length > 0.0 else np.zeros(3)


def change_of(sliders: Sequence[Slider], values: Mapping[str, float]) -> dict[str, Any]:
    """The change that values of some sliders stand for; those at their start change nothing."""
    change: dict[str, Any] = {}
    for slider in sliders:
        value = values.get(slider.name, slider.value)
        if value == slider.value:
            continue
        if not slider.whole:
            change[slider.key or slider.name] = value
            continue
        change.setdefault(slider.key, list(slider.whole))[slider.index] = value
    return change


def read_values(sliders: Sequence[Slider], given: Any) -> dict[str, float]:
    """Values of sliders from a request, checked; all that are not given are those at the start. Raises a SettingsError."""
    if not isinstance(given, dict):
        raise SettingsError("the values must be an object of names and numbers")
    known = {slider.name: slider for slider in sliders}
    for name, value in given.items():
        if name not in known:
            raise SettingsError(f"there is no slider {short_repr(name)}; there are {', '.join(known)}")
        slider = known[name]
        if not is_number(value) or not math.isfinite(value) or not slider.low <= value <= slider.high:
            raise SettingsError(f"{name} must be a number from {slider.low:g} to {slider.high:g}, not {short_repr(value)}")
    return {slider.name: float(given.get(slider.name, slider.value)) for slider in sliders}
