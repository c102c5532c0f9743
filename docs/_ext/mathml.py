"""Formulas as MathML, by docutils: browsers draw it themselves, so that pages need no script and no network."""

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.writers.html5 import HTML5Translator

log = logging.getLogger(__name__)


def mathml(node: nodes.math | nodes.math_block, *, as_block: bool) -> str:
    """A warning for a formula that cannot be translated: an error in a worker of `-j` would lose pages silently."""
    try:
        return str(tex2mathml(node.astext(), as_block=as_block))
    except MathError as error:
        log.warning("the formula %r cannot be translated: %s", node.astext(), error, location=node)
        return ""


def inline(self: HTML5Translator, node: nodes.math) -> None:
    self.body.append(mathml(node, as_block=False))
    raise nodes.SkipNode


def display(self: HTML5Translator, node: nodes.math_block) -> None:
    self.body.append(f'<div class="math">{mathml(node, as_block=True)}</div>\n')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_html_math_renderer("mathml", (inline, None), (display, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
