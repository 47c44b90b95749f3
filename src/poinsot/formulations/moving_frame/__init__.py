"""Moving frame: the joint coordinates of the tree, by explicit B and Bdot, M* = B' M B and Cholesky (saetran2018).

The readable reference for `tree`: O(N^3). Loads, coordinates and observations are the tree's; accelerations are its own.
"""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module

from poinsot.formulations import tree
from poinsot.formulations.contract import Formulation
from poinsot.layout.freeze import Frozen
from poinsot.tables.records import N_V

NAME = "moving-frame"


def accepts(frozen: Frozen) -> list[str]:
    """Why the model is not accepted: every joint that closes a loop, every constraint other than a joint."""
    return tree.open_only(frozen, NAME)


def formulation(frozen: Frozen) -> Formulation:
    """The equations of an open system."""
    from poinsot.formulations.moving_frame.frames import frames_size
    from poinsot.formulations.moving_frame.rates import velocity_rate

    base = tree.formulation(frozen)
    room = frames_size(len(frozen.layout.links), int(frozen.layout.sizes[N_V]))
    assert base.rates is not None
    return replace(
        base,
        name=NAME,
        rates=replace(base.rates, velocity=velocity_rate),
        work_size=base.work_size + room,
        acceleration=lambda: import_module("poinsot.formulations.moving_frame.at_state").acceleration,
        inverse=lambda: import_module("poinsot.formulations.moving_frame.at_state").inverse,
    )
