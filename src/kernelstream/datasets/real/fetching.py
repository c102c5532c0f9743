"""Get a data set: from the folder of KERNELSTREAM_DATA, from the cache, or from where it is published."""

import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .._types import Floats
from .cache import keep, kept
from .content import fault
from .errors import DataUnavailable
from .formats import Reader, libsvm
from .known import Known, Part
from .names import UNAVAILABLE, known
from .table import Table


def fetch(name: str, download: bool = True) -> Table:
    whole = known(name)
    X, y = _rows(whole, whole.train)
    X_test, y_test = (None, None) if whole.test is None else _rows(whole, whole.test)
    return Table(X, y, X_test, y_test, whole.task, whole.about)


def unavailable() -> dict[str, str]:
    """Data sets of the papers that kernelstream does not have, and why."""
    return dict(UNAVAILABLE)


def _rows(whole: Known, part: Part) -> tuple[Floats, NDArray]:
    folder = os.environ.get("KERNELSTREAM_DATA", "")
    path = Path(folder) / part.file
    if not path.is_file():
        raise DataUnavailable(f"{whole.name} needs {part.file}: let KERNELSTREAM_DATA name a folder that has it.")
    X, y = kept(path) or _parsed(path, libsvm(whole.features), whole, part)
    return X, y if whole.task == "regression" else y.astype(np.int64)


def _parsed(path: Path, read: Reader, whole: Known, part: Part) -> tuple[Floats, NDArray]:
    X, y = read(path)
    wrong = fault(X, y, part.rows, whole.features, part.content)
    if wrong:
        raise DataUnavailable(f"{path} is not the {whole.name} that is known here: {wrong}.")
    keep(path, X, y)
    return X, y
