"""The contract of a formulation, and how to add one.

1. A formulation is one module or folder here, with a function `formulation(frozen) -> Formulation` (see below),
   and one line in `registry.py`. Its kernels are imported only when it is chosen, and know joints only as motions and
   rows of the layout, never by name.
2. `accepts(frozen)` gives reasons in words why a model is not accepted; empty when it is.
3. The state is y = (q, v, w), see `integrators/contract.py`; `position_rate` and `velocity_rate` have the type
   RATE. All scratch lives in `work`.
4. `pack(coordinates, rates)` turns joint coordinates and rates (in the order of `layout.motions`) into y; `unpack` turns y back.
5. Whatever the formulation computes with, results speak of the same things. `observe_motion(t, y, layout, work,
   row)` and the kernel that `observe_loads()` gives (compiled only when asked for), both of type RATE, fill:

       motion row: per body (ground first) position of the origin 3, quaternion 4, velocity of the origin 3, angular
       velocity 3, in the world;
                   joint coordinates; joint rates; kinetic and potential energy, momentum, angular momentum about the world origin
       loads row:  per body acceleration of the origin 3 and angular acceleration 3, world; per joint reaction force
       and torque on the second body at its joint frame, world
                   axes, constraint part only; power of all loads that are no potential force; per row of
                   `layout.loads` its effort 3 and power; per row of `layout.drives` its effort and power
6. `at_state()` gives a module or object with kernels `acceleration` and `inverse`: (t, y, given, layout, work,
   result) -> status, in joint rates.
7. `stiffness()`, if a formulation has it, gives a kernel of type STIFFNESS, (task, t, y, kappa, layout, work,
   middle, factors, x, scratch) -> status, and the lengths of `middle`, `factors` and `scratch`. With M v' = f(q, v),
   C = -df/dv, K = -df/dq, roughly: LINEARISE takes them at y into `middle`, FACTOR factors M + kappa C + kappa^2 K
   into `factors`, SOLVE replaces x (nv) by (M + kappa C + kappa^2 K)^-1 M x. It is compiled only when stages stall.
8. A formulation with multipliers has no rates; it brings methods of its own (`Method.formulations`), and with
   `complete(frozen, dropped)` the tables that its kernels need beside those of every layout, without the rows
   that are redundant, and the equations for them. `bodies` and `stage_size` tell these methods how much to keep.
   `dropped` are the rows left out; y does not depend on them, so that a run may change them between two steps.
   With drives, `grip()` gives a kernel of type RATE that fills the output-input matrix, and `efforts` says where in y
   the efforts at the stages of the last step lie, and how many. `continuous` tells whether its quaternions change
   without jumps of sign; those of matrices do not.
9. All formulations of one model agree: `tests/formulations/` compares each with the oracle on random models.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

import numpy as np

from poinsot.elements.energy import ENERGIES
from poinsot.layout.freeze import Frozen
from poinsot.tables.records import N_C, N_R, Layout

POSE = 13  # numbers of a body in a motion row


@dataclass(frozen=True)
class Formulation:
    """Equations of one frozen system, ready for an integrator. See the contract in this module's docstring."""

    name: str
    position_rate: Any
    velocity_rate: Any
    observe_motion: Any
    observe_loads: Callable[[], Any]
    at_state: Callable[[], Any]
    stiffness: Callable[[], tuple[Any, tuple[int, int, int]]] | None
    state_size: int
    work_size: int
    pack: Callable[[np.ndarray, np.ndarray], np.ndarray]
    unpack: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
    complete: Callable[[Frozen, Collection[int]], tuple[Frozen, Formulation]] | None = None
    bodies: int = 0
    stage_size: int = 0
    continuous: bool = True
    grip: Callable[[], Any] | None = None
    efforts: tuple[int, int] = (0, 0)
    dropped: tuple[int, ...] = ()

    @property
    def multipliers(self) -> bool:
        """Whether joints are held by multipliers; otherwise the coordinates are the joints'."""
        return self.complete is not None


def motion_row(layout: Layout) -> int:
    """Length of a motion row."""
    return POSE * len(layout.bodies) + int(layout.sizes[N_C] + layout.sizes[N_R]) + ENERGIES


def loads_row(layout: Layout) -> int:
    """Length of a loads row."""
    return 6 * (len(layout.bodies) + len(layout.joints)) + 1 + 4 * len(layout.loads) + 2 * len(layout.drives)
