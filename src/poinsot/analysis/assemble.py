"""Assemble: the nearest position and velocity that close all loops. Values that were set are held; a run never moves bodies silently."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from poinsot.analysis.closing import Closing, Held
from poinsot.analysis.constraints import Geometry
from poinsot.analysis.doubts import motionless, uncertain
from poinsot.analysis.held import apply_given, drawn_coordinates, in_loops, set_motions, spread
from poinsot.analysis.singular import Standing, stand, stand_open
from poinsot.analysis.violations import violations
from poinsot.errors import AssemblyError
from poinsot.layout.extent import OPEN
from poinsot.layout.freeze import Frozen, freeze
from poinsot.layout.initial import initial_values
from poinsot.model.coordinate import Coordinate
from poinsot.model.given import altered
from poinsot.model.guard import NUMBER, TEXT, door, instance, maybe
from poinsot.model.joint import Joint
from poinsot.model.snapshot import acting, idle_at_start, snapshot
from poinsot.model.system import SYSTEM, System
from poinsot.model.words import NearNames, nearest
from poinsot.results.state import State
from poinsot.tables.records import GEAR, HELICAL

MOVED = 1e-9  # m or rad: bodies that assembly moved by more are listed
NEAR = 0.05  # rad, or relative to the size of the mechanism: held values further from the drawing are approached in steps
JUMP = 0.5  # a coordinate that changes by more in one such step may have changed its branch
SHORTEST = 1e-4  # shortest step, as a fraction of the way to the held values
CLOSE = 25  # steps in which a position near the one before closes, or it is not near a closed one
MOST_STEPS = 500  # largest number of steps to the held values
MOST_NAMED = 4  # constraints whose violation is told in words
HELD = instance(dict, 'a dictionary such as {"base.angle": 0.3}')


@dataclass(frozen=True)
class Assembly(NearNames):
    """A consistent initial position and velocity. Print it.

    Attributes
    ----------
    coordinates, rates : of all joints, loop joints included, joint after joint; a run starts from them
    moved : by body, the distance from where the tree's joints put it with the values set: m (its origin) and rad; those above 1e-9
    largest_movement : the largest of them in m and in rad
    residuals : by joint or constraint, the remaining gap, m and rad
    closing : the rows that were closed last, of rates
    as_given : whether nothing had to move, and no position is singular: masses, and rates given, then have no influence on anything but the rates
    reasons : constraints that the values set did not obey, in words, such as a wheel above its plane
    standings : independent constraint rows of every part with loops, and whether the position is singular
    """

    name: str
    frozen: Frozen
    coordinates: np.ndarray
    rates: np.ndarray
    moved: dict[str, tuple[float, float]]
    residuals: dict[str, tuple[float, float]]
    standings: list[Standing] = field(default_factory=list, repr=False)
    reasons: list[str] = field(default_factory=list, repr=False)
    as_given: bool = field(default=False, repr=False)
    closing: Closing | None = field(default=None, repr=False)

    @property
    def largest_movement(self) -> tuple[float, float]:
        """Largest movement of a body in m and in rad."""
        return _largest(self.moved)

    @property
    def largest_residual(self) -> tuple[float, float]:
        """Largest residual in m and in rad."""
        return _largest(self.residuals)

    @door(t=NUMBER)
    def state(self, t: float = 0.0) -> State:
        """The start of a run: `po.simulate(..., state=assembly.state())`."""
        return State(t, self.coordinates.copy(), self.rates.copy())

    @door(key=TEXT)
    def __getitem__(self, key: str) -> Any:
        """A coordinate or rate by name, such as "base.angle" or "base.rate"."""
        joint, _, name = str(key).rpartition(".")
        names = [j.name for j in self.frozen.joints]
        layout = self.frozen.layout
        owner = self.frozen.joints[names.index(joint)] if joint in names else None
        if owner is None or name not in (*owner.names, *owner.rate_names):
            known = [f"{j.name}.{n}" for j in self.frozen.joints for n in (*j.names, *j.rate_names)]
            present = owner.present_word(name) if owner is not None else None
            close = [f"{joint}.{present}"] if present else nearest(key, known)
            raise KeyError(f"there is no joint coordinate '{key}'" + "".join(f"; did you mean '{near}'?" for near in close))
        rate = name in owner.rate_names
        m = layout.joints["motion"][names.index(joint)] + (owner.rate_names if rate else owner.names).index(name)
        one = np.arange(len(layout.motions)) == m
        value = (self.rates if rate else self.coordinates)[spread(self.frozen, one, rate)]
        return float(value[0]) if len(value) == 1 else value

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        metres, radians = self.largest_residual
        lines = [f"System '{self.name}' is assembled; largest remaining gap: {metres:.1e} m, {radians:.1e} rad."]
        if not self.moved:
            lines.append("No body had to move.")
        else:
            lines.append(f"Moved from where the joints of the tree put them ({len(self.moved)}):")
            lines += [f"  {name}: {m:.4g} m, {rad:.4g} rad" for name, (m, rad) in list(self.moved.items())[:20]]
            if len(self.moved) > 20:
                lines.append(f"  ... and {len(self.moved) - 20} more")
        return "\n".join(lines)


@door(system=SYSTEM, hold=maybe(HELD), rates=maybe(HELD))
def assemble(system: System, hold: dict[Any, Any] | None = None, rates: dict[Any, Any] | None = None) -> Assembly:
    """Find the nearest consistent position and velocity of a system with loops.

    Parameters
    ----------
    hold : joint coordinates to hold in addition to, or instead of, those that were set: {"base.angle": 0.3} or {base.angle: 0.3}; rad, m
    rates : the same for rates: {"base.angle": 2.0}; rad/s, m/s

    Joints outside loops keep the values that were set, or zero. In loops everything that is not held moves as little as
    possible, weighted by mass; the same holds for rates that are not held. The assembly branch of the drawing is kept.

    Raises
    ------
    ModelError : the model has faults
    AssemblyError : the held values contradict the loops; the error carries the residual of every joint
    """
    hold, rates = ({_by_name(system, key): value for key, value in (given or {}).items()} for given in (hold, rates))
    system = snapshot(system)
    system.check(rank=False).raise_faults()
    frozen = freeze(acting(system, idle_at_start(system)), loads=False)
    q, v = initial_values(system, frozen.topology)
    position, rate = set_motions(frozen)
    apply_given(frozen, hold, q, position, False)
    apply_given(frozen, rates, v, rate, True)
    return assembled(frozen, q, v, Held(position, rate))[2]


def _by_name(system: System, key: Any) -> Any:
    """A coordinate of a joint of this system by name."""
    own = isinstance(key, Coordinate) and isinstance(key.owner, Joint) and key.owner.system is system
    return f"{key.owner.name}.{key.name}" if own else key


def assembled(
    frozen: Frozen,
    coordinates: np.ndarray,
    rates: np.ndarray,
    held: Held | None = None,
    t: float = 0.0,
    geometry: Geometry | None = None,
) -> tuple[np.ndarray, np.ndarray, Assembly]:
    """Consistent coordinates and rates of all joints, in the order of `layout.motions`, from the initial values.

    `held` says of every motion whether its coordinate and its rate are held; default: those set in the system. `t`: time (s) for users' rows;
    `geometry`: that of the frozen system, if it is known.
    """
    name = frozen.system.name
    if not frozen.closed:
        return coordinates, rates, Assembly(name, frozen, coordinates, rates, {}, {})
    geometry = Geometry(frozen, t) if geometry is None else geometry
    held = Held(*set_motions(frozen)) if held is None else held
    outside = ~in_loops(frozen)[frozen.layout.motions["joint"]]
    closing = Closing(geometry, Held(held.position | outside, held.rate | outside))
    closed = closing.closed(coordinates)
    q, values, residual = _position(closing, coordinates, held.position & ~outside) if closed is None else closed
    if not residual <= closing.tolerance(geometry.poses(q)) and residual <= OPEN:
        q, values, residual = _roughly(closing, q, coordinates)
    poses = geometry.poses(q)
    residuals = geometry.residuals(np.where(geometry.closing, values, 0.0))
    if not residual <= closing.tolerance(poses):
        _fail(frozen, held.position, residuals, "m", "rad", closing.driven_gap(q, coordinates), violations(geometry, values, False))
    standings = stand(geometry, q)
    for standing in standings:
        if len(standing.doubtful):
            raise AssemblyError(f"system '{name}': {uncertain(geometry, standing)}", residuals)
    last = Closing(geometry, closing.held, _redundant(standings))
    v = _rates(last, standings, lambda: held.rate, q, rates)
    moved = _movements(frozen, geometry.poses(coordinates), poses)
    off = violations(geometry, geometry.rows(geometry.poses(coordinates), coordinates, written=False)[0], False) if moved else []
    regular = not any(standing.singular for standing in standings)
    return q, v, Assembly(name, frozen, q, v, moved, residuals, standings, off, closed is not None and regular, last)


def _rates(last: Closing, standings: list[Standing], held: Callable[[], np.ndarray], q: np.ndarray, rates: np.ndarray) -> np.ndarray:
    """Consistent rates; raises an AssemblyError where those that are `held` contradict the loops."""
    geometry = last.geometry
    v, left, open_rates = last.rates(q, rates)
    if open_rates is not None:
        still = [words for words in (motionless(geometry, standing) for standing in standings) if words]
        _fail(geometry.frozen, held(), open_rates, "m/s", "rad/s", left, violations(geometry, last.open_rates, True), still)
    return v


def reassembled(geometry: Geometry, alike: Assembly, rates: np.ndarray, as_fast: bool) -> Assembly:
    """Assembly of a system without drives that differs in masses alone from one that was assembled as given, at the same coordinates; with the same
    rates given if `as_fast`.
    """
    assert alike.closing is not None
    last, v = alike.closing.weighted(geometry), alike.rates
    if last.weighed or not as_fast:
        v = _rates(last, alike.standings, lambda: set_motions(geometry.frozen)[1], alike.coordinates, rates)
    return altered(alike, frozen=geometry.frozen, rates=v, closing=last)


def _redundant(standings: list[Standing]) -> list[int]:
    """Redundant rows at the positions of these parts."""
    return [int(row) for s in standings for row in np.setdiff1d(s.part.rows, s.judged.choose(s.judged.rank))]


def _roughly(closing: Closing, q: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """Close the independent rows alone where redundant rows do not fit to rounding: drawings are given to ten or twelve digits.

    Returns positions, values of all rows, and the residual of the independent rows, or of all rows where the redundant ones open too far.
    """
    geometry = closing.geometry
    fewer = Closing(geometry, closing.held, _redundant(stand_open(geometry, q)))
    start = np.where(spread(geometry.frozen, closing.held.position, False), target, q)
    near, values, residual = fewer.close(start, target)
    units = geometry.per_value * np.where(geometry.metres, 1.0 / closing.reach, 1.0)
    gap = np.abs(values * units)[geometry.closing].max(initial=0.0)
    return near, values, residual if gap <= OPEN else max(residual, gap)


def _position(closing: Closing, target: np.ndarray, held: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """Close open loops: directly when the held values are near the drawing; otherwise approach them in steps, to stay on the assembly branch."""
    geometry = closing.geometry
    frozen = geometry.frozen
    drawn = drawn_coordinates(frozen)
    way = closing.difference(target, drawn) * spread(frozen, held, True)
    turns = np.zeros_like(way)
    whole = spread(frozen, _whole_turns(frozen), True)
    turns[whole] = 2 * np.pi * np.round(way[whole] / (2 * np.pi))
    way = way - turns  # whole turns lead back to the same position
    far = np.abs(way * closing.rate_unit).max(initial=0.0)
    loose = spread(frozen, ~held & in_loops(frozen)[frozen.layout.motions["joint"]], False)
    if far > NEAR and np.array_equal(target[loose], drawn[loose]):
        near = closing.moved(target, -turns)
        found = _follow(closing, near, drawn, way, spread(frozen, held, False), NEAR / far)
        if found is not None:
            return closing.close(closing.moved(found[0], turns), target) if turns.any() else found
    return closing.close(target, target)


def _whole_turns(frozen: Frozen) -> np.ndarray:
    """For every motion whether a whole turn leads back to the same position, which is not so where screws or gears count turns."""
    motions, rows = frozen.layout.motions, frozen.layout.rows
    turns = (motions["kind"] == HELICAL) & (motions["rot"] != 0)
    counted = (rows["kind"] == GEAR).any() or (turns & (motions["lin"] != 0)).any()
    return turns & (not counted)


def _follow(
    closing: Closing, target: np.ndarray, drawn: np.ndarray, way: np.ndarray, held: np.ndarray, step: float
) -> tuple[np.ndarray, np.ndarray, float] | None:
    """Move from the drawing to the held values, closing the loops in every step; None when that fails."""

    def at(s: float, before: np.ndarray) -> tuple[np.ndarray, np.ndarray, float] | None:
        goal = np.where(held, target if s == 1.0 else closing.moved(drawn, s * way), target)
        result = closing.close(np.where(held, goal, before), goal, CLOSE)
        return result if result[2] <= closing.tolerance(closing.geometry.poses(result[0])) else None

    result = at(0.0, target)
    s, longest = 0.0, max(step, 1.0 / MOST_STEPS)
    step = longest
    while result is not None and s < 1.0:
        trial = at(min(1.0, s + step), result[0])
        if trial is not None:
            change = np.abs(closing.difference(trial[0], result[0]) * closing.rate_unit).max(initial=0.0)
            trial = trial if change < JUMP else None
        if trial is None:
            step *= 0.5
            if step < SHORTEST * longest:
                return None
            continue
        s, result, step = min(1.0, s + step), trial, min(1.5 * step, longest)
    return result


def _movements(frozen: Frozen, before: np.ndarray, after: np.ndarray) -> dict[str, tuple[float, float]]:
    metres = np.linalg.norm(after[:, :3] - before[:, :3], axis=1)
    turn = after[:, 3:].reshape(-1, 3, 3) - before[:, 3:].reshape(-1, 3, 3)  # |dR| = 2 sqrt(2) sin(angle / 2)
    radians = 2.0 * np.arcsin(np.minimum(1.0, np.linalg.norm(turn, axis=(1, 2)) / np.sqrt(8.0)))
    names = ["ground", *(body.name for body in frozen.system.bodies)]
    far = np.nonzero((metres > MOVED) | (radians > MOVED))[0]
    return {names[b]: (float(metres[b]), float(radians[b])) for b in far}


def _largest(pairs: dict[str, tuple[float, float]]) -> tuple[float, float]:
    return max((m for m, _ in pairs.values()), default=0.0), max((rad for _, rad in pairs.values()), default=0.0)


def _fail(
    frozen: Frozen,
    held: np.ndarray,
    residuals: dict[str, tuple[float, float]],
    m: str,
    rad: str,
    more: float,
    violated: Sequence[str] = (),
    reasons: Sequence[str] = (),
) -> None:
    """Raise an AssemblyError that names the open joints and constraints and the held values."""
    worst = sorted(residuals, key=lambda name: -max(residuals[name]))
    open_ones = [n for n in worst if max(residuals[n]) > 1e-12][:12]
    words = "; ".join(f"{n}: {residuals[n][0]:.4g} {m}, {residuals[n][1]:.4g} {rad}" for n in open_ones)
    what = "positions" if m == "m" else "rates"
    labels = [f"{joint.name}.{name}" for joint in frozen.joints for name in (joint.names if m == "m" else joint.rate_names)]
    kept = [label for label, is_held in zip(labels, held) if is_held]
    because = (
        f"Held values: {', '.join(kept[:12])}; set fewer of them, or values that fit together"
        if kept
        else "No values are held, so the parts themselves do not fit: change a length, or a point or axis of a joint in that loop"
    )
    extra = f"; values held in loop joints are missed by {more:.4g}" if more > 1e-12 else ""
    why = " ".join([*reasons, because])
    cause = f"{'; '.join(violated[:MOST_NAMED])}" if violated else f"its {what} contradict the loops"
    raise AssemblyError(
        f"system '{frozen.system.name}' cannot be assembled: {cause}. Remaining gaps: {words or 'none'}{extra}. {why}",
        residuals,
    )
