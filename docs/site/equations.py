"""Equations of the site as MathML, which browsers draw themselves: neither a script nor a font is loaded."""

import re
from typing import Any

from docutils import nodes
from docutils.utils.math import latex2mathml

ACCENTS = {"dot": "\u0307", "ddot": "\u0308", "hat": "\u0302", "bar": "\u0304"}
ABOVE = {"dot": "\u02d9", "ddot": "\u00a8", "hat": "\u02c6", "bar": "\u00af"}
GREEK = "\u03b1", 0x1D6FC  # alpha, and its italic form
PLACE = 0x0430  # Cyrillic letters stand for symbols with accents while an equation is converted


def accented(accent: str, symbol: str) -> str:
    """A symbol with its accent: small letters as one piece of text, which fonts draw better than an accent placed above, unlike capitals."""
    letter = re.sub(r"<[^>]*>|\s", "", "".join(latex2mathml.tex2mathml(symbol)))
    if letter.isupper():
        return f'<mover accent="true"><mi>{letter}</mi><mo stretchy="false" class="above">{ABOVE[accent]}</mo></mover>'
    if letter == "h":
        letter = "\u210e"  # the only italic letter that is elsewhere
    elif letter.isascii():
        letter = chr(ord(letter) - ord("a") + 0x1D44E)
    elif letter.islower() and "\u03b1" <= letter <= "\u03c9":
        letter = chr(ord(letter) - ord(GREEK[0]) + GREEK[1])
    return f"<mi>{letter}{ACCENTS[accent]}</mi>"


def mathml(text: str, display: bool) -> str:
    """One equation; several lines are aligned at their ampersands."""
    text = re.sub(r"\\([td]?frac)(\d)(\d)", r"\\\1{\2}{\3}", text)
    pieces: list[str] = []

    def keep(found: re.Match) -> str:
        pieces.append(accented(found[1], found[2] or found[3]))
        return " " + chr(PLACE + len(pieces) - 1) + " "

    text = re.sub(r"\\(d?dot|hat|bar)\s*(?:\{(\\?[a-zA-Z]+)\}|(\\[a-zA-Z]+|[a-zA-Z]))", keep, text)
    if display and ("\\\\" in text or "&" in text) and "\\begin{" not in text.split("\\\\")[0][:12]:
        text = rf"\begin{{aligned}}{text}\end{{aligned}}"
    made = "".join(latex2mathml.tex2mathml(text, as_block=display))
    for k, piece in enumerate(pieces):
        made = made.replace(f"<mi>{chr(PLACE + k)}</mi>", piece)
    return made


def inline(self: Any, node: nodes.math) -> None:
    """An equation within a sentence."""
    self.body.append(mathml(node.astext(), False))
    raise nodes.SkipNode


def display(self: Any, node: nodes.math_block) -> None:
    """An equation on lines of its own."""
    self.body.append(f'<div class="equation">{mathml(node.astext(), True)}</div>')
    raise nodes.SkipNode


def setup(app: Any) -> None:
    """Add the renderer."""
    app.add_html_math_renderer("mathml", (inline, None), (display, None))
