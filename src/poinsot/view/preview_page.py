"""The page of a system that has not run, put together as those of runs (`page.py`), with markup and a main script of its own."""

from __future__ import annotations

import html
from collections.abc import Sequence

import numpy as np

from poinsot.errors import SettingsError
from poinsot.model.system import System
from poinsot.view import page
from poinsot.view.preview import preview_data


def drawing_page(system: System, description: str, max_bytes: float, settings: Sequence[str]) -> str:
    """The page as text; see `write_html`. `settings`: names of arguments that were given though they are for runs only, which is an error."""
    if settings:
        listed = ", ".join(f"{name}=" for name in settings)
        raise SettingsError(f"write_html: {listed}: only for runs, and '{system.name}' is a system that has not run; leave it out, or run it first")
    style, body, three = page._text("page.css") + page._text("preview.css"), page._text("preview.html"), page._text("three.bundle.js")
    program = page._program([*(name for name in page.SCRIPTS if name != "page"), "preview"])
    fixed = sum(len(part.encode()) for part in (style, body, three, program))
    if isinstance(max_bytes, str) or not np.isfinite(max_bytes) or max_bytes < fixed + page.ROOM:
        least = round((fixed + page.ROOM) / 1e6 + 0.05, 1)
        raise SettingsError(f"write_html: max_bytes must be a number of at least {least * 1e6:.0f}, not {max_bytes!r}")
    data = preview_data(system, description, max_bytes - fixed - page.ROOM / 2)
    policy = (
        f"default-src 'none'; script-src {page._hash(three)} {page._hash(program)}; style-src {page._hash(style)}; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
    parts = {
        "policy": html.escape(policy, quote=False),
        "title": html.escape(data["title"]),
        "style": style,
        "three": three,
        "licence": page._text("three.LICENSE").strip(),
        "data": page._json(data),
        "program": program,
    }
    pieces = body.split("@@")  # text, name, text, name, ..., text
    return "".join(parts[piece] if k % 2 else piece for k, piece in enumerate(pieces))
