"""Fetch a data set by name: from the folder of KERNELSTREAM_DATA, from the cache, or by download."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..array_types import Floats
from .data_set import DataFile, DataSet, DataSetInfo, DataUnavailable
from .download import download
from .file_formats import libsvm
from .local_files import cache_folder, in_cache, in_folder, location, read_file
from .published_sets import SETS

ALIASES = {
    "adult": "a9a",
    "covertype": "covtype",
    "covertype_2": "covtype",
    "covtype_2": "covtype",
    "gaussian_mixture": "mixture",
    "magic": "magic04",
    "skin": "skin_nonskin",
}

UNAVAILABLE = {
    "gisette": "6,000 rows, 5,000 features; no copy to check against",
    "vehicle": "SensIT Vehicle, 78,823 rows; no copy to check against, and the paper does not name the merged classes",
    "emgpa": "probably UCI's EMG Physical Action, but the paper does not say which rows and classes it used",
    "exam": "4,059 rows, 8 features; the paper does not say which data set it is",
}


class DataSetSummary(NamedTuple):
    """The size of a data set, and where it would come from: "folder", "cache" or "download"."""

    rows: int
    test_rows: int
    features: int
    task: str
    location: str


def fetch(name: str, download: bool = True) -> DataSet:
    """A data set as it was published: all rows in their original order, values unchanged.

    It is read from the folder that the environment variable KERNELSTREAM_DATA names (LIBSVM text, bzip2; one file for
    the training rows, one for the test rows), or from the cache, or else downloaded into the cache. The cache is the
    folder that KERNELSTREAM_CACHE names, or the one that your system has for caches. In all cases the content is
    checked.

    Parameters
    ----------
    name : str
        One of :func:`available`; the papers' names, such as covertype, adult, magic and skin, work too.
    download : bool, default=True
        Whether to download a set that is not on this machine, which needs ``pip install "kernelstream[data]"``.

    Returns
    -------
    DataSet
        ``X``, ``y``, ``X_test``, ``y_test`` (both None for a set without a published split), ``task`` ("binary",
        "multiclass" or "regression") and ``description``.

    Raises
    ------
    DataUnavailable
        If the set is not on this machine and cannot be downloaded, or its content is wrong. It is an OSError.
    """
    info = find_set(name)
    X, y = _arrays(info, info.train, download)
    X_test, y_test = (None, None) if info.test is None else _arrays(info, info.test, download)
    return DataSet(X, y, X_test, y_test, info.task, info.description)


def available() -> dict[str, DataSetSummary]:
    """The data sets of :func:`fetch`, by name, and where each of them would come from now.

    Examples
    --------
    >>> from kernelstream.datasets import available
    >>> available()["covtype"][:4]
    (581012, 0, 54, 'multiclass')
    """
    found = {}
    for name, info in SETS.items():
        files = [file for file in (info.train, info.test) if file]
        # a set needs a download if one of its files does
        where = max(map(location, files), key=("folder", "cache", "download").index)
        test = info.test.rows if info.test else 0
        found[name] = DataSetSummary(info.train.rows, test, info.features, info.task, where)
    return found


def unavailable() -> dict[str, str]:
    """Data sets of the papers that are not provided, and why.

    Examples
    --------
    >>> from kernelstream.datasets import unavailable
    >>> sorted(unavailable())
    ['emgpa', 'exam', 'gisette', 'vehicle']
    """
    return dict(UNAVAILABLE)


def _arrays(info: DataSetInfo, file: DataFile, download: bool) -> tuple[Floats, NDArray]:
    X, y = _from_folder(info, file) or _from_cache(info, file) or _from_web(info, file, download)
    return X, y if info.task == "regression" else y.astype(np.int64)


def _from_folder(info: DataSetInfo, file: DataFile) -> tuple[Floats, NDArray] | None:
    path = in_folder(file)
    if path is None:
        return None
    try:
        return read_file(path, libsvm(info.features), info, file)
    except DataUnavailable as error:
        raise DataUnavailable(
            f"{path} is not the data set {info.name}: {error}. Replace it, or remove it from the folder of "
            f"KERNELSTREAM_DATA, so that it is downloaded."
        ) from error


def _from_cache(info: DataSetInfo, file: DataFile) -> tuple[Floats, NDArray] | None:
    for origin in file.origins:
        path = in_cache(origin)
        if path.is_file():
            try:
                return read_file(path, origin.parse, info, file)
            except DataUnavailable:
                path.unlink(missing_ok=True)  # it was correct when downloaded, and is downloaded again
    return None


def _from_web(info: DataSetInfo, file: DataFile, allowed: bool) -> tuple[Floats, NDArray]:
    if not allowed:
        raise DataUnavailable(
            f"The data set {info.name} is neither in a folder named by KERNELSTREAM_DATA nor in the cache, "
            f"{cache_folder()}. Put {file.file} (LIBSVM text, bzip2) into such a folder, or allow download=True, from "
            f"{file.origins[0].url}."
        )
    return download(info, file)


def canonical_name(name: str) -> str:
    """The name of a data set here, from one in a paper.

    >>> canonical_name("Covertype-2"), canonical_name("ijcnn1")
    ('covtype', 'ijcnn1')
    """
    key = name.strip().lower().replace("-", "_").replace(" ", "_")
    key = "vehicle" if "sensit" in key else key
    return ALIASES.get(key, key)


def find_set(name: str) -> DataSetInfo:
    """What is known about a data set; an error if it is unknown, or not provided."""
    key = canonical_name(name)
    if key in UNAVAILABLE:
        raise DataUnavailable(
            f"The data set {name!r} is not provided ({UNAVAILABLE[key]}). Available: {', '.join(SETS)}."
        )
    if key not in SETS:
        raise ValueError(f"unknown data set {name!r}. Available: {', '.join(SETS)}.")
    return SETS[key]
