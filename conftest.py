"""Doctests: not collected where a package is absent, and without effect on the tests that follow. Signals: heard."""

import signal
from collections.abc import Iterator
from importlib.util import find_spec

import pytest

collect_ignore_glob = ["docs/conf.py", "docs/_*", "docs/gallery/*", "docs/reference/generated/*"]
if not find_spec("river"):
    collect_ignore_glob += ["src/kernelstream/river/*", "docs/start/river.md", "docs/guide/streams.md"]
if not (find_spec("fastapi") and find_spec("uvicorn")):
    collect_ignore_glob += [f"src/kernelstream/serve/{name}.py" for name in ("http_*", "new_model", "run_server")]
if not find_spec("httpx"):
    collect_ignore_glob += ["src/kernelstream/client/*"]
if not find_spec("confluent_kafka"):
    collect_ignore_glob += ["src/kernelstream/serve/connectors/kafka.py"]


def pytest_configure() -> None:
    """Hear the signals that tests send, also in a shell's background or under nohup, which ignore some."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler if name == "SIGINT" else signal.SIG_DFL)


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
