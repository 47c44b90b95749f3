"""Values and names in messages: shortened, and with the nearest right name."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from itertools import islice
from typing import TYPE_CHECKING, Any

LONGEST = 80  # characters of a value in a message
LOOKED_AT = 500  # names that are compared with a wrong one, at most
NEAR = 0.6  # similarity of names, from 0 to 1, that are taken for each other
LISTED = 12  # names in a message


def shown(value: Any) -> str:
    """A value in a message: elements by kind and name, others as Python writes them, in at most 80 characters."""
    label = getattr(type(value), "label", None)
    try:
        text = str(label(value)) if callable(label) else repr(value)
    except Exception:  # whatever a stranger's object does: an int of 5000 digits, for one, has no text
        text = f"a value of type {type(value).__name__}"
    text = " ".join(text.split())
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def nearest(word: Any, known: Iterable[Any], count: int = 1) -> list[str]:
    """Known names that look like a wrong one; only so many are looked at, so that this never takes long."""
    words = [name[:LONGEST] for name in islice(known, LOOKED_AT) if isinstance(name, str)]
    return get_close_matches(word[:LONGEST], words, count, NEAR) if isinstance(word, str) else []


def meant(word: Any, known: Iterable[Any]) -> str:
    """The end of a sentence about a wrong name: what it may have meant, or what there is."""
    names = [str(name) for name in known if not str(name).startswith("_")]
    near = nearest(word, names)
    if near:
        return f"did you mean '{near[0]}'?"
    listed = ", ".join(name[:LONGEST] for name in names[:LISTED])
    return f"it has {listed}{', ...' if len(names) > LISTED else ''}" if names else "it has none"


class NearNames:
    """An object whose attributes, when misspelt, are answered with the nearest right name."""

    if not TYPE_CHECKING:  # or every name would count as one that there is

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):
                raise AttributeError(f"{type(self).__name__} has no '{name}'", name=name, obj=self)
            if hasattr(type(self), name):  # a property that failed: its own words say more
                return object.__getattribute__(self, name)
            raise AttributeError(f"{self._called()} has no '{name}'; {meant(name, dir(self))}", name=name, obj=self)

    def _called(self) -> str:
        """What a message calls it."""
        return shown(self)
