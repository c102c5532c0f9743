"""Raw rows in memory as columns by name: data frames, Arrow tables, dicts of rows and dicts of columns."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..readers.arrow import import_pyarrow

Column = Any  # a list of values, or an Arrow array
KINDS = "a data frame, an Arrow table, a dict of one row, a list of dicts, or a dict of columns"


class RawTable:
    """Columns, each made when it is asked for.

    >>> table = as_table([{"age": 31, "place": {"city": "Oslo"}}, {"age": 40}])
    >>> table.names, len(table), table.column(1)
    (['age', 'place.city'], 2, ['Oslo', None])
    """

    def __init__(self, names: Sequence[Any], rows: int, column: Callable[[int], Column]):
        self.names, self.column, self._rows = [str(name) for name in names], column, rows

    def __len__(self) -> int:
        return self._rows

    def with_column(self, name: str, values: Any) -> "RawTable":
        """The table with one more column, at its end, in place of one of the same name."""
        values = values.tolist() if hasattr(values, "tolist") else list(values)
        if len(values) != len(self):
            raise ValueError(f"There are {len(self):,} rows, but {len(values):,} targets.")
        kept = [i for i, known in enumerate(self.names) if known != name]
        names = [*(self.names[i] for i in kept), name]
        return RawTable(names, len(self), lambda i: values if i == len(kept) else self.column(kept[i]))


def as_table(rows: Any) -> RawTable:
    """The columns of rows in any form with names; a TypeError if they have none.

    >>> as_table({"x": [1, 2], "y": ["a", "b"]}).names, len(as_table({"x": 1, "y": "a"}))
    (['x', 'y'], 1)
    """
    if hasattr(rows, "iloc") and getattr(rows, "ndim", 2) == 1:
        rows = rows.to_dict()  # a row of a data frame
    if isinstance(rows, Mapping):
        return _of_columns(rows) if _has_columns(rows) else _of_rows([rows])
    if hasattr(rows, "iloc") and hasattr(rows, "columns"):
        return _of_frame(rows)
    if hasattr(rows, "__arrow_c_stream__") or hasattr(rows, "__arrow_c_array__"):
        return _of_arrow(rows)
    if isinstance(rows, (Sequence, Iterator)) and not isinstance(rows, (str, bytes)):
        listed = list(rows)
        if all(isinstance(row, Mapping) for row in listed):
            return _of_rows(listed)
    raise TypeError(f"rows must be {KINDS}, not {described(rows)}.")


def described(rows: Any) -> str:
    """What was given, for an error.

    >>> described(np.zeros((2, 3))), described([1, 2])
    ('a NumPy array of shape (2, 3), whose columns have no names', 'a list')
    """
    if isinstance(rows, np.ndarray):
        return f"a NumPy array of shape {rows.shape}, whose columns have no names"
    name = type(rows).__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def _has_columns(given: Mapping[Any, Any]) -> bool:
    values = [value for value in given.values() if not isinstance(value, Mapping)]
    return bool(values) and all(hasattr(v, "__len__") and not isinstance(v, (str, bytes)) for v in values)


def _of_columns(given: Mapping[Any, Any]) -> RawTable:
    names = list(given)
    counts = {len(values) for values in given.values()}
    if len(counts) != 1:
        lengths = ", ".join(f"{name!r} {len(values):,}" for name, values in given.items())
        raise ValueError(f"The columns differ in length: {lengths}.")

    def column(i: int) -> Column:
        values = given[names[i]]
        return values.tolist() if hasattr(values, "tolist") else list(values)

    return RawTable(names, counts.pop(), column)


def _of_rows(given: Sequence[Mapping[Any, Any]]) -> RawTable:
    """A key that a row does not have is a missing value, as in JSON lines; objects inside have dotted names."""
    rows = [_flat(row) if any(isinstance(value, Mapping) for value in row.values()) else row for row in given]
    keys = list(dict.fromkeys(key for row in rows for key in row))
    return RawTable(keys, len(rows), lambda i: [row.get(keys[i]) for row in rows])


def _flat(row: Mapping[Any, Any], before: str = "") -> dict[Any, Any]:
    found: dict[Any, Any] = {}
    for key, value in row.items():
        if isinstance(value, Mapping):
            found |= _flat(value, f"{before}{key}.")
        else:
            found[f"{before}{key}" if before else key] = value
    return found


def _of_frame(frame: Any) -> RawTable:
    arrow = import_pyarrow("csv")

    def column(i: int) -> Column:
        series = frame.iloc[:, i]
        if arrow is not None:
            try:
                return arrow.chunked_array([arrow.array(series, from_pandas=True)])
            except (arrow.ArrowException, TypeError, ValueError):
                pass  # values of several types
        return series.tolist()

    return RawTable(list(frame.columns), len(frame), column)


def _of_arrow(rows: Any) -> RawTable:
    arrow = import_pyarrow("csv")
    if arrow is None:
        raise ImportError(f'{described(rows)} is read with pyarrow: pip install "kernelstream[files]"')
    table = arrow.table(rows) if hasattr(rows, "__arrow_c_stream__") else arrow.Table.from_batches([rows])
    while any(arrow.types.is_struct(field.type) for field in table.schema):
        table = table.flatten()
    return RawTable(table.column_names, table.num_rows, table.column)
