"""Fast parsing of CSV and JSON lines with pyarrow, if it is installed, and its columns as blocks of rows.

A parser returns None for a chunk with anything unusual, which is then read line by line, to say what is wrong.
"""

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from .blocks import CategoricalColumn, Column, FilePosition, RowBlock
from .cells import MISSING
from .lines import TextChunk
from .schema import Options, Schema
from .text_numbers import TEXT_KINDS, read_number

ChunkParser = Callable[[TextChunk, int], RowBlock | None]
_NULLS = sorted({form for text in MISSING for form in (text, text.upper(), text.capitalize())} | {"NaN", "#N/a", "N/a"})


def import_pyarrow(module: str) -> Any:
    """pyarrow with one of its modules, or None if it is not installed."""
    try:
        importlib.import_module(f"pyarrow.{module}")
        return importlib.import_module("pyarrow")
    except ImportError:
        return None


def block_of(
    columns: dict[str, Any], schema: Schema, start: FilePosition, end: FilePosition, fraction: float
) -> RowBlock:
    """The rows of named columns of numbers and text, one row per line; NaN and −1 for a missing value."""
    rows = len(next(iter(columns.values()))) if columns else 0
    numeric = np.empty((rows, len(schema.numeric)))
    for i, name in enumerate(schema.numeric):
        numeric[:, i] = columns[name].to_numpy()
    target: Column | None = None
    if schema.wanted_target is not None:
        found = columns[schema.wanted_target]
        target = _categorical(found, schema) if schema.target_categorical else np.array(found.to_numpy(), np.float64)
    return RowBlock(
        numeric,
        tuple(_categorical(columns[name], schema) for name in schema.categorical),
        target,
        np.arange(start.line, start.line + rows),
        np.full(rows, start.file, np.int32),
        start,
        end,
        fraction,
    )


def _all_finite(block: RowBlock, columns: dict[str, Any], schema: Schema) -> bool:
    """Whether all numbers of a block are finite, except missing values."""
    assert isinstance(block.numeric, np.ndarray)
    missing = sum(columns[name].null_count for name in schema.numeric)
    finite = np.count_nonzero(np.isfinite(block.numeric)) + missing == block.numeric.size
    if finite and isinstance(block.target, np.ndarray) and schema.target is not None:
        finite = np.count_nonzero(np.isfinite(block.target)) + columns[schema.target].null_count == len(block)
    return bool(finite)


def csv_parser(schema: Schema, indices: dict[str, int], width: int, separator: str, options: Options) -> ChunkParser:
    """A parser for chunks of CSV; `indices` are those of the schema's columns."""
    arrow = import_pyarrow("csv")
    if arrow is None:
        return lambda chunk, file: None
    from pyarrow import csv

    positions = [str(i) for i in range(width)]
    texts = {*schema.categorical, *((schema.target,) if schema.target_categorical else ())}
    types = {
        positions[i]: arrow.string() if name in texts or name in schema.kinds else arrow.float64()
        for name, i in indices.items()
    }
    parse = csv.ParseOptions(delimiter=separator, quote_char='"' if options.quotes else False)
    parse.newlines_in_values = options.quotes
    convert = csv.ConvertOptions(
        column_types=types, include_columns=list(types), null_values=[*_NULLS, *options.na], strings_can_be_null=False
    )

    def parse_chunk(chunk: TextChunk, file: int) -> RowBlock | None:
        data = chunk.data
        if data.count(b"\r") != data.count(b"\r\n"):
            return None  # pyarrow would end a line there
        if options.encoding.lower() not in ("utf-8", "utf8", "ascii"):
            data = data.decode(options.encoding, errors="surrogateescape").encode(errors="replace")
        read = csv.ReadOptions(column_names=positions, use_threads=False, block_size=len(data) + 1)
        try:
            found = csv.read_csv(arrow.BufferReader(data), read, parse, convert)
        except arrow.ArrowException:
            return None
        if found.num_rows != chunk.lines:
            return None  # blank lines, or line breaks in quotes: lines must be counted one by one
        columns = numbers_read({name: found.column(positions[i]) for name, i in indices.items()}, schema)
        if columns is None:
            return None
        block = block_of(columns, schema, *chunk.positions(file), chunk.fraction)
        return block if _all_finite(block, columns, schema) else None

    return parse_chunk


def json_parser(schema: Schema, booleans: set[str]) -> ChunkParser:
    """A parser for chunks of JSON lines; `booleans` names the columns of true and false."""
    arrow = import_pyarrow("json")
    if arrow is None:
        return lambda chunk, file: None
    from pyarrow import json

    texts = {*schema.categorical, *((schema.target,) if schema.target_categorical else ())}
    wanted = [*schema.features, *((schema.wanted_target,) if schema.wanted_target is not None else ())]
    booleans = {name for name in wanted if name in booleans - texts}
    numeric = {name: arrow.bool_() if name in booleans else arrow.float64() for name in wanted if name not in texts}
    types = numeric | {name: arrow.string() for name in wanted if name in texts or name in schema.kinds}
    parse = json.ParseOptions(arrow.schema(list(types.items())), unexpected_field_behavior="ignore")

    def parse_chunk(chunk: TextChunk, file: int) -> RowBlock | None:
        read = json.ReadOptions(use_threads=False, block_size=len(chunk.data) + 1)
        try:
            chunk.data.decode()  # pyarrow does not check keys that it ignores
            found = json.read_json(arrow.BufferReader(chunk.data), read, parse)
        except (UnicodeDecodeError, arrow.ArrowException):
            return None
        if found.num_rows != chunk.lines:
            return None  # blank lines: lines must be counted one by one
        columns = numbers_read({name: found.column(name) for name in wanted}, schema)
        if columns is None:
            return None
        columns |= {name: columns[name].cast(arrow.float64()) for name in booleans}
        block = block_of(columns, schema, *chunk.positions(file), chunk.fraction)
        return block if _all_finite(block, columns, schema) else None

    return parse_chunk


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


def _categorical(column: Any, schema: Schema) -> CategoricalColumn:
    """Text without surrounding blanks; empty text is missing, and what the schema says."""
    from pyarrow import types

    whole = (column if types.is_dictionary(column.type) else column.dictionary_encode()).combine_chunks()
    whole = whole.chunk(0) if hasattr(whole, "chunks") else whole
    categories = [str(value).strip() for value in whole.dictionary.to_pylist()]
    codes = np.asarray(whole.indices.fill_null(-1).to_numpy(zero_copy_only=False), np.int64)
    empty = [i for i, category in enumerate(categories) if not category or category in schema.na]
    return CategoricalColumn(np.where(np.isin(codes, empty), -1, codes) if empty else codes, categories)
