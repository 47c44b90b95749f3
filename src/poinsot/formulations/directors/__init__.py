"""Directors: centre of mass and three directors per body, constant mass matrix, constraint rows with multipliers (uhlar2008).

Takes every joint, loops, redundant constraints; the default for closed loops and long conservative runs.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from typing import Any, ClassVar

import numpy as np

from poinsot.elements.director_scalars import POSE
from poinsot.errors import FormulationError
from poinsot.formulations.absolute.accepts import reasons_against
from poinsot.formulations.absolute.numbers import with_numbers
from poinsot.formulations.absolute.plane.tables import (
    AS_ASKED,
    SPATIAL,
    reweighed,
    which_kernels,
    why_spatial,
    with_plane,
)
from poinsot.formulations.absolute.states import configured, unpack
from poinsot.formulations.absolute.tables import with_tables
from poinsot.formulations.absolute.work import MAX_STAGES, StatePlaces, stage_numbers
from poinsot.formulations.attitudes import of_directors
from poinsot.formulations.contract import Formulation, Rows, Stages
from poinsot.layout.freeze import Frozen
from poinsot.tables.records import Layout

NAME = "directors"


@dataclass(frozen=True)
class Spatial:
    """The formulation with the steps of spatial systems, whether a system is planar or not: a check of `plane/`."""

    def accepts(self, frozen: Frozen) -> list[str]:
        """Why the model is not accepted."""
        return accepts(frozen)

    def formulation(self, frozen: Frozen) -> Formulation:
        """The equations of a system, loops included, with all rows."""
        return complete(frozen, (), True)[1]


def variant(options: str) -> Spatial:
    """The formulation with an option, as users write it."""
    if options != SPATIAL:
        raise FormulationError(
            f"formulation '{NAME}' has the option '{SPATIAL}', not {options!r}: write '{NAME}:{SPATIAL}' or '{NAME}'"
        )
    return Spatial()


@dataclass(frozen=True)
class DirectorStages(Stages):
    """What the energy-momentum methods need.

    Attributes
    ----------
    kernels : of the loads and of the drives at the stages of a step
    bodies : how many, with the ground
    size : numbers of one stage: twists, multipliers, efforts of drives
    efforts : where in y the efforts of drives at the stages of the last step lie, and how many
    redundant : whether rows were left out
    why_spatial : why steps are not done in a plane; empty where they are
    """

    WORDS: ClassVar[str] = "director stages"
    bodies: int
    size: int
    efforts: tuple[int, int]
    redundant: bool
    why_spatial: str


def accepts(frozen: Frozen) -> list[str]:
    """Why the model is not accepted."""
    return reasons_against(frozen, NAME)


def formulation(frozen: Frozen) -> Formulation:
    """The equations of a system, loops included, with all rows; steps of planar ones are done in their plane (`plane/`)."""
    return complete(frozen)[1]


def complete(frozen: Frozen, dropped: Collection[int] = (), spatial: bool = False) -> tuple[Frozen, Formulation]:
    """The tables of this formulation added to a frozen system, redundant rows left out, and the equations for them.

    spatial : whether steps are those of spatial systems in any case
    """
    layout = with_tables(frozen, dropped, state_places)
    why = AS_ASKED if spatial else why_spatial(frozen, layout)
    return _equations(replace(frozen, layout=layout if why else with_plane(layout)), dropped, spatial, why)


def _refilled(dropped: Collection[int], spatial: bool, why: str, full: Frozen, bare: Frozen) -> tuple[Frozen, Formulation] | None:
    """Complete tables with the numbers of a system alike, where its principal axes are the same."""
    found = with_numbers(full, bare, lambda: complete(replace(bare), dropped, spatial)[0], None if why else reweighed)
    return None if found is None else _equations(found, dropped, spatial, why)


def _equations(frozen: Frozen, dropped: Collection[int], spatial: bool, why: str) -> tuple[Frozen, Formulation]:
    """Complete tables, and the equations for them; `why` steps are spatial, or nothing where they are not."""
    from poinsot.formulations.directors.observe import no_rate

    layout = frozen.layout
    at, driven = layout.places[0], len(layout.drives) > 0
    equations = Formulation(
        name=f"{NAME}:{SPATIAL}" if spatial else NAME,
        observe_motion=_kernels("observe_driven" if driven else "observe").observe_motion,
        observe_start=_kernels("observe").observe_motion if driven else None,
        observe_loads=lambda: _kernels("observe_driven" if driven else "at_state").observe_loads,
        acceleration=lambda: _kernels("at_state").acceleration,
        state_size=int(at["state"]),
        work_size=int(at["work"]) + (0 if why else _kernels("plane.places").plane_size(layout)),
        pack=lambda coordinates, rates: pack(frozen, coordinates, rates),
        unpack=lambda y: unpack(_kernels("observe").observe_motion, layout, y),
        stages=DirectorStages(
            (_loads(layout), _kernels("stage_drives").drive if driven else no_rate),
            len(layout.bodies),
            stage_numbers(layout),
            (int(at["efforts"]), MAX_STAGES * len(layout.drives)),
            len(dropped) > 0,
            why,
        ),
        kernels=which_kernels(layout, why),
        rows=Rows(
            lambda frozen, dropped: complete(frozen, dropped, spatial), tuple(sorted(dropped)), partial(_refilled, tuple(dropped), spatial, why)
        ),
        continuous=False,
        attitudes=of_directors(len(layout.bodies)),
        sample=lambda: _kernels("sample").sample,
        grip=(lambda: _kernels("observe_driven").observe_grip) if driven else None,
    )
    return frozen, equations


def _kernels(name: str) -> Any:
    return import_module(f"poinsot.formulations.directors.{name}")


def _loads(layout: Layout) -> Any:
    """The kernel of the loads, compiled only when there are any."""
    if not len(layout.loads):
        return _kernels("observe").no_rate
    return _kernels("stage_loads").add_loads


def state_places(bodies: int, angles: int, drives: int) -> StatePlaces:
    """State y: poses, velocities in the same order (of the centre of mass, derivatives of the directors), angles, efforts of drives
    at the stages of the last step, and the work of non-conservative loads.
    """
    efforts = 2 * POSE * bodies + angles
    return StatePlaces(POSE * bodies, 2 * POSE * bodies, efforts, efforts + MAX_STAGES * drives + 1)


def pack(frozen: Frozen, coordinates: np.ndarray, rates: np.ndarray) -> np.ndarray:
    """State y from joint coordinates and rates."""
    y, twists = configured(frozen, coordinates, rates)
    n = len(twists)
    poses, velocities = y[: POSE * n].reshape(n, POSE), y[POSE * n : 2 * POSE * n].reshape(n, POSE)
    D = poses[:, 3:].reshape(n, 3, 3)
    velocities[:, :3] = twists[:, :3]
    velocities[:, 3:] = np.cross(twists[:, None, 3:], D.swapaxes(1, 2)).swapaxes(1, 2).reshape(n, 9)
    return y
