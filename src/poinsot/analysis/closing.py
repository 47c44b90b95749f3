"""Closing loops: damped Gauss-Newton steps on the twists of the bodies, carried out in the coordinates of the tree.

A step minimises the mass-weighted displacement of all bodies plus |loop rows|^2 / damping, with the rows of the tree's
joints and of held values kept exactly. Its matrix is sparse, its size linear in the number of bodies. Tree joints stay
consistent because only their coordinates move; damping is proportional to the squared residual, so that redundant
rows and singular positions do no harm and convergence stays quadratic where the rows allow it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from poinsot.analysis.constraints import Geometry, weights
from poinsot.analysis.held import spread
from poinsot.analysis.least_motion import SMALL, LeastMotion
from poinsot.model.given import altered
from poinsot.tables.records import BALL, N_R, USER_ROW

TOLERANCE = 1e-14  # relative to the size of the mechanism, and rad
LEAST_DAMPING, MOST_DAMPING = 1e-12, 1e8
SINGULAR_DAMPING = 1e-17  # lower limit where steps converge slowly
RATES_DAMPING = 1e-21  # the same for rates, where redundant rows have been left out
STEPS = 200
SLOW, PATIENCE = 0.999, 6  # if residuals shrink by less in this many consecutive steps, the position cannot be closed
EQUAL_RADIUS = 0.3  # of gyration, relative to the size of the mechanism, where masses have no influence
LARGEST_STEP = 0.2  # rad, and relative to the size of the mechanism


@dataclass
class Held:
    """What must not move: for every motion whether its coordinate is held, and whether its rate is."""

    position: np.ndarray
    rate: np.ndarray


def multiply(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Product of two quaternions (w, x, y, z)."""
    v = p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:])
    return np.concatenate([[p[0] * q[0] - p[1:] @ q[1:]], v])


def exponential(phi: np.ndarray) -> np.ndarray:
    """Unit quaternion of a rotation vector (rad)."""
    half = 0.5 * np.linalg.norm(phi)
    return np.concatenate([[np.cos(half)], 0.5 * np.sinc(half / np.pi) * phi])


def logarithm(q: np.ndarray) -> np.ndarray:
    """Shortest rotation vector (rad) of a unit quaternion."""
    q = q if q[0] >= 0 else -q
    n = np.linalg.norm(q[1:])
    return 2.0 * q[1:] if n < 1e-12 else (2.0 * np.arctan2(n, q[0]) / n) * q[1:]


