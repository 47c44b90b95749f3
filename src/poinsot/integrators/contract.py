"""The contract of an integrator, and how to add one.

1. A method is one module in this folder with a function `method(...) -> Method` (see below), and one line in
   `registry.py`. Its module, and with it its compiled step, is imported only when the method is chosen.
2. The state is y = (q, v, w): positions q[:nq], velocities v, and last the work w done by everything that is not a
   potential. nq stands in `layout.sizes` (N_Q); a formulation without a cheap kinematic part sets nq = 0, and its
   position_rate is not called. w is a pure quadrature: nothing depends on it, so it takes no part in error or
   convergence tests, but it is integrated with the same weights.
3. A formulation gives two functions of one type, RATE: `position_rate(t, y, layout, work, ydot)` fills ydot[:nq]
   (cheap: q' from q and v), `velocity_rate(...)` fills ydot[nq:] (dear: v' and w'). Both return a status; anything but
   OK must be passed on at once.
4. The step has the type STEP: (position_rate, velocity_rate, stiffness, t, h, y, method, memory, scratch, layout, work,
   counters) -> status. On OK, y holds the state at t + h. On any other status y and memory are exactly as before. `method` holds
   constants (tableau, tolerances), `memory` whatever a checkpoint must keep so that a resumed run gives the same bits
   (zeros at the start), `scratch` anything else. Allocate nothing.
5. A step tests explicitly that what it returns is finite, and never returns unconverged stages.
6. The step adds to `counters`: STEPS, EVALUATIONS (calls of velocity_rate), ITERATIONS, CORRECTIONS (anything it
   repaired). The driver (`march`) retries a step that returned NOT_CONVERGED or NOT_FINITE at half its size, down to
   2^-10, and counts HALVINGS.
   A step whose iteration stalls may return STIFF, if its Method has `stiff`: Python then goes on with that one. If it has
   `rescue`, `march` does this one step by that, compiled when it is first needed; what a run gives does not depend on when
   that was.
   A step may set counters[ASKED]: `march` then returns after the whole step, and Python looks at the state.
7. `order` is declared here and measured by `tests/integrators/test_orders.py`, which finds the methods in the registry.
8. Adaptive methods are explicit ones whose constants also hold error estimators and dense output (`explicit.py`). They
   are driven by `march_adaptive` (`adaptive.py`), or by `march` with fixed steps, like any other; one `memory` serves
   one run by one of these drivers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from poinsot.formulations.contract import Formulation

WATCH = 4  # position in the constants of methods that have `stiff`: 1 when the iteration is watched


@dataclass(frozen=True)
class Method:
    """One integrator, ready to be marched.

    Attributes
    ----------
    name : as the user writes it
    order : declared order of convergence
    step : compiled function of type STEP
    constants : the `method` array of the step
    memory, scratch : sizes of these arrays for a state of ny numbers, as functions of ny
    stiff : the same method for steps on which fixed-point iteration stalls, as a function of the sizes of the
        formulation's stiffness (see `formulations/contract.py`); None if it has none
    formulations : those it works with; None: all that have rates
    bind : the same method with the sizes of a formulation; None: it needs none
    rescue : gives a function of type STEP that does a step on which the method's own iteration failed, and the size of
        `scratch` that both of them need; None if there is none
    carry : turns the memory of this method bound to the same system with other rows left out into its own, for a state of ny numbers
    adaptive : whether `march_adaptive` can drive it, with a step size that follows rtol and atol
    """

    name: str
    order: int
    step: Any
    constants: np.ndarray
    memory: Callable[[int], int]
    scratch: Callable[[int], int]
    stiff: Callable[[tuple[int, int, int]], Method] | None = None
    adaptive: bool = False
    formulations: tuple[str, ...] | None = None
    bind: Callable[[Formulation], Method] | None = None
    rescue: Callable[[], tuple[Any, int]] | None = None
    carry: Callable[[np.ndarray, int], np.ndarray] | None = None

    def watched(self) -> Method:
        """The same, with a step that returns STIFF when its iteration stalls."""
        constants = self.constants.copy()
        constants[WATCH] = 1.0
        return replace(self, constants=constants)
