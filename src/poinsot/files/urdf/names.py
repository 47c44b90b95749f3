"""Names of the elements of a robot: unique among all elements of a system, whereas files keep separate names for links, joints and others."""

from __future__ import annotations

from poinsot.errors import ModelWarning, warn
from poinsot.model.system import System


class Names:
    """Names for the elements of a system; those that had to be changed are named in one warning."""

    def __init__(self, file: str):
        self.file = file
        self.changed: list[str] = []

    def free(self, system: System, name: str, what: str) -> str:
        """A name that is not taken yet: the given one, or with what it names appended."""
        if name not in system.by_name:
            return name
        new = system.free_name(f"{name}_{what}") if f"{name}_{what}" in system.by_name else f"{name}_{what}"
        self.changed.append(f"{what} '{name}' is now '{new}'")
        return new

    def report(self) -> None:
        """Warn of names that were changed."""
        if self.changed:
            warn(f"{self.file}: names must be unique, so these were changed: {', '.join(self.changed)}", ModelWarning)
