"""Steps one at a time, for loops written by users: a controller, a game, an environment of reinforcement learning."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import Any

import numpy as np

from poinsot.algebra.bounds import LARGEST
from poinsot.calls import check_tables, checked, direct
from poinsot.driver import Plan
from poinsot.errors import RunError, SettingsError
from poinsot.failures import fail
from poinsot.formulations.contract import motion_row
from poinsot.launches import reached
from poinsot.model.forces import Motor
from poinsot.model.guard import as_numbers, settings_door
from poinsot.model.words import NearNames, short_repr, suggestion
from poinsot.plans import RUNNING
from poinsot.results.state import State
from poinsot.results.trajectory import Samples
from poinsot.starts import check_samples, check_state
from poinsot.tables.records import N_CONTROL
from poinsot.tables.types import ASKED, OK, STIFF

NEVER = 1 << 62  # steps between two outputs: there are none
AHEAD = 1000  # steps over which users' functions and signals are tried before the first step


class Stepper(NearNames):
    """A prepared system, one fixed step at a time, with the bits of `Ready.run` with the same efforts: `po.prepare(s, step=0.01).stepper()`.

    The inputs are the motors with a constant effort, `po.Motor(joint, 0.0)`, in the order in which they were added. `stepper["link"].position`
    and the like are the results at the present time, as in a run.

    Attributes
    ----------
    inputs : names of the motors whose efforts `step` takes
    t : time, s
    """

    def __init__(self, ready: Any, state: State | None, start: float):
        if ready.step is None:
            raise SettingsError("a stepper does fixed steps; give po.prepare(system, step=...) their size in s")
        if ready.happenings:
            raise SettingsError(f"event '{ready.happenings[0].name}' is looked for by runs only; a stepper has none: act between two steps")
        self._ready, self._start, self._given = ready, float(start), state
        motors = [load for load in ready.frozen.system.loads if isinstance(load, Motor) and load.parameters]
        self.inputs: list[str] = [motor.name for motor in motors]
        self._places = np.array([ready.frozen.loads.offsets[motor] for motor in motors], np.int64)
        self._initial_efforts = ready.frozen.layout.values[self._places]
        self._march = import_module("poinsot.integrators.march")
        self.reset()

    @settings_door(state=RUNNING["state"])
    def reset(self, state: State | None = None) -> None:
        """Begin again, with the efforts that the motors were given in the model: from a state, or from where this stepper began."""
        ready, step = self._ready, self._ready.step
        assert step is not None
        state = self._given if state is None else state
        check_state(ready.frozen, state)
        begin = self._start if state is None else state.t
        check_samples(ready.frozen, step, begin)
        self._launch, self._p, _ = ready.begin(Plan(float(begin), AHEAD * step, step, step, AHEAD), state)
        self._first, self._step, self._done, self._stopped = self._p.y.copy(), step, 0, ""
        self._efforts = self._initial_efforts.copy()
        self._begin = self._p.t = float(begin)
        self._row = np.zeros(motion_row(self._launch.frozen.layout))
        self._connect()

    def _connect(self) -> None:
        """Take the functions and arrays of the driver as they are now."""
        driver, p = self._launch.driver, self._p
        missing = driver.method.memory(len(p.y)) - len(p.memory)
        p.memory = np.concatenate([p.memory, np.zeros(missing)]) if missing > 0 else p.memory
        driver.layout = driver.layout._replace(values=driver.layout.values.copy())
        driver.layout.values[self._places] = self._efforts
        check_tables(driver.layout)
        checked(p.y, p.memory)
        self._addresses, self._march_at = driver.addresses(), direct(self._march.march_at)
        self._rest = (p.y, driver.buffers(p), driver.layout, np.zeros((0, len(p.y))))
        self._seen: Samples | None = None

    @property
    def t(self) -> float:
        """Time, s."""
        return self._p.t

    def step(self, efforts: Any = None) -> None:
        """One step, with these efforts (N m or N): one per motor of `inputs`, or by name, {"m1": 2.0}; those not given stay as they are."""
        if efforts is not None:
            self._apply(efforts)
        if self._stopped:
            raise RunError(f"{self._stopped}; call reset()")
        p, driver = self._p, self._launch.driver
        self._seen = None
        while True:
            span = self._march.Span(self._begin, self._step, self._done, 1, NEVER)
            p.status, done, _, p.t = self._march_at(self._addresses, self._march.Run(span, *self._rest))
            self._done += done
            if p.status == OK and not p.counters[ASKED]:
                return
            if p.status == STIFF:
                driver.stiffen()
                self._connect()
                continue
            if p.status != OK:
                self._fail()
            driver.asked(p)
            self._connect()
            return

    def _apply(self, efforts: Any) -> None:
        if type(efforts) is dict:
            self._apply_named(efforts)
            return
        found = efforts if type(efforts) is np.ndarray and efforts.dtype == float else as_numbers(efforts)
        if found is None or found.shape != self._efforts.shape:
            names = ", ".join(self.inputs) or "none; add po.Motor(joint, 0.0)"
            wanted = f"{len(self.inputs)} numbers, of the motors with a constant effort ({names})"
            raise SettingsError(f"step: efforts must be {wanted}, not {short_repr(efforts)}")
        if not (abs(found) <= LARGEST).all():
            raise SettingsError(f"step: efforts must be finite numbers of at most {LARGEST:g}, not {short_repr(efforts)}")
        self._efforts[:] = found
        self._launch.driver.layout.values[self._places] = found

    def _apply_named(self, efforts: dict[str, Any]) -> None:
        values = self._efforts.copy()
        for name, value in efforts.items():
            if name not in self.inputs:
                raise SettingsError(f"step: there is no motor with a constant effort {short_repr(name)}; {suggestion(name, self.inputs)}")
            number = as_numbers(value)
            if number is None or number.shape != ():
                raise SettingsError(f"step: the effort of '{name}' must be a number, not {short_repr(value)}")
            values[self.inputs.index(name)] = number
        self._apply(values)

    def _fail(self) -> None:
        """Raise why the last step failed."""
        p, launch = self._p, self._launch
        self._stopped = f"this stepper of system '{launch.frozen.system.name}' stopped at t = {p.t:.9g} s"
        p.times, p.rows = [self._begin, p.t], [np.stack([self._first, p.y])]
        fail(launch.driver, launch.frozen, launch.plan, p, reached(launch, p))

    # --- the present state -------------------------------------------------------------------------------------------

    def _now(self) -> Samples:
        """Results at the present time."""
        if self._seen is None:
            driver, p = self._launch.driver, self._p
            driver.formulation.observe_motion(p.t, p.y, driver.layout, driver.work, self._row)
            self._seen = Samples(replace(self._launch.frozen, layout=driver.layout), driver.formulation, p.t, p.y.copy())
            row = self._seen.finite(self._row.copy())
            row.flags.writeable = False
            self._seen.__dict__["motion"] = row
        return self._seen

    def __getitem__(self, key: Any) -> Any:
        """Results of a body, joint or force at the present time, by name or by the element itself."""
        return self._now()[key]

    @property
    def coordinates(self) -> np.ndarray:
        """Coordinates of all joints, joint after joint."""
        return self._now().coordinates

    @property
    def rates(self) -> np.ndarray:
        """Rates of all joints, joint after joint."""
        return self._now().rates

    @property
    def energy(self) -> float:
        """Total energy, J."""
        return float(self._now().energy)

    def state(self) -> State:
        """The present state, for `reset`, for a run, or for `po.dynamics`; runs continue from it bit for bit."""
        driver, p = self._launch.driver, self._p
        coordinates, rates = driver.formulation.unpack(p.y.copy())
        raw = {"formulation": driver.formulation.name, "y": p.y.copy(), "integrator": driver.method.name, "step": self._step}
        raw |= {"memory": p.memory.copy(), "dropped": driver.formulation.dropped}
        kept = int(driver.layout.sizes[N_CONTROL])
        if kept:
            raw["controls"] = p.y[-1 - kept : -1].copy()
        return State(p.t, coordinates, rates, raw)

    def __repr__(self) -> str:
        method = f"{self._launch.formulation.name} with {self._launch.driver.method.name}"
        return f"Stepper('{self._launch.frozen.system.name}': t = {self.t:g} s, steps of {self._step:g} s, {method})"
