"""Events and the elements of a system that they refer to; locks that events need are added to a copy of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from poinsot.errors import SettingsError
from poinsot.model.coordinate import Coordinate
from poinsot.model.events import BodyImpulse, Engage, Event, Impose, Release
from poinsot.model.joint import Joint
from poinsot.model.locks import Lock
from poinsot.model.system import System
from poinsot.model.words import short_repr


def with_locks(system: System, events: Sequence[Event]) -> System:
    """The system with an idle lock for everything that events lock and it has no lock for."""
    new = system
    for event in events:
        for action in event.actions:
            if isinstance(action, Lock) and action.system is None and not _locks(new, action.target):
                joint = _joint(action.target)
                if not isinstance(joint, Joint) or joint.name not in new.by_name:
                    raise SettingsError(f"{_label(event)}: locks {short_repr(action.target)}, which is not a joint of system '{system.name}'")
                new = system.copy() if new is system else new
                own = new[joint.name]
                target = Coordinate(own, action.target.name) if isinstance(action.target, Coordinate) else own
                new.add(Lock(target, name=action.name, active=False))
    return new


def references(system: System, given: System | None, events: Sequence[Event]) -> list[tuple[str, Event, dict[int, tuple[str, ...]]]]:
    """Every event with its name, and the names of the constraints of a system that its actions refer to.

    `given`: the system whose elements they must be; None: elements of the same names will do.
    """
    found, taken = [], set()
    for k, event in enumerate(events):
        name = event.name or f"event{k + 1}"
        if name in taken:
            raise SettingsError(f"events: the name '{name}' is used twice; names must be unique")
        taken.add(name)
        own = {n: _constraints(system, given, name, action) for n, action in enumerate(event.actions)}
        found.append((name, event, own))
    return found


def _constraints(system: System, given: System | None, name: str, action: Any) -> tuple[str, ...]:
    if isinstance(action, BodyImpulse):
        _own(system, given, name, action.target)
        if not callable(action.vector):
            where = f"event '{name}'"
            _ = system.vector(action.vector, where) if hasattr(action, "at") else system.spin(action.vector, where)
        return ()
    if isinstance(action, Engage | Impose):
        _own(system, given, name, action.constraint)
        if isinstance(action, Impose) and action.constraint.active:
            raise SettingsError(
                f"event '{name}': {action.constraint.label()} acts at all times, so that nothing is left to impose; make it with active=False"
            )
        return (action.constraint.name,)
    target = action.target
    if isinstance(action, Lock) and action.system is not None:
        _own(system, given, name, action)
        return (action.name,)
    if isinstance(action, Release) and not isinstance(target, Joint | Coordinate):
        _own(system, given, name, target)
        return (target.name,)
    _own(system, given, name, _joint(target))
    locks = _locks(system, target)
    if isinstance(action, Release):
        locks = locks or [lock for lock in system.constraints if isinstance(lock, Lock) and lock.joint.name == _joint(target).name]
    if not locks:
        raise SettingsError(f"event '{name}': releases {short_repr(target)}, which nothing locks")
    return tuple(lock.name for lock in locks)


def _own(system: System, given: System | None, name: str, element: Any) -> None:
    """Raise unless an element is one of the system."""
    if given is not None and getattr(element, "system", None) not in (given, system):
        owner = getattr(getattr(element, "system", None), "name", None)
        where = f"system '{owner}'" if owner else "no system; add it to the system first"
        raise SettingsError(f"event '{name}': {short_repr(element)} belongs to {where}, not to '{system.name}'; use elements of one system")
    if getattr(element, "name", None) not in system.by_name or type(system.by_name[element.name]) is not type(element):
        raise SettingsError(f"event '{name}': system '{system.name}' has no {short_repr(element)}")


def _joint(target: Any) -> Any:
    return target.owner if isinstance(target, Coordinate) else target


def _locks(system: System, target: Any) -> list[Lock]:
    """Locks of exactly this joint or coordinate, which are idle at the start or not."""
    key = (_joint(target).name, getattr(target, "name", None) if isinstance(target, Coordinate) else None)
    locks = [lock for lock in system.constraints if isinstance(lock, Lock)]
    return [
        lock for lock in locks if (lock.joint.name, lock.target.name if isinstance(lock.target, Coordinate) else None) == key
    ]


def _label(event: Event) -> str:
    return f"event '{event.name}'" if event.name else "event"
