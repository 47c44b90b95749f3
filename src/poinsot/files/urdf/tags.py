"""XML read into tags that know their line, and the faults found in them. Nothing in a file is executed or fetched."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

import numpy as np

from poinsot.algebra.bounds import LARGEST
from poinsot.errors import ModelError
from poinsot.files.models.yaml_text import escaped
from poinsot.model.words import nearest

DEPTH = 100  # of nested tags
MOST = 100  # faults that are reported at once
CHUNK = 4096  # bytes
SHOWN = 60  # characters of a value in a message


@dataclass
class Tag:
    """An XML element: its name, its attributes, the tags and the text in it, its line."""

    name: str
    attributes: dict[str, str]
    line: int
    inside: list[Tag] = field(default_factory=list)
    text: str = ""

    def all(self, name: str) -> list[Tag]:
        """The tags of a name directly in it."""
        return [tag for tag in self.inside if tag.name == name]

    def first(self, name: str) -> Tag | None:
        """The first tag of a name directly in it."""
        return next((tag for tag in self.inside if tag.name == name), None)


def parse(content: bytes, name: str) -> Tag:
    """The outermost tag of an XML text; `name` identifies the text in errors."""
    parser = expat.ParserCreate()
    root = Tag("", {}, 0)
    open_tags = [root]

    def begin(tag: str, attributes: dict[str, str]) -> None:
        line = parser.CurrentLineNumber
        if len(open_tags) > DEPTH:
            raise ModelError(f"{name}:{line}: tags are nested too deeply: more than {DEPTH} levels")
        new = Tag(tag, attributes, line)
        open_tags[-1].inside.append(new)
        open_tags.append(new)

    def end(tag: str) -> None:
        open_tags.pop()

    def text(part: str) -> None:
        open_tags[-1].text += part

    def doctype(*_: Any) -> None:
        raise ModelError(f"{name}:{parser.CurrentLineNumber}: a document type has no meaning here; leave out <!DOCTYPE ...>")

    parser.StartElementHandler, parser.EndElementHandler = begin, end
    parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = text, doctype
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        words = expat.errors.messages[error.code]
        raise ModelError(f"{name}:{error.lineno}: this is not XML: {words}; look at this line and those before it") from None
    except (ValueError, LookupError) as error:
        raise ModelError(f"{name}: this is not XML: {error}") from None
    return root.inside[0]


def root_name(content: bytes) -> str:
    """The name of the outermost tag of an XML text; empty where there is none."""
    parser, found = expat.ParserCreate(), []
    parser.StartElementHandler = lambda tag, attributes: found.append(tag)
    for begin in range(0, len(content), CHUNK):
        try:
            parser.Parse(content[begin : begin + CHUNK], False)
        except (expat.ExpatError, ValueError, LookupError):
            break
        if found:
            break
    return found[0] if found else ""


class Notes:
    """Faults of a file, which are raised all at once, and what was not taken from it."""

    def __init__(self, file: str):
        self.file = file
        self.faults: list[str] = []
        self.untaken: dict[str, list[str]] = {}  # by what it is: where it is

    def fault(self, tag: Tag, words: str, file: str = "") -> None:
        """A fault at the line of a tag; `file`: where that is not the file itself, such as an included one."""
        self.faults.append(f"{file or self.file}:{tag.line}: {escaped(words)}")
        if len(self.faults) == MOST:
            self.faults.append(f"{self.file}: has more faults; correct these first")
            raise ModelError(self.faults)

    def leave(self, what: str, where: str) -> None:
        """Something that is not taken."""
        self.untaken.setdefault(what, []).append(where)

    def unknown(self, tag: Tag, known: tuple[str, ...]) -> None:
        """Name the tags directly in one that have no meaning there."""
        for inside in tag.inside:
            if inside.name not in known:
                close = nearest(inside.name, known)
                hint = f" (did you mean <{close[0]}>?)" if close else ""
                self.leave(escaped(f"unknown tag <{_short(inside.name)}> in <{tag.name}>{hint}"), f"line {inside.line}")

    def words(self) -> str:
        """What was not taken, in one sentence; empty when there is nothing."""
        return "; ".join(f"{what} ({_listed(where)})" for what, where in self.untaken.items())

    # --- values ----------------------------------------------------------------------------------------------------

    def word(self, tag: Tag, attribute: str, label: str) -> str:
        """An attribute that must be there; empty, with a fault, when it is not."""
        found = tag.attributes.get(attribute, "")
        if not found.strip():
            self.fault(tag, f'{label}: <{tag.name}> lacks {attribute}="..."')
        return found

    def numbers(self, tag: Tag | None, attribute: str, count: int, label: str, default: tuple[float, ...] | None = None) -> np.ndarray:
        """Numbers of an attribute; the default where it is not given, and after a fault."""
        instead = np.array((0.0,) * count if default is None else default)
        if tag is None or attribute not in tag.attributes:
            if tag is not None and default is None:
                self.fault(tag, f'{label}: <{tag.name}> lacks {attribute}="{" ".join(["..."] * count)}"')
            return instead
        given = tag.attributes[attribute]
        try:
            values = np.array([float(part) for part in given.split()])
        except ValueError:
            values = np.zeros(0)
        if values.shape != (count,) or not all(math.isfinite(x) and abs(x) <= LARGEST for x in values):
            what = "a number" if count == 1 else f"{count} numbers"
            remedy = f"; give finite ones of at most {LARGEST:g}" if values.shape == (count,) else ""
            self.fault(tag, f"{label}: {attribute} of <{tag.name}> must be {what}, not '{_short(given)}'{remedy}")
            return instead
        return values

    def number(self, tag: Tag | None, attribute: str, label: str, default: float | None = None) -> float:
        """One number."""
        return float(self.numbers(tag, attribute, 1, label, None if default is None else (default,))[0])

    def place(self, tag: Tag, label: str) -> tuple[np.ndarray, np.ndarray]:
        """The <origin> in a tag: position (3,) and rotation (3, 3)."""
        origin = tag.first("origin")
        position = self.numbers(origin, "xyz", 3, label, (0.0, 0.0, 0.0))
        return position, from_rpy(self.numbers(origin, "rpy", 3, label, (0.0, 0.0, 0.0)))


def from_rpy(angles: np.ndarray) -> np.ndarray:
    """Rotation (3, 3) by roll, pitch and yaw (rad): about the fixed axes x, then y, then z."""
    (cr, cp, cy), (sr, sp, sy) = np.cos(angles), np.sin(angles)
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )


def _short(text: str) -> str:
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


def _listed(where: list[str]) -> str:
    """The first of several places, and how many more there are."""
    return ", ".join(where[:3]) + (f" and {len(where) - 3} more" if len(where) > 3 else "")
