"""Feedback of the whole state: a law that sees named results of the system and fills the efforts of its inputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from poinsot.algebra.bounds import LARGEST
from poinsot.errors import ModelError
from poinsot.model.forces import Motor
from poinsot.model.given import independent_copy
from poinsot.model.guard import FUNCTION, NUMBER, TEXT, Kind, as_numbers, door, instance, is_number, maybe
from poinsot.model.load import Load, LoadRow
from poinsot.model.readings import Reading, readings
from poinsot.model.signals import Signal
from poinsot.model.vectors import PLANES
from poinsot.model.words import short_repr
from poinsot.model.wrenches import BodyVector, Torque

if TYPE_CHECKING:
    from poinsot.model.system import System

__all__ = ["Feedback"]

SEQUENCE = instance((list, tuple), "a list")
PARAMS = Kind(lambda value: _are_numbers(value), 'numbers by name, such as {"kp": 20.0}, or a list')
STATES = Kind(lambda value: _are_numbers(value), "initial values: a list, or numbers by name")
TARGET = Kind(lambda value: isinstance(value, Signal) or callable(value), "a po.Signal or a function of time")


@dataclass(frozen=True)
class Channel:
    """One number that a law gives: the input it belongs to, the position among the input's values, and a factor."""

    load: Load
    place: int
    factor: float
    name: str


