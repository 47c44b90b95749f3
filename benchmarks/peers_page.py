"""The rows of `peers` as a table for pages: one line of each mechanism and accuracy, one column of each program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

SHORT = {"Pinocchio, DOP853 in Python": "Pinocchio"}
JOINED = {"MuJoCo": "MuJoCo, stiff"}  # open systems have no constraints to be stiff: one column


def page(rows: Sequence[dict[str, Any]]) -> str:
    """Markdown. Cells of other programs: their time over ours, bold where they are faster, or how far they come."""
    columns = list(dict.fromkeys(JOINED.get(row["program"], row["program"]) for row in rows))[1:]
    lines = [
        f"| mechanism | error | Poinsot, ms | by | {' | '.join(SHORT.get(name, name) for name in columns)} |",
        "|" + "---|" * (4 + len(columns)),
    ]
    for key in dict.fromkeys((row["mechanism"], row["accuracy"]) for row in rows):
        own, *others = [row for row in rows if (row["mechanism"], row["accuracy"]) == key]
        cells = {JOINED.get(row["program"], row["program"]): cell(row) for row in others}
        ours = f"{own['ms']:.2g}" if "ms" in own else "not reached"
        lines.append(f"| {' | '.join(key)} | {ours} | {own['setting']} | {' | '.join(cells.get(name, '') for name in columns)} |")
    return "\n".join(lines) + "\n"


def cell(row: dict[str, Any]) -> str:
    """What stands for a program in a line."""
    if "ratio above" in row:
        return f"> {digits(row['ratio above'])}"
    if "ratio" not in row:
        return row["setting"].replace(" at best", "")
    text = digits(row["ratio"])
    return f"**{text}**" if row["ratio"] < 1 else text


def digits(ratio: float) -> str:
    """Two of them."""
    return f"{ratio:.2g}" if ratio < 100 else f"{ratio:.0f}"
