"""Text is read in two ways and in chunks of any size, and nothing may depend on that."""

import pytest

from kernelstream.readers import lines


@pytest.fixture(params=["with pyarrow", "without"])
def arrow(request, monkeypatch):
    """Text is read in two ways, which must not differ."""
    if request.param == "without":
        monkeypatch.setattr("kernelstream.readers.arrow_text.import_pyarrow", lambda name: None)


@pytest.fixture(params=[lines.CHUNK, 300])
def chunk(request, monkeypatch):
    """All at once, or in chunks of two or three rows."""
    monkeypatch.setattr(lines, "CHUNK", request.param)
