"""What a microcontroller of 64 KiB can do."""

import os

import pytest

from .program import GCC

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(GCC is None, reason="gcc is not installed"),
    pytest.mark.skipif(
        "KERNELSTREAM_DATA" not in os.environ, reason="KERNELSTREAM_DATA does not name the data's folder"
    ),
]


@pytest.mark.parametrize("dtype", ["float32", "int8"])
def test_digits_in_64_kibibytes(dtype, tmp_path):
    from benchmarks.c_header import measure

    line = measure(dtype, 600, tmp_path)
    assert line.table_bytes <= 64 << 10
    assert line.in_c >= max(95.0, line.accuracy - 1.0)
    assert line.off <= (1e-5 if dtype == "float32" else 0.05)
