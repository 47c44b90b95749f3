"""Events of a run: when something sudden happens, and what: impulses, locks, constraints that begin or cease to act.

They are given to a run (`po.simulate(..., events=[...])`), and are not part of a system.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from poinsot.errors import SettingsError
from poinsot.model.body import Body, Point
from poinsot.model.constraints import Constraint
from poinsot.model.coordinate import Coordinate
from poinsot.model.guard import NUMBER, NUMBERS, TEXT, TRUTH, Kind, either, instance, is_number, maybe, settings_door
from poinsot.model.joint import Joint
from poinsot.model.locks import Lock
from poinsot.model.returned import call_fault
from poinsot.model.words import short_repr

__all__ = ["AngularImpulse", "Engage", "Event", "Impose", "Impulse", "Release"]

ON = instance((Body, Point), "a body or a point of one, such as body.at((x, y, z))")
CONSTRAINT = instance(Constraint, "a constraint, such as po.Distance(...), that was added to the system")
VECTOR = either(NUMBERS, Kind(callable, "a function of time and state"))
SIGN = Kind(lambda value: value is None or (is_number(value) and value in (-1, 1)), "1 (upwards), -1 (downwards) or None (both)")


@dataclass(frozen=True, eq=False)
class BodyImpulse:
    """A given impulse on one body; joints and constraints react to it at once."""

    body: Body | Point
    vector: Any

    @property
    def target(self) -> Body:
        """The body that it acts on."""
        return self.body.body if isinstance(self.body, Point) else self.body

    def fault(self) -> str | None:
        """Why it cannot be."""
        if self.target.name == "ground":
            return "acts on the ground, which does not move; give a body"
        if callable(self.vector):
            return call_fault(self.vector, {2: "f(t, state)"})
        if np.ndim(self.vector) > 1 or not np.all(np.isfinite(np.asarray(self.vector, float))):
            return f"must be a vector of finite numbers, not {short_repr(self.vector)}"
        return None


@settings_door(body=ON, vector=VECTOR)
@dataclass(frozen=True, eq=False)
class Impulse(BodyImpulse):
    """An impulse (N s) on a body: a vector in world axes, or a function f(t, state) of time and the state before it.

    `at` is its point, in the world of the drawing or a point of the body; default: the centre of mass.
    """

    at: Any = None

    def words(self) -> str:
        """What it does."""
        return f"impulse on {self.target.name}"


@settings_door(body=ON, vector=VECTOR)
@dataclass(frozen=True, eq=False)
class AngularImpulse(BodyImpulse):
    """An angular impulse (N m s) on a body: a vector in world axes (one number in a planar system), or a function f(t, state) of it."""

    def words(self) -> str:
        """What it does."""
        return f"angular impulse on {self.target.name}"


@settings_door(constraint=CONSTRAINT)
@dataclass(frozen=True, eq=False)
class Engage:
    """A constraint acts from the event on: bodies catch, a rope becomes taut, a blade is set down.

    An impulse makes the velocities satisfy it. One on positions must hold there already; a lock takes the position there is.
    """

    constraint: Constraint

    def words(self) -> str:
        """What it does."""
        return f"engage {self.constraint.name}"


@settings_door(target=instance((Constraint, Joint, Coordinate), "a constraint, or a locked joint or coordinate"))
@dataclass(frozen=True, eq=False)
class Release:
    """A constraint, or the lock of a joint or coordinate, no longer acts. There is no impulse, and no energy is lost."""

    target: Any

    def words(self) -> str:
        """What it does."""
        return f"release {getattr(self.target, 'name', '') if not isinstance(self.target, Coordinate) else repr(self.target)}"


@settings_door(constraint=CONSTRAINT, restitution=NUMBER)
@dataclass(frozen=True, eq=False)
class Impose:
    """The velocities of a constraint are made to satisfy it by an impulse, once; it does not act afterwards.

    With `every=` of its event this maintains a constraint by impulses at intervals (hemami2002 (18), corrected): the motion in between is free.
    With a `restitution` e from 0 to 1 the velocity that the constraint forbids is reversed and multiplied by e: a collision.
    """

    constraint: Constraint
    restitution: float = 0.0

    def words(self) -> str:
        """What it does."""
        return f"impose {self.constraint.name}"


Action = Impulse | AngularImpulse | Engage | Release | Impose | Lock
ACTIONS = (Impulse, AngularImpulse, Engage, Release, Impose, Lock)


@settings_door(every=maybe(NUMBER), direction=SIGN, repeat=TRUTH, name=TEXT)
class Event:
    """Something sudden in a run: when, and what.

    Parameters
    ----------
    when : a time (s), or a function g(t, state) that crosses zero at the event. It is evaluated at every output, as `until=` of a run is,
        and the event is located between two of them
    actions : Impulse, AngularImpulse, Lock, Release, Engage, Impose; those of one event happen at the same instant
    every : period (s) with which an event at a time is repeated until the end of the run
    direction : of a function: 1 when only crossings upwards count, -1 downwards, None both
    repeat : of a function: whether the event happens at every crossing; otherwise only at the first
    name : as it is called in results
    """

    def __init__(
        self,
        when: Any,
        *actions: Any,
        every: float | None = None,
        direction: int | None = None,
        repeat: bool = True,
        name: str = "",
    ):
        self.when, self.actions, self.every = when, actions, every
        self.direction, self.repeat, self.name = direction, repeat, name
        wrong = self._fault()
        if wrong:
            raise SettingsError(f"event{f' {name!r}' if name else ''}: {wrong}")
        for action in actions:
            if isinstance(action, Lock):
                action.note_used()

    @property
    def timed(self) -> bool:
        """Whether it happens at given times."""
        return is_number(self.when)

    def words(self) -> str:
        """What it does."""
        return ", ".join(f"lock {action.name or _named(action.target)}" if isinstance(action, Lock) else action.words() for action in self.actions)

    def _fault(self) -> str | None:
        """Why it cannot be."""
        if not self.timed and not callable(self.when):
            return f"when must be a time in s, or a function g(t, state), not {short_repr(self.when)}"
        if self.timed and not np.isfinite(self.when):
            return f"when must be a finite time, not {self.when!r}"
        if not self.timed and (wrong := call_fault(self.when, {2: "g(t, state)"})):
            return f"its function {wrong}"
        if self.every is not None and not (self.timed and np.isfinite(self.every) and self.every > 0):
            return f"every must be a positive period in s, of an event at a time, not {self.every!r}"
        if self.timed and self.direction is not None:
            return "direction belongs to a function that crosses zero; leave it out"
        if not self.actions:
            return "does nothing; give an action, such as po.Impulse(body, vector) or po.Lock(joint)"
        for action in self.actions:
            if not isinstance(action, ACTIONS):
                return f"{short_repr(action)} is not an action; give po.Impulse, AngularImpulse, Lock, Release, Engage or Impose"
            wrong = action.fault() if isinstance(action, BodyImpulse) else None
            if isinstance(action, Impose) and not 0.0 <= action.restitution <= 1.0:
                wrong = f"restitution must be a number from 0 to 1, not {action.restitution!r}"
            if wrong:
                return f"{action.words()}: {wrong}"
        return None

    def __repr__(self) -> str:
        return f"Event({self.name!r})" if self.name else f"Event({self.words()})"


EVENTS = Kind(
    lambda value: isinstance(value, list | tuple) and all(isinstance(event, Event) for event in value),
    "a list of events, such as [po.Event(1.0, po.Lock(joint))]",
)


def _named(target: Any) -> str:
    return repr(target) if isinstance(target, Coordinate) else target.name
