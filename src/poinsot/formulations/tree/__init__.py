"""Tree: relative joint coordinates on their groups, forward dynamics in O(N). The default for open systems."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from poinsot.algebra.bounds import LANES
from poinsot.errors import FormulationError
from poinsot.formulations.attitudes import of_balls
from poinsot.formulations.contract import Formulation, Rates
from poinsot.integrators.capabilities import Lanes, StageLanes
from poinsot.layout.feedback import initial_controls
from poinsot.layout.freeze import Frozen
from poinsot.tables.records import N_C, N_CONTROL, N_Q, N_R, N_ROOM, N_SLOTS, N_V

NAME = "tree"
VARIANTS = ("momentum",)  # for comparisons
OPTIONS = (*VARIANTS, "spatial")


def accepts(frozen: Frozen) -> list[str]:
    """Why the model is not accepted; open ones without drives are."""
    if frozen.closed or frozen.alike.system.drives:
        from poinsot.formulations.tree.loops import accepts

        return accepts(frozen)
    return []


def open_only(frozen: Frozen, name: str) -> list[str]:
    """Why a formulation of this name that takes open systems does not accept a model: every joint that closes a loop, every constraint
    other than a joint, every drive.
    """
    loops = [
        f"{joint.label()} closes a loop (between '{joint.first.name}' and '{joint.second.name}'), and '{name}' accepts open "
        "systems only"
        for joint in (frozen.joints[k] for k in frozen.topology.loops)
    ]
    return (
        loops
        + [
            f"{constraint.label()} is not a joint, and '{name}' accepts joints only"
            for constraint in frozen.system.constraints
        ]
        + [
            f"{drive.label()} prescribes coordinates, which '{name}' does not support; 'directors' does"
            for drive in frozen.system.drives
        ]
    )


def formulation(frozen: Frozen) -> Formulation:
    """The equations of a system; closed ones get rows with multipliers (`loops/`), planar ones rates in their plane (`plane/`)."""
    return equations(frozen, NAME, True)


def equations(frozen: Frozen, name: str, plane: bool) -> Formulation:
    """The equations under a name; `plane`: planar systems get the rates of planar trees."""
    if frozen.closed or frozen.alike.system.drives:
        from poinsot.formulations.tree.loops import complete

        return complete(frozen, (), name, plane)[1]
    from poinsot.formulations.tree.work import lane_work_size, stage_work_size, work_size

    layout = frozen.layout
    planar = plane and len(layout.plane_links) > 0
    kernels = import_module(f"poinsot.formulations.tree.{'plane.' if planar else ''}rates")
    from poinsot.formulations.tree.observe import observe_motion  # on a first run another process compiles it meanwhile

    nq, nv = int(layout.sizes[N_Q]), int(layout.sizes[N_V])
    state = nq + nv + int(layout.sizes[N_CONTROL]) + 1
    size = work_size(len(layout.links), len(layout.bodies), nv, state, int(layout.sizes[N_SLOTS]), int(layout.sizes[N_ROOM]))
    lanes = stages = None
    if not planar:
        lanes = Lanes(kernels.velocity_rate, _lanes, LANES * nq, lane_work_size(size, state))
        if not len(layout.addresses) and not layout.sizes[N_CONTROL]:
            stages = StageLanes(kernels.velocity_rate, _stage_lanes, nq, stage_work_size(size, state))
    return Formulation(
        name=name,
        rates=Rates(kernels.position_rate, kernels.velocity_rate, nq, lanes=lanes, stage_lanes=stages),
        observe_motion=observe_motion,
        observe_loads=lambda: import_module("poinsot.formulations.tree.reactions").observe_loads,
        stiffness=lambda: _stiffness(len(layout.links)),
        acceleration=lambda: import_module("poinsot.formulations.tree.at_state").acceleration,
        inverse=lambda: import_module("poinsot.formulations.tree.at_state").inverse,
        state_size=state,
        work_size=size,
        pack=lambda coordinates, rates: pack(frozen, coordinates, rates),
        unpack=lambda y: unpack(frozen, y),
        sample=lambda: import_module("poinsot.formulations.tree.sample").sample,
        attitudes=of_balls(layout),
        weightless=True,
        kernels=which_kernels(frozen, planar, plane),
    )


def which_kernels(frozen: Frozen, planar: bool, wanted: bool) -> str:
    """What a formulation says of its kernels: whether those for planar systems are used, and were wanted."""
    if planar or not len(frozen.layout.plane_links):
        return "in the plane" if planar else ""
    return "in space, there are no others for these drives or constraints" if wanted else "in space, as was asked for"


def variant(options: str) -> Any:
    """The tree with an option: "momentum" for momenta in place of rates, "spatial" for the kernels of spatial trees in planar ones too."""
    if options not in OPTIONS:
        known, written = ", ".join(f"'{name}'" for name in OPTIONS), " or ".join(f"'{NAME}:{name}'" for name in OPTIONS)
        raise FormulationError(f"formulation '{NAME}' has the options {known}, not {options!r}: write {written} or '{NAME}'")
    return import_module(f"poinsot.formulations.tree.{options}")


def _stiffness(links: int) -> tuple[Any, tuple[int, int, int]]:
    from poinsot.formulations.tree.stiffness import sizes, stiffness

    return stiffness, sizes(links)


def _lanes() -> tuple[Any, Any]:
    from poinsot.formulations.tree.lanes.rates import position_rate, velocity_rate

    return position_rate, velocity_rate


def _stage_lanes() -> tuple[Any, Any]:
    from poinsot.formulations.tree.lanes.stage_rates import stage_position_rate, stage_velocity_rate

    return stage_position_rate, stage_velocity_rate


def pack(frozen: Frozen, coordinates: np.ndarray, rates: np.ndarray) -> np.ndarray:
    """State y of the tree from joint coordinates and rates, in the order of `layout.motions`."""
    from poinsot.formulations.tree.coordinates import pack

    controls = initial_controls(frozen.layout)
    y = np.zeros(int(frozen.layout.sizes[N_Q] + frozen.layout.sizes[N_V]) + len(controls) + 1)
    pack(coordinates, rates, frozen.layout, y)
    y[len(y) - 1 - len(controls) : -1] = controls
    return y


def unpack(frozen: Frozen, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Joint coordinates and rates of a state y."""
    from poinsot.formulations.tree.coordinates import joint_coordinates, joint_rates

    layout = frozen.layout
    coordinates, rates = np.zeros(int(layout.sizes[N_C])), np.zeros(int(layout.sizes[N_R]))
    joint_coordinates(y, layout, coordinates)
    joint_rates(y, np.ascontiguousarray(y[layout.sizes[N_Q] :]), layout, rates)
    return coordinates, rates
