"""One mutation of the sources."""

from __future__ import annotations

from typing import NamedTuple


class Mutation(NamedTuple):
    """One place of the sources (relative to src/poinsot) and its replacement."""

    file: str
    what: str
    old: str
    new: str
    test: str
