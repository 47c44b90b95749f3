"""Plans of runs: times converted to numbers of steps and outputs."""

from __future__ import annotations

import os
from functools import cache
from math import floor, inf, isfinite
from typing import Any

from poinsot.driver import Plan
from poinsot.errors import SettingsError
from poinsot.model.guard import NUMBER, PATH, TEXT, TRUTH, Kind, instance, is_number, maybe
from poinsot.model.system import SYSTEM
from poinsot.model.words import short_repr
from poinsot.results.state import State

MOST_STEPS = 1e15
STEP = Kind(lambda value: is_number(value) and 0.0 < value < inf, "a positive time in s")
ADAPTIVE_OUTPUTS = 200  # outputs of an adaptive run without output_step
CHOOSING = {  # kinds of the arguments that choose how a system is run
    "system": SYSTEM,
    "formulation": TEXT,
    "integrator": TEXT,
    "step": maybe(STEP),
    **{name: maybe(NUMBER) for name in ("rtol", "atol", "tolerance")},
}
RUNNING = {  # and of the arguments of a single run
    "state": maybe(instance(State, "a State, such as run.state()")),
    "until": maybe(Kind(callable, "a function g(t, state)")),
    "progress": maybe(TRUTH),
    "estimate_error": TRUTH,
    "stream": maybe(PATH),
}
CHANGE = maybe(
    Kind(
        lambda value: isinstance(value, dict) and all(isinstance(key, str) for key in value),
        'a dictionary such as {"spring1.stiffness": 20.0}',
    )
)


def make_plan(start: float, duration: float, step: float | None, output_step: float | None) -> Plan:
    """Convert times to numbers of steps and outputs; raises a SettingsError when they do not fit."""
    if positive(duration, "duration") is None:
        raise SettingsError("duration must be a positive time in s, not None")
    if not (is_number(start) and isfinite(start)):
        raise SettingsError(f"start must be a time in s, not {short_repr(start)}")
    positive(output_step, "output_step")
    start, duration = float(start), float(duration)  # single-precision numbers would give single-precision times
    output_step = None if output_step is None else float(output_step)
    if duration / (step or output_step or duration) > MOST_STEPS:
        raise SettingsError(f"{duration:g} s in steps of {step or output_step:g} s is more than {MOST_STEPS:g} steps")
    if step and output_step and output_step / step > MOST_STEPS:
        raise SettingsError(f"output_step {output_step:g} s is more than {MOST_STEPS:g} steps of {step:g} s; leave it out, or give a shorter one")
    if start + (step or output_step or duration / ADAPTIVE_OUTPUTS) == start:
        raise SettingsError(f"start {start:g} s is so large that a step does not change the time; give a smaller one")
    if step is None:
        outputs = ADAPTIVE_OUTPUTS if output_step is None else max(1, round(duration / output_step))
        if output_step is not None and abs(outputs * output_step - duration) > 1e-9 * duration:
            raise SettingsError(
                f"duration {duration:g} s must be a multiple of output_step {output_step:g} s when steps are adaptive"
            )
        return Plan(start, duration, None, duration / outputs, outputs=outputs)
    steps = floor(duration / step * (1 + 1e-12) + 1e-9)
    rest = duration - steps * step
    rest = rest if rest > 1e-9 * step else 0.0
    stride = 1 if output_step is None else round(output_step / step)
    if output_step is not None and (stride < 1 or abs(stride * step - output_step) > 1e-9 * output_step):
        raise SettingsError(f"output_step {output_step:g} s must be a multiple of step {step:g} s")
    return Plan(start, duration, step, stride * step, steps, stride, rest)


def check_room(plan: Plan, state: int, stream: Any) -> None:
    """Raise when the outputs of a plan do not fit into the memory of this machine."""
    outputs, memory = plan.outputs if plan.step is None else plan.steps // plan.stride, _memory()
    if stream is None and 8.0 * outputs * state > 0.9 * memory:
        raise SettingsError(
            f"{outputs} outputs of {state} numbers need {8e-9 * outputs * state:.3g} GB, this machine has {1e-9 * memory:.3g}; "
            "give a larger output_step=, or stream= to write them to a file"
        )


@cache
def _memory() -> float:
    """Memory of this machine, in bytes; infinite where it is not known."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, ValueError, OSError):
        return inf


def positive(value: float | None, name: str) -> float | None:
    """A positive time, or None."""
    if value is not None and not (is_number(value) and isfinite(value) and value > 0):
        raise SettingsError(f"{name} must be a positive time in s, not {short_repr(value)}")
    return None if value is None else float(value)
