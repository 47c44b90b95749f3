"""Rotation-matrix formulation (dumitriu2016): positions and directors with their rates, every multiplier eliminated at every stage.

The paper's parameters are, for each body, a rotation matrix R and a pseudo-translation T with x(t) = T + R x(0) for every point of the
body, both relative to the pose of the drawing. They are a constant linear map of position and directors,

    D = R D(0),   x = T + R x(0),      R = D D(0)',   T = x - R x(0),

so that equations, multipliers and steps in one are those in the other. Here the directors are principal axes, in which the
Lyapunov equation of the body multipliers is diagonal (`lyapunov.py`). Rates are explicit, for every method of ordinary differential
equations; states are put back onto the constraints after accepted steps.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from importlib import import_module
from typing import Any

import numpy as np

from poinsot.elements.director_scalars import POSE
from poinsot.formulations.absolute.accepts import reasons_against
from poinsot.formulations.absolute.states import configured, unpack
from poinsot.formulations.absolute.tables import with_tables
from poinsot.formulations.absolute.work import StatePlaces
from poinsot.formulations.contract import Formulation, Rates, Rows
from poinsot.layout.freeze import Frozen

NAME = "rotation-matrix"


def accepts(frozen: Frozen) -> list[str]:
    """Why the model is not accepted."""
    return reasons_against(frozen, NAME) + [f"{drive.label()} is a drive" for drive in frozen.system.drives]


def formulation(frozen: Frozen) -> Formulation:
    """The equations of a system, loops included, with all rows."""
    return complete(frozen)[1]


def complete(frozen: Frozen, dropped: Collection[int] = ()) -> tuple[Frozen, Formulation]:
    """The tables of this formulation added to a frozen system, redundant rows left out, and the equations for them."""
    frozen = replace(frozen, layout=with_tables(frozen, dropped, state_places))
    layout, at = frozen.layout, frozen.layout.places[0]
    rates, observe = _kernels("rates"), _kernels("observe")
    equations = Formulation(
        name=NAME,
        observe_motion=observe.observe_motion,
        observe_loads=lambda: observe.observe_loads,
        acceleration=lambda: observe.acceleration,
        state_size=int(at["state"]),
        work_size=int(at["work"]),
        pack=lambda coordinates, speeds: pack(frozen, coordinates, speeds),
        unpack=lambda y: unpack(observe.observe_motion, layout, y),
        rates=Rates(rates.position_rate, rates.velocity_rate, int(at["velocities"]), rates.project),
        rows=Rows(complete, tuple(sorted(dropped))),
        continuous=False,
    )
    return frozen, equations


def _kernels(name: str) -> Any:
    return import_module(f"poinsot.formulations.rotation_matrix.{name}")


def state_places(bodies: int, angles: int, drives: int) -> StatePlaces:
    """Where things lie in a state."""
    velocities = POSE * bodies + angles
    return StatePlaces(velocities, POSE * bodies, velocities + POSE * bodies, velocities + POSE * bodies + 2)


def pack(frozen: Frozen, coordinates: np.ndarray, rates: np.ndarray) -> np.ndarray:
    """State y from joint coordinates and rates."""
    y, twists = configured(frozen, coordinates, rates)
    n, first = len(twists), int(frozen.layout.places["velocities"][0])
    D = y[: POSE * n].reshape(n, POSE)[:, 3:].reshape(n, 3, 3)
    velocities = y[first : first + POSE * n].reshape(n, POSE)
    velocities[:, :3] = twists[:, :3]
    velocities[:, 3:] = np.cross(twists[:, None, 3:], D.swapaxes(1, 2)).swapaxes(1, 2).reshape(n, 9)
    return y
