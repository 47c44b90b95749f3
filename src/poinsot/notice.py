"""The notice on stderr while kernels are compiled, with progress. Nothing is printed when nothing is compiled.

In a terminal it is a count that is updated in place and erased afterwards; elsewhere, in notebooks and files, a line from time to time.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from poinsot import _sources

IN_PLACE, IN_LINES = 0.2, 5.0  # s between two updates


class Notice:
    """Compilation in this process, and in those that help it."""

    def __init__(self) -> None:
        self.began: float | None = None  # when the first kernel had to be compiled, s
        self.shown = 0.0
        self.done = self.known = 0  # kernels compiled here; those on disk at the beginning
        self.helped: list[str] = []  # modules that other processes compile
        self.open = False  # whether the terminal shows a count now

    def begin(self) -> None:
        """A kernel is about to be compiled."""
        if self.began is None:
            self.began = self.shown = time.monotonic()
            self.known = len(self._on_disk())
            kept = "the result is cached on disk" if _folder() else "they cannot be cached on disk, so every start takes this long"
            self._write(f"poinsot: compiling kernels; this takes some seconds, and {kept}\n")

    def count(self) -> None:
        """A kernel was compiled."""
        self.done += 1
        self.show()

    def show(self) -> None:
        """Print the progress, if an update is due."""
        now = time.monotonic()
        terminal = _terminal()
        if self.began is None or now - self.shown < (IN_PLACE if terminal else IN_LINES):
            return
        self.shown = now
        words = f"poinsot: compiled {self.finished()} of about {self.expected()} kernels, {now - self.began:.0f} s"
        self._write(f"\r\x1b[K{words}" if terminal else f"{words}\n")
        self.open = terminal

    def end(self) -> None:
        """Compilation has paused: clear the line in the terminal."""
        if self.open:
            self._write("\r\x1b[K")
            self.open = False

    def finished(self) -> int:
        """Number of kernels compiled since the beginning; those of other processes count if they are cached on disk."""
        return max(self.done, len(self._on_disk()) - self.known)

    def expected(self) -> int:
        """Rough number of kernels to compile in all: not every kernel of a module is needed."""
        return max(_sources.kernels_within(self._modules()) - self.known, self.finished())

    def _modules(self) -> list[str]:
        return [name for name in [*sys.modules, *self.helped] if name.startswith("poinsot.")]

    def _on_disk(self) -> set[str]:
        """Cached kernels of the modules in use, in their present version."""
        folder = _folder()
        stamps = _sources.stamps_within(self._modules())
        found = folder.glob("*/*.nbi") if folder else []
        return {file.name for file in found if file.stem.rpartition("-")[2] in stamps}

    def _write(self, text: str) -> None:
        if sys.stderr is not None:
            sys.stderr.write(text)
            sys.stderr.flush()


def _terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


def _folder() -> Path | None:
    return Path(os.environ["NUMBA_CACHE_DIR"]) if os.environ.get("NUMBA_CACHE_DIR") else None


notice = Notice()
