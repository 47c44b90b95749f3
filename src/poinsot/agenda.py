"""The agenda of a run: its events and `until=`, in the order in which they happen.

Between events a run marches as any other. The interval between two outputs in which something happens is computed from its beginning: to the
event, and from there on to the next event or output. An output at the time of an event is the state after it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from poinsot.analysis.jumps import Happening, Jumps
from poinsot.driver import NoState, Plan, Progress
from poinsot.errors import RunError
from poinsot.events import Crossing, state_after, until_step_ends
from poinsot.interrupts import Interrupt
from poinsot.tables.types import OK

MOST = 100  # events of functions between two outputs; more pile up
NOTHING = np.zeros(0)
SAME = 1e-9  # of an output step: times nearer than this are the same


class Agenda:
    """Runs a plan with its events; `frozen`, `driver`, `record` are those of the run."""

    def __init__(self, jumps: Jumps, plan: Plan, until: Callable[[float, Any], float] | None):
        self.jumps, self.plan, self.driver = jumps, plan, jumps.driver
        frozen, events = jumps.frozen, jumps.happenings

        def crossing(who: str, function: Any, direction: int | None = None) -> Crossing:
            state = state_after(frozen, self.driver, who, plan.step, plan.start)
            return Crossing(who, function, frozen, self.driver, state, direction)

        self.until = None if until is None else crossing("until=", until)
        self.count: dict[str, int] = {}
        self.timed: list[Happening] = []
        self.watched: list[tuple[Happening, Crossing]] = []
        for h in events:
            self.count[h.name] = sum(jump.event == h.name for jump in jumps.record.impulses)
            if h.event.timed:
                self.timed.append(h)
            else:
                self.watched.append((h, crossing(f"event '{h.name}'", h.event.when, h.event.direction)))
        self.last: tuple[float, np.ndarray] = (plan.start, NOTHING)  # output from which the next event or output is looked for

    @property
    def crossings(self) -> list[Crossing]:
        """Those that are still looked for."""
        own = [crossing for happening, crossing in self.watched if self._waits(happening)] if self.watched else []
        return own if self.until is None else [self.until, *own]

    def _waits(self, happening: Happening) -> bool:
        return happening.event.repeat or not self.count[happening.name]

    def begin(self, t: float, y: np.ndarray, first: bool) -> None:
        """The output that is already known; `first`: it is that of the start."""
        self.last = (t, y)
        for crossing in self.crossings:
            crossing.begin(t, y, first)

    def start(self, p: Progress) -> None:
        """What happens at the very start; the first output is the state after it."""
        due = [h for h in self.timed if h.event.when == self.plan.start]
        if due:
            p.y = self._happen(p.t, p.y, due)
            p.rows = [p.y[None].copy()]
            self.begin(p.t, p.y.copy(), True)

    # --- times -----------------------------------------------------------------------------------------------------

    def _outputs(self) -> int:
        """Number of the last output."""
        plan = self.plan
        if plan.step is None:
            return plan.outputs
        return plan.steps // plan.stride + bool(plan.rest > 0.0 or plan.steps % plan.stride)

    def _time(self, k: int) -> float:
        """Time of output k, s."""
        plan = self.plan
        if plan.step is not None and k * plan.stride > plan.steps:
            return plan.start + plan.duration
        return plan.start + k * (plan.output_step if plan.step is None else plan.stride * plan.step)

    def _due(self, t: float) -> tuple[float, list[Happening]]:
        """The next time (s) after t at which something is due, and what."""
        if not self.timed:
            return np.inf, []
        found: list[tuple[float, Happening]] = []
        for happening in self.timed:
            event, slack = happening.event, SAME * self.plan.output_step
            if event.every is None:
                times = [float(event.when)]
            else:
                n = max(0, int(np.floor((t - event.when) / event.every)))
                times = [event.when + k * event.every for k in range(n, n + 3)]
            found += [(time, happening) for time in times if time > t + slack][:1]
        soonest = min((time for time, _ in found), default=np.inf)
        return soonest, [h for time, h in found if time <= soonest + SAME * self.plan.output_step]

    # --- the run ---------------------------------------------------------------------------------------------------

    def run(
        self, p: Progress, tell: Callable[[float], None], keep: Callable[[Progress], None], interrupt: Interrupt
    ) -> None:
        """Run the plan, or the rest of it, as `Driver.run` does."""
        plan, driver, total = self.plan, self.driver, self._outputs()
        while not p.ended:
            k = p.written + len(p.times) - 1
            if k >= total:  # resumed after its last output
                p.ended = True
                return
            stop = self._free_until(self.last[0], total)
            if stop > k:
                part = plan
                if stop < total:
                    part = replace(plan, outputs=stop) if plan.step is None else replace(plan, steps=stop * plan.stride, rest=0.0)
                driver.run(part, p, self._look, tell, keep, interrupt)
                if p.status != OK or p.stopped is not None:
                    return
                if p.ended:
                    p.ended = stop >= total
                    continue
                k = p.written + len(p.times) - 1
            self._interval(p, k, total)
            if p.status != OK or p.stopped is not None:
                return
            keep(p)
            tell(p.t)
            p.ended = p.written + len(p.times) - 1 >= total
            if interrupt.pressed and not p.ended:
                p.stopped = f"by Ctrl-C at t = {p.t:g} s"
                return

    def _free_until(self, t: float, total: int) -> int:
        """The last output before anything is due."""
        due = self._due(t)[0]
        if due == np.inf or due > self._time(total) + SAME * self.plan.output_step:
            return total
        return min(int(np.ceil((due - self.plan.start) / self.plan.output_step - SAME)) - 1, total - 1)

    def _look(self, p: Progress, seen: int, parts: int) -> bool:
        """Look at new outputs, from number `seen` and part `parts` on; those after a crossing are dropped, and the run goes on from before it."""
        crossings = self.crossings
        if not crossings:
            if self.timed:
                last = next(rows for rows in reversed(p.rows) if len(rows))
                self.last = (p.times[-1], last[-1].copy())
            return False
        new = np.concatenate(p.rows[parts:])
        for k, (t, y) in enumerate(zip(p.times[seen:], new)):
            values = [crossing.value(t, y) for crossing in crossings]
            if any(crossing.crossed(value) for crossing, value in zip(crossings, values)):
                p.times, p.rows = p.times[: seen + k], [*p.rows[:parts], new[:k]]
                self._go_back(p)
                return True
            for crossing, value in zip(crossings, values):
                crossing.see(t, y, value)
            self.last = (t, y)
        return False

    def _go_back(self, p: Progress) -> None:
        """The run is at its last output again."""
        p.t, p.y = self.last[0], self.last[1].copy()
        k = p.written + len(p.times) - 1
        p.done = k if self.plan.step is None else k * self.plan.stride
        self.jumps.go_back(p.t)
        p.memory = self.driver.fresh_memory()

    def _interval(self, p: Progress, k: int, total: int) -> None:
        """From output k to the next, with all that happens in between."""
        (t, y), end, events = self.last, self._time(k + 1), 0
        slack = SAME * self.plan.output_step
        while True:
            time, due = self._due(t)
            if time >= end - slack:
                time, due = end, due if time <= end + slack else []
            try:
                first = until_step_ends(t, self.plan.step, self.plan.start)
                goal, there = time, self.driver.to_time(t, y, time - t, self.plan.step, first, p.counters)
            except NoState as stuck:
                p.status, p.t, p.y = stuck.status, t, y.copy()
                return
            crossed = self._first_crossing(goal, there)
            if crossed is not None:
                crossing, goal, there = crossed
                if crossing is self.until:
                    p.times, p.rows, p.y, p.t = [*p.times, goal], [*p.rows, there[None].copy()], there.copy(), goal
                    p.stopped = f"by until= at t = {goal:.12g} s"
                    return
                due = [happening for happening, own in self.watched if own is crossing] + (due if goal >= time - slack else [])
                side = crossing.last[2]
            if not due:
                break
            events += crossed is not None
            if events > MOST:
                raise RunError(
                    f"system '{self.jumps.frozen.system.name}': more than {MOST} events between the outputs at {self.last[0]:.9g} and "
                    f"{end:.9g} s, the last of them {due[0].name}: they pile up; "
                    "end the run with until=, or let the event do something else when it becomes slow"
                )
            y, t = self._happen(goal, there, due), goal
            for other in self.crossings:
                if crossed is not None and other is crossed[0]:
                    other.restart(t, y, end, -np.sign(side))
                else:
                    other.see(t, y)
                    other.leaves = True
            there = y
            if end - t <= slack:
                break
        self._output(p, k + 1, end, there)

    def _first_crossing(self, end: float, there: np.ndarray) -> tuple[Crossing, float, np.ndarray] | None:
        """The first zero before a time, and the state there."""
        found = [
            (*crossing.locate(end), crossing)
            for crossing in self.crossings
            if crossing.last[0] < end and crossing.crossed(crossing.value(end, there))
        ]
        if not found:
            return None
        t, y, crossing = min(found, key=lambda one: one[0])
        return crossing, t, y

    def _happen(self, t: float, y: np.ndarray, due: Sequence[Happening]) -> np.ndarray:
        for happening in due:
            self.count[happening.name] += 1
        return self.jumps.happen(t, y, due)

    def _output(self, p: Progress, k: int, t: float, y: np.ndarray) -> None:
        p.times, p.rows = [*p.times, t], [*p.rows, y[None].copy()]
        p.t, p.y, p.memory = t, y.copy(), self.driver.fresh_memory()
        p.done = k if self.plan.step is None else min(k * self.plan.stride, self.plan.steps + 1)
        self.last = (t, y)
        for crossing in self.crossings:
            if crossing.last[0] < t:
                leaves = crossing.leaves
                crossing.see(t, y)
                crossing.leaves = leaves and abs(crossing.last[2]) == 0.0

    def most(self) -> int:
        """How many events a file of the run has space for."""
        timed = [1 if h.event.every is None else 2 + int(self.plan.duration / h.event.every) for h in self.timed]
        return min(sum(timed) + 1000 * len(self.watched), 20_000)

    def waiting(self) -> list[str]:
        """Names of events that did not happen."""
        return [name for name, count in self.count.items() if not count]
