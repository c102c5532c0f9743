"""Truncated files and files with flipped bits: rows, or an error with a sentence, and nothing else."""

import numpy as np
import pytest

from kernelstream.readers import FileStream

from .data import COMPRESSIONS, TYPED, table, write

BINARY = [*(suffix for suffix in TYPED if suffix != ".jsonl"), ".zip", ".csv.zst", ".csv.gz"]


def whole(tmp_path, suffix):
    path = write(table(), tmp_path / f"whole{suffix}")
    if suffix.startswith(".csv"):
        path.write_bytes(COMPRESSIONS[suffix.removeprefix(".csv")](table().to_csv(index=False).encode()))
    return path.read_bytes()


def read(path):
    """The number of rows; None after an error that names the file. Any other error fails the test."""
    try:
        return sum(len(block) for block in FileStream([str(path)]).blocks())
    except (ValueError, OSError) as error:
        assert "data." in str(error)
        return None


@pytest.mark.parametrize("suffix", BINARY)
def test_truncated_files_are_no_shorter_tables(tmp_path, suffix):
    data, path = whole(tmp_path, suffix), tmp_path / f"data{suffix}"
    for size in np.linspace(1, len(data) - 1, 40).astype(int):
        path.write_bytes(data[:size])
        # a stream of Arrow need not have an end, and DuckDB's files may end in unused space
        assert read(path) in {".arrows": (None, 25, 50, 60), ".duckdb": (None, 60)}.get(suffix, (None,))


@pytest.mark.parametrize("suffix", BINARY)
def test_flipped_bits(tmp_path, suffix):
    data, path = whole(tmp_path, suffix), tmp_path / f"data{suffix}"
    rng = np.random.default_rng(0)
    for _ in range(60):
        changed = bytearray(data)
        for at in rng.integers(0, len(data), rng.integers(1, 4)):
            changed[at] ^= 1 << rng.integers(8)
        path.write_bytes(changed)
        read(path)