class Closing:
    """The rows of one frozen system to be closed by joint coordinates of the tree; those in `left_out` are redundant.

    `open_rates` are the rates of all rows, less what they must be, that `rates` left; `weighed`: whether these depend on masses.
    """

    def __init__(self, geometry: Geometry, held: Held, left_out: Collection[int] = ()):
        layout = geometry.layout
        self.geometry, self.held = geometry, held
        self.reach = geometry.reach()
        motion_in_tree = layout.motions["link"] >= 0
        fixed = spread(geometry.frozen, held.position, True)
        in_tree = spread(geometry.frozen, motion_in_tree, True)
        self.fixed_rates, self.driven_rates = np.nonzero(fixed & in_tree)[0], np.nonzero(fixed & ~in_tree)[0]
        self._in_tree = spread(geometry.frozen, motion_in_tree, False)
        self._driven = spread(geometry.frozen, held.position & ~motion_in_tree, False)
        self.closing = np.setdiff1d(np.nonzero(geometry.closing)[0], np.array(list(left_out), np.int64))
        self.kept = np.nonzero(~geometry.closing)[0]
        self.placing = self.closing[geometry.placing[self.closing]]  # of positions
        self.unit = np.where(geometry.metres, geometry.per_value / self.reach, geometry.per_value)
        self.rate_unit = np.where(geometry.rate_metres, 1.0 / self.reach, 1.0)
        self.balls = np.nonzero(layout.motions["kind"] == BALL)[0]
        self.weighed = True
        self._last: tuple[bytes, Any] = (b"none", None)
        self._equal: tuple[bytes, LeastMotion | None] = (b"none", None)

    def tolerance(self, poses: np.ndarray) -> float:
        """Residual to be expected from rounding, relative to the size of the mechanism."""
        extent = np.abs(poses[:, :3]).max(initial=0.0) / self.reach
        return TOLERANCE * max(1.0, extent, np.sqrt(len(poses)) / 10)

    def evaluate(self, coordinates: np.ndarray, target: np.ndarray) -> tuple:
        """Poses, coordinates with those of loop joints read from the poses, relative residual of the rows to be closed."""
        poses = self.geometry.poses(coordinates)
        read, blocks = self.geometry.joints(poses, np.where(self._driven, target, coordinates))
        now = np.where(self._in_tree, coordinates, read)
        values, row_blocks = self.geometry.rows(poses, now)
        driven = self.difference(now, target)[self.driven_rates] * self.rate_unit[self.driven_rates]
        return poses, now, np.concatenate([values[self.placing] * self.unit[self.placing], driven]), row_blocks, blocks, values

    def closed(self, coordinates: np.ndarray) -> tuple[np.ndarray, np.ndarray, float] | None:
        """What `close` returns, where coordinates close all loops as they are; otherwise None."""
        poses, now, r, _, _, values = self.evaluate(coordinates, coordinates)
        largest = float(np.abs(r).max(initial=0.0))
        return (now, values, largest) if largest <= self.tolerance(poses) else None

    def difference(self, coordinates: np.ndarray, target: np.ndarray) -> np.ndarray:
        """Difference of two sets of coordinates, in the directions of the rates."""
        motions = self.geometry.layout.motions
        plain = np.repeat(motions["kind"] != BALL, np.array([1, 4, 3])[motions["kind"]])
        result = np.zeros(int(self.geometry.layout.sizes[N_R]))
        result[np.repeat(motions["kind"] != BALL, np.array([1, 3, 3])[motions["kind"]])] = (coordinates - target)[plain]
        for m in self.balls:
            ic, ir = motions["ic"][m], motions["ir"][m]
            back = target[ic : ic + 4] * [1.0, -1.0, -1.0, -1.0]
            result[ir : ir + 3] = logarithm(multiply(back, coordinates[ic : ic + 4]))
        return result

    def moved(self, coordinates: np.ndarray, step: np.ndarray) -> np.ndarray:
        """Coordinates after a step along the rates; for loop joints approximately."""
        motions = self.geometry.layout.motions
        result = coordinates.copy()
        plain = np.repeat(motions["kind"] != BALL, np.array([1, 4, 3])[motions["kind"]])
        result[plain] += step[np.repeat(motions["kind"] != BALL, np.array([1, 3, 3])[motions["kind"]])]
        for m in self.balls:
            ic, ir = motions["ic"][m], motions["ir"][m]
            q = multiply(coordinates[ic : ic + 4], exponential(step[ir : ir + 3]))
            result[ic : ic + 4] = q / np.linalg.norm(q)
        return result

    def matrix(
        self,
        poses: np.ndarray,
        row_blocks: np.ndarray,
        blocks: np.ndarray,
        rows: np.ndarray,
        fixed: np.ndarray,
        driven: np.ndarray,
        equal: bool = False,
    ) -> LeastMotion:
        """The linear problem of one step with these rows; `fixed` rates are zero, `driven` ones follow the right-hand side; `equal`: as if all
        bodies had the same mass and inertia.
        """
        g = self.geometry
        alike = np.diag([1.0, 1.0, 1.0, *3 * [(EQUAL_RADIUS * self.reach) ** 2]])
        return LeastMotion(
            np.repeat(alike[None], len(poses) - 1, axis=0) if equal else weights(g.layout, poses),
            self.reach,
            [(row_blocks[self.kept], g.row_bodies[self.kept]), (blocks[fixed], g.rate_bodies[fixed])],
            [
                (row_blocks[rows] * self.unit[rows, None, None], g.row_bodies[rows]),
                (blocks[driven] * self.rate_unit[driven, None, None], g.rate_bodies[driven]),
            ],
        )

    def close(self, coordinates: np.ndarray, target: np.ndarray, steps: int = STEPS) -> tuple[np.ndarray, np.ndarray, float]:
        """Coordinates of all joints nearest to those given, values of all rows there, and the largest relative residual."""
        poses, now, r, row_blocks, blocks, values = self.evaluate(coordinates, target)
        tolerance, factor, best = self.tolerance(poses), 1.0, np.linalg.norm(r)
        stalled, slow, floor = 0, 0, LEAST_DAMPING
        for _ in range(steps):
            if np.abs(r).max(initial=0.0) <= 0.1 * tolerance or stalled == 3 or slow == PATIENCE:
                break
            problem = self.matrix(poses, row_blocks, blocks, self.placing, self.fixed_rates, self.driven_rates)
            while True:
                damping = min(max(factor * float(r @ r), floor), MOST_DAMPING)
                twists = problem.solve(-r, damping)
                step = self.geometry.rates(blocks, twists)
                step[self.fixed_rates] = 0.0
                long = np.abs(step * self.rate_unit).max(initial=0.0)
                step *= min(1.0, LARGEST_STEP / max(long, 1e-300))
                trial = self.evaluate(self.moved(now, step), target)
                new = np.linalg.norm(trial[2])
                if new < best or factor > 1e12 or long < 1e-15:
                    break
                factor *= 10.0
            if not new < best:
                break
            stalled = stalled + 1 if new > 0.9 * best and new < 1e3 * tolerance else 0
            slow = slow + 1 if new > SLOW * best else 0
            factor = max(factor / 10.0, 1e-3)
            floor = max(0.1 * floor, SINGULAR_DAMPING) if new > 0.1 * best else LEAST_DAMPING
            poses, now, r, row_blocks, blocks, values = trial
            best = new
        return now, values, float(np.abs(r).max(initial=0.0))

    def weighted(self, geometry: Geometry) -> Closing:
        """The same with the masses of another system, which has the same geometry."""
        return altered(self, geometry=geometry)

    @cached_property
    def _holding(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """For every rate whether its joint is one of the tree, and those rates that are held: of tree joints, and of others."""
        frozen = self.geometry.frozen
        in_tree = spread(frozen, self.geometry.layout.motions["link"] >= 0, True)
        held = spread(frozen, self.held.rate, True)
        return in_tree, np.nonzero(held & in_tree)[0], np.nonzero(held & ~in_tree)[0]

    def _at(self, coordinates: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Poses, blocks of rates and of rows, and what the rates of rows must be; those found last are remembered."""
        key = coordinates.tobytes()
        if self._last[0] != key:
            poses = self.geometry.poses(coordinates)
            blocks, rows = self.geometry.joints(poses, coordinates)[1], self.geometry.rows(poses, coordinates)[1]
            self._last = key, (poses, blocks, rows, self.geometry.right_sides(poses))
        return self._last[1]

    def _for_rates(self, coordinates: np.ndarray, given: tuple[Any, Any, Any, Any, Any, Any]) -> LeastMotion:
        """The linear problem of the rates. Where held rates and rows determine all of them it has no masses, and serves those of any system alike."""
        key = coordinates.tobytes()
        if self._equal[0] != key:
            equal = self.matrix(*given, equal=True) if 6 * len(given[0]) <= SMALL else None  # large problems are not looked at
            self._equal = key, equal if equal is not None and equal.determined else None
        return self._equal[1] or self.matrix(*given)

    def driven_gap(self, coordinates: np.ndarray, target: np.ndarray) -> float:
        """Largest deviation of loop joints from their held values, m or rad."""
        return float(np.abs(self.difference(coordinates, target)[self.driven_rates]).max(initial=0.0))

    def rates(self, coordinates: np.ndarray, rates: np.ndarray) -> tuple[np.ndarray, float, dict | None]:
        """Rates of all joints, nearest to those given, that satisfy all rows; the largest deviation from held rates of loop joints; and, when
        the held rates contradict the rows, the residual by element (m/s, rad/s).
        """
        g, (in_tree, fixed, driven), (poses, blocks, row_blocks, asked) = self.geometry, self._holding, self._at(coordinates)
        problem: LeastMotion | None = None
        self.weighed = False
        best, v, damping = np.inf, rates.copy(), LEAST_DAMPING
        for _ in range(40):
            twists = g.states(coordinates, v)[1]
            now = np.where(in_tree, v, g.rates(blocks, twists))
            values = np.einsum("rsi,rsi->r", row_blocks, twists[g.row_bodies]) - asked
            r = np.concatenate([values[self.closing] * self.unit[self.closing], ((now - rates) * self.rate_unit)[driven]])
            size = np.abs(r).max(initial=0.0)
            scale = max(
                np.abs(now * self.rate_unit).max(initial=0.0), np.abs(rates * self.rate_unit).max(initial=0.0), 1.0
            )
            slow = size > 0.1 * best
            if size < best:
                best, kept, kept_values, best_scale = size, now, values, scale
            if size <= 1e-16 * scale or (slow and damping <= RATES_DAMPING):
                break
            damping = max(0.1 * damping, RATES_DAMPING) if slow else damping
            if problem is None:
                problem = self._for_rates(coordinates, (poses, row_blocks, blocks, self.closing, fixed, driven))
                self.weighed = problem is not self._equal[1]
            step = g.rates(blocks, problem.solve(-r, damping))
            step[fixed] = 0.0
            v = np.where(in_tree, now + step, now)
        gap = float(np.abs(kept - rates)[driven].max(initial=0.0))
        asked_of = g.closing & (g.layout.rows["kind"] == USER_ROW)  # right-hand sides of dependent rows may contradict each other
        missed = np.abs(kept_values * self.unit)[asked_of].max(initial=0.0)
        good = max(best, missed) <= 10 * self.tolerance(poses) * best_scale
        chosen = np.isin(np.arange(len(g.closing)), self.closing) | asked_of
        self.open_rates = np.where(chosen, kept_values, 0.0)
        return kept, gap, None if good else g.residuals(self.open_rates)
