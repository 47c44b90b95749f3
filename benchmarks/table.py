"""What a benchmark module returns: a table that prints aligned and goes to JSON as it stands."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

NOT_INSTALLED = "not installed (make bench installs it)"


def verdict(reached: bool) -> str:
    """The word in the last column."""
    return "reached" if reached else "not reached"


@dataclass
class Table:
    """Rows of named cells; a cell is text or a number. `notes` are printed below."""

    title: str
    rows: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, **cells: Any) -> None:
        """Append a row; underscores in names of columns become blanks."""
        self.rows.append({name.replace("_", " "): cell for name, cell in cells.items()})

    def __str__(self) -> str:
        columns = list(dict.fromkeys(name for row in self.rows for name in row))
        lines = [[shown(row.get(name, "")) for name in columns] for row in self.rows]
        widths = [max(len(line[k]) for line in [columns, *lines]) for k in range(len(columns))]
        left = [any(isinstance(row.get(name), str) for row in self.rows) for name in columns]
        body = [columns, ["-" * width for width in widths], *lines]
        text = ["  ".join(c.ljust(w) if l else c.rjust(w) for c, w, l in zip(line, widths, left)) for line in body]
        return "\n".join([self.title, "", *(line.rstrip() for line in text), "", *self.notes]).rstrip()


def shown(cell: Any) -> str:
    """A cell as text: numbers to three digits."""
    return f"{cell:.3g}" if isinstance(cell, float) else str(cell)
