"""Showing a drawing: in a browser, or in the cell of a notebook."""

from __future__ import annotations

import html
import re
import sys
import tempfile
import webbrowser
from pathlib import Path
from typing import Any

from poinsot.model.system import System
from poinsot.view.page import IN_NOTEBOOK, page_html, write_html


def show(system: System) -> Path | None:
    """Open the drawing in a browser, and return the path of its page; in a notebook show it below the cell."""
    shell = _notebook()
    if shell is not None:
        shell.display_pub.publish({"text/html": drawing_html(system), "text/plain": repr(system)})
        return None
    name = re.sub(r"[^A-Za-z0-9_-]+", "-", system.name)[:40].strip("-") or "drawing"
    page = write_html(system, Path(tempfile.mkdtemp(prefix="poinsot-")) / f"{name}.html")
    if not webbrowser.open(page.as_uri()):
        print(f"No browser could be opened here; the drawing is in {page}", file=sys.stderr)
    return page


def drawing_html(system: System) -> str:
    """A drawing in a cell of a notebook: the page in a frame of its own that may run scripts and nothing else."""
    page = page_html(system, max_bytes=IN_NOTEBOOK)
    title = html.escape(f"Drawing of {system.name}")
    return (
        f'<iframe title="{title}" sandbox="allow-scripts" srcdoc="{html.escape(page)}" width="100%" height="560" '
        'style="border:0;width:100%;height:560px"></iframe>'
    )


def _notebook() -> Any:
    """The shell of a notebook in which this runs; None elsewhere, a terminal included."""
    module = sys.modules.get("IPython")
    shell = module.get_ipython() if module is not None else None
    return shell if shell is not None and hasattr(shell, "kernel") else None
