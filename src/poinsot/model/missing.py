"""Placeholders for functions that a model file names but does not contain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from poinsot.errors import ModelError


@dataclass(frozen=True, eq=False)
class MissingFunction:
    """Placeholder where a model file names a function: files contain no code. The system can be inspected and drawn, not run.

    Attributes
    ----------
    name : of the function in the file
    sha256 : fingerprint of its source, or None if unknown
    size : how many numbers it returns, where that matters (signals)
    where : the element and the argument, in words
    """

    name: str
    sha256: str | None = None
    size: int = 1
    where: str = ""

    def __call__(self, *arguments: Any) -> Any:
        """Raise an error with the remedy."""
        raise ModelError(self.fault())

    def fault(self) -> str:
        """What is missing, and the remedy."""
        return (
            f"{self.where or 'model'}: its function '{self.name}' is named in the model file, which contains no code; "
            f'give it: po.read("model.yaml", functions={{"{self.name}": ...}})'
        )
