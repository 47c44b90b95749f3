"""Newton-Euler formulation (hemami2002): positions, attitudes and velocities of all bodies, and one matrix of constraints on velocities.

Attitudes are quaternions. `"newton-euler:euler"` takes the Euler angles of the paper instead, and stops with an error near their
singularity; `"newton-euler:spatial"` computes planar systems in space too. Rates are explicit, for every method of ordinary differential
equations; states are put back onto the constraints after accepted steps.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from poinsot.elements.director_scalars import POSE
from poinsot.errors import FormulationError
from poinsot.formulations.absolute.accepts import reasons_against
from poinsot.formulations.absolute.plane.places import room_size
from poinsot.formulations.absolute.plane.tables import AS_ASKED, SPATIAL, which_kernels, why_spatial, with_plane
from poinsot.formulations.absolute.states import configured, set_controls, unpack
from poinsot.formulations.absolute.tables import with_tables
from poinsot.formulations.absolute.work import TWIST, StatePlaces
from poinsot.formulations.attitudes import of_quaternions
from poinsot.formulations.contract import Formulation, Rates, Rows
from poinsot.formulations.newton_euler.flags import EULER
from poinsot.layout.freeze import Frozen
from poinsot.model.words import suggestion
from poinsot.tables.records import Layout

NAME, OPTIONS = "newton-euler", ("quaternion", "euler", SPATIAL)


@dataclass(frozen=True)
class Variant:
    """The formulation with its choice of attitude, and of kernels for planar systems."""

    euler: bool = False
    spatial: bool = False

    @property
    def name(self) -> str:
        """As users write it."""
        return f"{NAME}:euler" if self.euler else f"{NAME}:{SPATIAL}" if self.spatial else NAME

    def accepts(self, frozen: Frozen) -> list[str]:
        """Why the model is not accepted."""
        return reasons_against(frozen, NAME)

    def formulation(self, frozen: Frozen) -> Formulation:
        """The equations of a system, loops included, with all rows."""
        return self.complete(frozen)[1]

    def complete(self, frozen: Frozen, dropped: Collection[int] = ()) -> tuple[Frozen, Formulation]:
        """The tables of this formulation added to a frozen system, redundant rows left out, and the equations for them."""
        layout = with_tables(frozen, dropped, self.state_places)
        why = self.why_spatial(frozen, layout)
        frozen = replace(frozen, layout=layout if why else with_plane(layout))
        layout, at = frozen.layout, frozen.layout.places[0]
        at["variant"], at["n_velocities"] = EULER * self.euler, TWIST * len(layout.bodies)
        driven = len(layout.drives) > 0
        own = _kernels("driven" if driven else "rates" if why else "plane_rates")
        observe = _kernels("observe")
        equations = Formulation(
            name=self.name,
            observe_motion=observe.observe_motion,
            observe_loads=lambda: (_kernels("driven") if driven else observe).observe_loads,
            acceleration=lambda: observe.acceleration,
            state_size=int(at["state"]),
            work_size=int(at["work"]) + (0 if why else room_size(layout)),
            pack=lambda coordinates, speeds: self.pack(frozen, coordinates, speeds),
            unpack=lambda y: unpack(observe.observe_motion, layout, y),
            rates=Rates(_kernels("positions").position_rate, own.velocity_rate, int(at["velocities"]), own.project),
            rows=Rows(self.complete, tuple(sorted(dropped))),
            grip=(lambda: _kernels("driven").observe_grip) if driven else None,
            continuous=False,
            attitudes=None if self.euler else of_quaternions(len(layout.bodies), self.stride),
            sample=lambda: _kernels("sample").sample,
            kernels=which_kernels(layout, why),
        )
        return frozen, equations

    def why_spatial(self, frozen: Frozen, layout: Layout) -> str:
        """Why rates are computed in space; empty where they are computed in a plane."""
        if self.spatial:
            return AS_ASKED
        return why_spatial(frozen, layout) or ("there are no others for Euler angles" if self.euler else "")

    @property
    def stride(self) -> int:
        """Numbers of a body's position and attitude in the state."""
        return 6 if self.euler else 7

    def state_places(self, bodies: int, angles: int, drives: int) -> StatePlaces:
        """Where things lie in a state; `angles` is their place in the configuration that kernels take."""
        velocities = self.stride * bodies + angles
        looked = velocities + TWIST * bodies
        return StatePlaces(velocities, POSE * bodies, looked, looked + 2)

    def pack(self, frozen: Frozen, coordinates: np.ndarray, rates: np.ndarray) -> np.ndarray:
        """State y from joint coordinates and rates."""
        configuration, twists = configured(frozen, coordinates, rates)
        n, at = len(twists), frozen.layout.places[0]
        y, first, angles = np.zeros(int(at["state"])), int(at["velocities"]), int(at["n_angles"])
        poses = configuration[: POSE * n].reshape(n, POSE)
        D = poses[:, 3:].reshape(n, 3, 3)
        bodies = y[: self.stride * n].reshape(n, self.stride)
        bodies[:, :3] = poses[:, :3]
        if self.euler:
            bodies[:, 3:] = Rotation.from_matrix(D @ np.swapaxes(frozen.layout.frames["axes"], 1, 2)).as_euler("XYZ")
        else:
            bodies[:, 3:] = Rotation.from_matrix(D).as_quat(scalar_first=True)
        y[self.stride * n : first] = configuration[POSE * n : POSE * n + angles]
        y[first : first + twists.size] = twists.ravel()
        set_controls(frozen.layout, y)
        return y


DEFAULT = Variant()
accepts, formulation, complete = DEFAULT.accepts, DEFAULT.formulation, DEFAULT.complete


def variant(options: str) -> Variant:
    """The formulation with an option, as users write it."""
    if options not in OPTIONS:
        raise FormulationError(f"formulation '{NAME}' has no option '{options}': {suggestion(options, OPTIONS)}")
    return Variant(options == "euler", options == SPATIAL)


def _kernels(name: str) -> Any:
    return import_module(f"poinsot.formulations.newton_euler.{name}")
