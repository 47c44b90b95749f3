"""Why a run stopped: the error to raise, with what was computed until then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

import numpy as np

from poinsot.diagnosis import apart, seen
from poinsot.driver import Driver, Plan, Progress
from poinsot.errors import ConvergenceError, RunError
from poinsot.layout.blame import blamed
from poinsot.layout.freeze import Frozen
from poinsot.results.trajectory import Trajectory
from poinsot.tables.records import Layout
from poinsot.tables.types import CALLBACK, NOT_FINITE, OPENED, SINGULAR

SAFE = 1e60  # of the numbers of a state: with masses and lengths within LARGEST, energies are finite


def check_finite(run: Trajectory) -> None:
    """Raise when energies or momenta of a run in memory are not finite. States of ordinary size cannot lead there."""
    largest = max(run.raw.max(initial=0.0), -run.raw.min(initial=0.0))
    if largest <= SAFE:
        return
    with np.errstate(all="ignore"):
        finite = np.all(np.isfinite(run.energy)) and np.all(np.isfinite([largest, run.work[-1]]))
    if not finite:
        raise RunError(
            f"system '{run.frozen.system.name}': its state reaches {largest:.3g}, and its energy is too large for the numbers of a computer; "
            "look for initial values, gravity, masses or forces that are far too large. What was computed is in error.trajectory",
            run,
        )


def fail(driver: Driver, frozen: Frozen, plan: Plan, p: Progress, run: Trajectory) -> None:
    """Raise what stopped a run, with what was computed until then."""
    where = f"system '{frozen.system.name}' at t = {p.t:.9g} s"
    if p.status == CALLBACK:
        _fail_callback(driver, frozen, plan, p, run, where)
    if (
        p.status == NOT_FINITE
        and driver.formulation.rates is not None
        and not np.all(np.isfinite(driver.rates(p.t, p.y)))
    ):
        raise RunError(
            f"{where}: the accelerations are not finite; some motion has no inertia (a point mass on a ball, a rod of no radius), "
            "or initial values are far too large",
            run,
        )
    step = plan.output_step if plan.step is None else plan.step
    for drive in frozen.system.drives:
        found = drive.signal.break_between(p.t - step, p.t + step)
        if found is not None:
            what = ("value", "rate", "acceleration")[found.order]
            raise RunError(
                f"{where}: the signal of {drive.label()} jumps in {what} at t = {found.t:.6g} s, which no size of the steps can follow; "
                "smooth it (po.signals.step, po.signals.spline)",
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
    remarks = seen(replace(frozen, layout=driver.layout), driver.formulation, p.t, p.y, plan.step, run.raw[0])
    look = f" {drives} may ask for what is out of reach, or for more than its inputs can do there." if drives else ""
    raise ConvergenceError(
        f"{where}: {what}, {size}. Seen there: {remarks}.{look} What was computed until then is in error.trajectory",
        run,
    )


@contextmanager
def carrying(run: Callable[[], Trajectory]) -> Iterator[None]:
    """Exceptions that come meanwhile get what was computed until then, `error.trajectory`, unless they have it."""
    try:
        yield
    except BaseException as error:
        if getattr(error, "trajectory", None) is None:
            with suppress(Exception):  # of a file that cannot be read any more, or an exception without attributes
                error.trajectory = run()  # type: ignore[attr-defined]
        raise


def _fail_callback(driver: Driver, frozen: Frozen, plan: Plan, p: Progress, run: Trajectory, where: str) -> None:
    def again(layout: Layout) -> None:
        retry = Progress(p.y.copy(), p.memory.copy(), p.t)
        stepper, rows = Driver(driver.formulation, driver.method, layout), np.zeros((1, len(p.y)))
        if plan.step is None:
            stepper.adaptive(retry, plan.start, plan.output_step, p.done + 1, plan.outputs, 1, rows)
        else:
            stepper.fixed(retry, p.t, plan.step, 0, 1, 2, rows[:0])

    who, error = blamed(frozen.loads.callbacks, driver.layout, again)
    error.add_note(f"raised by {who}, {where}; what was computed until then is in error.trajectory")
    with suppress(AttributeError):
        error.trajectory = None  # type: ignore[attr-defined]  # of another run that raised the same object
    with carrying(lambda: run):
        raise error
