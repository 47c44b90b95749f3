"""A matplotlib figure that belongs to no window and no list of open figures, and shows itself in notebooks."""

from __future__ import annotations

import io
from typing import Any

from matplotlib import rc_context
from matplotlib.figure import Figure

DOTS = 100  # per inch, in notebooks


class Picture(Figure):
    """A figure without global state: nothing to close. Text stays text in .svg and .pdf."""

    def savefig(self, fname: Any, **options: Any) -> None:
        """Write it to a file; the ending says how: .png, .svg, .pdf."""
        with rc_context({"svg.fonttype": "none", "pdf.fonttype": 42}):
            super().savefig(fname, **options)

    def _repr_png_(self) -> bytes:
        """What a notebook shows."""
        buffer = io.BytesIO()
        self.savefig(buffer, format="png", dpi=DOTS)
        return buffer.getvalue()
