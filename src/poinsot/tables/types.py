"""Numba types of what kernels exchange: the layout, the right-hand side of a formulation, the step of an integrator."""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import complex128, float64, int64, types

from poinsot.tables.layout_type import LAYOUT

FLOATS = float64[::1]
INTEGERS = int64[::1]
COMPLEX = complex128[::1]

# (t, y, layout, work, ydot) -> status. y is (q, v, work of non-conservative loads).
RATE_SIGNATURE = int64(float64, FLOATS, LAYOUT, FLOATS, FLOATS)
RATE = types.FunctionType(RATE_SIGNATURE)
QUICK_SIGNATURE = int64(int64, float64, FLOATS, LAYOUT, FLOATS, FLOATS)  # a task, then as a RATE (`Quick` in `integrators/capabilities.py`)
QUICK = types.FunctionType(QUICK_SIGNATURE)


class StiffnessArrays(NamedTuple):
    """What a stiffness works on: derivatives at a state, factors for one kappa, right-hand side and solution, scratch."""

    middle: Any
    factors: Any
    x: Any
    scratch: Any


STIFFNESS_ARRAYS = types.NamedTuple((FLOATS, COMPLEX, COMPLEX, COMPLEX), StiffnessArrays)
# (task, t, y, kappa, layout, work, arrays) -> status; tasks and arrays: see `formulations/contract.py`
STIFFNESS_SIGNATURE = int64(int64, float64, FLOATS, complex128, LAYOUT, FLOATS, STIFFNESS_ARRAYS)
STIFFNESS = types.FunctionType(STIFFNESS_SIGNATURE)
LINEARISE, FACTOR, SOLVE = 0, 1, 2  # tasks of a stiffness


class Equations(NamedTuple):
    """What a step works with: the two kernels of a capability, of type RATE, and a stiffness. Only compiled code can create one."""

    first: Any
    second: Any
    stiffness: Any


class Buffers(NamedTuple):
    """The arrays of a run other than its state: constants of the method, its memory between steps, scratch of the method, scratch of
    the formulation, counters.
    """

    method: Any
    memory: Any
    scratch: Any
    work: Any
    counters: Any


EQUATIONS = types.NamedTuple((RATE, RATE, STIFFNESS), Equations)
BUFFERS = types.NamedTuple((FLOATS, FLOATS, FLOATS, FLOATS, INTEGERS), Buffers)

# (equations, t, h, y, buffers, layout) -> status
STEP_SIGNATURE = int64(EQUATIONS, float64, float64, FLOATS, BUFFERS, LAYOUT)
STEP = types.FunctionType(STEP_SIGNATURE)

# statuses
OK, NOT_CONVERGED, NOT_FINITE, CALLBACK, SINGULAR, STIFF, OPENED = 0, 1, 2, 3, 4, 5, 6
PROJECTED = 7  # returned by projections only: the state was changed,
WEAKENED = 8  # and the rows in use are nearly dependent there: others may be better
GIMBAL_LOCK = 9  # Euler angles are near their singularity
SAMPLED = 10  # returned by kernels that take samples only: sampled laws gave new efforts
DISTANT = 11  # returned by rates nearby only: the state is too far from that of the last evaluation

# counters of a run
STEPS, EVALUATIONS, ITERATIONS, HALVINGS, REJECTIONS, CORRECTIONS, NEWTON_STEPS = 0, 1, 2, 3, 4, 5, 6
ASKED = 7  # not a count: nonzero when a step asks Python to inspect the state after it
RESELECTIONS = 8
N_COUNTERS = 9
