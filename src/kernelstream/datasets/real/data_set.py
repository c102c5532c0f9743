"""A data set, what is known about it, and the error if it cannot be read."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from numpy.typing import NDArray

from ..array_types import Floats
from .content_check import Content

Parser = Callable[[Path], tuple[Floats, NDArray]]


class DataUnavailable(OSError):
    """A data set is not on this machine and cannot be downloaded, or its content is not as expected."""


class Origin(NamedTuple):
    """A URL, the file name in the cache, the parser, and the SHA-256 of the file, if it is known."""

    url: str
    file: str
    parse: Parser
    sha256: str | None = None


class DataFile(NamedTuple):
    """The training rows, or the test rows.

    `file` is the name in the folder of KERNELSTREAM_DATA: LIBSVM text, compressed with bzip2. The origins, which are
    tried in order, may have other formats; `content` is the same for all.
    """

    file: str
    rows: int
    content: Content
    origins: tuple[Origin, ...]


class DataSetInfo(NamedTuple):
    """What is known about a data set."""

    name: str
    features: int
    task: str
    description: str
    train: DataFile
    test: DataFile | None = None


class DataSet(NamedTuple):
    """Rows in their original order, values as they were published.

    Labels are the original integers; targets of regressions are floats. A set without a published split has no test
    rows.
    """

    X: Floats
    y: NDArray
    X_test: Floats | None
    y_test: NDArray | None
    task: str
    description: str
