"""The pages import the files that they show; what these register is gone after each page."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

CODE = Path(__file__).parent / "code"
collect_ignore_glob = ["code/*"]  # importing one registers its format or recipe: in its page only


@pytest.fixture(autouse=True)
def code_of_the_page(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    from kernelstream.core.registry import USER_STRATEGIES
    from kernelstream.readers.formats import FORMATS, SUFFIXES

    monkeypatch.syspath_prepend(str(CODE))
    registries: tuple[dict, ...] = (FORMATS, SUFFIXES, USER_STRATEGIES)
    before = [dict(registry) for registry in registries]
    yield
    for registry, members in zip(registries, before, strict=True):
        registry.clear()
        registry.update(members)
    for path in CODE.glob("*.py"):
        sys.modules.pop(path.stem, None)
