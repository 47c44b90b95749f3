"""A table of compared numbers: those of a paper, ours, the allowed difference, and the verdict."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

AGREES, DIFFERS = "agrees", "differs"


@dataclass(frozen=True)
class Row:
    """One number. `known`, that of the paper or of a reference, is written as it is printed; its digits give those shown, and the allowed difference.

    With `allowed`, that is the allowed difference. With `at_most`, ours may be anything up to the known number. With `remark`, the row is
    shown but not judged. `ratio` is the known number over ours, where only this matters.
    """

    name: str
    known: str
    ours: float
    allowed: float | None = None
    at_most: bool = False
    remark: str = ""
    ratio: float | None = None

    @property
    def difference_allowed(self) -> float | None:
        """As given, or one unit of the last digit of the known number; None for rows that are only bounded or not judged."""
        if self.remark or self.at_most or self.allowed is not None:
            return self.allowed
        return 10.0 ** -len(self.known.partition(".")[2])

    @property
    def verdict(self) -> str:
        """agrees, differs, or the remark of a row that is not judged."""
        if self.remark:
            return self.remark
        known, allowed = float(self.known), self.difference_allowed
        if not math.isfinite(self.ours):
            return DIFFERS
        good = self.ours <= known if allowed is None else abs(self.ours - known) <= allowed
        return AGREES if good else DIFFERS

    def cells(self) -> tuple[str, ...]:
        """Name, known number, ours, allowed difference and verdict, as printed."""
        allowed = self.difference_allowed
        bound = "at most" if self.at_most else "" if allowed is None else f"{allowed:.0e}"
        return self.name, self.known, self._ours(), bound, self.verdict

    def _ours(self) -> str:
        if "e" in self.known:
            return f"{self.ours:.2e}"
        if self.remark:
            return f"{self.ours:.0f}" if self.ours == round(self.ours) else f"{self.ours:.3g}"
        return f"{self.ours:.{len(self.known.partition('.')[2]) + 1}f}"

    def to_dict(self, column: str) -> dict[str, Any]:
        """By readable keys, for JSON; `column` names the known number."""
        found = {
            "name": self.name,
            column: float(self.known),
            "ours": float(self.ours),
            "allowed_difference": self.difference_allowed,
            "at_most": self.at_most,
            "judged": not self.remark,
            "verdict": self.verdict,
        }
        return found if self.ratio is None else {**found, "ratio": self.ratio}


@dataclass(frozen=True)
class Section:
    """Rows that belong together; `source` is the origin of the numbers that ours are compared with.

    The rows of a `detail` are all in the JSON; the text has one line for them, and the rows that differ.
    """

    title: str
    source: str
    rows: list[Row]
    detail: bool = False
    printed: bool = False  # whether the paper prints these numbers, all of them

    @property
    def column(self) -> str:
        """What heads these numbers."""
        return "paper" if self.printed else "reference"

    @property
    def shown(self) -> list[Row]:
        """The rows shown in the text."""
        return [row for row in self.rows if row.verdict == DIFFERS] if self.detail else self.rows

    def summary(self) -> str:
        """How many rows agree."""
        judged = [row for row in self.rows if not row.remark]
        good = sum(row.verdict == AGREES for row in judged)
        rest = len(self.rows) - len(judged)
        return f"{good} of {len(judged)} numbers agree" + (f"; {rest} more are shown and not judged" if rest else "")


@dataclass
class Study:
    """The cases of a paper compared with ours. `print(study)` shows the table."""

    name: str
    title: str
    sections: list[Section] = field(default_factory=list)
    notes: dict[str, list[str]] = field(default_factory=dict)
    corrections: dict[str, str] = field(default_factory=dict)  # errors of the paper: what is correct
    figures: list[str] = field(default_factory=list)  # files
    pages: list[str] = field(default_factory=list)  # files

    @property
    def rows(self) -> list[Row]:
        """All rows."""
        return [row for section in self.sections for row in section.rows]

    @property
    def agrees(self) -> bool:
        """Whether no row differs."""
        return all(row.verdict != DIFFERS for row in self.rows)

    def summary(self) -> str:
        """In one sentence."""
        return Section(self.title, "", self.rows).summary() + "."

    def to_dict(self) -> dict[str, Any]:
        """By readable keys, for JSON."""
        sections = [
            {
                "title": section.title,
                "source": section.source,
                "column": section.column,
                "summary": section.summary(),
                "rows": [row.to_dict(section.column) for row in section.rows],
            }
            for section in self.sections
        ]
        return {
            "study": self.name,
            "title": self.title,
            "agrees": self.agrees,
            "summary": self.summary(),
            "sections": sections,
            "corrections": [{"where": where, "correction": text} for where, text in self.corrections.items()],
            "notes": self.notes,
            "figures": self.figures,
            "pages": self.pages,
        }

    def __str__(self) -> str:
        head = ("", "paper", "ours", "allowed", "verdict")
        cells = [row.cells() for section in self.sections for row in section.shown]
        heads = [(head[0], section.column, *head[2:]) for section in self.sections]
        widths = [max(len(line[k]) for line in [head, *heads, *cells]) for k in range(5)]
        lines = [self.title, "=" * len(self.title)]
        for section, head in zip(self.sections, heads):
            if section.detail:
                lines += ["", f"{section.title}  [{section.source}]: {section.summary()}."]
            else:
                lines += ["", f"{section.title}  [{section.source}]", _line(head, widths)]
            lines += [_line(row.cells(), widths) for row in section.shown]
        if self.corrections:
            lines += ["", "Errors of the paper, corrected here:"]
            lines += [f"  - {where}: {text}" for where, text in self.corrections.items()]
        for title, items in self.notes.items():
            lines += ["", f"{title}:", *(f"  - {item}" for item in items)]
        return "\n".join([*lines, "", self.summary()])


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    name, known, ours, allowed, verdict = cells
    w = widths
    return f"  {name:{w[0]}}  {known:>{w[1]}}  {ours:>{w[2]}}  {allowed:>{w[3]}}  {verdict}"
