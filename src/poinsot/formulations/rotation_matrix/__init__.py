"""Rotation-matrix formulation (dumitriu2016): positions and directors with their rates, every multiplier eliminated at every stage.

The paper's parameters are, for each body, a rotation matrix R and a pseudo-translation T with x(t) = T + R x(0) for every point of the
body, both relative to the pose of the drawing. They are a constant linear map of position and directors,

    D = R D(0),   x = T + R x(0),      R = D D(0)',   T = x - R x(0),

so that equations, multipliers and steps in one are those in the other. Here the directors are principal axes, in which the
Lyapunov equation of the body multipliers is diagonal (`lyapunov.py`). Rates are explicit, for every method of ordinary differential
equations; states are put back onto the constraints after accepted steps. Variants: `options.py`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

import numpy as np

from poinsot.elements.director_scalars import POSE
from poinsot.formulations.absolute.accepts import reasons_against
from poinsot.formulations.absolute.plane.places import room_size
from poinsot.formulations.absolute.plane.tables import AS_ASKED, which_kernels, why_spatial, with_plane
from poinsot.formulations.absolute.states import configured, unpack
from poinsot.formulations.absolute.tables import with_tables
from poinsot.formulations.absolute.work import StatePlaces
from poinsot.formulations.attitudes import of_directors
from poinsot.formulations.contract import Formulation, Rates, Rows
from poinsot.formulations.rotation_matrix.options import NAME, Options, parse
from poinsot.formulations.rotation_matrix.variant_places import variant_size
from poinsot.layout.freeze import Frozen
from poinsot.tables.records import Layout

VARIANTS = ("unstabilised",)  # for comparisons: what the projection of accepted states changes
FLAT = 1e-12  # least principal value of an Euler tensor relative to its largest


@dataclass(frozen=True)
class Variant:
    """The formulation with options (`options.py`)."""

    options: Options = Options()

    def accepts(self, frozen: Frozen) -> list[str]:
        """Why the model is not accepted."""
        reasons = reasons_against(frozen, NAME)
        if reasons or not self.explicit:
            return reasons
        if frozen.system.drives:
            return [f"{frozen.system.drives[0].label()} is a drive, which '{NAME}' takes without these options"]
        flat = np.flatnonzero(flat_bodies(frozen))
        return [f"body '{frozen.system.bodies[b - 1].name}' is flat, and '{self.options.name}' divides by its thickness" for b in flat]

    @property
    def explicit(self) -> bool:
        """Whether the multipliers of bodies are needed by themselves."""
        return self.options.one_step or self.options.printed or self.options.frozen

    def formulation(self, frozen: Frozen) -> Formulation:
        """The equations of a system, loops included, with all rows."""
        return self.complete(frozen)[1]

    def complete(self, frozen: Frozen, dropped: Collection[int] = ()) -> tuple[Frozen, Formulation]:
        """The tables of this formulation added to a frozen system, redundant rows left out, and the equations for them."""
        layout = with_tables(frozen, dropped, self.state_places)
        why = self.why_spatial(frozen, layout)
        frozen = replace(frozen, layout=layout if why else with_plane(layout))
        layout, at = frozen.layout, frozen.layout.places[0]
        at["variant"], at["damping"] = self.options.number, self.options.damping
        driven = len(layout.drives) > 0
        observe = _kernels("observe")
        equations = Formulation(
            name=self.options.name,
            observe_motion=observe.observe_motion,
            observe_loads=lambda: (_kernels("driven") if driven else observe).observe_loads,
            acceleration=lambda: observe.acceleration,
            state_size=int(at["state"]),
            work_size=int(at["work"]) + max(variant_size(layout, self.options.one_step), 0 if why else room_size(layout)),
            pack=lambda coordinates, speeds: self.pack(frozen, coordinates, speeds),
            unpack=lambda y: unpack(observe.observe_motion, layout, y),
            observe_multipliers=lambda: _kernels("multipliers").observe_multipliers,
            rates=self.rates(int(at["velocities"]), driven, not why),
            rows=Rows(self.complete, tuple(sorted(dropped))),
            grip=(lambda: _kernels("driven").observe_grip) if driven else None,
            continuous=False,
            attitudes=of_directors(len(layout.bodies)),
            sample=lambda: _kernels("sample").sample,
            kernels=which_kernels(layout, why),
        )
        return frozen, equations

    def why_spatial(self, frozen: Frozen, layout: Layout) -> str:
        """Why rates are computed in space; empty where they are computed in a plane."""
        if self.options.spatial:
            return AS_ASKED
        return why_spatial(frozen, layout) or ("" if self.options == Options() else "there are no others for these options")

    def rates(self, positions: int, driven: bool, planar: bool) -> Rates:
        """The kernels of this variant."""
        names = ((planar, "plane_rates"), (self.explicit, "variant_rates"), (driven, "driven"), (True, "rates"))
        own = _kernels(next(name for chosen, name in names if chosen))
        project = own.project if self.options.projected or self.explicit else _kernels("rates").leave
        return Rates(_kernels("positions").position_rate, own.velocity_rate, positions, project)

    def state_places(self, bodies: int, angles: int, drives: int) -> StatePlaces:
        """Where things lie in a state; held multipliers have the number of their step after the pivot."""
        velocities = POSE * bodies + angles
        looked = velocities + POSE * bodies
        return StatePlaces(velocities, POSE * bodies, looked, looked + 2 + self.options.frozen)

    def pack(self, frozen: Frozen, coordinates: np.ndarray, rates: np.ndarray) -> np.ndarray:
        """State y from joint coordinates and rates."""
        y, twists = configured(frozen, coordinates, rates)
        n, first = len(twists), int(frozen.layout.places["velocities"][0])
        D = y[: POSE * n].reshape(n, POSE)[:, 3:].reshape(n, 3, 3)
        velocities = y[first : first + POSE * n].reshape(n, POSE)
        velocities[:, :3] = twists[:, :3]
        velocities[:, 3:] = np.cross(twists[:, None, 3:], D.swapaxes(1, 2)).swapaxes(1, 2).reshape(n, 9)
        if self.options.frozen:
            y[int(frozen.layout.places["efforts"][0]) + 1] = 1.0
        return y


DEFAULT = Variant()
accepts, formulation, complete = DEFAULT.accepts, DEFAULT.formulation, DEFAULT.complete


def variant(options: str) -> Variant:
    """The formulation with these options, as users write them."""
    return Variant(parse(options))


def flat_bodies(frozen: Frozen) -> np.ndarray:
    """Which bodies (ground first) have a principal value of the Euler tensor that is zero."""
    euler = with_tables(frozen, (), DEFAULT.state_places).frames["euler"]
    return (euler.min(axis=1) <= FLAT * euler.max(axis=1)) & (np.arange(len(euler)) > 0)


def _kernels(name: str) -> Any:
    return import_module(f"poinsot.formulations.rotation_matrix.{name}")
