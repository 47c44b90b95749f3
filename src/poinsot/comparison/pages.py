"""The page of a comparison: runs overlaid, with the table as its description."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from poinsot.comparison.row import Row
from poinsot.comparison.table import error_words
from poinsot.errors import SettingsError
from poinsot.model.words import short_repr
from poinsot.view.page import MOST_RUNS, write_html

if TYPE_CHECKING:
    from poinsot.comparison.comparison import Comparison


def write_page(comparison: Comparison, path: Any, rows: Sequence[Row] | None, options: dict[str, Any]) -> Any:
    """Compute the runs of these rows again, or of the most accurate of each formulation, and write the page."""
    chosen = best_of_each(comparison) if rows is None else list(rows)
    if not chosen:
        raise SettingsError("write_html: no run of this comparison reached its end; there is nothing to show")
    if not all(isinstance(row, Row) for row in chosen):
        raise SettingsError(f"write_html: rows must be rows of this comparison, such as comparison.rows[:3], not {short_repr(rows)}")
    if len(chosen) > MOST_RUNS:
        raise SettingsError(f"write_html: {len(chosen)} runs are too many for one page; give up to {MOST_RUNS}")
    runs = [comparison.run(row) for row in chosen]
    names = [f"{row.name}, {row.setting}" for row in chosen]
    described = "; ".join(f"{name}: error {error_words(row)}" for name, row in zip(names, chosen))
    return write_html(runs, path, **({"names": names, "description": described} | options))


def best_of_each(comparison: Comparison) -> list[Row]:
    """The most accurate run of each formulation, up to as many as a page shows; by drift of energy where errors are not known."""
    best: dict[str, Row] = {}
    for row in comparison.succeeded:
        if row.formulation not in best or _rank(row) < _rank(best[row.formulation]):
            best[row.formulation] = row
    return list(best.values())[:MOST_RUNS]


def _rank(row: Row) -> tuple[float, float]:
    error = row.error if row.error is not None else row.energy_drift_relative or 0.0
    return error, row.seconds or 0.0
