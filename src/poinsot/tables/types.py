"""Numba types of what kernels exchange: the layout, the right-hand side of a formulation, the step of an integrator."""

from __future__ import annotations

import numba
from numba import complex128, float64, int64, types

from poinsot.tables.records import empty_layout

LAYOUT = numba.typeof(empty_layout())
FLOATS = float64[::1]
INTEGERS = int64[::1]
COMPLEX = complex128[::1]

# (t, y, layout, work, ydot) -> status. y is (q, v, work done by what is not a potential).
RATE_SIGNATURE = int64(float64, FLOATS, LAYOUT, FLOATS, FLOATS)
RATE = types.FunctionType(RATE_SIGNATURE)

# (task, t, y, kappa, layout, work, middle, factors, x, scratch) -> status; tasks and arrays: see `formulations/contract.py`
STIFFNESS_SIGNATURE = int64(int64, float64, FLOATS, complex128, LAYOUT, FLOATS, FLOATS, COMPLEX, COMPLEX, COMPLEX)
STIFFNESS = types.FunctionType(STIFFNESS_SIGNATURE)
LINEARISE, FACTOR, SOLVE = 0, 1, 2

# (position_rate, velocity_rate, stiffness, t, h, y, method, memory, scratch, layout, work, counters) -> status
STEP_SIGNATURE = int64(
    RATE, RATE, STIFFNESS, float64, float64, FLOATS, FLOATS, FLOATS, FLOATS, LAYOUT, FLOATS, INTEGERS
)
STEP = types.FunctionType(STEP_SIGNATURE)

# statuses
OK, NOT_CONVERGED, NOT_FINITE, CALLBACK, SINGULAR, STIFF, OPENED = 0, 1, 2, 3, 4, 5, 6
PROJECTED = 7  # of a projection only: it has changed the state

# counters of a run
STEPS, EVALUATIONS, ITERATIONS, HALVINGS, REJECTIONS, CORRECTIONS, NEWTON_STEPS = 0, 1, 2, 3, 4, 5, 6
ASKED = 7  # no count: not zero when a step asks Python to look at the state after it
RESELECTIONS = 8
N_COUNTERS = 9
