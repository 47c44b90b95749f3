"""The tree with loops: joint coordinates of the spanning tree, and rows with multipliers for what the tree does not satisfy by itself.

    M v' + J' lambda = F,   J v' = - bias,      (J M^-1 J') lambda = J M^-1 F + bias

J M^-1 J' is a sum of small products, joint by joint: with the elimination M = L' D L of the tree, row r has Y_r = D^-1/2 L'^-1 J_r', found
from its wrenches on two bodies along the way to the ground, and the matrix is Y Y'. A state is put back onto the constraints after
every accepted step. Rows are those of `formulations/absolute`, on the centres of mass and axes of the bodies.

    tables          rows on the spanning tree, and where things lie; `places`: their names
    configuration, seen    from joint coordinates to poses and twists of bodies; of those that rows or loads see
    loads           loads, those at joints that close loops too
    rows            wrenches of the rows along the tree, the matrix and its factor
    dynamics        accelerations and multipliers
    projection, once    states put back onto the constraints; by one correction where that is enough
    nearby, corrections    the rate beside a state at which it is known
    freedoms, by_freedoms    all of this for methods that do it in turn, where few motions are free
    drives, driven  coordinates that follow signals
    rates, observe, reactions, sample, at_state    what integrators and results ask for
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import cache, partial
from importlib import import_module
from typing import Any

import numpy as np

from poinsot.formulations.absolute.accepts import reasons_against, refuse_locked
from poinsot.formulations.absolute.numbers import with_numbers
from poinsot.formulations.absolute.states import set_controls, unpack
from poinsot.formulations.attitudes import of_balls
from poinsot.formulations.contract import Formulation, Rates, Rows
from poinsot.formulations.tree import which_kernels
from poinsot.formulations.tree.loops.tables import loose_angles, with_loops
from poinsot.integrators.capabilities import Nearby, Once, Quick
from poinsot.layout.freeze import Frozen
from poinsot.tables.records import N_Q, N_V, Layout

NAME = "tree"


def accepts(frozen: Frozen) -> list[str]:
    """Why a system with loops or drives is not accepted."""
    closing = {frozen.joints[k] for k in frozen.topology.loops}
    return reasons_against(frozen, NAME, closing)


def complete(frozen: Frozen, dropped: Collection[int] = (), name: str = NAME, plane: bool = True) -> tuple[Frozen, Formulation]:
    """The tables of the rows added to a frozen system, redundant rows left out, and the equations for them under a name.

    `plane`: planar systems get the rates of planar trees, where these take all their rows.
    """
    return _equations(replace(frozen, layout=with_loops(frozen, dropped)), dropped, name, plane)


def _equations(frozen: Frozen, dropped: Collection[int], name: str, plane: bool) -> tuple[Frozen, Formulation]:
    """Complete tables, and the equations for them."""
    layout, at = frozen.layout, frozen.layout.places[0]
    driven = len(layout.drives) > 0
    planar = plane and len(layout.plane_scalars) > 0
    rates = import_module("poinsot.formulations.tree.plane.loops.rates") if planar else _kernels("rates")
    own, observe = _kernels("driven") if driven else rates, _kernels("observe")  # which a second process compiles meanwhile
    nq, nv = int(layout.sizes[N_Q]), int(layout.sizes[N_V])
    nearby = None if driven else Nearby(rates.velocity_rate, lambda: beside("nearby").rate_nearby)
    once = None if driven else Once(rates.project, lambda: beside("once").project)
    quick = Quick(rates.velocity_rate, lambda: beside("by_freedoms").quick) if at["n_few"] > 0 else None

    @cache
    def beside(module: str) -> Any:
        return import_module(rates.__name__.replace("rates", module))

    equations = Formulation(
        name=name,
        observe_motion=observe.observe_motion,
        observe_loads=lambda: _kernels("driven" if driven else "reactions").observe_loads,
        acceleration=lambda: _kernels("at_state").acceleration,
        state_size=int(at["state"]),
        work_size=int(at["work"]),
        pack=lambda coordinates, speeds: pack(frozen, coordinates, speeds),
        unpack=lambda y: unpack(observe.observe_motion, layout, y),
        rates=Rates(rates.position_rate, own.velocity_rate, nq, own.project, nearby, once, quick),
        rows=Rows(partial(complete, name=name, plane=plane), tuple(sorted(dropped)), partial(_refilled, tuple(dropped), name, plane)),
        grip=(lambda: _kernels("driven").observe_grip) if driven else None,
        continuous=False,
        attitudes=of_balls(_of_tree(layout), free=False),
        velocities=slice(nq, nq + nv),
        sample=lambda: _kernels("sample").sample,
        kernels=which_kernels(frozen, planar, plane),
    )
    return frozen, equations


def _refilled(dropped: Collection[int], name: str, plane: bool, full: Frozen, bare: Frozen) -> tuple[Frozen, Formulation] | None:
    """Complete tables with the numbers of a system alike; rows are those of bodies' centres of mass and axes, whatever their masses."""
    found = with_numbers(full, bare, lambda: complete(replace(bare), dropped, name, plane)[0])
    return None if found is None else _equations(found, dropped, name, plane)


def pack(frozen: Frozen, coordinates: np.ndarray, rates: np.ndarray) -> np.ndarray:
    """State y from joint coordinates and rates; those of joints that close loops give their unwrapped angles only."""
    from poinsot.formulations.tree.coordinates import pack

    layout, at = frozen.layout, frozen.layout.places[0]
    refuse_locked(frozen, coordinates, frozen.alike.topology.loops)
    y = np.zeros(int(at["state"]))
    pack(coordinates, rates, _of_tree(layout), y)
    first = int(layout.sizes[N_Q] + layout.sizes[N_V])
    angles = loose_angles(layout, coordinates)
    y[first : first + len(angles)] = angles
    set_controls(layout, y)
    return y


def _of_tree(layout: Layout) -> Layout:
    """The layout with the motions of tree joints only."""
    return layout._replace(motions=layout.motions[layout.motions["link"] >= 0])


def _kernels(name: str) -> Any:
    return import_module(f"poinsot.formulations.tree.loops.{name}")
