"""Doctests in Markdown end with an empty line, so that the fence is no expected output: pages do without it."""

from docutils import nodes
from sphinx.application import Sphinx


def trim(app: Sphinx, doctree: nodes.document) -> None:
    for block in doctree.findall(nodes.literal_block):
        text = block.astext()
        if text != text.rstrip():
            block.rawsource = text.rstrip()
            block.children = [nodes.Text(block.rawsource)]


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("doctree-read", trim)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
