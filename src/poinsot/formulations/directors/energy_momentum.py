"""Energy-momentum methods on directors, orders 2, 4 and 6: energy, momenta and constraints at rounding for any step size.

Gauss collocation with the constraints imposed on the stage velocities. One stage is the scheme of uhlar2008; with an
even number of stages the velocity is reflected at the end of each step, which keeps the part that the constraints do not allow small. The state
is not projected, except after steps by Newton's method next to a singular position (`directors/give_back.py`).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.elements.director_scalars import POSE
from poinsot.formulations.directors import DirectorStages
from poinsot.formulations.directors.energy_momentum_memory import EM_KEPT, LOOKED, LOST, NOTES
from poinsot.formulations.directors.iteration import EM_ITERATIONS, EM_STAGNATION, EM_TOLERANCE, REDUNDANT, TENSION
from poinsot.formulations.directors.stage_places import (
    EM_INVERSE,
    EM_MATRIX,
    EM_NODES,
    EM_OMEGA,
    EM_STAGES,
    EM_TABLEAU,
    EM_WEIGHTS,
)
from poinsot.integrators.contract import Method
from poinsot.integrators.gauss_tableau import gauss_tableau, inverse_tableau
from poinsot.integrators.march import no_rescue

if TYPE_CHECKING:
    from poinsot.formulations.contract import Formulation
    from poinsot.layout.freeze import Frozen

NAMES = {1: "energy-momentum", 2: "energy-momentum-4", 3: "energy-momentum-6"}
TENSIONS = {
    1: 0.25,
    2: 0.04,
    3: 0.015,
}  # geometric stiffness in the matrix of the iteration, in h^2: exact for one stage
STEPS_KEPT = {1: 8, 2: 4, 3: 3}  # at most, for the prediction of the next step: as many as predict best
TOLERANCES = {1: 1e-16, 2: 1e-17, 3: 1e-16}  # what remains has one sign with two stages, and adds up


def _kernels(name: str) -> Any:
    return import_module(f"poinsot.formulations.directors.{name}")


def lagrange(nodes: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Values (points, nodes) of the Lagrange polynomials of the nodes."""
    result = np.ones((len(points), len(nodes)))
    for i, node in enumerate(nodes):
        for other in np.delete(nodes, i):
            result[:, i] *= (points - other) / (node - other)
    return result


def rescue(bodies: int, unknowns: int, planar: bool) -> tuple[Any, int]:
    """The step by Newton's method, and the scratch that it needs."""
    step = _kernels("plane.rescue").plane_rescue if planar else _kernels("energy_momentum_newton").newton_step
    return step, POSE * bodies + _kernels("newton_equations").room_size(unknowns)


def carried(memory: np.ndarray, size: int, common: int) -> np.ndarray:
    """A memory of this size with what sums of poses lost and nothing to predict from: multipliers belong to rows."""
    new = np.zeros(size)
    new[LOOKED:common] = memory[LOOKED:common]
    return new


def refuse_drives(frozen: Frozen) -> str:
    """Why a method with an even number of stages does not take a system."""
    drives = frozen.system.drives
    return (
        f"{drives[0].label()}: motions and servos need an odd number of stages, because the velocity reflection at the end of an even-stage "
        f"step would change the energy; use {NAMES[3]} or {NAMES[1]}"
        if drives
        else ""
    )


def method(stages: int, tolerance: float | None = None, stagnation: float = 1e-12, iterations: int = 40) -> Method:
    """The energy-momentum method with this number of stages, and of twice that order.

    Parameters
    ----------
    stages : 1 to 3
    tolerance : what may remain of the error of the stage twists, relative to the largest; adds up over steps; default: TOLERANCES
    stagnation : error below which stages count as converged when iterations bring no further improvement
    iterations : most iterations of a step before it is tried at half its size
    """
    s, kept = stages, STEPS_KEPT[stages]
    coefficients, weights, nodes, _ = gauss_tableau(s)
    inverse, omega = inverse_tableau(s)
    constants = np.zeros(EM_TABLEAU)
    constants[[EM_TOLERANCE, EM_STAGNATION, EM_ITERATIONS, EM_KEPT, TENSION, EM_STAGES]] = (
        TOLERANCES[s] if tolerance is None else tolerance,
        stagnation,
        iterations,
        kept,
        TENSIONS[s],
        s,
    )
    for position, row in ((EM_NODES, nodes), (EM_WEIGHTS, weights), (EM_OMEGA, omega)):
        constants[position : position + s] = row
    for position, matrix in ((EM_MATRIX, coefficients), (EM_INVERSE, inverse)):
        for i in range(s):
            constants[position + 3 * i : position + 3 * i + s] = matrix[i]
    predictions = [
        lagrange(np.concatenate([nodes - m for m in range(1, known + 1)]), nodes).ravel()
        for known in range(1, kept + 1)
    ]

    def bind(formulation: Formulation) -> Method:
        stages = formulation.stages
        assert isinstance(stages, DirectorStages)
        bodies, own = stages.bodies, constants.copy()
        size = LOST + POSE * bodies + kept * s * stages.size + NOTES
        own[REDUNDANT] = float(stages.redundant)
        planar = not stages.why_spatial
        if planar:
            step = _kernels(f"plane.{'one_stage' if s == 1 else 'several_stages'}").plane_step
        elif s == 1 and stages.efforts[1] == 0:
            step = _kernels("one_stage_step").one_stage_step
        else:
            step = _kernels("energy_momentum_step").energy_momentum_step
        return Method(
            name=NAMES[s],
            order=2 * s,
            step=step,
            constants=np.concatenate([own, *predictions]),
            memory=lambda ny: size,
            scratch=lambda ny: POSE * bodies,
            needs=DirectorStages,
            carry=lambda memory, ny: carried(memory, size, LOST + POSE * bodies),
            rescue=lambda: rescue(bodies, s * stages.size, planar),
        )

    return Method(
        NAMES[s],
        2 * s,
        no_rescue,  # the step of a formulation is found when it is known
        constants,
        lambda ny: 0,
        lambda ny: 0,
        needs=DirectorStages,
        refuses=refuse_drives if s % 2 == 0 else None,
        bind=bind,
    )
