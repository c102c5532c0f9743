"""The arrays of a .npz file, none of them ever whole in memory."""

import struct
import zipfile
from typing import Any, BinaryIO

import numpy as np

_HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
_LOCAL_HEADER = struct.Struct("<26x2H")  # of an entry of a zip file, up to the lengths of its name and of its extras
_STEP = 4096  # rows passed over at a time


def arrays(name: str) -> dict[str, Any]:
    """The arrays by name: mapped into memory where they are stored as they are, otherwise read in order.

    A ValueError says what is wrong with an array, but not with which file.
    """
    archive = zipfile.ZipFile(name)
    return {entry.filename.removesuffix(".npy"): _array(archive, entry, name) for entry in archive.infolist()}


def _array(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, name: str) -> Any:
    stream: BinaryIO = archive.open(entry)  # type: ignore[assignment]
    shape, fortran, dtype = _HEADERS[np.lib.format.read_magic(stream)](stream)
    if dtype.hasobject:
        raise ValueError(f"{entry.filename} holds Python objects, which are not read from files")
    if entry.compress_type == zipfile.ZIP_STORED:
        with open(name, "rb") as file:
            file.seek(entry.header_offset)
            begin = entry.header_offset + 30 + sum(_LOCAL_HEADER.unpack(file.read(30)))
        return np.memmap(name, dtype, "r", begin + stream.tell(), shape, "F" if fortran else "C")
    if fortran and len(shape) > 1:
        raise ValueError(f"{entry.filename} is compressed column by column; save np.ascontiguousarray(…)")
    return Member(stream, shape, dtype)


class Member:
    """A compressed array. Slices must follow one another, though rows may be left out."""

    def __init__(self, stream: BinaryIO, shape: tuple[int, ...], dtype: np.dtype):
        self._stream, self._at, self.shape, self.dtype = stream, 0, shape, dtype
        self._size = dtype.itemsize * int(np.prod(shape[1:]))

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, rows: slice) -> np.ndarray:
        while self._at < rows.start:
            self._read(min(rows.start - self._at, _STEP))
        return self._read(rows.stop - self._at)

    def _read(self, count: int) -> np.ndarray:
        self._at += count
        return np.frombuffer(self._stream.read(count * self._size), self.dtype).reshape(count, *self.shape[1:])
