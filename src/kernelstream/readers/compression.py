"""Compressed streams, recognised by their first bytes: gzip, bzip2, xz, and zstd where Python or pyarrow has it."""

import bz2
import gzip
import lzma
import zlib
from collections.abc import Callable
from typing import Any
from zipfile import BadZipFile

SUFFIXES = (".gz", ".bz2", ".xz", ".zst")
DAMAGED = (EOFError, OSError, lzma.LZMAError, zlib.error, BadZipFile)
LONGEST_MAGIC = 6


def _open_zstd(stream: Any) -> Any:
    try:
        from compression import zstd  # type: ignore[import-not-found]  # since Python 3.14

        return zstd.open(stream)
    except ImportError:
        import pyarrow

        return pyarrow.CompressedInputStream(pyarrow.PythonFile(stream, "r"), "zstd")


_OPENED_BY: dict[bytes, Callable[[Any], Any]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ\x00": lzma.open,
    b"\x28\xb5\x2f\xfd": _open_zstd,
}


def decompressed(stream: Any, magic: bytes, name: str) -> Any:
    """The decompressed stream, or None if its first bytes are not those of a compression."""
    opened_by = next((opened_by for start, opened_by in _OPENED_BY.items() if magic.startswith(start)), None)
    try:
        return None if opened_by is None else opened_by(stream)
    except ImportError:
        raise ImportError(
            f'{name} is compressed with zstd, which pyarrow reads: pip install "kernelstream[files]". Or decompress '
            "it: zstd -dc FILE | kernelstream … -"
        ) from None
