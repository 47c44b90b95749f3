"""What happens at events of a run: impulses, and constraints that begin or cease to act."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from poinsot.analysis.acting import Acting
from poinsot.analysis.constraints import Geometry
from poinsot.analysis.impulses import Instant, Singular, jump, rates_of_rows, reactions
from poinsot.errors import CallbackError, RunError
from poinsot.formulations.contract import Formulation
from poinsot.layout.callbacks import place
from poinsot.layout.extent import OPEN
from poinsot.layout.freeze import Frozen
from poinsot.layout.holding import holding, rows_of
from poinsot.model.events import AngularImpulse, BodyImpulse, Engage, Event, Impose, Impulse, Release
from poinsot.model.locks import NUMBERS_OF, Lock
from poinsot.model.returned import WrongReturn, numbers
from poinsot.results.impulses import LISTED, Jump
from poinsot.results.record import Record
from poinsot.results.trajectory import Samples
from poinsot.tables.records import N_Q, N_V, SLIP, Layout

MISSED = 1e-8  # of the largest rate: rows that miss their rates by more contradict each other


@dataclass(frozen=True)
class Happening:
    """An event as a run knows it: its name, and the names of the constraints that its actions (by number) refer to."""

    name: str
    event: Event
    constraints: Mapping[int, tuple[str, ...]]


@dataclass
class _Change:
    """What the actions of an instant change."""

    given: np.ndarray
    idle: list[str]
    held: dict[str, list[float]]
    engaged: list[str]
    imposed: dict[str, float]


class Jumps:
    """Lets events happen: changes velocities, and which constraints act in the driver of a run; `record` gets what happened."""

    def __init__(self, frozen: Frozen, driver: Any, record: Record, happenings: Sequence[Happening]):
        self.frozen, self.driver, self.record, self.happenings = frozen, driver, record, tuple(happenings)
        self._geometries: dict[str, Geometry] = {}
        self._left: dict[str, set[int]] = {}  # rows left out with constraints that are imposed, at the last event of their kind

    @cached_property
    def bodies(self) -> dict[str, int]:
        """Numbers of bodies by name."""
        system = self.frozen.alike.system
        return {body.name: k for k, body in enumerate([system.ground, *system.bodies])}

    def happen(self, t: float, y: np.ndarray, due: Sequence[Happening]) -> np.ndarray:
        """The state after these events, which happen at the same instant."""
        driver, record = self.driver, self.record
        idle, held = record.acting_at(np.inf)
        before = self._samples(t, y)
        at = Instant.of(self._geometry(held), before.motion)
        change = self._change(t, before, at, due, list(idle), {name: list(values) for name, values in held.items()})
        switched = (tuple(change.idle), change.held) != (tuple(idle), held)
        at = Instant.of(self._geometry(change.held), before.motion) if change.held != held else at
        dropped: Sequence[int] = driver.formulation.dropped
        if switched:
            self._check_gaps(t, at, change)
            acting = Acting(at.geometry.frozen, change.idle, change.held)
            dropped = acting.redundant(at.coordinates, at.rates)
        after, twists, p = y.copy(), at.twists, np.zeros(len(self.frozen.layout.rows))
        if change.given.any() or change.engaged or change.imposed:
            twists, p = self._solve(t, at, change, dropped)
            part = velocities(driver.formulation, driver.layout)
            after[part] = driver.formulation.pack(at.coordinates, at.rates_of(twists))[part]
        if switched:
            driver.reselect.frozen, driver.reselect.acting = acting.whole, acting
            driver.reselect.adopt(driver, dropped)
            record.selections.append((t, driver.formulation.dropped))
            record.switches.append((t, tuple(change.idle), change.held))
        kinetic = float(before.kinetic), float(self._samples(t, after).kinetic)
        after[-1] += kinetic[1] - kinetic[0]
        record.impulses += self._records(t, at, due, change, (twists, p), kinetic)
        return after

    def go_back(self, t: float) -> None:
        """Forget rows that were selected after a time (s)."""
        made = self.record.selections
        if made and made[-1][0] > t:
            made[:] = [selection for selection in made if selection[0] <= t]
            self.driver.reselect.adopt(self.driver, made[-1][1] if made else self.record.dropped)

    def _geometry(self, held: Mapping[str, Sequence[float]]) -> Geometry:
        """Poses and rows while locks hold these coordinates."""
        key = str(held)
        if key not in self._geometries:
            self._geometries = {key: Geometry(holding(self.frozen, held))}
        return self._geometries[key]

    def _samples(self, t: float, y: np.ndarray) -> Samples:
        return Samples(replace(self.frozen, layout=self.driver.layout), self.driver.formulation, t, y.copy())

    def _change(
        self, t: float, before: Samples, at: Instant, due: Sequence[Happening], idle: list[str], held: dict[str, list[float]]
    ) -> _Change:
        change = _Change(np.zeros((len(self.bodies), 6)), idle, held, [], {})
        for happening in due:
            for k, action in enumerate(happening.event.actions):
                names = happening.constraints.get(k, ())
                if isinstance(action, BodyImpulse):
                    self._push(t, before, at, happening, action, change.given)
                elif isinstance(action, Release):
                    change.idle += [name for name in names if name not in idle]
                elif isinstance(action, Impose):
                    change.imposed |= {name: float(action.restitution) for name in names if name in idle}
                elif isinstance(action, Engage | Lock):
                    for name in [name for name in names if name in idle]:
                        change.idle.remove(name)
                        change.engaged.append(name)
                        lock = self.frozen.system.by_name[name]
                        if isinstance(lock, Lock):
                            change.held[name] = self._coordinates(lock, at.coordinates)
        change.imposed = {name: e for name, e in change.imposed.items() if name in change.idle}
        return change

    def _coordinates(self, lock: Lock, coordinates: np.ndarray) -> list[float]:
        """The present coordinates of what a lock holds."""
        layout = self.frozen.layout
        first = int(layout.joints["motion"][[joint.name for joint in self.frozen.joints].index(lock.joint.name)])
        found: list[float] = []
        for k in lock.held():
            at = int(layout.motions["ic"][first + k])
            found += coordinates[at : at + NUMBERS_OF[type(lock.joint.motions()[k])]].tolist()
        return found

    def _push(self, t: float, before: Samples, at: Instant, happening: Happening, action: BodyImpulse, given: np.ndarray) -> None:
        """Add an impulse to those on the bodies, about their centres of mass."""
        system = self.frozen.system
        b, where = self.bodies[action.target.name], f"event '{happening.name}': {action.words()}"  # type: ignore[attr-defined]
        vector, turning = action.vector, isinstance(action, AngularImpulse)
        if callable(vector):
            flat = system.plane is not None
            try:
                vector = vector(t, before)
                vector = numbers(vector, 2 if flat else 3) if not (turning and flat) else numbers(np.atleast_1d(vector), 1)[0]
            except WrongReturn as wrong:
                raise CallbackError(f"{where}: its function {wrong}, at t = {t:.9g} s ({place(action.vector)})") from None
            except BaseException as error:
                error.add_note(f"raised by {where} ({place(action.vector, error)}), at t = {t:.9g} s")
                raise
        if turning:
            given[b, 3:] += system.spin(vector, where)
            return
        assert isinstance(action, Impulse)
        force = np.array(system.vector(vector, where))
        arm = self._arm(action, where, b, at)
        given[b, :3] += force
        given[b, 3:] += np.cross(arm, force)

    def _arm(self, action: Impulse, where: str, b: int, at: Instant) -> np.ndarray:
        """From the centre of mass to the point of an impulse, in the world, m."""
        body = self.frozen.system.bodies[b - 1]
        if action.at is None and action.body is action.target:
            return np.zeros(3)
        given = action.body if action.at is None else action.at
        local = given.position if hasattr(given, "body") else body.local(self.frozen.system.point(given, body, where))
        return at.poses[b, 3:].reshape(3, 3) @ (np.array(local) - np.array(body.com))

    def _check_gaps(self, t: float, at: Instant, change: _Change) -> None:
        """Raise when a constraint that begins to act does not hold at this position."""
        values = np.abs(at.rows[0]) * at.geometry.per_value
        values[at.geometry.layout.rows["kind"] >= SLIP] = 0.0
        for name in change.engaged:
            rows = rows_of(self.frozen, [name])
            unit = "m" if at.geometry.metres[rows[0]] else "rad"
            size = at.geometry.reach() if unit == "m" else 1.0
            if values[rows].max() > OPEN * size:
                raise RunError(
                    f"{self._where(t)}: {self.frozen.system.by_name[name].label()} cannot begin to act, since it does not hold there: it is "
                    f"open by {values[rows].max():.4g} {unit}. Engage it where it holds: at the zero of a function (po.Event(g, ...))"
                )

    def _solve(self, t: float, at: Instant, change: _Change, dropped: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        """Twists after the impulses, and those of all rows."""
        whole, left = at.geometry.frozen, set(dropped)
        idle = [name for name in change.idle if name not in change.imposed]
        if change.imposed:
            key = f"{idle} {list(change.imposed)} {change.held}"
            known = self._left.get(key)
            if known is not None and (found := self._attempt(at, change, known)) is not None:
                return found
            left = self._left[key] = set(Acting(whole, idle, change.held).redundant(at.coordinates, at.rates))
        found = self._attempt(at, change, left)
        if found is None:
            raise RunError(
                f"{self._where(t)}: no impulse satisfies {', '.join([*change.engaged, *change.imposed]) or 'the joints'} together with the other "
                "constraints: they contradict each other, or some motion has no inertia; leave out one of them, or give them the same restitution"
            )
        return found

    def _attempt(self, at: Instant, change: _Change, left: set[int]) -> tuple[np.ndarray, np.ndarray] | None:
        """Twists and impulses of rows, without these rows; None where rows that should hold do not."""
        whole = at.geometry.frozen
        goals = np.zeros(len(whole.layout.rows))
        before = rates_of_rows(at, at.twists)
        for name, restitution in change.imposed.items():
            own = rows_of(whole, [name])
            goals[own] = -restitution * before[own]
        used = np.array([row for row in range(len(goals)) if row not in left], np.int64)
        resting = set(rows_of(whole, [name for name in change.idle if name not in change.imposed]))
        meant = [row for row in range(len(goals)) if row not in resting]
        try:
            twists, p = jump(at, used, change.given, goals[used])
        except Singular:
            return None
        missed = np.abs(rates_of_rows(at, twists) - goals)[meant].max(initial=0.0)
        return None if missed > MISSED * max(1.0, np.abs(before).max(initial=0.0), np.abs(twists).max(initial=0.0)) else (twists, p)

    def _where(self, t: float) -> str:
        return f"system '{self.frozen.system.name}' at t = {t:.9g} s"

    def _records(
        self,
        t: float,
        at: Instant,
        due: Sequence[Happening],
        change: _Change,
        found: tuple[np.ndarray, np.ndarray],
        kinetic: tuple[float, float],
    ) -> list[Jump]:
        """One record for the instant, named after its first event; further events of the instant have records without impulses."""
        twists, p = found
        centres, masses = at.centres(), self.frozen.layout.bodies["mass"]
        names = {k: name for name, k in self.bodies.items()}
        given = {names[b]: change.given[b].copy() for b in np.flatnonzero(change.given.any(axis=1)).tolist()}
        all_of_them = reactions(at, p)
        owners = self.frozen.owners
        wanted = [
            (owner.name, all_of_them[k])
            for k, owner in enumerate(owners)
            if owner.name in (*change.engaged, *change.imposed) or (len(owners) <= LISTED and all_of_them[k].any())
        ]
        rates = np.array([at.rates, at.rates_of(twists)])
        momentum = change.given[:, :3].sum(axis=0)
        angular = (change.given[:, 3:] + np.cross(centres, change.given[:, :3])).sum(axis=0)
        centre = masses @ centres / masses.sum()
        first = Jump(t, due[0].name, due[0].event.words(), given, dict(wanted), kinetic, rates, momentum, angular, centre)
        same = (kinetic[1], kinetic[1]), rates[[1, 1]], np.zeros(3), np.zeros(3), centre
        return [first, *(Jump(t, other.name, other.event.words(), {}, {}, *same) for other in due[1:])]


def velocities(formulation: Formulation, layout: Layout) -> slice:
    """Where the velocities lie in a state."""
    if formulation.velocities is not None:
        return formulation.velocities
    if formulation.rows is None:
        first = int(layout.sizes[N_Q])
        return slice(first, first + int(layout.sizes[N_V]))
    at = layout.places[0]
    return slice(int(at["velocities"]), int(at["velocities"] + at["n_velocities"]))
