"""NumPy files: a matrix or a table in .npy, a matrix X and targets y in .npz."""

import zipfile
from collections.abc import Iterator
from typing import Any

import numpy as np

from .blocks import Block, Column, words_of
from .npz import arrays
from .opening import Bytes
from .place import Place
from .schema import Options, Schema, choose, listed, located

AT_ONCE = 1 << 19  # values read at a time
_MATRIX_NAMES = ("X", "x", "data", "features")


class Arrays:
    """A matrix whose columns are called "1", "2", …; or named columns. Both may be there."""

    noun = "row"

    def __init__(self, source: Bytes, options: Options):
        if not source.seekable:
            raise ValueError("NumPy files cannot be read from standard input. Name the file.")
        self.source, self.options = source, options
        self._matrix: Any = None  # an array or what can be sliced like one, (n, columns)
        self._named: dict[str, Any] = {}  # (n,) each
        self._open()
        self._rows = len(self._matrix) if self._matrix is not None else len(next(iter(self._named.values())))
        width = 0 if self._matrix is None else self._matrix.shape[1]
        self.names = [*(str(i + 1) for i in range(width)), *self._named]

    def _open(self) -> None:
        name, zipped = self.source.name, self.source.head.startswith(b"PK")
        try:
            array = arrays(name) if zipped else np.load(name, mmap_mode="r", allow_pickle=False)
        except (zipfile.BadZipFile, EOFError, ValueError) as error:
            raise ValueError(f"{name} is damaged or no NumPy file: {error}.") from None
        if isinstance(array, dict):
            self._matrix = array.pop(self._matrix_name(array))
            self._named = {key: member for key, member in array.items() if member.shape == self._matrix.shape[:1]}
        elif array.dtype.names is not None and array.ndim == 1:
            self._named = {key: array[key] for key in array.dtype.names}
        elif array.ndim == 2 and array.dtype.kind in "fiub":
            self._matrix = array
        else:
            raise ValueError(
                f"{name} has an array of shape {array.shape} and type {array.dtype}; a matrix of numbers is needed, or "
                "a one-dimensional array with named fields."
            )

    def _matrix_name(self, members: dict[str, Any]) -> str:
        matrices = [key for key, member in members.items() if len(member.shape) == 2 and member.dtype.kind in "fiub"]
        usual = [key for key in matrices if key in _MATRIX_NAMES] or matrices
        if len(usual) != 1:
            raise ValueError(
                f"{self.source.name} must have one matrix of numbers, called X, and its targets, called y. It has "
                f"{listed(list(members))}."
            )
        return usual[0]

    def infer(self) -> Schema:
        """Fields of text are words."""
        kinds = {name: name in self._named and self._named[name].dtype.kind in "US" for name in self.names}
        return choose(kinds, self.options, self.source.name, header=self._matrix is None)

    def blocks(self, schema: Schema, start: Place) -> Iterator[Block]:
        located(schema, self.names, self.source.name)
        size = max(AT_ONCE // max(len(self.names), 1), 1)
        for row in range(start.offset, self._rows, size):
            rows = slice(row, min(row + size, self._rows))
            matrix = None if self._matrix is None else np.asarray(self._matrix[rows], np.float64)
            columns = {name: values[rows] for name, values in self._named.items()}
            target = schema.wanted_target
            yield Block(
                _numbers(schema, matrix, columns, rows.stop - row),
                tuple(_column(name, matrix, columns, words=True) for name in schema.words),  # type: ignore[misc]
                None if target is None else _column(target, matrix, columns, schema.target_words),
                np.arange(row + 1, rows.stop + 1),
                np.full(rows.stop - row, start.file, np.int32),
                Place(start.file, row, row + 1),
                Place(start.file, rows.stop, rows.stop + 1),
                rows.stop / self._rows,
            )


def _numbers(schema: Schema, matrix: np.ndarray | None, columns: dict[str, np.ndarray], rows: int) -> np.ndarray:
    if matrix is not None and not columns.keys() & set(schema.numbers):
        places = np.array([int(name) - 1 for name in schema.numbers], np.intp)
        return matrix[:, places]
    return np.array([_column(name, matrix, columns, False) for name in schema.numbers]).T.reshape(rows, -1)


def _column(name: str, matrix: np.ndarray | None, columns: dict[str, np.ndarray], words: bool) -> Column:
    values = columns[name] if name in columns or matrix is None else matrix[:, int(name) - 1]
    if not words:
        return np.asarray(values, np.float64)
    texts = (value.decode() if isinstance(value, bytes) else str(value) for value in values.tolist())
    return words_of(text.strip() or None for text in texts)
