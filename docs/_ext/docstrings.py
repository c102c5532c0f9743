"""How docstrings become pages: |x| is an absolute value, paths of pages are links, fields are listed as parameters."""

import dataclasses
import inspect
import re
from typing import Any

from sphinx.application import Sphinx
from sphinx.pycode import ModuleAnalyzer
from sphinx.util.typing import stringify_annotation

CODE = re.compile(r"(`[^`]*`)")
PAGE = re.compile(r"`?\bdocs/([\w/]+)\.md\b`?")


def list_fields(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Named tuples and dataclasses describe their fields by comments `#:`, which become parameters here."""
    named = inspect.isclass(obj) and issubclass(obj, tuple) and hasattr(obj, "_field_defaults")
    if what != "class" or "Parameters" in lines or not (named or dataclasses.is_dataclass(obj)):
        return
    comments = ModuleAnalyzer.for_module(obj.__module__).find_attr_docs()
    section = ["Parameters", "----------"]
    for field in inspect.signature(obj).parameters.values():
        kind = stringify_annotation(field.annotation, "smart").replace("~", "")
        if field.default is not inspect.Parameter.empty and len(repr(field.default)) < 60:
            kind += f", default {field.default!r}"
        section.append(f"{field.name} : {kind}")
        section += [f"    {line}" for line in comments.get((obj.__qualname__, field.name), []) if line]
    at = next((i for i, line in enumerate(lines[1:]) if line and not line.strip("-")), len(lines))
    lines[at:at] = ["", *section, ""]


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
    for change in (list_fields, link_pages, escape_bars):
        app.connect("autodoc-process-docstring", change, priority=400)  # before numpydoc
    app.connect("autodoc-skip-member", skip)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
