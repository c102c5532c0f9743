"""Rows of a file, once they are known to be those that they should be."""

import tarfile
import zlib
from pathlib import Path

from numpy.typing import NDArray

from .._types import Floats
from .cache import keep, kept
from .content import fault
from .errors import DataUnavailable
from .formats import Reader
from .known import Known, Part

# What parsers stumble over in a file that is damaged, or quite another.
_STUMBLES = (OSError, EOFError, ValueError, TypeError, LookupError, tarfile.TarError, zlib.error)


def rows_of(path: Path, read: Reader, whole: Known, part: Part) -> tuple[Floats, NDArray]:
    """The arrays that were kept, or those of the file, which are kept then."""
    found = kept(path)
    if found is None:
        found = parsed(path, read, whole, part)
        keep(path, *found)
    return found


def parsed(path: Path, read: Reader, whole: Known, part: Part) -> tuple[Floats, NDArray]:
    """The arrays of a file, checked; the error says what is wrong with them."""
    try:
        X, y = read(path)
    except _STUMBLES as error:
        raise DataUnavailable(f"it cannot be read ({error or type(error).__name__})") from error
    wrong = fault(X, y, part.rows, whole.features, part.content)
    if wrong:
        raise DataUnavailable(wrong)
    return X, y
