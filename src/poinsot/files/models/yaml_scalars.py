"""Values of a YAML file with their lines, and what an unquoted word means."""

from __future__ import annotations

import math
import re
from typing import Any, NamedTuple

INTEGER = re.compile(r"[-+]?[0-9]+")
FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
SPECIAL = {".inf": math.inf, "+.inf": math.inf, "-.inf": -math.inf, ".nan": math.nan}
CONSTANTS = {"": None, "~": None, "null": None, "true": True, "false": False}
DIGITS = 400  # of a whole number


class Node(NamedTuple):
    """A value in a file. `data` is a dict of nodes, a list of nodes, a string, a number, True, False or None."""

    data: Any
    line: int
    key_line: int = 0  # of its key
    local: tuple[tuple[str, float], ...] = ()  # of a repeated element: its indices

    def plain(self) -> Any:
        """The same without line numbers."""
        if isinstance(self.data, dict):
            return {key: node.plain() for key, node in self.data.items()}
        return [node.plain() for node in self.data] if isinstance(self.data, list) else self.data


class TooLarge(ValueError):
    """A number that a float cannot hold; its text is the end of a sentence."""


def resolved(text: str) -> Any:
    """An unquoted word as interpreted by YAML 1.2."""
    if len(text) <= 5 and text.lower() in CONSTANTS and text in (text.lower(), text.upper(), text.capitalize()):
        return CONSTANTS[text.lower()]
    if INTEGER.fullmatch(text):
        if len(text) > DIGITS or math.isinf(float(text)):
            raise TooLarge("")
        return int(text)
    if FLOAT.fullmatch(text):
        number = float(text)
        if math.isinf(number):
            raise TooLarge("; infinity is written .inf")
        return number
    return SPECIAL.get(text.lower(), text) if len(text) <= 5 else text
