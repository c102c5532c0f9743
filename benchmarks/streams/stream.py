"""What a stream is: rows in an order that matters, from a file or from a generator."""

import os
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Group = Literal["drift", "stationary", "regression"]
Arrays = tuple[NDArray[np.float64], NDArray[Any]]  # features; labels as integers, targets of a regression as floats

VARIABLE = "KERNELSTREAM_DATA"


class Stream(NamedTuple):
    """`take(rows, seed)` returns the first rows, fewer if there are no more. A file's rows do not depend on the seed,
    unless they are shuffled.
    """

    name: str
    group: Group
    about: str
    take: Callable[[int, int], Arrays]
    file: str | None = None  #: in the folder that KERNELSTREAM_DATA names; None for a generator
    judged: bool = True  #: whether the bars count it

    @property
    def regression(self) -> bool:
        return self.group == "regression"


def path_of(file: str) -> Path | None:
    """Where a file of the data folder is; None if it is not there, or no folder is named."""
    folder = os.environ.get(VARIABLE)
    path = Path(folder or "") / file
    return path if folder and path.is_file() else None


def lacking(stream: Stream) -> str | None:
    """Why a stream cannot be read here, as a sentence; None if it can."""
    if stream.file is None or path_of(stream.file):
        return None
    folder = os.environ.get(VARIABLE)
    where = f"the folder {folder}, which {VARIABLE} names, has no such file" if folder else f"{VARIABLE} is not set"
    return f"{stream.name} is left out: it needs {stream.file}, but {where}."


@lru_cache(maxsize=1)
def rows_of(stream: Stream, rows: int, seed: int) -> Arrays:
    """The rows, kept until another stream is asked for: all learners get the same."""
    return stream.take(rows, seed)
