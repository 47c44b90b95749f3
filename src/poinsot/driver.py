"""The Python side of the time loop: chunks of compiled steps, and between them progress, Ctrl-C and users' failures."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from poinsot.calls import check_tables, checked, direct
from poinsot.formulations.contract import Formulation
from poinsot.integrators.contract import Method
from poinsot.interrupts import Interrupt
from poinsot.layout.feedback import ask_for_samples, has_samples
from poinsot.model.given import altered
from poinsot.tables.records import Layout
from poinsot.tables.types import ASKED, N_COUNTERS, OK, SAMPLED, STIFF

CHUNK = 0.05  # s of wall time between two returns to Python
FIRST = 20_000  # size of the state times steps of the first chunk, less than CHUNK; a single step if users' functions are called
GROWTH = 4.0  # largest growth of chunks
module = cache(import_module)  # of kernels, which are compiled when they are first needed


@dataclass
class Plan:
    """Steps and outputs of a run: `steps` fixed steps of `step` s (and one last of `rest` s), or adaptive steps when `step` is None.

    Outputs come every `output_step` s (`stride` fixed steps) and at the end.
    """

    start: float
    duration: float
    step: float | None
    output_step: float
    steps: int = 0
    stride: int = 1
    rest: float = 0.0
    outputs: int = 0


@dataclass
class Progress:
    """Progress of a run: its outputs so far, the state and memory to continue from, and why it stopped.

    `done` counts fixed steps, or outputs of adaptive ones; `written` the outputs that are no longer in `times` and
    `rows`, but in a file; `ended`: nothing is left to do.
    """

    y: np.ndarray
    memory: np.ndarray
    t: float
    times: list[float] = field(default_factory=list)
    rows: list[np.ndarray] = field(default_factory=list)
    counters: np.ndarray = field(default_factory=lambda: np.zeros(N_COUNTERS, np.int64))
    status: int = OK
    stopped: str | None = None
    done: int = 0
    written: int = 0
    ended: bool = False


class NoState(Exception):
    """A step between two outputs failed; `status` says why."""

    def __init__(self, status: int):
        super().__init__(status)
        self.status = status


class Driver:
    """Marches one formulation with one method over one layout."""

    def __init__(self, formulation: Formulation, method: Method, layout: Layout):
        self.stiffness = module("poinsot.integrators.stages").no_stiffness
        self.compiling = 0.0  # s spent on compiling in the middle of a run
        self.reselect: Any = None  # called when a step asks Python to inspect the state
        self.inspection: Any = None  # looks at adaptive runs after certain steps (`accuracy/inspection.py`)
        self.gradual = False  # whether adaptive runs begin with a single step, so that a file soon has something to resume from
        self.adopt(formulation, method, layout)

    def adopt(self, formulation: Formulation, method: Method, layout: Layout) -> None:
        """Continue with these equations."""
        watched = method.rescue or (method.stiff and formulation.stiffness)
        capability, march = formulation.capability(method.needs), module("poinsot.integrators.march")
        assert capability is not None
        self.formulation, self.kernels = formulation, capability.kernels
        self.project = getattr(capability, "project", None) or march.no_projection
        quick = getattr(capability, "quick", None) if method.quick else None
        self.quick = None if quick is None else quick.find()
        once = getattr(capability, "once", None) if method.once and quick is None else None
        self.project = self.project if once is None else once.find()
        nearby = getattr(capability, "nearby", None) if method.nearby and quick is None else None
        self.nearby = march.no_rate_nearby if nearby is None else nearby.find()
        self.layout = layout.with_positions(getattr(capability, "positions", 0))
        check_tables(self.layout)
        checked(method.constants)
        self.sampling = has_samples(self.layout)
        self.sample = march.no_projection
        if self.sampling:
            assert formulation.sample is not None
            self.sample = formulation.sample()
        self.method = method.watched if watched else method
        self.rescue = march.no_rescue
        self.work = np.zeros(formulation.work_size)
        self.scratch = np.zeros(method.scratch(formulation.state_size))

    def fresh(self) -> Driver:
        """Another driver like this one, which has done nothing yet."""
        return altered(self, work=np.zeros(len(self.work)), scratch=np.zeros(len(self.scratch)))

    def fresh_memory(self) -> np.ndarray:
        """Memory of a method that has not stepped yet."""
        return np.zeros(self.method.memory(self.formulation.state_size))

    def buffers(self, p: Progress) -> Any:
        """The arrays of a run other than its state."""
        return module("poinsot.tables.types").Buffers(self.method.constants, p.memory, self.scratch, self.work, p.counters)

    def fixed(
        self, p: Progress, t0: float, h: float, first: int, count: int, stride: int, out: np.ndarray
    ) -> tuple[int, int]:
        """Do `count` fixed steps; returns steps done and outputs written."""
        march, done, outputs = module("poinsot.integrators.march"), 0, 0
        march_at = direct(march.march_at)
        while True:
            missing = self.method.memory(len(p.y)) - len(p.memory)
            if missing > 0:
                p.memory = np.concatenate([p.memory, np.zeros(missing)])
            span = march.Span(float(t0), float(h), int(first + done), int(count - done), int(stride))
            checked(p.y, p.memory)
            run = march.Run(span, p.y, self.buffers(p), self.layout, out[outputs:])
            p.status, steps, written, p.t = march_at(self.addresses(), run)
            done, outputs = done + steps, outputs + written
            if p.status == STIFF:
                self.stiffen()
                continue
            if not self.asked(p) or p.status != OK or done == count:
                return done, outputs

    @property
    def functions(self) -> tuple[Any, ...]:
        """The functions of `march`."""
        return self.method.step, self.rescue, self.project, self.sample, *self.kernels, self.stiffness

    def addresses(self) -> np.ndarray:
        """Their addresses."""
        found: np.ndarray = module("poinsot.integrators.march").march_addresses(*self.functions)
        return found

    def stiffen(self) -> None:
        """Continue with the method's Newton-type iteration, which is compiled on first use."""
        began = time.perf_counter()
        if self.method.rescue is not None:
            self.rescue, scratch = self.method.rescue()
            self.scratch = np.zeros(scratch)
            self.compiling += time.perf_counter() - began
            return
        assert self.method.stiff is not None and self.formulation.stiffness is not None
        self.stiffness, sizes = self.formulation.stiffness()
        self.method = self.method.stiff(sizes)
        self.kernels = self.formulation.capability(self.method.needs).kernels
        self.scratch = np.zeros(self.method.scratch(self.formulation.state_size))
        self.compiling += time.perf_counter() - began

    def adaptive(
        self, p: Progress, t0: float, output_step: float, first: int, last: int, count: int, out: np.ndarray
    ) -> tuple[int, int]:
        """Do at most `count` adaptive steps; returns steps done and outputs written."""
        adaptive, done, outputs = module("poinsot.integrators.adaptive"), 0, 0
        march_at = direct(adaptive.march_adaptive_at)
        while True:
            drive, more = self.method.drive or adaptive.march_adaptive, (self.nearby, self.project, self.sample, self.quick or adaptive.nothing_quick)
            addresses = adaptive.drive_addresses(drive, *self.kernels, *more)
            span = adaptive.Outputs(float(t0), float(output_step), int(first + outputs), int(last), int(count - done))
            checked(p.y, p.memory)
            run = adaptive.Run(span, p.y, self.buffers(p), self.layout, out[outputs:])
            p.status, steps, written, p.t = march_at(addresses, run)
            done, outputs = done + steps, outputs + written
            if not self.asked(p) or p.status != OK or done == count:
                return done, outputs

    def asked(self, p: Progress) -> bool:
        """Whether the last step asked for a look at the rows in use; if so, better ones are selected where there are any."""
        asked, p.counters[ASKED] = bool(p.counters[ASKED]), 0
        if p.status == OK and asked and self.reselect is not None:
            self.reselect(self, p)
        return asked

    def sample_now(self, t: float, y: np.ndarray) -> int:
        """Let all sampled laws take a sample, which y keeps; returns a status."""
        if not self.sampling:
            return OK
        ask_for_samples(self.layout)
        status = int(self.sample(t, y, self.layout, self.work, np.zeros(len(y))))
        return OK if status == SAMPLED else status

    def rates(self, t: float, y: np.ndarray) -> np.ndarray:
        """Derivative of the velocities and power at a state; for equations with rates."""
        ydot = np.zeros_like(y)
        self.kernels[1](t, y, self.layout, self.work, ydot)
        return ydot

    def to_time(
        self, t: float, y: np.ndarray, span: float, step: float | None, first: float = 0.0, counters: np.ndarray | None = None
    ) -> np.ndarray:
        """State `span` seconds after a state; used between outputs. Raises `NoState` if a step fails.

        `first` : size of a first, smaller step (s) to the next of the times at which steps of the run end; 0: t is one of them.
        """
        if 0.0 < first < span and step is not None:
            return self.to_time(t + first, self.to_time(t, y, first, step, 0.0, counters), span - first, step, 0.0, counters)
        p = Progress(y.copy(), self.fresh_memory(), t)
        p.counters = p.counters if counters is None else counters
        if span == 0.0:
            return p.y
        if step is None:
            out = np.zeros((1, len(y)))
            while p.status == OK and p.t < t + span:
                self.adaptive(p, t, span, 1, 1, 10_000, out)
            if p.status != OK:
                raise NoState(p.status)
            return out[0]
        whole = int(span / step * (1 + 1e-12))
        nothing = np.zeros((0, len(y)))
        self.fixed(p, t, step, 0, whole, whole + 1, nothing)
        rest = span - whole * step
        if rest > 1e-14 * step and p.status == OK:
            self.fixed(p, t + whole * step, rest, 0, 1, 2, nothing)
        if p.status != OK:
            raise NoState(p.status)
        return p.y

    def run(
        self,
        plan: Plan,
        p: Progress,
        watch: Callable[[Progress, int, int], bool],
        tell: Callable[[float], None],
        keep: Callable[[Progress], None],
        interrupt: Interrupt,
    ) -> None:
        """Run a plan, or the rest of it. `watch` is given new outputs, from the given number and part on, and may
        end the run; `tell` is given the time; `keep` may remove the outputs to store them elsewhere.
        """
        parts = self._adaptive_parts(plan, p) if plan.step is None else self._fixed_parts(plan, p)
        last = plan.outputs if plan.step is None else plan.steps
        seen, before = len(p.times), len(p.rows)
        for _ in parts:
            if len(p.times) > seen and watch(p, seen, before):
                p.status = OK  # failures after the event do not count
                return
            keep(p)
            seen, before = len(p.times), len(p.rows)
            tell(p.t)
            if p.status != OK:
                return
            if interrupt.pressed and p.done < last:
                p.stopped = f"by Ctrl-C at t = {p.t:g} s"
                return
        p.ended = True

    def _first_pace(self, p: Progress) -> float:
        """Steps of the first chunk."""
        return 1.0 if len(self.layout.addresses) else FIRST / len(p.y)

    def _fixed_parts(self, plan: Plan, p: Progress) -> Any:
        assert plan.step is not None
        pace = self._first_pace(p)
        while p.done < plan.steps and p.status == OK:
            count = int(min(max(pace, 1), plan.steps - p.done, 1_000_000))
            out = np.empty((count // plan.stride + 1, len(p.y)))
            began = time.perf_counter()
            stepped, written = self.fixed(p, plan.start, plan.step, p.done, count, plan.stride, out)
            took = time.perf_counter() - began
            first = p.done // plan.stride + 1
            p.times += [plan.start + (first + k) * plan.stride * plan.step for k in range(written)]
            p.rows.append(out[:written])
            p.done += stepped
            pace = min(GROWTH * count, count * CHUNK / max(took, 1e-9)) if p.status == OK else 1.0
            if p.done < plan.steps or p.status != OK:
                yield None
        if p.status == OK and (plan.rest > 0.0 or plan.steps % plan.stride):
            self._last_part(plan, p)
        yield None

    def _last_part(self, plan: Plan, p: Progress) -> None:
        """The end of a run whose duration is not a multiple of the output step."""
        assert plan.step is not None
        if plan.rest > 0.0:
            self.fixed(p, plan.start + plan.steps * plan.step, plan.rest, 0, 1, 2, np.zeros((0, len(p.y))))
        if p.status == OK:
            p.times.append(plan.start + plan.duration)
            p.rows.append(p.y[None].copy())
            p.done += 1

    def _adaptive_parts(self, plan: Plan, p: Progress) -> Any:
        pace, room = 1.0 if self.gradual else self._first_pace(p), 256
        while p.done < plan.outputs and p.status == OK:
            count = int(min(max(pace, 1), 1_000_000))
            count = count if self.inspection is None else min(count, self.inspection.left(p))
            out = np.empty((min(room, plan.outputs - p.done), len(p.y)))
            began = time.perf_counter()
            _, new = self.adaptive(p, plan.start, plan.output_step, p.done + 1, plan.outputs, count, out)
            took = time.perf_counter() - began
            p.times += [plan.start + (p.done + 1 + k) * plan.output_step for k in range(new)]
            p.rows.append(out if new == len(out) else out[:new].copy())
            p.done += new
            room = 4 * room if new == len(out) else room
            pace = min(2.0 * count, count * CHUNK / max(took, 1e-9))
            if self.inspection is not None:
                self.inspection.look(self, p)
            yield None
