"""Parsers for the formats of published data sets: each takes a path and returns all rows, which are then checked."""

import bz2
import gzip
import io
import tarfile
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from ..array_types import Floats
from .content_check import fault
from .data_set import DataFile, DataSetInfo, DataUnavailable, Parser

# What parsers raise for a damaged file, or one of another format.
_PARSE_ERRORS = (OSError, EOFError, ValueError, TypeError, LookupError, tarfile.TarError, zlib.error)
_COMPRESSIONS: dict[bytes, Callable[[bytes], bytes]] = {b"BZh": bz2.decompress, b"\x1f\x8b": gzip.decompress}


def opened(path: Path) -> IO[bytes]:
    """The decompressed bytes of a file, all at once: decompressing line by line takes twice as long.

    The compression is detected by the first bytes, not by the name: servers may decompress what they send.
    """
    data = path.read_bytes()
    if not data:
        raise ValueError("it is empty")
    decompress = next((found for magic, found in _COMPRESSIONS.items() if data.startswith(magic)), bytes)
    return io.BytesIO(decompress(data))


def libsvm(features: int) -> Parser:
    """`label index:value …`, indices from 1, zeros omitted."""

    def parse(path: Path) -> tuple[Floats, NDArray]:
        from sklearn.datasets import load_svmlight_file  # takes a second to import, and cached arrays do not need it

        with opened(path) as file:
            X, y = load_svmlight_file(file, n_features=features, dtype=np.float64, zero_based=False)
        return X.toarray(), y

    return parse


def columns(
    label: Callable[[str], float] = float, *, separator: str | None = ",", target: int = -1, skip: Sequence[str] = ()
) -> Parser:
    """Columns of numbers; `label` converts the target; the rest of a line after a character of `skip` is ignored."""

    def parse(path: Path) -> tuple[Floats, NDArray]:
        with opened(path) as file:
            return _table(file, label, separator, target, skip)

    return parse


def california(path: Path) -> tuple[Floats, NDArray]:
    """The archive that scikit-learn uses: longitude, latitude, …, income, value, reordered as in StatLib."""
    with tarfile.open(path) as archive:
        file = archive.extractfile("CaliforniaHousing/cal_housing.data")
        if file is None:
            raise ValueError("the archive has no CaliforniaHousing/cal_housing.data")
        X, y = _table(file, float, ",", -1, ())
    return X[:, [7, 2, 3, 4, 5, 6, 1, 0]], y


def _table(
    file: IO[bytes], label: Callable[[str], float], separator: str | None, target: int, skip: Sequence[str]
) -> tuple[Floats, NDArray]:
    table = np.loadtxt(
        file,
        delimiter=separator,
        comments=list(skip) or None,
        converters={target: lambda cell: label(cell.strip())},
        encoding="utf-8",
        ndmin=2,
    )
    return np.delete(table, target, axis=1), table[:, target]


def parse_and_check(path: Path, parse: Parser, info: DataSetInfo, file: DataFile) -> tuple[Floats, NDArray]:
    """The arrays of a file; a DataUnavailable says what is wrong with them."""
    try:
        X, y = parse(path)
    except _PARSE_ERRORS as error:
        raise DataUnavailable(f"it cannot be parsed ({error or type(error).__name__})") from error
    wrong = fault(X, y, file.rows, info.features, file.content)
    if wrong:
        raise DataUnavailable(wrong)
    return X, y
