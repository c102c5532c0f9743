"""Columns in memory as CSV text, part by part, to be read by the rules of files."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..readers import RowPart
from ..readers.arrow import import_pyarrow
from .cell_text import Spelling
from .raw_tables import Column, RawTable

_CELLS = 1 << 19  # written at a time


def row_parts(
    columns: Mapping[str, Column], numbers: Mapping[str, np.ndarray], spellings: Mapping[str, Spelling], rows: int
) -> Iterator[RowPart]:
    """Columns to be written, after a column with the numbers of rows, and columns of numbers.

    >>> spelled = {"x": Spelling(), "y": Spelling()}
    >>> next(row_parts({"x": [0.5, None], "y": ["a", "b,c"]}, {}, spelled, 2)).text
    b'row,x,y\\n0,0.5,a\\n1,,"b,c"\\n'
    """
    number = "row"
    while number in columns:
        number += "_"
    for part, cells in _portions(columns, spellings, rows):
        values = {name: known[part.start : part.stop] for name, known in numbers.items()}
        yield RowPart(_text([number, *columns], [part, *cells], header=True), values, len(part))


def table_text(table: RawTable) -> Iterator[bytes]:
    """The whole table, as a CSV file has it."""
    columns = {name: table.column(i) for i, name in enumerate(table.names)}
    if len(columns) < len(table.names):
        twice = next(name for name in table.names if table.names.count(name) > 1)
        raise ValueError(f"The data has two columns named {twice!r}. Rename one.")
    for part, cells in _portions(columns, dict.fromkeys(columns, Spelling(decimals=False)), len(table)):
        yield _text(list(columns), cells, header=part.start == 0)


def _portions(
    columns: Mapping[str, Column], spellings: Mapping[str, Spelling], rows: int
) -> Iterator[tuple[range, list[Column]]]:
    count = max(_CELLS // (len(columns) + 1), 1)
    for start in range(0, rows, count):
        stop = min(start + count, rows)
        cells = [_written(_slice(c, start, stop), spellings[name], name, start) for name, c in columns.items()]
        yield range(start, stop), cells


def _slice(column: Column, start: int, stop: int) -> Column:
    return column[start:stop] if isinstance(column, list) else column.slice(start, stop - start)


def _written(column: Column, spelling: Spelling, name: str, start: int) -> Column:
    """Cells: a list of text, or an Arrow array that pyarrow writes as it must be read."""
    if not isinstance(column, list):
        found = _plain(column, spelling)
        if found is not None:
            return found
        column = column.to_pylist()
    cells = []
    try:
        for value in column:
            cells.append(spelling.cell(value))  # one by one, so that an error has its row
    except ValueError as error:
        raise ValueError(f"row {start + len(cells):,}, column {name!r}: {error}") from None
    return cells


def _plain(column: Any, spelling: Spelling) -> Any:
    arrow = import_pyarrow("csv")
    types, kind = arrow.types, column.type
    if types.is_dictionary(kind):
        column = column.cast(kind.value_type)
        kind = column.type
    if types.is_floating(kind):  # as pyarrow writes 3.0 as 3
        return None if spelling.decimals else column.cast(arrow.float64())
    if types.is_string(kind) or types.is_large_string(kind) or str(kind) == "string_view":
        return column.cast(arrow.string())
    known = (types.is_integer, types.is_decimal, types.is_date, types.is_null)
    return column if any(test(kind) for test in known) else None


def _text(names: Sequence[str], columns: Sequence[Any], *, header: bool) -> bytes:
    arrow = import_pyarrow("csv")
    if arrow is not None and any(not isinstance(column, (list, range)) for column in columns):
        from pyarrow.csv import WriteOptions, write_csv

        whole = arrow.table([arrow.array(c) if isinstance(c, (list, range)) else c for c in columns], list(names))
        drain = io.BytesIO()
        write_csv(whole, drain, WriteOptions(include_header=header))
        return drain.getvalue()
    file = io.StringIO(newline="")
    writer = csv.writer(file, lineterminator="\n")
    if header:
        writer.writerow(names)
    writer.writerows(zip(*columns, strict=True))
    return file.getvalue().encode(errors="surrogatepass")
