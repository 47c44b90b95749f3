"""The contract of a formulation, and how to add one.

1. A formulation is one module or folder here, with the functions `accepts(frozen)` and `formulation(frozen) ->
   Formulation` (see below), and one line in `registry.py`. Its kernels are imported only when it is chosen, and know
   joints only as motions and rows of the layout, never by name.
2. `accepts(frozen)` returns the reasons why a model is not accepted; empty when it is. A formulation with variants has
   `variant(options)`, which returns something with the same two functions; users write the options after a colon.
3. A formulation states what it can do by the capabilities it has; methods state which of them they need
   (`Method.needs`), and runs are assembled from that alone:

       rates    `Rates`: y' = f(t, y), for every method of ordinary differential equations. The state is y = (q, v, w),
                see `integrators/contract.py`; the first `positions` numbers of y are q.
                Its `lanes` are rates of several variants of the model at once, for sweeps, its `stage_lanes` rates at several stages of a
                step at once; both are compiled on first use.
       stages   a `Stages` of its own type, for methods written for this formulation.
       rows     `Rows`: joints are enforced by constraint rows with multipliers. Starts are assembled, redundant rows are
                left out, and the audit reports the gaps of the joints.
       stiffness, inverse, grip, observe_multipliers: see below.

4. All scratch is in `work`. `pack(coordinates, rates)` converts joint coordinates and rates (in the order of
   `layout.motions`) to y; `unpack` converts y back.
5. Results have the same meaning in all formulations. `observe_motion(t, y, layout, work, row)` and the
   kernel returned by `observe_loads()` (compiled on first use), both of type RATE, fill:

       motion row: per body (ground first) position of the origin 3, quaternion 4, velocity of the origin 3, angular
       velocity 3, in the world;
                   joint coordinates; joint rates; kinetic and potential energy, momentum, angular momentum about the world origin
       loads row:  per body acceleration of the origin 3 and angular acceleration 3, world; per joint reaction force
       and torque on the second body at its joint frame, world
                   axes, constraint part only; power of all non-conservative loads; per row of
                   `layout.loads` its effort 3 and power; per row of `layout.drives` its effort and power
6. `acceleration()`, and `inverse()` where there is one, give kernels (t, y, given, layout, work, result) -> status, in
   joint rates: accelerations from efforts at the joints, and efforts from accelerations.
7. `stiffness()` gives a kernel of type STIFFNESS, (task, t, y, kappa, layout, work, arrays) -> status,
   with the arrays middle, factors, x and scratch, and the lengths of `middle`, `factors` and `scratch`. With M v' = f(q, v),
   C = -df/dv, K = -df/dq, roughly: LINEARISE takes them at y into `middle`, FACTOR factors M + kappa C + kappa^2 K into
   `factors`, SOLVE replaces x (nv) by (M + kappa C + kappa^2 K)^-1 M x. It is compiled only when stages stall.
8. `observe_start`, where `observe_motion` makes outputs of drives follow their signals, is the same kernel without that.
   `observe_multipliers()` gives a kernel of type RATE that fills the multipliers of all rows of `layout.rows`, with the sign of
   M a + G' lambda = F, then six of every body (ground first). With drives, `grip()` gives a kernel of type RATE that
   fills the output-input matrix. `sample()` gives a kernel of type RATE that calls the sampled laws whose time has come and keeps their
   samples in y; it returns SAMPLED when there were any. `continuous` tells whether
   its quaternions change without jumps of sign; those of matrices do not. `velocities`:
   where in y the numbers lie that an impulse changes; None: those of the tree's state, or those that `layout.places` names.
   `weightless`: `pack` and `unpack` depend on structure and geometry alone, not on masses or parameters of loads.
9. `attitudes`, where states hold quaternions, directors or matrices, tells where they lie, and how far they are from unit length or orthonormality
   (`attitudes.py`); the audit reports that of attitudes that nothing normalises. `VARIANTS` of the module lists
   the options, as users write them after the colon, that `compare` runs in addition to the formulation itself.
   `kernels` is "in the plane" where kernels for planar systems are used, or "in space" and why, where all joints move parallel to a plane.
10. All formulations of one model agree: `tests/formulations/` compares each with the oracle on random models.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.elements.energy import ENERGIES
from poinsot.integrators.capabilities import Rates, Stages
from poinsot.tables.records import N_C, N_R, Layout

if TYPE_CHECKING:  # kernels import constants from here, and must not depend on the model
    from poinsot.formulations.attitudes import Attitudes
    from poinsot.layout.freeze import Frozen

__all__ = ["BODY_MOTION", "Formulation", "Rates", "Rows", "Stages", "loads_row", "motion_row"]

BODY_MOTION = 13  # numbers of a body in a motion row


@dataclass(frozen=True)
class Rows:
    """Constraint rows with multipliers.

    Attributes
    ----------
    without : returns tables and equations without the given rows; y does not depend on the rows left out, so
        a run may change them between two steps
    dropped : rows that are left out
    refilled : from tables of this formulation, and tables of a system that has the same structure and geometry and other numbers (`Frozen.refilled`),
        those of that system in this formulation, and its equations; None where they must be built anew, also because states of the two systems are
        not packed from joint coordinates alike: the pack of those that there are is used for both
    """

    without: Callable[[Frozen, Collection[int]], tuple[Frozen, Formulation]]
    dropped: tuple[int, ...] = ()
    refilled: Callable[[Frozen, Frozen], tuple[Frozen, Formulation] | None] = lambda full, bare: None


@dataclass(frozen=True)
class Formulation:
    """Equations of one frozen system, ready for an integrator. See the contract in this module's docstring."""

    name: str
    observe_motion: Any
    observe_loads: Callable[[], Any]
    acceleration: Callable[[], Any]
    state_size: int
    work_size: int
    pack: Callable[[np.ndarray, np.ndarray], np.ndarray]
    unpack: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
    rates: Rates | None = None
    stages: Stages | None = None
    rows: Rows | None = None
    stiffness: Callable[[], tuple[Any, tuple[int, int, int]]] | None = None
    inverse: Callable[[], Any] | None = None
    grip: Callable[[], Any] | None = None
    observe_multipliers: Callable[[], Any] | None = None
    observe_start: Any = None
    sample: Callable[[], Any] | None = None
    continuous: bool = True
    velocities: slice | None = None
    weightless: bool = False
    attitudes: Attitudes | None = None
    kernels: str = ""

    @property
    def multipliers(self) -> bool:
        """Whether joints are enforced by multipliers; otherwise the state consists of joint coordinates."""
        return self.rows is not None

    @property
    def dropped(self) -> tuple[int, ...]:
        """Rows that are left out."""
        return self.rows.dropped if self.rows is not None else ()

    def capability(self, needed: type) -> Any:
        """The capability of this type, or None."""
        if isinstance(self.rates, needed):
            return self.rates
        stages = self.rates.stage_lanes if self.rates is not None else None
        return next((found for found in (self.stages, stages) if isinstance(found, needed)), None)


def motion_row(layout: Layout) -> int:
    """Length of a motion row."""
    return BODY_MOTION * len(layout.bodies) + int(layout.sizes[N_C] + layout.sizes[N_R]) + ENERGIES


def loads_row(layout: Layout) -> int:
    """Length of a loads row."""
    return 6 * (len(layout.bodies) + len(layout.joints)) + 1 + 4 * len(layout.loads) + 2 * len(layout.drives)
