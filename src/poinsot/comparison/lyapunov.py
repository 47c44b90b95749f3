"""The Lyapunov time: how fast two nearby motions part, so that chaos is not taken for error.

A second run starts beside the first and is brought back to the initial distance from it, along the line between the two, at equal intervals
(Benettin et al., Meccanica 15, 1980). The logarithm of the growth, summed up, is a straight line over time where deviations grow exponentially, and
grows only like log t where the motion is regular. Distances are those of positions, attitudes and velocities of all bodies.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from poinsot.comparison.candidates import Candidate
from poinsot.comparison.error import size_of
from poinsot.comparison.limits import time_limit
from poinsot.comparison.measure import Setting, Task, prepared, quiet, words
from poinsot.errors import AssemblyError
from poinsot.formulations.contract import BODY_MOTION
from poinsot.results.state import State
from poinsot.results.trajectory import Trajectory

APART = 1e-7  # initial distance, in the norm below
LEAST = 1e-3  # of APART: a second run that starts closer has no freedom to part
INTERVALS = 25  # in the duration
FAR = 1e-3  # distance at which intervals are halved, so that it stays small
TOLERANCE = 1e-11
EXPONENTIAL = 6.0  # Lyapunov times within the observed time from which growth counts as exponential; of regular motion it is about 2
LONGER = 12  # how many durations a conservative system may be observed
ENOUGH = 60.0  # Lyapunov times after which the estimate is good
SKIP = 0.25  # first part of the observed time, in which a deviation turns to the direction that grows most
BUDGET = 5.0  # s of computing


@dataclass(frozen=True)
class Growth:
    """How nearby motions part.

    Attributes
    ----------
    words : the finding, or why there is none
    time : Lyapunov time, s; None: no exponential growth was found
    observed : time over which the two motions were observed, s
    factor : largest growth of a small deviation within the duration of the comparison; None: unknown
    t, logs : the natural logarithm of that growth over time, s after the start
    """

    words: str
    time: float | None = None
    observed: float = 0.0
    factor: float | None = None
    t: tuple[float, ...] = ()
    logs: tuple[float, ...] = ()

    @property
    def early(self) -> float | None:
        """Time after the start until a small deviation has grown by a factor e, s; None where growth is not exponential."""
        late = [t for t, log in zip(self.t, self.logs) if log >= 1.0]
        return late[0] if late and self.time is not None else None

    def expected(self, t: float) -> float:
        """Logarithm of the growth of a small deviation until t, s after the start."""
        return float(np.interp(t, self.t, self.logs)) if self.t else 0.0

    def to_dict(self) -> dict[str, Any]:
        """All numbers by name."""
        return asdict(self) | {"t": list(self.t), "logs": list(self.logs)}


def growth(task: Task, candidates: Sequence[Candidate], autonomous: bool) -> Growth:
    """Estimate how nearby motions part, with the first of the candidates that works; `autonomous`: the system may be observed longer."""
    failures = []
    for candidate in candidates:
        try:
            with quiet(), time_limit(5 * BUDGET, "for this estimate"):
                return _estimate(task, candidate, autonomous)
        except Exception as error:
            if isinstance(error, AssemblyError) and task.system.drives:
                return Growth("not estimated: a second motion beside the first does not start on the signals of the drives")
            failures.append(f"{candidate.formulation} with {candidate.integrator}: {words(error)}")
            if len(failures) == 2:
                break
    return Growth(f"not estimated ({'; '.join(failures) or 'no method fits'})")


def _estimate(task: Task, candidate: Candidate, autonomous: bool) -> Growth:
    pair = Pair(task, candidate)
    duration = task.grid.duration
    if not pair.free:
        return Growth("none: nothing is free to deviate", None, 0.0, 1.0)
    t, sums, began = [0.0], [0.0], time.perf_counter()
    factor: float | None = None
    within: dict[str, Any] = {}
    while True:
        sums.append(sums[-1] + pair.advance())
        t.append(pair.elapsed)
        full = t[-1] >= duration * (1 - 1e-9)
        if full and factor is None:
            factor = float(np.exp(min(max(sums), 700.0)))
            within = {"t": tuple(t), "logs": tuple(sums)}
        spent = time.perf_counter() - began > BUDGET
        if spent or (full and (not autonomous or t[-1] >= LONGER * duration * (1 - 1e-9) or (_periods(t, sums) > ENOUGH))):
            break
    periods = _periods(t, sums)
    if periods < EXPONENTIAL:
        seen = f"within {t[-1]:.3g} s" + (" (the limit of computing time)" if spent and not full else "")
        return Growth(f"none found: nearby motions part no faster than in regular motion {seen}", None, t[-1], factor, **within)
    found = t[-1] / periods
    text = f"Lyapunov time about {found:.2g} s, observed for {t[-1]:.3g} s; the duration is {duration / found:.2g} of it"
    if factor is not None:
        text += f", and small deviations grow by a factor of up to {factor:.0e} in it"
    return Growth(text, found, t[-1], factor, **within)


def _periods(t: Sequence[float], sums: Sequence[float]) -> float:
    """Observed time in Lyapunov times: slope of the summed logarithm by least squares, times the whole time."""
    times, logs = np.array(t), np.array(sums)
    late = times >= SKIP * times[-1]
    if late.sum() < 5:
        return 0.0
    return float(np.polyfit(times[late], logs[late], 1)[0] * times[-1])


class Pair:
    """Two runs side by side."""

    def __init__(self, task: Task, candidate: Candidate):
        self.grid = task.grid
        self.interval, self.halves = task.grid.duration / INTERVALS, candidate.adaptive
        if candidate.adaptive:
            setting = Setting(candidate, tolerance=(TOLERANCE, TOLERANCE))
        else:
            step = task.grid.steps[-1] if task.grid.steps else self.interval / 16
            setting = Setting(candidate, step=self.interval / np.ceil(self.interval / step))
        self.ready = prepared(task, setting)
        first = self._run(None)
        self.size = size_of(first.frozen, self._motion(first, 0)[:, :7])
        self.pace = self._pace(first)
        self.one = self._bare(first.state(0))
        self.two = self._beside(self.one)
        start = self._run(self.two)
        self.apart = self._distance(first, start, 0)
        self.two = self._bare(start.state(0))
        self.free = self.apart > LEAST * APART
        self.elapsed = 0.0

    def advance(self) -> float:
        """Run both for one interval and bring the second back; returns the logarithm of the growth of their distance."""
        one, two = self._run(self.one), self._run(self.two)
        distance = max(self._distance(one, two, -1), 1e-300)
        self.elapsed += self.interval
        grown = float(np.log(distance / self.apart))
        y, other = one.raw[-1], two.raw[-1]
        state = self._bare(one.state())
        shrunk = y + (APART / distance) * (other - y)
        coordinates, rates = one.formulation.unpack(shrunk.copy())
        self.one = state
        self.two = State(state.t, coordinates, rates, state.raw | {"y": shrunk})
        self.apart = APART
        if distance > FAR and self.halves:
            self.interval /= 2
        return grown

    def _run(self, state: State | None) -> Trajectory:
        return self.ready.run(self.interval, start=self.grid.start, state=state, output_step=self.interval, progress=False)

    def _bare(self, state: State) -> State:
        """Without the memory of the integrator, which belongs to one of the two."""
        return State(state.t, state.coordinates, state.rates, {name: value for name, value in state.raw.items() if name != "memory"})

    def _beside(self, state: State) -> State:
        """A state nearby: coordinates and rates changed at random, loops are closed when it starts."""
        random = np.random.default_rng(1980)
        kick = APART * random.standard_normal(len(state.coordinates)), APART * random.standard_normal(len(state.rates)) / self.pace
        raw = {name: value for name, value in state.raw.items() if name not in ("y", "formulation")}
        return State(state.t, state.coordinates + kick[0], state.rates + kick[1], raw)

    def _pace(self, run: Trajectory) -> float:
        """A typical time, s, that makes velocities comparable with positions."""
        row = self._motion(run, -1)
        fastest = max(np.linalg.norm(row[:, 7:10], axis=1).max(initial=0.0) / self.size, np.linalg.norm(row[:, 10:13], axis=1).max(initial=0.0))
        return 1.0 / fastest if fastest * self.grid.duration > 1 else self.grid.duration

    def _motion(self, run: Trajectory, k: int) -> np.ndarray:
        n = len(run.frozen.layout.bodies)
        return run.motion[k, BODY_MOTION : n * BODY_MOTION].reshape(n - 1, BODY_MOTION)

    def _distance(self, one: Trajectory, two: Trajectory, k: int) -> float:
        a, b = self._motion(one, k), self._motion(two, k)
        turn = (Rotation.from_quat(a[:, 3:7], scalar_first=True).inv() * Rotation.from_quat(b[:, 3:7], scalar_first=True)).magnitude()
        place = np.linalg.norm(a[:, :3] - b[:, :3], axis=1) / self.size
        rates = np.concatenate([(a[:, 7:10] - b[:, 7:10]) / self.size, a[:, 10:13] - b[:, 10:13]], axis=1) * self.pace
        return float(np.sqrt(np.sum(place**2) + np.sum(turn**2) + np.sum(rates**2)))
