"""Columns that are copied to the output of predictions: their text, as it is in the file."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from .lines import TextChunk


class JsonText(str):
    """The JSON text of a value that is no string: a number, true or false, an array or an object."""

    __slots__ = ()


def kept_cells(rows: Mapping[int, Sequence[str | None]], lines: np.ndarray, count: int) -> tuple[np.ndarray, ...]:
    """`count` columns of the text of those lines; None for a missing value.

    >>> kept_cells({2: ["a", "1"], 3: ["b", None], 4: ["c", "3"]}, np.array([2, 4]), 2)
    (array(['a', 'c'], dtype=object), array(['1', '3'], dtype=object))
    """
    found = [rows[line] for line in lines.tolist()]
    return tuple(np.array([row[i] for row in found], object) for i in range(count))


def kept_values(values: Iterable[Any]) -> np.ndarray:
    """A column of values that are not text in the file.

    >>> kept_values([7, 0.5, None, "a"]).tolist()
    ['7', '0.5', None, 'a']
    """
    return np.array([_text(value) for value in values], object)


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    if isinstance(value, (bool, int)) or (isinstance(value, float) and math.isfinite(value)):
        return JsonText(json.dumps(value))
    if isinstance(value, float):
        return None if math.isnan(value) else str(value)
    return str(value)


def kept_of_objects(chunk: TextChunk, names: Sequence[str], lines: np.ndarray) -> tuple[np.ndarray, ...]:
    """The values of keys in JSON lines; those of objects inside have dotted names. Numbers keep their digits.

    >>> kept_of_objects(TextChunk(b'{"id": 1.10, "at": {"x": "a"}}\\n', 0, 1, 0.0), ["id", "at.x", "no"], np.array([1]))
    (array(['1.10'], dtype=object), array(['a'], dtype=object), array([None], dtype=object))
    """
    texts, rows = chunk.data.split(b"\n"), dict[int, list[str | None]]()
    for line in lines.tolist():
        found = json.loads(texts[line - chunk.line], parse_float=JsonText, parse_int=JsonText, parse_constant=str)
        rows[line] = [_json(_inside(found, name)) for name in names]
    return kept_cells(rows, lines, len(names))


def _inside(found: Any, name: str) -> Any:
    if not isinstance(found, dict) or name in found or "." not in name:
        return found.get(name) if isinstance(found, dict) else None
    first, _, rest = name.partition(".")
    return _inside(found.get(first), rest)


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
