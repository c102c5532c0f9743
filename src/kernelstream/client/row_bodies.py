"""Rows as bodies of requests: dicts as JSON, data frames and Arrow tables as Arrow streams."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

JSON, ARROW = "application/json", "application/vnd.apache.arrow.stream"
_ID = "kernelstream id"  # the column of ids in an Arrow stream; the server takes it out again


class RowsRequest(NamedTuple):
    """A body, its content type, the parameters of the URL that it needs, and which of the rows it has."""

    data: bytes
    kind: str
    query: dict[str, str]
    first: int
    rows: int


def as_table(rows: Any) -> Any:
    """A list of dicts, or an Arrow table.

    >>> as_table({"x": 1.5}), as_table(iter([{"x": 1}, {"x": 2}]))
    ([{'x': 1.5}], [{'x': 1}, {'x': 2}])
    """
    if isinstance(rows, Mapping):
        return [rows]
    if hasattr(rows, "__arrow_c_stream__"):
        try:
            import pyarrow
        except ImportError:
            if hasattr(rows, "to_dict"):  # pandas
                return rows.to_dict("records")
            raise ImportError('Data frames need pyarrow: pip install "kernelstream[files]"') from None
        return pyarrow.table(rows)
    if hasattr(rows, "to_dict"):  # an older pandas
        return rows.to_dict("records")
    found = list(rows)
    for i, row in enumerate(found):
        if not isinstance(row, Mapping):
            raise ValueError(f"row {i:,} is a {type(row).__name__}; a row is a dict with columns by name.")
    return found


def requests(rows: Any, ids: Sequence[str | int] | None, size: int) -> Iterator[RowsRequest]:
    """The bodies of rows, at most `size` rows in each.

    >>> [one.data for one in requests([{"x": 1.5}, {"x": math.nan}], ["a", "b"], 1)]
    [b'{"rows":[{"x":1.5}],"ids":["a"]}', b'{"rows":[{"x":null}],"ids":["b"]}']
    """
    if ids is not None and len(ids) != len(rows):
        raise ValueError(f"There are {len(rows):,} rows, but {len(ids):,} ids.")
    for at in range(0, len(rows), size):
        some = None if ids is None else list(ids[at : at + size])
        if isinstance(rows, list):
            part = rows[at : at + size]
            body = {"rows": part} | ({} if some is None else {"ids": some})
            yield RowsRequest(to_json(body), JSON, {}, at, len(part))
        else:
            table = rows.slice(at, size)
            query = {} if some is None else {"id_column": _ID}
            if some is not None:
                table = table.append_column(_ID, [[str(name) for name in some]])
            yield RowsRequest(_arrow_bytes(table), ARROW, query, at, table.num_rows)


def to_json(value: Any) -> bytes:
    """JSON in which NaN is null, and NumPy's numbers and dates are plain ones."""
    try:
        text = json.dumps(value, allow_nan=False, default=_plain, separators=(",", ":"))
    except ValueError:  # a NaN somewhere
        text = json.dumps(_without_nan(value), allow_nan=False, default=_plain, separators=(",", ":"))
    return text.encode()


def _plain(value: Any) -> Any:
    if value is getattr(type(value), "NaT", None) or type(value).__name__ in ("NaTType", "NAType"):
        return None
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if hasattr(value, "item"):  # NumPy
        return _without_nan(value.item())
    if hasattr(value, "as_integer_ratio"):  # decimals and fractions
        return float(value)
    raise ValueError(f"{value!r:.80} ({type(value).__name__}) is neither a number, text, a date nor None.")


def _without_nan(value: Any) -> Any:
    if isinstance(value, float) and math.isnan(value):
        return None
    if isinstance(value, float) and math.isinf(value):
        raise ValueError(f"{value} is not a finite number. Replace it, or send None for a missing value.")
    if isinstance(value, Mapping):
        return {name: _without_nan(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_nan(one) for one in value]
    return value


def _arrow_bytes(table: Any) -> bytes:
    import pyarrow
    import pyarrow.ipc

    sink = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    data: bytes = sink.getvalue().to_pybytes()
    return data