@door(
    law=FUNCTION, inputs=SEQUENCE, outputs=SEQUENCE, params=maybe(PARAMS), states=maybe(STATES), period=maybe(NUMBER),
    target=maybe(TARGET), lyapunov=maybe(FUNCTION), lyapunov_rate=maybe(FUNCTION), name=TEXT,
)  # fmt: skip
@dataclass(frozen=True, eq=False)
class Feedback(Load):
    """A control law `law(t, x, p, u)` that fills the efforts u of its inputs; with states of its own `law(t, x, p, u, z, dz)`.

    Parameters
    ----------
    law : x are the numbers of `outputs` in order (read-only), then those of `target`: values, rates, accelerations; p the parameters,
        `p.kp` or `p["kp"]` where they have names, otherwise an array; u (zero on entry) is to be filled with efforts, N m or N. With states, z are
        their values and dz (zero on entry) is to be filled with their rates; in a sampled law, with their values after the sample.
        It must depend on its arguments alone. Compiled if Numba can, otherwise called as a Python function.
    inputs : motors without a law, forces and torques without a vector: one effort of a motor, three of a force or torque (in a
        planar system two, and one)
    outputs : what the law sees: `joint.angle`, `joint.rate`, `tip.x`, a point, or results by name ("body.position",
        "body.rotation": nine numbers, row by row). Quaternions have w >= 0.
    params : numbers, vectors or matrices by name, or a list; they may change between runs without compiling again
    states : initial values of the controller's own states, a list or by name
    period : s, of a sampled law: it is called at multiples of the period, and its efforts are held in between. None: continuous
    limits : of every effort: one number for all (-limit to limit), or for each a number or a pair
    target : a po.Signal that the law is to follow
    lyapunov, lyapunov_rate : V(t, x, p) and its rate along the motion, V(t, x, p, z) with states: evaluated by results, and judged by the audit
    name : of the element; results are `run[name].values` (what it saw), `.effort` (N m or N), `.states`, `.lyapunov`
    """

    kind: ClassVar[str] = "feedback"
    attribute_names: ClassVar = {"inputs": "by", "outputs": "seen"}
    written: ClassVar = {
        "law": "function", "inputs": "inputs", "outputs": "readings", "params": "named", "states": "named", "period": "number",
        "limits": "numbers", "target": "law", "lyapunov": "function", "lyapunov_rate": "function",
    }  # fmt: skip
    law: Callable[..., Any]
    by: Sequence[Load] = ()
    seen: Sequence[Any] = ()
    params: Any = None
    states: Any = None
    period: float | None = None
    limits: Any = None
    target: Any = None
    lyapunov: Callable[..., Any] | None = None
    lyapunov_rate: Callable[..., Any] | None = None
    name: str = ""

    def __init__(
        self,
        law: Callable[..., Any],
        inputs: Sequence[Load],
        outputs: Sequence[Any],
        params: Any = None,
        *,
        states: Any = None,
        period: float | None = None,
        limits: Any = None,
        target: Any = None,
        lyapunov: Callable[..., Any] | None = None,
        lyapunov_rate: Callable[..., Any] | None = None,
        name: str = "",
    ):
        given = {"by": tuple(inputs), "seen": tuple(outputs), "params": _copied(params), "states": _copied(states)}
        plain = {"law": law, "period": period, "target": target, "lyapunov": lyapunov, "lyapunov_rate": lyapunov_rate, "name": name}
        for field, value in (given | plain | {"limits": independent_copy(limits)}).items():
            object.__setattr__(self, field, value)
        self.note_unadded()

    def attach(self, system: System) -> None:
        """Resolve what the law sees and what it fills; the target becomes a signal."""
        super().attach(system)
        for one in self.by:
            if not isinstance(one, Motor | BodyVector):
                raise ModelError(
                    f"{self.label()}: inputs must be motors without a law, or forces and torques without a vector, not {short_repr(one)}"
                )
            if one.system is not system:
                raise ModelError(f"{self.label()}: its input {one.label()} is not part of this system; add it first")
        self.readings  # noqa: B018  # raises for outputs that cannot be seen
        target = self.target
        object.__setattr__(self, "_target", target if target is None or isinstance(target, Signal) else Signal(target))

    @property
    def called(self) -> dict[int, str]:  # type: ignore[override]
        """How its functions are called."""
        return {6: "law(t, x, p, u, z, dz)"} if self.state_count else {4: "law(t, x, p, u)"}

    def calls(self, argument: str) -> dict[int, str]:
        """How one of its functions is called."""
        if argument in ("lyapunov", "lyapunov_rate"):
            return {4: "V(t, x, p, z)"} if self.state_count else {3: "V(t, x, p)"}
        return {1: "f(t)"} if argument.startswith("target") else self.called

    @property
    def readings(self) -> tuple[Reading, ...]:
        """What the law sees, apart from the target."""
        assert self.system is not None
        return tuple(one for output in self.seen for one in readings(self.system, output, f"{self.label()}: outputs"))

    @property
    def signal(self) -> Signal | None:
        """The target."""
        return self._target  # type: ignore[attr-defined]

    @property
    def seen_names(self) -> list[str]:
        """The name of every number of x."""
        size = 0 if self.signal is None else self.signal.size
        kinds = ("target", "target_rate", "target_acceleration") if size else ()
        return [n for one in self.readings for n in one.names] + [f"{kind}[{k}]" for kind in kinds for k in range(size)]

    @property
    def state_count(self) -> int:
        """How many states of its own it has."""
        return 0 if self.states is None else len(self._flat(self.states))

    @property
    def state_names(self) -> list[str]:
        """The name of every one of its states."""
        return list(self.states) if isinstance(self.states, dict) else [f"z[{k}]" for k in range(self.state_count)]

    def channels(self) -> list[Channel]:
        """The numbers that the law gives, in the order of the inputs."""
        found: list[Channel] = []
        plane = None if self.system is None else self.system.plane
        for load in self.by:
            if isinstance(load, Motor):
                found.append(Channel(load, 0, 1.0, load.name))
            elif plane is None:
                found += [Channel(load, k, 1.0, f"{load.name}.{axis}") for k, axis in enumerate("xyz")]
            elif isinstance(load, Torque):
                axis = PLANES[plane][2]
                found.append(Channel(load, axis, self.system.normal[axis], load.name))  # type: ignore[union-attr]
            else:
                found += [Channel(load, k, 1.0, f"{load.name}.{'xyz'[k]}") for k in PLANES[plane][:2]]
        return found

    def bounds(self) -> list[tuple[float, float]]:
        """Least and largest value of every effort."""
        count = len(self.channels())
        if self.limits is None:
            return [(-np.inf, np.inf)] * count
        each = [self.limits] * count if is_number(self.limits) else list(self.limits)
        pairs: list[Any] = [(-float(one), float(one)) if is_number(one) else one for one in each]
        return [(float(low), float(high)) for low, high in pairs]

    def rows(self) -> list[LoadRow]:
        """One row; `layout/feedback.py` adds its tables."""
        return [LoadRow(self.kind, function=self.law, form="law", members=tuple(self.seen_bodies()))]

    def seen_bodies(self) -> list[Any]:
        """The bodies whose states its readings need."""
        found: dict[Any, None] = {}
        for one in self.readings:
            if one.body is not None:
                found[one.body] = None
            elif one.joint is not None and one.kind > 1:
                found |= {one.joint.first: None, one.joint.second: None}
        return list(found)

    def values(self) -> list[float]:
        """The parameters as one flat list."""
        return self._flat(self.params)

    def initial_states(self) -> list[float]:
        """Initial values of its states."""
        return self._flat(self.states)

    def units(self) -> dict[str, str]:
        """What it has beside the efforts and powers of its inputs; only the law knows the units, so they are empty."""
        own = {"values": self.period is not None, "states": self.state_count > 0}
        judged = {name: getattr(self, name) is not None for name in ("lyapunov", "lyapunov_rate")}
        return {name: "" for name, present in (own | judged).items() if present}

    @property
    def lossy(self) -> bool:
        """Its inputs do the work."""
        return False

    def changes(self) -> list[str]:
        """The parameters by name, or all of them."""
        return list(self.params) if isinstance(self.params, dict) else ["params"] * bool(self.values())

    def inputs(self) -> tuple[Load, ...]:
        """The loads whose efforts its law gives."""
        return tuple(self.by)

    def parts(self) -> Any:
        """Its inputs."""
        return self.by

    def faults(self) -> list[str]:
        """Inputs that have a law of their own or another feedback; parameters, states, limits and periods that are not numbers."""
        label, found = self.label(), []
        if not self.by:
            found.append(f"{label}: has no inputs; give inputs=[motor, ...]")
        for load in self.by:
            own = load.law if isinstance(load, Motor) else load.vector  # type: ignore[attr-defined]
            others = self._others(load)
            if others:
                found.append(f"{label}: its input {load.label()} is also an input of {others[0]}; give each its own")
            if own is not None:
                what = "law" if isinstance(load, Motor) else "vector"
                found.append(f"{label}: its input {load.label()} has a {what} of its own; leave it out to make it an input")
        for what in ("params", "states"):
            found += [f"{label}: {what} must be finite numbers of at most {LARGEST:g}, not {short_repr(v)}" for v in _wrong(getattr(self, what))]
        names = self.params if isinstance(self.params, dict) else ()
        found += [f"{label}: parameter {n!r} must be a name such as 'kp'" for n in names if not (isinstance(n, str) and n.isidentifier())]
        if self.period is not None and not 0 < self.period <= LARGEST:
            found.append(f"{label}: period must be a positive time in s, not {self.period!r}")
        return found + self._limit_faults()

    def _others(self, load: Load) -> list[str]:
        """What else has this input."""
        if self.system is None:
            return []
        fed = [f.label() for f in self.system.loads if f is not self and any(load is one for one in f.inputs())]
        return fed + [d.label() for d in self.system.drives if any(load is one for one in d.motors())]

    def _limit_faults(self) -> list[str]:
        count = len(self.channels())
        try:
            bounds = self.bounds()
        except (TypeError, ValueError, IndexError):
            return [f"{self.label()}: limits must be a number, or for each effort a number or a pair (least, largest), not {short_repr(self.limits)}"]
        if len(bounds) != count:
            return [f"{self.label()}: has {count} effort{'s' * (count != 1)} and {len(bounds)} limits; give one number, or one for each"]
        return [
            f"{self.label()}: the limits of {channel.name} must be a pair (least, largest) of finite numbers, not ({low:g}, {high:g})"
            for channel, (low, high) in zip(self.channels(), bounds)
            if not (low < high and (self.limits is None or (np.isfinite(low) and np.isfinite(high))))
        ]

    @staticmethod
    def _flat(given: Any) -> list[float]:
        if given is None:
            return []
        parts = given.values() if isinstance(given, dict) else given
        return [float(x) for part in parts for x in np.ravel(part)]


def _are_numbers(given: Any) -> bool:
    """Whether these are values by name, or numbers."""
    return bool(given) if isinstance(given, dict) else as_numbers(given) is not None


def _copied(given: Any) -> Any:
    if isinstance(given, dict):
        return {name: independent_copy(value) for name, value in given.items()}
    return None if given is None else [float(x) for x in np.ravel(given)]


def _wrong(given: Any) -> list[Any]:
    """Values that are not finite numbers."""
    values = list(given.values()) if isinstance(given, dict) else [] if given is None else [given]
    bad = []
    for value in values:
        found = as_numbers(value)
        if found is None or not (np.abs(found) <= LARGEST).all():
            bad.append(value)
    return bad
