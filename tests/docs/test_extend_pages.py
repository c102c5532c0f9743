"""The sessions on the pages of *Extend*, with the files that the pages show."""

import doctest
import sys
from pathlib import Path

import pytest

from kernelstream.core.registry import USER_STRATEGIES
from kernelstream.kernels import KERNELS
from kernelstream.losses import LOSSES
from kernelstream.readers.formats import FORMATS, SUFFIXES
from kernelstream.recipes import RECIPES

PAGES = Path(__file__).parents[2] / "docs" / "extend"
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


@pytest.fixture
def code(monkeypatch):
    """The files of the pages can be imported, and names that they register are gone afterwards."""
    monkeypatch.syspath_prepend(str(PAGES / "code"))
    registries = (KERNELS, LOSSES, RECIPES, FORMATS, SUFFIXES, USER_STRATEGIES)
    before = [dict(registry) for registry in registries]
    yield
    for registry, members in zip(registries, before, strict=True):
        registry.clear()
        registry.update(members)
    for path in (PAGES / "code").glob("*.py"):
        sys.modules.pop(path.stem, None)


@pytest.mark.parametrize("page", sorted(path.stem for path in PAGES.glob("*.md") if path.stem != "index"))
def test_a_page(page, code):
    text = (PAGES / f"{page}.md").read_text(encoding="utf-8")
    assert f"{{literalinclude}} code/my_{page}.py" in text
    session = doctest.DocTestParser().get_doctest(text.replace("```\n", "\n"), {}, page, f"{page}.md", 0)
    assert len(session.examples) >= 5
    runner, report = doctest.DocTestRunner(optionflags=FLAGS), []
    assert runner.run(session, out=report.append).failed == 0, "".join(report)
