"""Columns that are copied to the output of predictions: their text, as it is in the file."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from .cells import is_text
from .lines import TextChunk
from .nested import NotAnObject, Path, value_at


class JsonText(str):
    """The JSON text of a value that is no string: a number, true or false, an array or an object."""

    __slots__ = ()


def kept_cells(rows: Mapping[int, Sequence[str | None]], lines: np.ndarray, count: int) -> tuple[np.ndarray, ...]:
    """`count` columns of the text of those lines; None for a missing value.

    >>> kept_cells({2: ["a", "1"], 3: ["b", None], 4: ["c", "3"]}, np.array([2, 4]), 2)
    (array(['a', 'c'], dtype=object), array(['1', '3'], dtype=object))
    """
    found = [rows[line] for line in lines.tolist()]
    return tuple(np.array([_valid(row[i]) for row in found], object) for i in range(count))


def kept_values(values: Iterable[Any]) -> np.ndarray:
    """A column of values that are not text in the file.

    >>> kept_values([7, 0.5, None, "a", [1]]).tolist()
    ['7', '0.5', None, 'a', '[1]']
    """
    return np.array([_text(value) for value in values], object)


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return _valid(value)
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    if isinstance(value, (bool, int)) or (isinstance(value, float) and math.isfinite(value)):
        return JsonText(json.dumps(value))
    if isinstance(value, float):
        return None if math.isnan(value) else str(value)
    return JsonText(json.dumps(value, default=str)) if isinstance(value, (dict, list)) else str(value)


def _valid(cell: str | None) -> str | None:
    """Text that can be written: bytes that are no characters are replaced."""
    return cell if cell is None or is_text(cell) else cell.encode(errors="replace").decode()


def kept_of_objects(chunk: TextChunk, paths: Sequence[Sequence[Path]], lines: np.ndarray) -> tuple[np.ndarray, ...]:
    """The values of JSON lines at the first of some paths, for each column. Numbers keep their digits.

    >>> chunk = TextChunk(b'{"id": 1.10, "at": {"x": "a"}}\\n', 0, 1, 0.0)
    >>> kept_of_objects(chunk, [[("id",)], [("at.x",), ("at", "x")], [("id", "x")]], np.array([1]))
    (array(['1.10'], dtype=object), array(['a'], dtype=object), array([None], dtype=object))
    """
    texts, rows = chunk.data.split(b"\n"), dict[int, list[str | None]]()
    for line in lines.tolist():
        found = json.loads(texts[line - chunk.line], parse_float=JsonText, parse_int=JsonText, parse_constant=str)
        rows[line] = [_json(_value(found, each)) for each in paths]
    return kept_cells(rows, lines, len(paths))


def _value(found: Any, paths: Sequence[Path]) -> Any:
    try:
        return value_at(found, paths)
    except NotAnObject:
        return None


def _json(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return JsonText(_dumped(value))


def _dumped(value: Any) -> str:
    """JSON in which numbers are as they were."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)}: {_dumped(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_dumped, value)) + "]"
    return value if isinstance(value, JsonText) else json.dumps(value)
