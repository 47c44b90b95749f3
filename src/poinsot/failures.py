"""Why a run stopped: the error to raise, with the results until then."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from poinsot.diagnosis import apart, findings
from poinsot.driver import Driver, Plan, Progress
from poinsot.errors import ConvergenceError, RunError
from poinsot.layout.blame import find_failed_function
from poinsot.layout.freeze import Frozen
from poinsot.results.trajectory import Trajectory
from poinsot.tables.records import Layout
from poinsot.tables.types import CALLBACK, GIMBAL_LOCK, NOT_FINITE, OPENED, SINGULAR

SAFE = 1e60  # of the numbers of a state: below it energies are finite, with masses and lengths within LARGEST
FEW = 10_000  # numbers of a run that are judged by the sum of their squares


def check_finite(run: Trajectory) -> None:
    """Raise when energies or momenta of a run in memory are not finite. States below SAFE need no check."""
    if run.raw.size <= FEW and np.vdot(run.raw, run.raw) <= SAFE:  # one call instead of two, and NaN is not less either
        return
    largest = max(run.raw.max(initial=0.0), -run.raw.min(initial=0.0))
    if largest <= SAFE:
        return
    with np.errstate(all="ignore"):
        finite = np.all(np.isfinite(run.energy)) and np.all(np.isfinite([largest, run.work[-1]]))
    if not finite:
        raise RunError(
            f"system '{run.frozen.system.name}': its state reaches {largest:.3g}, and its energy is too large for double precision; "
            "look for initial values, gravity, masses or forces that are far too large. The results are in error.trajectory",
            run,
        )


def fail(driver: Driver, frozen: Frozen, plan: Plan, p: Progress, run: Trajectory) -> None:
    """Raise the error that stopped a run, with the results until then."""
    where = f"system '{frozen.system.name}' at t = {p.t:.9g} s"
    if p.status == CALLBACK:
        _fail_callback(driver, frozen, plan, p, run, where)
    if (
        p.status == NOT_FINITE
        and driver.formulation.rates is not None
        and not np.all(np.isfinite(driver.rates(p.t, p.y)))
    ):
        raise RunError(
            f"{where}: the accelerations are not finite; some motion has no inertia (a point mass on a ball joint, a rod of zero radius), "
            "or initial values are far too large",
            run,
        )
    step = plan.output_step if plan.step is None else plan.step
    for drive in frozen.system.drives:
        found = drive.signal.break_between(p.t - step, p.t + step)
        if found is not None:
            what = ("value", "rate", "acceleration")[found.order]
            raise RunError(
                f"{where}: the signal of {drive.label()} jumps in {what} at t = {found.t:.6g} s, which no step size can follow; "
                "smooth it (po.signals.step, po.signals.spline)",
                run,
            )
    drives = ", ".join(drive.name for drive in frozen.system.drives)
    if p.status == SINGULAR:
        raise RunError(
            f"{where}: the inputs do not control the outputs of {drives} (singular output-input matrix): inputs must act on "
            "the accelerations of the outputs; look for a singular position, or drive another coordinate",
            run,
        )
    if p.status == GIMBAL_LOCK:
        raise RunError(
            f"{where}: the Euler angles of a body come near their singularity, where the second of them is 90 degrees; "
            "formulation='newton-euler' takes quaternions, which have none",
            run,
        )
    if p.status == OPENED:
        gaps = apart(replace(frozen, layout=driver.layout), driver.work)
        raise RunError(
            f"{where}: joints come apart, {gaps} of a length of the mechanism or rad; its constraints become "
            "dependent there: look for a singular position, or for axes and lengths that fit only approximately. "
            "The results until then are in error.trajectory",
            run,
        )
    what = "the state is no longer finite" if p.status == NOT_FINITE else "the stages do not converge"
    size = "at any step size" if plan.step is None else f"even at 1/1024 of the step of {plan.step:g} s"
    remarks = findings(replace(frozen, layout=driver.layout), driver.formulation, p.t, p.y, plan.step, run.raw[0])
    look = f" {drives} may prescribe what is out of reach, or more than the inputs can provide there." if drives else ""
    raise ConvergenceError(
        f"{where}: {what}, {size}. Found there: {remarks}.{look} The results until then are in error.trajectory",
        run,
    )


class results_attached:
    """Exceptions raised in this context get the results until then as `error.trajectory`, unless they have it."""

    def __init__(self, run: Callable[[], Trajectory]):
        self.run = run

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if error is not None and getattr(error, "trajectory", None) is None:
            with suppress(Exception):  # the file may be unreadable, or the exception may accept no attributes
                error.trajectory = self.run()  # type: ignore[attr-defined]


def _fail_callback(driver: Driver, frozen: Frozen, plan: Plan, p: Progress, run: Trajectory, where: str) -> None:
    def again(layout: Layout) -> None:
        retry = Progress(p.y.copy(), p.memory.copy(), p.t)
        stepper, rows = Driver(driver.formulation, driver.method, layout), np.zeros((1, len(p.y)))
        stepper.sample_now(p.t, retry.y.copy())
        if plan.step is None:
            stepper.adaptive(retry, plan.start, plan.output_step, p.done + 1, plan.outputs, 1, rows)
        else:
            stepper.fixed(retry, p.t, plan.step, 0, 1, 2, rows[:0])

    who, error = find_failed_function(frozen.loads.callbacks, driver.layout, again)
    error.add_note(f"raised by {who}, {where}; the results until then are in error.trajectory")
    with suppress(AttributeError):
        error.trajectory = None  # type: ignore[attr-defined]  # may be of another run that raised the same object
    with results_attached(lambda: run):
        raise error
