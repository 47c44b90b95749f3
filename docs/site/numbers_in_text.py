"""Numbers such as 1e-6 are kept on one line, in text and in the cells of tables."""

import re
from typing import Any

from docutils import nodes

NUMBER = re.compile(r"(\d(?:\.\d+)?e-\d+)")


def keep_together(app: Any, doctree: nodes.document, name: str) -> None:
    """Put every number with a negative exponent into an element that is not broken."""
    for text in list(doctree.findall(nodes.Text)):
        pieces = NUMBER.split(text.astext())
        if len(pieces) > 1 and not isinstance(text.parent, (nodes.literal, nodes.literal_block, nodes.math, nodes.math_block)):
            made = [nodes.inline("", piece, classes=["number"]) if k % 2 else nodes.Text(piece) for k, piece in enumerate(pieces) if piece]
            text.parent.replace(text, made)


def setup(app: Any) -> None:
    """Listen to Sphinx."""
    app.connect("doctree-resolved", keep_together)
