"""Values and names in messages: shortened, and with the nearest right name."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from itertools import islice
from typing import TYPE_CHECKING, Any

LONGEST = 80  # characters of a value in a message
LOOKED_AT = 500  # largest number of names that are compared with a wrong one
NEAR = 0.6  # least similarity of names, from 0 to 1, for a suggestion
LISTED = 12  # names listed in a message


def short_repr(value: Any) -> str:
    """A value in a message: elements by kind and name, others as Python writes them, in at most 80 characters."""
    label = getattr(type(value), "label", None)
    try:
        text = str(label(value)) if callable(label) else repr(value)
    except Exception:  # foreign objects may raise anything; an int of 5000 digits, for example, cannot be printed
        text = f"a value of type {type(value).__name__}"
    text = " ".join(text.split())
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def nearest(word: Any, known: Iterable[Any], count: int = 1) -> list[str]:
    """Known names that look like a wrong one; only the first `LOOKED_AT` are compared, so that this is always fast."""
    words = [name[:LONGEST] for name in islice(known, LOOKED_AT) if isinstance(name, str)]
    return get_close_matches(word[:LONGEST], words, count, NEAR) if isinstance(word, str) else []


def suggestion(word: Any, known: Iterable[Any]) -> str:
    """The end of a sentence about a wrong name: the nearest right one, or a list of those there are."""
    names = [str(name) for name in known if not str(name).startswith("_")]
    near = nearest(word, names)
    if near:
        return f"did you mean '{near[0]}'?"
    listed = ", ".join(name[:LONGEST] for name in names[:LISTED])
    return f"it has {listed}{', ...' if len(names) > LISTED else ''}" if names else "it has none"


class _Misspelt(AttributeError):
    """A name that an object does not have. Its message is made when it is read: most of these errors are answered by a default of `getattr`."""

    obj: Any

    def __str__(self) -> str:
        return f"{self.obj._called()} has no '{self.name}'; {suggestion(self.name, dir(self.obj))}"

    def __reduce__(self) -> Any:
        return AttributeError, (str(self),)


class NearNames:
    """An object that suggests the nearest right name when an attribute is misspelt."""

    if not TYPE_CHECKING:  # otherwise type checkers would accept every attribute

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):
                raise AttributeError(f"{type(self).__name__} has no '{name}'", name=name, obj=self)
            if hasattr(type(self), name):  # a property that failed: its own message says more
                return object.__getattribute__(self, name)
            raise _Misspelt(name=name, obj=self)

    def _called(self) -> str:
        """Its name in messages."""
        return short_repr(self)
