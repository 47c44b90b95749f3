"""Docstrings of the package say `name : what it is, unit`, on one line where it fits. Here that becomes a list for Napoleon."""

import inspect
import re
from typing import Any

SECTIONS = ("Parameters", "Attributes", "Raises")


def rewrite(lines: list[str]) -> list[str]:
    """The same lines, with the description of every parameter below its name."""
    found: list[str] = []
    section = ""
    for k, line in enumerate(lines):
        following = lines[k + 1] if k + 1 < len(lines) else ""
        if re.fullmatch(r"\s*-{3,}\s*", following):
            section = line.strip()
        entry = re.match(r"(\s*)([\w*][\w*, ]*?) : (.*)", line) if section in SECTIONS else None
        if entry and len(entry[1]) == len(lines[0]) - len(lines[0].lstrip()):
            found += [f"{entry[1]}{entry[2]}", f"{entry[1]}    {entry[3]}"]
        else:
            found.append(line)
    return found


def process(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Called by autodoc for every docstring, before Napoleon."""
    lines[:] = with_bars(rewrite(lines))


def with_bars(lines: list[str]) -> list[str]:
    """A bar is that of an absolute value."""
    return [line.replace("|", "\\|") for line in lines]


def as_written(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Called after Napoleon, which takes what precedes a colon in the first line of a property for its type."""
    if what == "property" and (text := inspect.getdoc(thing)):
        lines[:] = [*with_bars(text.splitlines()), ""]


def setup(app: Any) -> None:
    """Listen to autodoc."""
    app.connect("autodoc-process-docstring", process, priority=100)
    app.connect("autodoc-process-docstring", as_written, priority=900)
