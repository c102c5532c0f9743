"""Doctests: not collected where a package is absent, and without effect on the tests that follow."""

from collections.abc import Iterator
from importlib.util import find_spec

import pytest

collect_ignore_glob = [] if find_spec("river") else ["src/kernelstream/river/*"]


@pytest.fixture(autouse=True)
def names_registered_in_a_doctest(request: pytest.FixtureRequest) -> Iterator[None]:
    """Names that an example registers are gone after it: other tests go through the registries."""
    if not isinstance(request.node, pytest.DoctestItem):
        yield
        return
    from kernelstream.kernels import KERNELS
    from kernelstream.losses import LOSSES
    from kernelstream.recipes import RECIPES

    before = [(registry, set(registry)) for registry in (KERNELS, LOSSES, RECIPES)]
    yield
    for registry, names in before:
        for name in set(registry) - names:
            del registry[name]
