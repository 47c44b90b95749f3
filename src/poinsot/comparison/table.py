"""A comparison as text: what it rests on, the table, and what was left out."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from poinsot.comparison.row import Row

if TYPE_CHECKING:
    from poinsot.comparison.comparison import Comparison

WIDTH = 150  # characters of a line of words
WRONG = 0.3  # error, relative to the size of the mechanism or in rad, of a run in which nothing is right any more
NAMES = 3  # columns that are words

Column = tuple[str, Callable[[Row], str]]


def text(comparison: Comparison) -> str:
    """The whole comparison."""
    rows = comparison.rows
    failed = sum(bool(row.failure) for row in rows)
    unfinished = "" if comparison.complete else ", unfinished"
    lines = [
        f"Comparison of '{comparison.system.name}': {comparison.duration:g} s, {len(rows)} runs{f', {failed} failed' * bool(failed)}{unfinished}",
        *_entry("reference", comparison.reference.words),
        *_entry("error", _meaning(comparison)),
        *_entry("chaos", comparison.growth.words + _warning(comparison)),
        *_entry("timing", comparison.timing),
        "",
        *_table(comparison),
    ]
    if failed:
        lines += ["", "Failed:", *(line for words in _failures(rows) for line in _wrapped(words))]
    if comparison.left_out:
        lines += ["", "Left out:", *(line for one in comparison.left_out for line in _wrapped(str(one)))]
    return "\n".join(lines)


def _failures(rows: Sequence[Row]) -> list[str]:
    """Failed runs with their messages; those of a formulation that differ only in numbers, together, with the first message."""
    alike: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        if row.failure:
            alike.setdefault((row.formulation, re.sub(r"[\d.]+", "0", row.failure)), []).append(row)
    found = []
    for same in alike.values():
        first, more = same[0], len(same) - 1
        others = f" and {more} more run{'s' * (more > 1)} of it" if more else ""
        found.append(f"{first.name}, {first.setting}{others}: {first.failure}")
    return found


def _wrapped(words: str) -> list[str]:
    return textwrap.wrap(words, WIDTH, initial_indent="  ", subsequent_indent="    ")


def _entry(name: str, words: str) -> list[str]:
    return textwrap.wrap(words, WIDTH - 12, initial_indent=f"  {name:10}", subsequent_indent=" " * 12)


def _meaning(comparison: Comparison) -> str:
    if comparison.reference.agreement is None:
        return "not known; drifts and times are reported alone"
    return (
        f"largest at {len(comparison.t)} times: of positions relative to the size of the mechanism, {comparison.reference.size:.3g} m, "
        "or of attitudes in rad, whichever is larger"
    )


def _warning(comparison: Comparison) -> str:
    if not any(row.grown for row in comparison.rows):
        return ""
    return "; errors marked g are mostly such growth, early is the error until it has reached a factor e"


def _table(comparison: Comparison) -> list[str]:
    rows = comparison.rows
    columns: list[Column] = [
        ("formulation", lambda row: row.formulation),
        ("integrator", lambda row: row.integrator),
        ("step, rtol", lambda row: f"{row.step:.6g} s" if row.step is not None else f"{row.rtol:.0e}"),
        ("error", error_words),
    ]
    optional: list[Column] = [
        ("early", lambda row: _number(row.error_before_growth)),
        ("energy", lambda row: _number(row.energy_drift_relative)),
        ("momentum", lambda row: _number(row.momentum_drift)),
        ("ang. mom.", lambda row: _number(row.angular_momentum_drift)),
        ("attitude", lambda row: _number(row.attitude_drift)),
        ("gap [m]", lambda row: _number(row.gap_metres)),
        ("gap [rad]", lambda row: _number(row.gap_radians)),
        ("halved", lambda row: str(row.halvings) if row.halvings else "-"),
    ]
    columns += [column for column in optional if any(column[1](row) != "-" for row in rows)]
    columns += [
        ("steps", lambda row: str(row.steps) if not row.failure else "-"),
        ("evaluations", lambda row: str(row.evaluations) if not row.failure else "-"),
        ("time [s]", lambda row: _number(row.seconds) + ("" if row.undisturbed else "~")),
        ("us/step", lambda row: "-" if row.seconds_per_step is None else f"{1e6 * row.seconds_per_step:.3g}"),
    ]
    cells = [[title for title, _ in columns], *([show(row) for _, show in columns] for row in rows)]
    widths = [max(len(line[k]) for line in cells) for k in range(len(columns))]
    sides = ["<"] * NAMES + [">"] * (len(columns) - NAMES)
    return ["  ".join(f"{cell:{side}{width}}" for cell, side, width in zip(line, sides, widths)).rstrip() for line in cells]


def error_words(row: Row) -> str:
    """The error of a row: a number, a bound, or why there is none."""
    if row.failure:
        return "failed"
    if row.error is None:
        return "-"
    if not row.error_known:
        return f"<= {row.error:.1e}"
    return f"{row.error:.1e}" + " g" * row.grown + " wrong" * (row.error > WRONG)


def _number(value: float | None) -> str:
    return "-" if value is None else "0" if value == 0 else f"{value:.1e}" if value < 1e-2 or value >= 1e4 else f"{value:.3g}"
