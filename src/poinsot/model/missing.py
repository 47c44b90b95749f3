"""Stand-ins for functions that a model file names but does not carry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from poinsot.errors import ModelError


@dataclass(frozen=True, eq=False)
class MissingFunction:
    """Stands where a model file names a function: files carry no code. The system can be looked at and drawn, not run.

    Attributes
    ----------
    name : of the function, as the file has it
    sha256 : fingerprint of what it was made from, or None where that was not known
    size : how many numbers it gives, where that matters (signals)
    where : the element and the argument, in words
    """

    name: str
    sha256: str | None = None
    size: int = 1
    where: str = ""

    def __call__(self, *arguments: Any) -> Any:
        """Fails, and says what to do."""
        raise ModelError(self.fault())

    def fault(self) -> str:
        """What is missing, and the remedy."""
        return (
            f"{self.where or 'model'}: its function '{self.name}' is named in the model file, which carries no code; "
            f'give it: po.read("model.yaml", functions={{"{self.name}": ...}})'
        )
