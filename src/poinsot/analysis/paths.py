"""Inverse kinematics along a path: joint coordinates that take a point of a mechanism, and its body if wanted, along given places.

Every place is reached from the one before by damped Gauss-Newton steps that close the loops as well and move the joints as little as
possible, so that the solution stays on its branch. Where a step is long or does not arrive, the way to the next place is divided.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from poinsot.analysis.assemble import JUMP
from poinsot.analysis.closing import LARGEST_STEP, exponential, logarithm, multiply
from poinsot.analysis.dynamics import AT
from poinsot.analysis.kinematics import POINT, Kinematics
from poinsot.errors import AssemblyError, ModelError
from poinsot.model.body import Body, Point
from poinsot.model.forces import Stop
from poinsot.model.guard import NUMBER, NUMBERS, TEXT, Kind, as_numbers, door, either
from poinsot.model.rotation import from_matrix, quaternion
from poinsot.model.signals import Polynomials, Signal, spline
from poinsot.model.system import PLANES, SYSTEM, System
from poinsot.model.vectors import about_normal
from poinsot.model.words import NearNames, nearest, short_repr
from poinsot.results.state import State
from poinsot.tables.records import N_R, SLIP

NEAR = 0.05  # rad, and relative to the size of the mechanism: longer ways are divided
SMALLEST = 1.0 / 256  # of the way from one place to the next: smaller steps are given up
STEPS = 60  # Gauss-Newton steps to one place
ROUNDING = 1e-13  # relative to the size, and rad: below this nothing improves
PATH = either(NUMBERS, Kind(callable, "a function of time"), Kind(lambda value: isinstance(value, Signal), "a po.Signal"))


@dataclass(frozen=True)
class Places:
    """Positions (n, 3) in the world, m, of a point, and attitudes (n, 4) of its body, as unit quaternions; None where they are free.

    `axes`: directions (k, 3) in which positions are wanted, all three, or two in a plane.
    """

    positions: np.ndarray
    attitudes: np.ndarray | None
    axes: np.ndarray


class Following(NearNames):
    """Joint coordinates along a path. Print it.

    Attributes
    ----------
    t : (n,) s
    coordinates : (n, k) of all joints, joint after joint, loop joints included
    position_error, rotation_error : (n,) by how much each place is missed, m and rad
    reached : (n,) whether each place is reached; where not, the coordinates are the nearest that were found
    beyond : names of the stops whose limits the coordinates pass, with the first time (s); these do not act on inverse kinematics
    """

    def __init__(self, kinematics: Kinematics, t: np.ndarray, coordinates: np.ndarray, errors: np.ndarray, reached: np.ndarray):
        self._kinematics, self.t, self.coordinates, self.reached = kinematics, t, coordinates, reached
        self.position_error, self.rotation_error = errors.T
        self.beyond = self._beyond()

    def _beyond(self) -> dict[str, float]:
        found: dict[str, float] = {}
        for stop in self._kinematics.frozen.system.loads:
            if isinstance(stop, Stop):
                values = self[f"{stop.joint.name}.{stop.joint.names[stop.motions()[0]]}"]
                out = np.flatnonzero((values < stop.lower) | (values > stop.upper))
                found |= {stop.name: float(self.t[out[0]])} if len(out) else {}
        return found

    @door(key=TEXT)
    def __getitem__(self, key: str) -> np.ndarray:
        """A joint coordinate along the path by name, such as "elbow.angle": (n,), or (n, 4), (n, 3) of balls and translations."""
        frozen = self._kinematics.frozen
        known = [f"{j.name}.{n}" for j in frozen.joints for n in j.names]
        if key not in known:
            raise KeyError(f"there is no joint coordinate '{key}'" + "".join(f"; did you mean '{near}'?" for near in nearest(key, known)))
        ends = [*frozen.layout.motions["ic"].tolist(), self.coordinates.shape[1]]
        first, last = ends[known.index(key)], ends[known.index(key) + 1]
        return self.coordinates[:, first] if last == first + 1 else self.coordinates[:, first:last]

    def signal(self, key: str) -> Polynomials:
        """A joint coordinate as a signal, a spline through its values, for po.Motion or a controller."""
        return spline(self.t.tolist(), self[key])

    def state(self, k: int = 0) -> State:
        """The position at place k, at rest."""
        return State(float(self.t[k]), self.coordinates[k].copy(), np.zeros(int(self._kinematics.frozen.layout.sizes[N_R])))

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        n, missed = len(self.t), int((~self.reached).sum())
        words = f"{self._kinematics.name}: {n} places, missed by at most {self.position_error.max():.1e} m, {self.rotation_error.max():.1e} rad"
        words += f"; {missed} not reached, the first at t = {self.t[np.argmin(self.reached)]:.6g} s" if missed else ""
        return words + "".join(f"; beyond the limits of {name} from t = {t:.6g} s on" for name, t in self.beyond.items())


@door(system=SYSTEM, point=POINT, path=PATH, times=NUMBERS, state=AT, tolerance=NUMBER, unreachable=TEXT)
def follow(
    system: System,
    point: Body | Point | str,
    path: Any,
    times: Any,
    *,
    rotation: Any = None,
    state: State | None = None,
    tolerance: float = 1e-9,
    unreachable: str = "error",
) -> Following:
    """Joint coordinates that take a point along a path: inverse kinematics, with loops closed.

    Joints move as little as possible from one place to the next, so that the solution stays on the branch of the position it begins from; also
    the way to the first place is followed from there. Redundant arms keep what the path does not ask for where it is.

    Parameters
    ----------
    point : body.at((x, y, z)), rod.end, ...; a body or its name stands for its origin
    path : positions in the world (m): a function of time, a po.Signal, or numbers (n, 3); two coordinates in a planar system
    times : (n,) s, increasing
    rotation : attitude of the body, world: any form of a rotation, the same for all times, or a function of time that gives one; in a plane an
        angle from the drawing (rad); default: it is free
    state : where the search begins; default: the initial position
    tolerance : a place is reached when it is missed by less, m and rad
    unreachable : "error", or "mark": go on from the nearest position, with `reached` False there

    Raises
    ------
    AssemblyError : at the first place that is not reached, unless marked
    """
    k = Kinematics(system)
    if np.any(k.frozen.layout.rows["kind"] >= SLIP):
        raise ModelError(f"{k.name}: constraints on velocities (rolling, edges) make positions depend on the way there; follow cannot keep them")
    if unreachable not in ("error", "mark"):
        raise ModelError(f"follow: unreachable must be 'error' or 'mark', not {short_repr(unreachable)}")
    if not 0 < tolerance < 1:
        raise ModelError(f"follow: tolerance must be a small positive number (m, rad), not {tolerance!r}")
    t = np.atleast_1d(np.array(as_numbers(times), float))
    if t.ndim != 1 or not len(t) or not np.all(np.isfinite(t)) or np.any(np.diff(t) <= 0):
        raise ModelError("follow: times must be finite and increasing (s)")
    place = k.place(point)
    places = _read(system, (k.frozen.system.ground, *k.frozen.system.bodies)[place[0]], path, rotation, t)
    solver = Solver(k, place, places.axes, float(tolerance))
    now = k.at(state)
    found, errors, reached = [], [], []
    for i, wanted in enumerate(places.positions):
        attitude = None if places.attitudes is None else places.attitudes[i]
        now, missed, arrived = solver.go(now, wanted, attitude)
        if not arrived and unreachable == "error":
            turned = "" if attitude is None else f" and {missed[1]:.3g} rad"
            raise AssemblyError(
                f"{k.name}: place {i} of the path, at t = {t[i]:.6g} s, cannot be reached: it is missed by {missed[0]:.3g} m{turned}; it may be "
                "too far away, or on another branch: begin at another state=, leave rotation= free, or mark such places (unreachable='mark')",
                {},
            )
        found.append(now)
        errors.append(missed)
        reached.append(arrived)
    return Following(k, t, np.array(found), np.array(errors), np.array(reached))


class Solver:
    """Moves a mechanism so that a point of it comes to a place."""

    def __init__(self, kinematics: Kinematics, place: tuple[int, np.ndarray], axes: np.ndarray, tolerance: float):
        self.k, self.place, self.axes, self.tolerance = kinematics, place, axes, tolerance
        self.reach = kinematics.closing.reach
        metres = kinematics.geometry.rate_metres[kinematics.moving]
        self.size = np.where(metres, self.reach, 1.0)  # of joint rates

    def where(self, poses: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Position (3,) of the point and attitude (4,) of its body at poses."""
        body, local = self.place
        turn = poses[body, 3:].reshape(3, 3)
        return poses[body, :3] + turn @ local, np.array(from_matrix(turn))

    def go(self, now: np.ndarray, wanted: np.ndarray, attitude: np.ndarray | None) -> tuple[np.ndarray, tuple[float, float], bool]:
        """Coordinates at a place, from those at another; by how much it is missed (m, rad), and whether it is reached."""
        position, turn = self.where(self.k.geometry.poses(now))
        way = self.axes.T @ self.axes @ (wanted - position)
        spin = np.zeros(3) if attitude is None else logarithm(_between(turn, attitude))
        far = max(float(np.linalg.norm(way)) / self.reach, float(np.linalg.norm(spin)))
        s, step, best = 0.0, min(1.0, NEAR / max(far, 1e-300)), now
        while s < 1.0:
            to = min(1.0, s + step)
            goal = None if attitude is None else (attitude if to == 1.0 else multiply(turn, exponential(to * spin)))
            trial, missed, closed = self.solve(best, wanted if to == 1.0 else position + to * way, goal)
            jump = float(np.abs(self.k.closing.difference(trial, best) * self.k.closing.rate_unit).max(initial=0.0))
            arrived = to < 1.0 or max(missed) <= self.tolerance  # places between need not be in reach: the way there may be curved
            if closed and arrived and jump < JUMP:
                s, best, step = to, trial, min(2.0 * step, 1.0)
            elif step > SMALLEST * min(1.0, NEAR / max(far, 1e-300)):
                step *= 0.5
            else:
                final, missed, closed = self.solve(best, wanted, attitude)
                best = final if closed else best
                return best, self.missed(best, wanted, attitude), False
        return best, self.missed(best, wanted, attitude), True

    def missed(self, now: np.ndarray, wanted: np.ndarray, attitude: np.ndarray | None) -> tuple[float, float]:
        """Distance (m) and angle (rad) to a place."""
        position, turn = self.where(self.k.geometry.poses(now))
        angle = 0.0 if attitude is None else float(np.linalg.norm(logarithm(_between(turn, attitude))))
        return float(np.linalg.norm(self.axes @ (wanted - position))), angle

    def residual(self, q: np.ndarray, wanted: np.ndarray, attitude: np.ndarray | None) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
        """Of coordinates: poses, coordinates with those of loop joints, what is missing (relative to the size, and rad), gap of the loops."""
        poses, now, rows = self.k.closing.evaluate(q, q)[:3]
        position, turn = self.where(poses)
        parts = [rows, self.axes @ (position - wanted) / self.reach]
        if attitude is not None:
            parts.append(-poses[self.place[0], 3:].reshape(3, 3) @ logarithm(_between(turn, attitude)))
        return poses, now, np.concatenate(parts), float(np.abs(rows).max(initial=0.0))

    def solve(self, q: np.ndarray, wanted: np.ndarray, attitude: np.ndarray | None) -> tuple[np.ndarray, tuple[float, float], bool]:
        """Nearest coordinates at a place near by; by how much it is missed; and whether the loops are closed."""
        k, factor = self.k, 1e-3
        poses, now, r, gap = self.residual(q, wanted, attitude)
        for _ in range(STEPS):
            size = float(np.linalg.norm(r))
            if size < ROUNDING:
                break
            columns = k.columns(now)
            own = k.of_point(self.place, poses, columns)
            parts = [k.loops(now, poses, columns)] if k.frozen.closed else []
            parts += [self.axes @ own[:3] / self.reach] + ([own[3:]] if attitude is not None else [])
            u, s, vt = np.linalg.svd(np.concatenate(parts) * self.size, full_matrices=False)
            better = False
            while factor < 1e9:
                damping = min(factor * size, 1.0) ** 2 * max(float(s.max(initial=0.0)), 1e-300) ** 2
                step = -(vt.T @ (s / (s * s + damping + 1e-300) * (u.T @ r))) if s.size else np.zeros(len(k.moving))
                step *= min(1.0, LARGEST_STEP / max(float(np.abs(step).max(initial=0.0)), 1e-300))
                whole = np.zeros(int(k.frozen.layout.sizes[N_R]))
                whole[k.moving] = step * self.size
                trial = self.residual(k.closing.moved(now, whole), wanted, attitude)
                if np.linalg.norm(trial[2]) < size:
                    better = True
                    break
                factor = 10.0 * factor
            if not better:
                break
            poses, now, r, gap = trial
            factor = max(0.1 * factor, 1e-6)
        return now, self.missed(now, wanted, attitude), gap <= 100 * k.closing.tolerance(poses)


