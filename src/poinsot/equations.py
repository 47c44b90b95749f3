"""The equations of a run: those of the prepared system where it has its numbers or others in the same tables, otherwise built anew."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from poinsot.formulations.contract import Formulation
from poinsot.formulations.registry import check_accepted, formulate
from poinsot.layout.freeze import Frozen
from poinsot.layout.holding import holding, unwatch
from poinsot.model.given import altered
from poinsot.remembered import Remembered, remembering

Complete = tuple[Frozen, Formulation]  # tables of a formulation, and its equations


class Equations:
    """Of a prepared system: in its formulation, with all rows; `known`: those without some rows, found by earlier runs."""

    def __init__(self, frozen: Frozen, formulation: Formulation):
        self.frozen, self.formulation = frozen, formulation
        self.known: Remembered[Complete] = Remembered()

    def alike(self, bare: Frozen) -> bool:
        """Whether tables differ from those of the prepared system in numbers alone, axes of links included."""
        return bare.alike is self.frozen and bare.layout.motions is self.frozen.layout.motions

    def find(self, bare: Frozen, dropped: Sequence[int], idle: Collection[str], held: Mapping[str, Sequence[float]]) -> Complete:
        """Those of a system with these tables, without some rows; `idle` constraints do not act, and locks hold coordinates `held`."""
        if idle or held or not self.alike(bare):
            if not idle and not held and bare.alike is self.frozen and self.formulation.rows is not None:
                return self._turned(bare, dropped)
            return self._built(bare, dropped, idle, held)
        full, formulation = self._complete(dropped)
        if bare is self.frozen:
            return full, formulation
        if formulation.rows is None:
            return (bare, formulation) if formulation.weightless else self._built(bare, dropped, (), {})
        found = formulation.rows.refilled(full, bare)
        return self._built(bare, dropped, (), {}) if found is None else (found[0], altered(found[1], pack=formulation.pack))

    def _complete(self, dropped: Sequence[int]) -> Complete:
        """Those of the prepared system itself."""
        return self.known.get(tuple(dropped), lambda: self._built(self.frozen, dropped, (), {}))

    def _turned(self, bare: Frozen, dropped: Sequence[int]) -> Complete:
        """Those of refilled tables in which axes of links differ: completed anew, for elements whose geometry is that of the prepared system."""
        rows = self.formulation.rows
        assert rows is not None
        check_accepted(bare.drawn, self.formulation.name)
        tables, formulation = rows.without(bare.drawn, dropped)
        made = Frozen.refilled(self._complete(dropped)[0], tables.layout, lambda: rows.without(replace(bare), dropped)[0], bare.initial)
        return made, altered(formulation, pack=remembering(formulation.pack))

    def _built(self, bare: Frozen, dropped: Sequence[int], idle: Collection[str], held: Mapping[str, Sequence[float]]) -> Complete:
        tables, formulation = bare, self.formulation
        if formulation.rows is not None:
            check_accepted(bare, formulation.name)
            tables, formulation = formulation.rows.without(holding(bare, held), dropped)
            unwatch(tables, idle)
        elif bare is not self.frozen:
            formulation = formulate(bare, formulation.name)
        return tables, altered(formulation, pack=remembering(formulation.pack))
