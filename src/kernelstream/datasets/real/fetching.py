"""Get a data set: from the folder of KERNELSTREAM_DATA, from the cache, or from where it is published."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._types import Floats
from .cache import cache_folder
from .catalogue import SETS
from .download import downloaded
from .errors import DataUnavailable
from .formats import libsvm
from .known import Known, Part
from .names import UNAVAILABLE, known
from .places import in_cache, in_folder, where
from .reading import rows_of
from .table import Table


class Offer(NamedTuple):
    """A data set that can be had: its size, and where it would come from ("folder", "cache" or "download")."""

    rows: int
    test_rows: int
    features: int
    task: str
    where: str


def fetch(name: str, download: bool = True) -> Table:
    """A data set as it was published: all its rows in their order, all its values as they are.

    It is looked for in the folder that the environment variable KERNELSTREAM_DATA names (LIBSVM text with bzip2, one
    file for the training rows, one for the test rows), then in the cache, then downloaded into the cache. The cache is
    the folder that KERNELSTREAM_CACHE names, or the one that your system has for caches. Wherever the rows come from,
    they are compared with what is known of them.

    Parameters
    ----------
    name : str
        One of :func:`available`; names of the papers' tables, such as covertype, adult, magic and skin, are understood.
    download : bool, default=True
        Whether a set that is not on this machine may be downloaded, which needs
        ``pip install "kernelstream[data]"``.

    Returns
    -------
    Table
        ``X``, ``y``, ``X_test``, ``y_test`` (both None for a set that comes without a split), ``task`` ("binary",
        "multiclass" or "regression") and ``about``.

    Raises
    ------
    DataUnavailable
        If the set is not on this machine and cannot be downloaded, or is not what it should be. It is an OSError.
    """
    whole = known(name)
    X, y = _rows(whole, whole.train, download)
    X_test, y_test = (None, None) if whole.test is None else _rows(whole, whole.test, download)
    return Table(X, y, X_test, y_test, whole.task, whole.about)


def available() -> dict[str, Offer]:
    """The data sets that :func:`fetch` has, by name, and where each of them would come from now.

    >>> from kernelstream.datasets import available
    >>> available()["covtype"][:4]
    (581012, 0, 54, 'multiclass')
    """
    offers = {}
    for name, whole in SETS.items():
        parts = [part for part in (whole.train, whole.test) if part]
        # what the last part needs, the set needs
        place = max(map(where, parts), key=("folder", "cache", "download").index)
        test = whole.test.rows if whole.test else 0
        offers[name] = Offer(whole.train.rows, test, whole.features, whole.task, place)
    return offers


def unavailable() -> dict[str, str]:
    """Data sets of the papers that kernelstream does not have, and why.

    >>> from kernelstream.datasets import unavailable
    >>> sorted(unavailable())
    ['emgpa', 'exam', 'gisette', 'vehicle']
    """
    return dict(UNAVAILABLE)


def _rows(whole: Known, part: Part, download: bool) -> tuple[Floats, NDArray]:
    X, y = _from_folder(whole, part) or _from_cache(whole, part) or _from_web(whole, part, download)
    return X, y if whole.task == "regression" else y.astype(np.int64)


def _from_folder(whole: Known, part: Part) -> tuple[Floats, NDArray] | None:
    path = in_folder(part)
    if path is None:
        return None
    try:
        return rows_of(path, libsvm(whole.features), whole, part)
    except DataUnavailable as error:
        raise DataUnavailable(
            f"{path} is not the data set {whole.name} that is known here: {error}. Put another in its place, or take "
            f"it out of the folder that KERNELSTREAM_DATA names, so that it can be downloaded."
        ) from error


def _from_cache(whole: Known, part: Part) -> tuple[Floats, NDArray] | None:
    for origin in part.origins:
        path = in_cache(origin)
        if path.is_file():
            try:
                return rows_of(path, origin.read, whole, part)
            except DataUnavailable:
                path.unlink(missing_ok=True)  # it was right when it came, and can come again
    return None


def _from_web(whole: Known, part: Part, download: bool) -> tuple[Floats, NDArray]:
    if not download:
        raise DataUnavailable(
            f"The data set {whole.name} is neither in a folder that KERNELSTREAM_DATA names nor in the cache, "
            f"{cache_folder()}. Put {part.file} (LIBSVM text, bzip2) into such a folder, or allow download=True: it "
            f"comes from {part.origins[0].url}."
        )
    return downloaded(whole, part)
