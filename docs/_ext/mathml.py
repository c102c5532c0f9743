"""Formulas as MathML, by docutils: browsers draw it themselves, so that pages need no script and no network."""

import re

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.writers.html5 import HTML5Translator

# Commands that docutils does not know, by those that it does.
COMMANDS = {r"\dots": r"\ldots", r"\lVert": r"\|", r"\rVert": r"\|", r"\lvert": "|", r"\rvert": "|"}


def mathml(node: nodes.Element, as_block: bool) -> str:
    """The formula; as it was written, with a warning, if it cannot be read."""
    text = re.sub(r"\\[A-Za-z]+", lambda found: COMMANDS.get(found[0], found[0]), node.astext())
    try:
        return tex2mathml(text, as_block=as_block)
    except MathError as error:
        logging.getLogger(__name__).warning("formula %r: %s", text, error, location=node)
        return f"<code>{nodes.unescape(text)}</code>"


def inline(self: HTML5Translator, node: nodes.math) -> None:
    self.body.append(mathml(node, as_block=False))
    raise nodes.SkipNode


def display(self: HTML5Translator, node: nodes.math_block) -> None:
    self.body.append(f'<div class="math">{mathml(node, as_block=True)}</div>\n')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_html_math_renderer("mathml", (inline, None), (display, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
