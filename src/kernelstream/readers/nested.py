"""Nested objects as flat columns: `{"user": {"age": 3}}` has the column `user.age`."""

from collections.abc import Container, Iterable, Iterator
from typing import Any

DOT = "."
MAX_DEPTH = 16
Path = tuple[str, ...]


class NotAnObject(ValueError):
    """A value on the way to a nested one is not an object."""

    def __init__(self, key: str, value: Any):
        self.key, self.value = key, value


def leaves(item: dict[str, Any], before: Path = ()) -> Iterator[tuple[Path, Any]]:
    """The values of an object and of those inside it, down to 16 levels.

    >>> list(leaves({"a": 1, "b": {"c": {"d": 2}, "e": [3]}}))
    [(('a',), 1), (('b', 'c', 'd'), 2), (('b', 'e'), [3])]
    """
    for key, value in item.items():
        path = (*before, str(key))
        if isinstance(value, dict) and len(path) < MAX_DEPTH:
            yield from leaves(value, path)
        else:
            yield path, value


def candidates(name: str, seen: Iterable[Path], columns: Container[str]) -> list[Path]:
    """The paths at which a column's values are looked for, in order: those seen in the first objects, if any; otherwise
    a key with dots in it, and nested keys, unless an object on the way is a column itself.

    >>> candidates("a.b", [], {"a.b"}), candidates("a.b", [], {"a", "a.b"}), candidates("a.b", [("a", "b")], {"a.b"})
    ([('a.b',), ('a', 'b')], [('a.b',)], [('a', 'b')])
    """
    known = sorted(seen, key=len)
    if known:
        return known
    split = tuple(name.split(DOT))
    outer = (DOT.join(split[:i]) for i in range(1, len(split)))
    nested = 1 < len(split) <= MAX_DEPTH and not any(key in columns for key in outer)
    return [(name,), split] if nested else [(name,)]


def value_at(item: dict[str, Any], paths: Iterable[Path]) -> Any:
    """The value at the first of the paths that has one; None if there is none. NotAnObject if there cannot be one.

    >>> value_at({"a": {"b": 2}}, [("a.b",), ("a", "b")]), value_at({"a.b": 3}, [("a.b",)]), value_at({}, [("a",)])
    (2, 3, None)
    """
    refused: NotAnObject | None = None
    for path in paths:
        value: Any = item
        for depth, key in enumerate(path):
            if not isinstance(value, dict):
                refused = NotAnObject(DOT.join(path[:depth]), value)
                value = None
                break
            value = value.get(key)
            if value is None:
                break
        if value is not None:
            return value
    if refused is not None:
        raise refused
    return None
