"""The formats that data sets are published in. Every reader takes a path and gives all rows."""

import bz2
import gzip
import io
import tarfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from .._types import Floats

Reader = Callable[[Path], tuple[Floats, NDArray]]

_PACKED: dict[bytes, Callable[[bytes], bytes]] = {b"BZh": bz2.decompress, b"\x1f\x8b": gzip.decompress}


def opened(path: Path) -> IO[bytes]:
    """The bytes of a file, unpacked, all at once: unpacking line by line takes twice as long.

    Its first bytes tell how, and not its name: servers may unpack what they send.
    """
    data = path.read_bytes()
    if not data:
        raise ValueError("it is empty")
    unpack = next((unpack for magic, unpack in _PACKED.items() if data.startswith(magic)), bytes)
    return io.BytesIO(unpack(data))


def libsvm(features: int) -> Reader:
    """`label index:value …`, indices from 1, zeros left out."""

    def read(path: Path) -> tuple[Floats, NDArray]:
        from sklearn.datasets import load_svmlight_file  # a second to import, and not needed for arrays that were kept

        with opened(path) as file:
            X, y = load_svmlight_file(file, n_features=features, dtype=np.float64, zero_based=False)
        return X.toarray(), y

    return read


def columns(
    label: Callable[[str], float] = float, *, separator: str | None = ",", target: int = -1, skip: Sequence[str] = ()
) -> Reader:
    """Numbers in columns, one of them the target, which `label` reads; a line is not read beyond one of `skip`."""

    def read(path: Path) -> tuple[Floats, NDArray]:
        with opened(path) as file:
            return _table(file, label, separator, target, skip)

    return read


def california(path: Path) -> tuple[Floats, NDArray]:
    """The archive that scikit-learn takes: longitude, latitude, …, income, value, brought into the order of StatLib."""
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
