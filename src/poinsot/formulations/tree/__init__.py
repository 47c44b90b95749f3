"""Tree: relative joint coordinates on their groups, forward dynamics in O(N). The default for open systems."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from poinsot.formulations.contract import Formulation, Rates
from poinsot.layout.freeze import Frozen
from poinsot.tables.records import N_C, N_Q, N_R, N_V

NAME = "tree"


def accepts(frozen: Frozen, name: str = NAME) -> list[str]:
    """Why the model is not accepted: every joint that closes a loop, every constraint other than a joint."""
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
    """The equations of an open system."""
    from poinsot.formulations.tree.observe import observe_motion
    from poinsot.formulations.tree.rates import position_rate, velocity_rate
    from poinsot.formulations.tree.work import work_size

    layout = frozen.layout
    nq, nv = int(layout.sizes[N_Q]), int(layout.sizes[N_V])
    members = int(layout.loads["items"].max(initial=0))
    return Formulation(
        name=NAME,
        rates=Rates(position_rate, velocity_rate, nq),
        observe_motion=observe_motion,
        observe_loads=lambda: import_module("poinsot.formulations.tree.reactions").observe_loads,
        stiffness=lambda: _stiffness(len(layout.links)),
        acceleration=lambda: import_module("poinsot.formulations.tree.at_state").acceleration,
        inverse=lambda: import_module("poinsot.formulations.tree.at_state").inverse,
        state_size=nq + nv + 1,
        work_size=work_size(len(layout.links), len(layout.bodies), nv, nq + nv + 1, frozen.links.slots, members),
        pack=lambda coordinates, rates: pack(frozen, coordinates, rates),
        unpack=lambda y: unpack(frozen, y),
    )


def _stiffness(links: int) -> tuple[Any, tuple[int, int, int]]:
    from poinsot.formulations.tree.stiffness import sizes, stiffness

    return stiffness, sizes(links)


def pack(frozen: Frozen, coordinates: np.ndarray, rates: np.ndarray) -> np.ndarray:
    """State y of the tree from joint coordinates and rates, in the order of `layout.motions`."""
    from poinsot.formulations.tree.coordinates import pack

    y = np.zeros(int(frozen.layout.sizes[N_Q] + frozen.layout.sizes[N_V]) + 1)
    pack(coordinates, rates, frozen.layout, y)
    return y


def unpack(frozen: Frozen, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Joint coordinates and rates of a state y."""
    from poinsot.formulations.tree.coordinates import joint_coordinates, joint_rates

    layout = frozen.layout
    coordinates, rates = np.zeros(int(layout.sizes[N_C])), np.zeros(int(layout.sizes[N_R]))
    joint_coordinates(y, layout, coordinates)
    joint_rates(y, np.ascontiguousarray(y[layout.sizes[N_Q] :]), layout, rates)
    return coordinates, rates
