"""Results for spreadsheets: .csv, and .xlsx with openpyxl (the extra `excel`)."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.errors import PoinsotError, SettingsError
from poinsot.files.appearing import appearing
from poinsot.results.columns import columns, heading, usual
from poinsot.results.summary import HEADER, Line, line_of

if TYPE_CHECKING:
    from poinsot.results.quantities import Quantity
    from poinsot.results.trajectory import Trajectory

MOST_ROWS, MOST_COLUMNS = 1_048_576, 16_384  # of a sheet


def to_csv(run: Trajectory, path: Any, wanted: Sequence[str], degrees: bool, keep_residue: bool) -> Path:
    """One row per output, the time first; the header has names and units. Numbers have all their digits."""
    if Path(path).suffix.lower() != ".csv":
        raise SettingsError(f"to_csv: the file must be a .csv file, not '{Path(path).name}'")
    found = columns(run, wanted or usual(run), degrees, keep_residue)
    with appearing(path) as new, open(new, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(_headings(found))
        writer.writerows(_rows(run, found))
    return Path(path)


def to_excel(run: Trajectory, path: Any, wanted: Sequence[str], degrees: bool, keep_residue: bool) -> Path:
    """Sheets "results" as in a .csv file, "summary" and "audit"."""
    if Path(path).suffix.lower() != ".xlsx":
        raise SettingsError(f"to_excel: the file must be an .xlsx file, not '{Path(path).name}'")
    try:
        from openpyxl import Workbook
    except ImportError:
        raise PoinsotError("files for Excel need openpyxl: pip install 'poinsot[excel]'") from None
    found = columns(run, wanted or usual(run), degrees, keep_residue)
    if len(run.t) >= MOST_ROWS or len(found) >= MOST_COLUMNS:
        raise SettingsError(
            f"to_excel: a sheet has at most {MOST_ROWS} rows and {MOST_COLUMNS} columns, and this run needs {len(run.t) + 1} and {len(found) + 1}: "
            "choose fewer results, a larger output_step=, or write .csv"
        )
    book = Workbook(write_only=True)
    _sheet(book, "results", _headings(found), _rows(run, found))
    lines = [line_of(one) for one in found]
    _sheet(book, "summary", HEADER, map(_numbers, lines))
    _sheet(book, "audit", (f"Audit of '{run.system.name}'", ""), [(line[2:16].strip(), line[16:]) for line in str(run.audit).split("\n")[1:]])
    with appearing(path) as new:
        book.save(new)
    return Path(path)


def _headings(found: Iterable[Quantity]) -> list[str]:
    return ["t [s]", *(heading(one) for one in found)]


def _rows(run: Trajectory, found: Sequence[Quantity]) -> Iterable[list[float]]:
    return np.column_stack([run.t, *(one.values for one in found)]).tolist()


def _numbers(line: Line) -> tuple[Any, ...]:
    return line.name, line.unit, line.smallest, line.t_smallest, line.largest, line.t_largest, line.mean, line.rms


def _sheet(book: Any, title: str, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """A sheet whose header stays in sight. Text is text, also where it begins with "=": formulas in names are not evaluated."""
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Font

    sheet = book.create_sheet(title)
    sheet.freeze_panes = "B2"

    def cell(value: Any, bold: bool = False) -> Any:
        made = WriteOnlyCell(sheet, value=value)
        if isinstance(value, str):
            made.data_type = "s"
        if bold:
            made.font = Font(bold=True)
        return made

    sheet.append([cell(text, True) for text in header])
    for row in rows:
        sheet.append([cell(value) if isinstance(value, str) else value for value in row])
