"""Where the meshes of a robot are; those that are missing are named."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Meshes:
    """Finds mesh files: relative to the robot's file, or in packages.

    `package://name/rest` is looked for in the folders of `packages` and of the environment variable ROS_PACKAGE_PATH, and in the
    folders above the file; in each as `folder/name/rest`, and as `folder/rest` where the folder is called `name`.
    """

    def __init__(self, file: Path, packages: Sequence[str | os.PathLike[str]]):
        self.folder = file.parent
        given = [Path(folder) for folder in packages]
        ros = [Path(folder) for folder in os.environ.get("ROS_PACKAGE_PATH", "").split(os.pathsep) if folder]
        self.search = [*given, *ros, *file.absolute().parents]
        self.found: dict[str, Path | None] = {}
        self.users: dict[str, list[str]] = {}  # labels of links by mesh

    def look(self, filename: str, label: str) -> Path | None:
        """The file of a mesh, or None."""
        if filename and filename not in self.found:
            self.found[filename] = next((path for path in self._candidates(filename) if _is_file(path)), None)
        if filename:
            self.users.setdefault(filename, []).append(label)
        return self.found.get(filename)

    def missing(self) -> list[str]:
        """Meshes that were not found, each with the first link that it belongs to."""
        return [f"{name} ({self.users[name][0]})" for name, path in self.found.items() if path is None]

    def _candidates(self, filename: str) -> list[Path]:
        parts = urlsplit(filename)
        if parts.scheme in ("package", "model"):
            rest = unquote(parts.path).lstrip("/")
            inside = [folder / rest for folder in self.search if folder.name == parts.netloc]
            return [folder / parts.netloc / rest for folder in self.search] + inside
        if parts.scheme == "file":
            return [Path(unquote(parts.path))]
        return [self.folder / filename]


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
