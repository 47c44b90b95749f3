"""Tables as text for terminals and as HTML for notebooks. All text is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

CELL = "text-align:left;padding:2px 10px 2px 0;vertical-align:top"
RIGHT = "text-align:right;padding:2px 10px 2px 0;font-variant-numeric:tabular-nums"


def text_table(header: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> str:
    """Columns with two spaces between them; those whose numbers are in `right` end at the same place."""
    lines = [list(header), *(list(row) for row in rows)]
    widths = [max(len(line[k]) for line in lines) for k in range(len(header))]
    padded = [[cell.rjust(w) if k in right else cell.ljust(w) for k, (cell, w) in enumerate(zip(line, widths))] for line in lines]
    return "\n".join("  ".join(line).rstrip() for line in padded)


def html_table(header: Sequence[str], rows: Sequence[Sequence[str]], caption: str = "", right: Sequence[int] = ()) -> str:
    """The same for notebooks; an empty header is left out."""
    head = "".join(f"<th style='{RIGHT if k in right else CELL}'>{escape(cell)}</th>" for k, cell in enumerate(header))
    body = "".join(
        "<tr>" + "".join(f"<td style='{RIGHT if k in right else CELL}'>{escape(cell)}</td>" for k, cell in enumerate(row)) + "</tr>" for row in rows
    )
    top = f"<caption style='{CELL};font-weight:bold'>{escape(caption)}</caption>" if caption else ""
    return f"<table>{top}{f'<thead><tr>{head}</tr></thead>' if any(header) else ''}<tbody>{body}</tbody></table>"