def _between(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The rotation from a to b, in the axes of a."""
    return multiply(a * [1.0, -1.0, -1.0, -1.0], b)


def _read(system: System, body: Body, path: Any, rotation: Any, t: np.ndarray) -> Places:
    """Positions and attitudes at times."""
    plane = system.plane
    width = 3 if plane is None else 2
    axes = np.eye(3) if plane is None else np.eye(3)[list(PLANES[plane][:2])]
    numbers = as_numbers([path(float(time)) for time in t] if callable(path) else path)
    if numbers is None or numbers.shape != (len(t), width) or not np.all(np.isfinite(numbers)):
        raise ModelError(f"follow: path must give {width} finite numbers (m) at each of {len(t)} times, not {short_repr(path)}")
    positions = np.zeros((len(t), 3))
    positions[:, [0, 1, 2] if plane is None else list(PLANES[plane][:2])] = numbers
    if rotation is None:
        return Places(positions, None, axes)
    given: Callable[[float], Any] = rotation if callable(rotation) else lambda time: rotation
    return Places(positions, np.array([_attitude(system, body, given(float(time))) for time in t]), axes)


def _attitude(system: System, body: Body, given: Any) -> np.ndarray:
    """A unit quaternion, body to world; in a plane of an angle from the drawing."""
    if system.plane is None:
        return np.array(quaternion(given, "follow: rotation"))
    number = as_numbers(given)
    if number is None or number.shape != () or not np.isfinite(number):
        raise ModelError(f"follow: rotation must be an angle (rad) in a planar system, not {short_repr(given)}")
    return multiply(exponential(about_normal(system.plane, float(number))), np.array(body.rotation))
