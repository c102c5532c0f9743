"""How docstrings become pages: |x| is an absolute value, paths of pages are links, empty members are left out."""

import re
from typing import Any

from sphinx.application import Sphinx

CODE = re.compile(r"(`[^`]*`)")
PAGE = re.compile(r"`?\bdocs/([\w/]+)\.md\b`?")


def link_pages(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """`docs/guide/streams.md`, which help() shows as it is."""
    lines[:] = [PAGE.sub(r":doc:`/\1`", line) for line in lines]


def escape_bars(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """reStructuredText takes |x| for the name of a substitution; formulas, examples and code have bars of their own."""
    deep = -1  # the indentation of a formula, while inside one
    for i, line in enumerate(lines):
        indent = len(line) - len(line.lstrip())
        if line.lstrip().startswith(".. math::"):
            deep = indent
        elif line.strip() and indent <= deep:
            deep = -1
        if deep < 0 and not line.lstrip().startswith((">>>", "...")):
            parts = CODE.split(line)
            lines[i] = "".join(part if part.startswith("`") else part.replace("|", "\\|") for part in parts)


def skip(app: Sphinx, what: str, name: str, member: Any, skipped: bool, options: Any) -> bool | None:
    """Fields of named tuples without a docstring of their own, and what scikit-learn adds to every estimator."""
    if (getattr(member, "__doc__", None) or "").startswith("Alias for field number"):
        return True
    return True if re.fullmatch(r"set_\w+_request|get_metadata_routing", name) else None


def setup(app: Sphinx) -> dict[str, bool]:
    for change in (link_pages, escape_bars):
        app.connect("autodoc-process-docstring", change, priority=400)  # before numpydoc
    app.connect("autodoc-skip-member", skip)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
