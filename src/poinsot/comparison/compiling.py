"""Kernels that no run has needed yet: all processes compile them together, so that the one that plans the runs finds them on disk."""

from __future__ import annotations

from collections.abc import Sequence

from poinsot import warmup
from poinsot.comparison.workers import Piece, results
from poinsot.formulations import registry as formulations
from poinsot.integrators import registry as integrators
from poinsot.layout.freeze import Frozen
from poinsot.notice import notice

METHODS = "integrators"


def compile_ahead(frozen: Frozen, names: Sequence[str], methods: Sequence[str], workers: int) -> None:
    """Compile the kernels of formulations and integrators of which none are on disk, where there are several of them and several processes."""
    new = [name for name in names if not warmup.compiled_before(formulations.entry(name).module)]
    if workers < 2 or len({formulations.entry(name).module for name in new}) < 2:
        return
    notice.begin()
    group = -(-len(new) // workers)  # neighbours share kernels: one process compiles them
    pieces = [Piece(_formulate, (name,), str(k // group)) for k, name in enumerate(new)]
    pieces += [Piece(_find, (method,), METHODS) for method in methods]
    for _ in results(frozen, pieces, workers):
        notice.show()
    notice.end()


def _formulate(frozen: Frozen, name: str) -> None:
    module = formulations.find(name)
    if not module.accepts(frozen):
        module.formulation(frozen)


def _find(frozen: Frozen, method: str) -> None:
    integrators.find(method)
