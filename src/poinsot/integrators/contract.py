"""The contract of an integrator, and how to add one.

1. A method is one module in this folder with a function `method(...) -> Method` (see below), and one line in
   `registry.py`. Its module, and with it its compiled step, is imported only when the method is chosen.
2. The state is y = (q, v, w): positions q[:nq], velocities v, and last the work w done by all non-conservative loads.
   nq is in `layout.sizes` (N_POSITIONS), to which the driver writes the number that the formulation states (`Rates.positions`); with
   nq = 0, for equations without a cheap kinematic part, position_rate is not called. w is a pure quadrature: nothing
   depends on it, so it is ignored in error and convergence tests, but it is integrated with the same weights.
3. What a method needs of the equations is a capability, named by its type (`needs`, see `capabilities.py`): `Rates` for
   methods of ordinary differential equations, or the `Stages` of one formulation; such a method is kept beside it.
   A step is given the two kernels of that capability. Those of `Rates` are `position_rate(t, y, layout, work, ydot)`,
   which fills ydot[:nq] (cheap: q' from q and v), and `velocity_rate(...)`, which fills ydot[nq:] (expensive: v' and w').
   Both return a status; anything but OK must be passed on at once.
4. The step has the type STEP: (equations, t, h, y, buffers, layout) -> status, where `equations` holds the two kernels and
   the stiffness, and `buffers` all arrays other than the state (`tables/types.py`). On OK, y holds the state at t + h. On any
   other status y and memory are exactly as before. `method` holds constants (tableau, tolerances), `memory` whatever a
   checkpoint must keep so that a resumed run gives the same bits (zeros at the start), `scratch` anything else. Allocate nothing.
5. A step tests explicitly that what it returns is finite, and never returns unconverged stages.
6. The step adds to `counters`: STEPS, EVALUATIONS (calls of velocity_rate; rates nearby are none), ITERATIONS, CORRECTIONS (anything it
   repaired). The driver (`march`) retries a step that returned NOT_CONVERGED or NOT_FINITE at half its size, down to
   2^-10, and counts HALVINGS.
   A step whose iteration stalls may return STIFF, if its Method has `stiff`: Python then continues with that one. If it has
   `rescue`, `march` does this one step with that, compiled on first use; the results of a run do not depend on when
   that was.
   A step may set counters[ASKED]: `march` then returns after the whole step, and Python inspects the state.
7. `order` is declared here and measured by `tests/integrators/test_orders.py`, which finds the methods in the registry.
8. Adaptive methods without a `drive` are explicit ones whose constants also hold error estimators and dense output (`explicit.py`). They
   are driven by `march_adaptive` (`adaptive.py`), or by `march` with fixed steps, like any other; one `memory` serves
   one run by one of these drivers. Others bring the driver of their steps (`drive`, as in `adams.py`) and take no fixed ones: `step` is None.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.integrators.capabilities import Rates, StageLanes, Stages

if TYPE_CHECKING:
    from poinsot.layout.freeze import Frozen

WATCH = 4  # position in the constants of methods that have `stiff`: 1 when slow convergence is to be reported


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
    needs : type of the capability that the equations must have
    refuses : returns why it does not accept a system, empty when it does; None: it accepts all
    bind : the same method with the sizes of a formulation (a `Formulation`): those of its state, work, rates and stages; None: it needs none
    rescue : gives a function of type STEP that does a step on which the method's own iteration failed, and the size of
        `scratch` that both of them need; None if there is none
    carry : converts the memory of this method for the same system with other rows left out to its own, for a state of ny numbers
    adaptive : whether it takes steps whose size follows rtol and atol
    drive : what drives these steps, with the signature of `march_adaptive`; None: that function
    nearby : whether its adaptive steps take rates nearby, where there are any (`capabilities.py`)
    once : whether its adaptive steps ask projections for single corrections (`capabilities.py`)
    quick : whether they take what is quicker than rates, those nearby and projections where there is such a thing (the same)
    lanes : given this method, the same for states of LANES runs side by side (`algebra/lane_arrays.py`). No lane of its step may depend on another;
        it returns OK only when every lane does. None if there is none
    side_by_side : number of lanes in which it evaluates the stages of one step; 0: one after the other
    """

    name: str
    order: int
    step: Any
    constants: np.ndarray
    memory: Callable[[int], int]
    scratch: Callable[[int], int]
    stiff: Callable[[tuple[int, int, int]], Method] | None = None
    adaptive: bool = False
    drive: Any = None
    nearby: bool = False
    once: bool = False
    quick: bool = False
    needs: type[Rates] | type[Stages] | type[StageLanes] = Rates
    refuses: Callable[[Frozen], str] | None = None
    bind: Callable[[Any], Method] | None = None
    rescue: Callable[[], tuple[Any, int]] | None = None
    carry: Callable[[np.ndarray, int], np.ndarray] | None = None
    lanes: Callable[[Method], Method] | None = None
    side_by_side: int = 0

    def bound(self, formulation: Any) -> Method:
        """With the sizes of a `Formulation`, where it needs them; found once for those that follow each other with the same sizes."""
        if self.bind is None:
            return self
        sizes = formulation.state_size, formulation.work_size, formulation.rates, formulation.stages
        known: tuple[Any, Method] | None = self.__dict__.get("_bound")
        if known is None or known[0] != sizes:
            self.__dict__["_bound"] = known = sizes, self.bind(formulation)
        return known[1]

    @cached_property
    def watched(self) -> Method:
        """The same, with a step that returns STIFF when its iteration stalls."""
        constants = self.constants.copy()
        constants[WATCH] = 1.0
        return replace(self, constants=constants)
