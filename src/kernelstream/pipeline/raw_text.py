"""Columns in memory as CSV text, part by part. Numbers keep every digit."""

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Any

from ..readers import TextPart
from ..readers.arrow import import_pyarrow
from .cell_text import Spelling
from .raw_tables import Column, RawTable

_CELLS = 1 << 19  # written at a time


def text_parts(table: RawTable, indices: dict[str, int], spellings: dict[str, Spelling]) -> Iterator[TextPart]:
    """The columns at `indices`, after a column with the numbers of rows.

    >>> from kernelstream.pipeline.raw_tables import as_table
    >>> table = as_table({"x": [0.5, None], "y": ["a", "b,c"]})
    >>> next(text_parts(table, {"x": 0, "y": 1}, dict.fromkeys(table.names, Spelling())))
    TextPart(data=b'row,x,y\\n0,0.5,a\\n1,,"b,c"\\n', rows=2)
    """
    number = "row"
    while number in indices:
        number += "_"
    for rows, cells in _portions(table, indices, spellings):
        yield TextPart(_text([number, *indices], [rows, *cells], header=True), len(rows))


def table_text(table: RawTable) -> Iterator[bytes]:
    """The whole table, as a CSV file has it."""
    indices = {name: i for i, name in enumerate(table.names)}
    if len(indices) < len(table.names):
        twice = next(name for name in table.names if table.names.count(name) > 1)
        raise ValueError(f"The data has two columns named {twice!r}. Rename one.")
    for rows, cells in _portions(table, indices, dict.fromkeys(indices, Spelling(decimals=False))):
        yield _text(list(indices), cells, header=rows.start == 0)


def _portions(
    table: RawTable, indices: dict[str, int], spellings: dict[str, Spelling]
) -> Iterator[tuple[range, list[Column]]]:
    count = max(_CELLS // max(len(indices), 1), 1)
    columns = {name: table.column(i) for name, i in indices.items()}
    for start in range(0, len(table), count):
        stop = min(start + count, len(table))
        yield (
            range(start, stop),
            [_written(_slice(column, start, stop), spellings[name], name, start) for name, column in columns.items()],
        )


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
    if types.is_boolean(kind) and (spelling.true, spelling.false) == ("1", "0"):
        return column.cast(arrow.int8())
    if types.is_boolean(kind) or types.is_floating(kind):
        return column.cast(arrow.float64()) if types.is_floating(kind) and not spelling.decimals else None
    if types.is_string(kind) or types.is_large_string(kind) or str(kind) == "string_view":
        return column.cast(arrow.string())
    known = (types.is_integer, types.is_decimal, types.is_date, types.is_timestamp, types.is_null)
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
