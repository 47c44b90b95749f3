"""The tree with the kernels of spatial trees, whether the tree is planar or not: a check of `plane/`."""

from __future__ import annotations

from poinsot.formulations import tree
from poinsot.formulations.contract import Formulation
from poinsot.layout.freeze import Frozen

NAME = "tree:spatial"


def accepts(frozen: Frozen) -> list[str]:
    """Why the model is not accepted; see `tree`."""
    return tree.accepts(frozen)


def formulation(frozen: Frozen) -> Formulation:
    """The equations of a system."""
    return tree.equations(frozen, NAME, False)
