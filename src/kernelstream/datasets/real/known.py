"""What is written down of a data set."""

from typing import NamedTuple

from .content import Content
from .formats import Reader


class Origin(NamedTuple):
    """An address, the name under which its file is kept, how it is read, and its SHA-256 if that is known."""

    url: str
    file: str
    read: Reader
    sha256: str | None = None


class Part(NamedTuple):
    """The rows of one file.

    `file` is its name in the folder of KERNELSTREAM_DATA: LIBSVM text, bzip2. The files at the origins are other bytes,
    tried one after the other; `content` holds for all of them.
    """

    file: str
    rows: int
    content: Content
    origins: tuple[Origin, ...]


class Known(NamedTuple):
    """A data set."""

    name: str
    features: int
    task: str
    about: str
    train: Part
    test: Part | None = None
