"""NumPy files, read in blocks: a matrix or a structured array in .npy; a matrix X and targets y in .npz."""

import struct
import zipfile
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

import numpy as np

from .blocks import Column, FilePosition, RowBlock, categorical_column
from .byte_source import ByteSource
from .cells import category
from .digests import changed
from .kept_columns import kept_values
from .schema import Options, Schema, choose, chosen_column, column_indices, listed
from .text_numbers import CATEGORY

_BLOCK = 1 << 19  # values read at a time
_MATRIX_NAMES = ("X", "x", "data", "features")
_HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
_LOCAL_HEADER = struct.Struct("<26x2H")  # of a zip entry, up to the lengths of its name and of its extra field
_SKIPPED = 4096  # rows at a time


class NumpyReader:
    """Reads a matrix, whose columns are named "1", "2", …, or named columns, or both."""

    noun = "row"

    def __init__(self, source: ByteSource, options: Options):
        self.source, self.options = source, options
        self._matrix: Any = None  # an array, or sliced like one, (n, columns)
        self._named: dict[str, Any] = {}  # (n,) each
        self._open()
        self._rows = len(self._matrix) if self._matrix is not None else len(next(iter(self._named.values())))
        width = 0 if self._matrix is None else self._matrix.shape[1]
        self.names = [*(str(i + 1) for i in range(width)), *self._named]

    def _open(self) -> None:
        name, zipped = self.source.local_path("a NumPy file or zip archive"), self.source.head.startswith(b"PK")
        try:
            array = _npz_arrays(name) if zipped else np.load(name, mmap_mode="r", allow_pickle=False)
        except (zipfile.BadZipFile, EOFError, ValueError) as error:
            raise ValueError(f"{name} is damaged or not a NumPy file: {error}.") from None
        if isinstance(array, dict):
            self._matrix = array.pop(self._matrix_name(array))
            self._named = {key: member for key, member in array.items() if member.shape == self._matrix.shape[:1]}
        elif array.dtype.names is not None and array.ndim == 1:
            self._named = {key: array[key] for key in array.dtype.names}
        elif array.ndim == 2 and array.dtype.kind in "fiub":
            self._matrix = array
        else:
            raise ValueError(
                f"{name} has an array of shape {array.shape} and type {array.dtype}. It must be a numeric matrix or a "
                "one-dimensional structured array."
            )

    def _matrix_name(self, members: dict[str, Any]) -> str:
        matrices = [key for key, member in members.items() if len(member.shape) == 2 and member.dtype.kind in "fiub"]
        usual = [key for key in matrices if key in _MATRIX_NAMES] or matrices
        if len(usual) != 1:
            raise ValueError(
                f"{self.source.name} must have one numeric matrix, named X, and its targets, named y. Its arrays: "
                f"{listed(list(members))}."
            )
        return usual[0]

    def infer(self) -> Schema:
        """Text fields are categorical."""
        kinds: dict[str, str | None] = dict.fromkeys(self.names, "")
        for name, values in self._named.items():
            text, number = values.dtype.kind in "US", values.dtype.kind in "fiub"
            kinds[name] = CATEGORY if text else "" if number else None  # dates, complex numbers

        def unusable(name: str) -> str:
            return f"is of type {self._named[name].dtype}"

        return choose(kinds, self.options, self.source.name, self._matrix is None, unusable=unusable)

    def _check_types(self, names: Iterable[str]) -> None:
        """A ValueError if a column holds neither numbers nor text, but dates or complex numbers."""
        unusable = [name for name in names if name in self._named and self._named[name].dtype.kind not in "fiubUS"]
        if unusable:
            raise ValueError(
                f"{self.source.name}: column {unusable[0]!r} is of type {self._named[unusable[0]].dtype}, neither "
                f"numeric nor text. Exclude {listed(unusable)} (--ignore), or convert."
            )

    def blocks(self, schema: Schema, start: FilePosition) -> Iterator[RowBlock]:
        self._check_types(column_indices(schema, self.names, self.source.name))
        if start.digest is not None and start.digest != self.source.file_digest:
            raise changed(self.source.name, "the file differs")
        size = max(_BLOCK // max(len(self.names), 1), 1)
        for row in range(start.offset, self._rows, size):
            rows = slice(row, min(row + size, self._rows))
            stored = None if self._matrix is None else self._matrix[rows]
            matrix = None if stored is None else _as_float64(stored)
            columns = {name: values[rows] for name, values in self._named.items()}
            target = schema.wanted_target
            kept = [chosen_column(name, self.names, self.source.name) for name in self.options.keep]
            yield RowBlock(
                _numeric(schema, matrix, columns, rows.stop - row),
                tuple(_column(name, matrix, columns, True, schema.na) for name in schema.categorical),  # type: ignore[misc]
                None if target is None else _column(target, matrix, columns, schema.target_categorical, schema.na),
                np.arange(row + 1, rows.stop + 1),
                np.full(rows.stop - row, start.file, np.int32),
                FilePosition(start.file, row, row + 1),
                FilePosition(start.file, rows.stop, rows.stop + 1),
                rows.stop / self._rows,
                digest=lambda line: self.source.file_digest,
                kept=tuple(kept_values(_values(name, stored, columns).tolist()) for name in kept),
            )


def _numeric(schema: Schema, matrix: np.ndarray | None, columns: dict[str, np.ndarray], rows: int) -> np.ndarray:
    if matrix is not None and not columns.keys() & set(schema.numeric):
        return matrix[:, np.array([int(name) - 1 for name in schema.numeric], np.intp)]
    return np.array([_column(name, matrix, columns, False) for name in schema.numeric]).T.reshape(rows, -1)


def _values(name: str, matrix: Any, columns: dict[str, np.ndarray]) -> np.ndarray:
    found: np.ndarray = columns[name] if name in columns or matrix is None else matrix[:, int(name) - 1]
    return found


def _column(
    name: str, matrix: np.ndarray | None, columns: dict[str, np.ndarray], categorical: bool, na: tuple[str, ...] = ()
) -> Column:
    values = _values(name, matrix, columns)
    if not categorical:
        return _as_float64(values)
    texts = (value.decode() if isinstance(value, bytes) else str(value) for value in values.tolist())
    return categorical_column(category(text, na) for text in texts)


def _as_float64(values: Any) -> np.ndarray:
    with np.errstate(over="ignore"):  # of longer floats; the row with an infinite number is refused by its number
        return np.asarray(values, np.float64)


def _npz_arrays(name: str) -> dict[str, Any]:
    """The arrays of a .npz file by name: memory-mapped if they are not compressed, otherwise read in order."""
    archive = zipfile.ZipFile(name)
    return {entry.filename.removesuffix(".npy"): _npz_array(archive, entry, name) for entry in archive.infolist()}


def _npz_array(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, name: str) -> Any:
    stream: BinaryIO = archive.open(entry)  # type: ignore[assignment]
    shape, fortran, dtype = _HEADERS[np.lib.format.read_magic(stream)](stream)
    if dtype.hasobject:
        raise ValueError(f"{entry.filename} contains Python objects, which are not loaded from files")
    if entry.compress_type == zipfile.ZIP_STORED:
        with open(name, "rb") as file:
            file.seek(entry.header_offset)
            begin = entry.header_offset + 30 + sum(_LOCAL_HEADER.unpack(file.read(30)))
        return np.memmap(name, dtype, "r", begin + stream.tell(), shape, "F" if fortran else "C")
    if fortran and len(shape) > 1:
        raise ValueError(f"{entry.filename} is compressed in Fortran order; save np.ascontiguousarray(…) instead")
    return CompressedArray(stream, shape, dtype)


class CompressedArray:
    """A compressed array of a .npz file, read front to back: slices must ascend, and rows may be skipped."""

    def __init__(self, stream: BinaryIO, shape: tuple[int, ...], dtype: np.dtype):
        self._stream, self._at, self.shape, self.dtype = stream, 0, shape, dtype
        self._size = dtype.itemsize * int(np.prod(shape[1:]))

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, rows: slice) -> np.ndarray:
        while self._at < rows.start:
            self._read(min(rows.start - self._at, _SKIPPED))
        return self._read(rows.stop - self._at)

    def _read(self, count: int) -> np.ndarray:
        self._at += count
        return np.frombuffer(self._stream.read(count * self._size), self.dtype).reshape(count, *self.shape[1:])
