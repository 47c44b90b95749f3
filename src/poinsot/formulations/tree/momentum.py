"""The tree with momenta in place of rates: Hamilton's equations, on which Gauss methods are symplectic. Written "tree:momentum"."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from poinsot.formulations import tree
from poinsot.formulations.attitudes import of_balls
from poinsot.formulations.contract import Formulation, Rates
from poinsot.layout.freeze import Frozen
from poinsot.tables.records import N_CONTROL, N_Q, N_ROOM, N_V

NAME = "tree:momentum"


def accepts(frozen: Frozen) -> list[str]:
    """Why the model is not accepted: it takes open systems."""
    return tree.open_only(frozen, NAME)


def formulation(frozen: Frozen) -> Formulation:
    """The equations of an open system in coordinates and momenta."""
    from poinsot.formulations.tree.momenta import momenta_size
    from poinsot.formulations.tree.work import work_size

    layout, kernels = frozen.layout, _kernels()
    nq, nv, control = (int(layout.sizes[k]) for k in (N_Q, N_V, N_CONTROL))
    own, links = nq + nv + control + 1, len(layout.links)
    work = work_size(links, len(layout.bodies), nv, own, frozen.links.slots, int(layout.sizes[N_ROOM])) + momenta_size(links, own)
    return Formulation(
        name=NAME,
        rates=Rates(kernels.position_rate, kernels.velocity_rate, 0),
        observe_motion=kernels.observe_motion,
        observe_loads=lambda: kernels.observe_loads,
        acceleration=lambda: kernels.acceleration,
        inverse=lambda: kernels.inverse,
        state_size=2 * nq + control + 1,
        work_size=work,
        pack=lambda coordinates, rates: pack(frozen, work, coordinates, rates),
        unpack=lambda y: unpack(frozen, work, y),
        sample=lambda: kernels.sample,
        attitudes=of_balls(layout),
        velocities=slice(nq, 2 * nq),
    )


def pack(frozen: Frozen, work: int, coordinates: np.ndarray, rates: np.ndarray) -> np.ndarray:
    """State y from joint coordinates and rates; `work` is the length of the work array."""
    given, layout = tree.pack(frozen, coordinates, rates), frozen.layout
    y = np.zeros(len(given) + int(layout.sizes[N_Q] - layout.sizes[N_V]))
    _kernels().from_tree(given, layout, np.zeros(work), y)
    return y


def unpack(frozen: Frozen, work: int, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Joint coordinates and rates of a state y; `work` is the length of the work array."""
    given = np.zeros(len(y) - int(frozen.layout.sizes[N_Q] - frozen.layout.sizes[N_V]))
    _kernels().to_tree(np.ascontiguousarray(y), frozen.layout, np.zeros(work), given)
    return tree.unpack(frozen, given)


def _kernels() -> Any:
    return import_module("poinsot.formulations.tree.momentum_kernels")
