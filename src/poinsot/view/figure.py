"""A matplotlib figure without a window or global registration, which notebooks display."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

from matplotlib import rc_context, rcParams
from matplotlib.figure import Figure

from poinsot.files.appearing import appearing
from poinsot.view.colours import CURVES

DOTS = 100  # per inch, in notebooks


class Picture(Figure):
    """A figure without global state: it need not be closed. Text stays text in .svg and .pdf. Curves have the colours of the page."""

    def add_subplot(self, *args: Any, **options: Any) -> Any:
        """Axes whose curves have our colours in turn."""
        axes = super().add_subplot(*args, **options)
        axes.set_prop_cycle(color=CURVES)
        return axes

    def savefig(self, fname: Any, **options: Any) -> None:
        """Write it to a file of the format of its ending: .png, .svg, .pdf. The file appears when it is complete."""
        with rc_context({"svg.fonttype": "none", "pdf.fonttype": 42}):
            if not isinstance(fname, str | os.PathLike):
                super().savefig(fname, **options)
                return
            path = Path(fname)
            kind = options.pop("format", None) or path.suffix[1:] or rcParams["savefig.format"]
            with appearing(path if path.suffix else path.with_suffix(f".{kind}")) as new:
                super().savefig(new, format=kind.lower(), **options)

    def _repr_png_(self) -> bytes:
        """The image that a notebook shows."""
        buffer = io.BytesIO()
        self.savefig(buffer, format="png", dpi=DOTS)
        return buffer.getvalue()
