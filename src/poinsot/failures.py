"""Why a run stopped: the error to raise, with what was computed until then."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from poinsot.diagnosis import apart, seen
from poinsot.driver import Driver, Plan, Progress
from poinsot.errors import CallbackError, ConvergenceError, RunError
from poinsot.layout.freeze import Frozen
from poinsot.results.trajectory import Trajectory
from poinsot.tables.types import CALLBACK, NOT_FINITE, OPENED, SINGULAR


def fail(driver: Driver, frozen: Frozen, plan: Plan, p: Progress, run: Trajectory) -> None:
    """Raise what stopped a run, with what was computed until then."""
    where = f"system '{frozen.system.name}' at t = {p.t:.9g} s"
    if p.status == CALLBACK:
        _fail_callback(driver, frozen, plan, p, run, where)
    if (
        p.status == NOT_FINITE
        and driver.formulation.complete is None
        and not np.all(np.isfinite(driver.rates(p.t, p.y)))
    ):
        raise RunError(
            f"{where}: the accelerations are not finite; some motion has no inertia (a point mass on a ball, a rod of no radius), "
            "or initial values are far too large",
            run,
        )
    drives = ", ".join(drive.name for drive in frozen.system.drives)
    if p.status == SINGULAR:
        raise RunError(
            f"{where}: the inputs have no grip on the outputs of {drives} (singular output-input matrix): inputs must act on "
            "the accelerations of the outputs; look for a singular position, or drive another coordinate",
            run,
        )
    if p.status == OPENED:
        gaps = apart(replace(frozen, layout=driver.layout), driver.work)
        raise RunError(
            f"{where}: joints come apart, {gaps} of a length of the mechanism or rad; its constraints lose "
            "their independence there: look for a singular position, or for axes and lengths that fit together only roughly. "
            "What was computed until then is in error.trajectory",
            run,
        )
    what = "numbers are no longer finite" if p.status == NOT_FINITE else "the stages do not converge"
    size = "at any size of the steps" if plan.step is None else f"even at 1/1024 of the step of {plan.step:g} s"
    found = seen(replace(frozen, layout=driver.layout), driver.formulation, p.t, p.y, plan.step, run.raw[0])
    look = f" {drives} may ask for what is out of reach, or for more than its inputs can do there." if drives else ""
    raise ConvergenceError(
        f"{where}: {what}, {size}. Seen there: {found}.{look} What was computed until then is in error.trajectory",
        run,
    )


def _fail_callback(driver: Driver, frozen: Frozen, plan: Plan, p: Progress, run: Trajectory, where: str) -> None:
    from poinsot.layout.callbacks import interpreted

    callbacks = frozen.loads.callbacks
    if not any(
        callback.failure for callback in callbacks
    ):  # compiled functions keep no exception: step again in Python
        again = [interpreted(callback) for callback in callbacks]
        layout = driver.layout._replace(addresses=np.array([callback.address for callback in again], np.int64))
        retry = Progress(p.y.copy(), p.memory.copy(), p.t)
        stepper, rows = Driver(driver.formulation, driver.method, layout), np.zeros((1, len(p.y)))
        if plan.step is None:
            stepper.adaptive(retry, plan.start, plan.output_step, p.done + 1, plan.outputs, 1, rows)
        else:
            stepper.fixed(retry, p.t, plan.step, 0, 1, 2, rows[:0])
        callbacks = again
    for callback in callbacks:
        if callback.failure:
            error = callback.failure[0]
            callback.failure.clear()
            error.trajectory = run  # type: ignore[attr-defined]
            error.add_note(
                f"raised by the function of {callback.label}, {where}; what was computed until then is in error.trajectory"
            )
            raise error
    raise CallbackError(f"{where}: a user's function returned something that is not a finite number", run)
