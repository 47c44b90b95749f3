"""Equations of the site as MathML, which browsers draw themselves: neither a script nor a font is loaded."""

import re
from typing import Any

from docutils import nodes
from docutils.utils.math import latex2mathml


def braced(text: str) -> str:
    """The same with the braces that the converter needs: fractions of two digits, accents on one symbol."""
    text = re.sub(r"\\([td]?frac)(\d)(\d)", r"\\\1{\2}{\3}", text)
    return re.sub(r"\\(d?dot|hat|bar)\s*(\\[a-zA-Z]+|[a-zA-Z])", r"{\\\1{\2}}", text)


def mathml(text: str, display: bool) -> str:
    """One equation; several lines are aligned at their ampersands."""
    text = braced(text)
    if display and ("\\\\" in text or "&" in text) and "\\begin{" not in text.split("\\\\")[0][:12]:
        text = rf"\begin{{aligned}}{text}\end{{aligned}}"
    return "".join(latex2mathml.tex2mathml(text, as_block=display))


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
