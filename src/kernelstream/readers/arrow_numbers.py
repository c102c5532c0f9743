"""Columns of pyarrow as numbers: text of any notation, dates and times, durations."""

from typing import Any

import numpy as np

from .cells import MISSING
from .schema import Schema
from .text_numbers import TEXT_KINDS, read_number


def numbers_read(columns: dict[str, Any], schema: Schema) -> dict[str, Any] | None:
    """The columns, those of `schema.kinds` as numbers, null for a missing value: text is parsed, dates and times are
    seconds. None if a cell cannot be read."""
    found = dict(columns)
    for name in columns.keys() & schema.kinds.keys():
        column = _parsed(columns[name], schema.kinds[name], schema.na)
        if column is None:
            return None
        found[name] = column
    return found


def _parsed(column: Any, kind: str, na: tuple[str, ...]) -> Any:
    import pyarrow
    from pyarrow import compute, types

    if types.is_dictionary(column.type) and not _is_text(column.type.value_type):
        column = column.cast(column.type.value_type)
    if not _is_text(column.type) and not types.is_dictionary(column.type):
        return seconds_or_numbers(column)
    whole = (column if types.is_dictionary(column.type) else column.dictionary_encode()).combine_chunks()
    whole = whole.chunk(0) if hasattr(whole, "chunks") else whole
    texts = whole.dictionary.cast(pyarrow.string())
    missing = compute.is_in(compute.ascii_lower(compute.utf8_trim_whitespace(texts)), pyarrow.array(MISSING))
    missing = compute.or_(
        missing, compute.is_in(compute.utf8_trim_whitespace(texts), pyarrow.array(na, pyarrow.string()))
    )
    present, convert = texts.filter(compute.invert(missing)), TEXT_KINDS[kind].convert
    read = None if convert is None else convert(present)
    if read is None:
        numbers = [read_number(text, kind) for text in present.to_pylist()]
        if None in numbers:
            return None
        read = pyarrow.array(numbers, pyarrow.float64())
    values = np.full(len(texts), np.nan)
    values[~missing.to_numpy(zero_copy_only=False)] = read.to_numpy(zero_copy_only=False)
    cells = np.append(values, np.nan)[whole.indices.fill_null(len(texts)).to_numpy(zero_copy_only=False)]
    return pyarrow.chunked_array([pyarrow.array(cells, mask=np.isnan(cells))])


def _is_text(kind: Any) -> bool:
    from pyarrow import types

    return bool(types.is_string(kind) or types.is_large_string(kind))


def seconds_or_numbers(column: Any) -> Any:
    """A column of numbers, truth values, dates, times or durations as float64: those with a unit in seconds, of dates
    since 1970."""
    import pyarrow
    from pyarrow import compute, types

    kind = column.type
    if types.is_date(kind):
        column, kind = column.cast(pyarrow.timestamp("ms")), pyarrow.timestamp("ms")
    units = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9}
    if types.is_timestamp(kind) or types.is_time(kind) or types.is_duration(kind):
        ticks = column.cast(pyarrow.int32() if types.is_time32(kind) else pyarrow.int64())
        return compute.divide(ticks.cast(pyarrow.float64(), safe=False), units[kind.unit])
    return column.cast(pyarrow.float64(), safe=False)
