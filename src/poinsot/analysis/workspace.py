"""The workspace of a mechanism: where a point of it can be, over the ranges of some joint coordinates."""

from __future__ import annotations

from typing import Any

import numpy as np

from poinsot.analysis.assemble import assembled
from poinsot.analysis.closing import Held
from poinsot.analysis.dynamics import AT
from poinsot.analysis.kinematics import POINT, Kinematics
from poinsot.errors import AssemblyError, ModelError
from poinsot.model.body import Body, Point
from poinsot.model.forces import Stop
from poinsot.model.guard import WHOLE, as_numbers, door, instance, maybe
from poinsot.model.joint import Helical
from poinsot.model.system import SYSTEM, System
from poinsot.model.words import NearNames, short_repr
from poinsot.results.state import State
from poinsot.tables.records import N_R

MOST = 10_000_000  # samples


class Workspace(NearNames):
    """Places of a point. Print it, plot it.

    Attributes
    ----------
    names : of the coordinates that were varied
    values : (n, k) their values, rad or m
    points : (m, 3) positions of the point in the world, m, where the loops close
    reached : (n,) whether the loops close with these values; always, where there are none. `values[reached]` belong to `points`
    low, high : (3,) corners of the box around the points, m
    """

    def __init__(self, name: str, plane: str | None, names: list[str], values: np.ndarray, points: np.ndarray, reached: np.ndarray):
        self.name, self.plane, self.names, self.values, self.points, self.reached = name, plane, names, values, points, reached
        self.low, self.high = points.min(axis=0), points.max(axis=0)

    def plot(self) -> Any:
        """A matplotlib figure: the points in three views, along the three axes, or in the plane of a planar system."""
        from poinsot.view.workspace_figure import workspace_figure

        return workspace_figure(self)

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        box = ", ".join(f"{axis} {a:.4g} to {b:.4g}" for axis, a, b in zip("xyz", self.low, self.high))
        closed = "" if self.reached.all() else f"; loops do not close in {int((~self.reached).sum())} of {len(self.reached)} samples"
        return f"Workspace of {self.name}: {len(self.points)} points by {', '.join(self.names)}; {box} m{closed}"


@door(
    system=SYSTEM, point=POINT, ranges=maybe(instance(dict, 'a dictionary such as {"elbow.angle": (-1, 2)}')),
    samples=WHOLE, grid=maybe(WHOLE), seed=WHOLE, state=AT,
)  # fmt: skip
def workspace(
    system: System,
    point: Body | Point | str,
    ranges: dict[Any, Any] | None = None,
    *,
    samples: int = 4096,
    grid: int | None = None,
    seed: int = 0,
    state: State | None = None,
) -> Workspace:
    """Where a point can be when joint coordinates take all values of their ranges.

    Parameters
    ----------
    point : body.at((x, y, z)), rod.end, ...; a body or its name stands for its origin
    ranges : {"elbow.angle": (-1.0, 2.0), joint2.displacement: (0, 0.5), motor: (-1, 1)}, rad or m; of coordinates not named that have a po.Stop,
        without loops, its limits. All others stay as they are
    samples : number of samples, spread evenly over the ranges (scrambled Halton points)
    grid : values of each coordinate instead, on a grid from end to end
    seed : of the scrambling; the same seed gives the same points
    state : of the other coordinates; default: the initial one

    With loops, each sample is assembled with these coordinates held, on the branch of the state; samples that cannot be assembled are marked.
    """
    k = Kinematics(system)
    place, base = k.place(point), k.at(state)
    names, positions, bounds = _ranges(k, ranges or {})
    values = _samples(bounds, samples, grid, seed)
    points, reached = np.zeros((len(values), 3)), np.ones(len(values), bool)
    held = np.isin(np.arange(len(k.frozen.layout.motions)), k.geometry.rate_motion[positions])
    at = k.frozen.layout.motions["ic"][k.geometry.rate_motion[positions]]
    rest = np.zeros(int(k.frozen.layout.sizes[N_R]))
    for i, row in enumerate(values):
        q = base.copy()
        q[at] = row
        if k.frozen.closed:
            try:
                q = assembled(k.frozen, q, rest, Held(held, np.zeros_like(held)))[0]
            except AssemblyError:
                reached[i] = False
                continue
        pose = k.geometry.poses(q)[place[0]]
        points[i] = pose[:3] + pose[3:].reshape(3, 3) @ place[1]
    if not reached.any():
        raise ModelError(f"{k.name}: its loops close at none of {len(values)} samples; give smaller ranges, or fewer coordinates")
    return Workspace(k.name, k.frozen.system.plane, names, values, points[reached], reached)


def _ranges(k: Kinematics, given: dict[Any, Any]) -> tuple[list[str], np.ndarray, np.ndarray]:
    """Names, positions among the joint rates and bounds (n, 2) of the coordinates to vary."""
    positions, names = k.chosen(list(given)) if given else (np.zeros(0, np.int64), [])
    bounds = []
    for name, pair in zip(names, given.values()):
        numbers = as_numbers(pair)
        if numbers is None or numbers.shape != (2,) or not np.all(np.isfinite(numbers)) or not numbers[0] < numbers[1]:
            raise ModelError(f"workspace: the range of {name} must be (lower, upper) with lower < upper, not {short_repr(pair)}")
        bounds.append(numbers)
    stops = [load for load in k.frozen.system.loads if isinstance(load, Stop)] if not k.frozen.closed else []
    for stop in stops:
        where, own = k.chosen([f"{stop.joint.name}.{stop.joint.names[stop.motions()[0]]}"])
        if own[0] not in names:
            names, positions = names + own, np.concatenate([positions, where])
            bounds.append(np.array([stop.lower, stop.upper]))
    if not names:
        raise ModelError(f'{k.name}: say which coordinates move: ranges={{"joint.angle": (lower, upper)}}, or give their joints a po.Stop')
    joints = {f"{joint.name}.{n}": motion for joint in k.frozen.joints for n, motion in zip(joint.names, joint.motions())}
    for name in names:
        if not isinstance(joints.get(name), Helical):
            raise ModelError(f"workspace: {name} is not a scalar coordinate; ranges are of angles and displacements")
    return names, positions, np.array(bounds)


def _samples(bounds: np.ndarray, samples: int, grid: int | None, seed: int) -> np.ndarray:
    """Values (n, k) within bounds (k, 2)."""
    count = samples if grid is None else grid ** len(bounds)
    if (samples if grid is None else grid) < 2 or count > MOST or seed < 0:
        raise ModelError(f"workspace: samples, or values on a grid, must be at least 2 and {MOST} in all; seed must not be negative")
    low, high = bounds.T
    if grid is not None:
        axes = [np.linspace(a, b, grid) for a, b in bounds]
        return np.stack([axis.ravel() for axis in np.meshgrid(*axes, indexing="ij")], axis=1)
    from scipy.stats import qmc

    found = qmc.Halton(len(bounds), seed=seed).random(samples)
    return low + found * (high - low)
