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
from .nested import Path
from .schema import Options, Schema

ChunkParser = Callable[[TextChunk, int], RowBlock | None]
_NULLS = [*MISSING, *(text.upper() for text in MISSING), "NaN", "None", "Null"]


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
    """The rows of named columns, one row per line; NaN and −1 for a missing value."""
    rows = len(next(iter(columns.values()))) if columns else 0
    numeric = np.empty((rows, len(schema.numeric)))
    for i, name in enumerate(schema.numeric):
        numeric[:, i] = columns[name].to_numpy()
    target: Column | None = None
    if schema.wanted_target is not None:
        found = columns[schema.wanted_target]
        target = _categorical(found) if schema.target_categorical else np.array(found.to_numpy(), np.float64)
    return RowBlock(
        numeric,
        tuple(_categorical(columns[name]) for name in schema.categorical),
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
    types = {positions[i]: arrow.string() if name in texts else arrow.float64() for name, i in indices.items()}
    parse = csv.ParseOptions(delimiter=separator, quote_char='"' if options.quotes else False)
    parse.newlines_in_values = options.quotes
    convert = csv.ConvertOptions(
        column_types=types, include_columns=list(types), null_values=_NULLS, strings_can_be_null=False
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
        columns = {name: found.column(positions[i]) for name, i in indices.items()}
        block = block_of(columns, schema, *chunk.positions(file), chunk.fraction)
        return block if _all_finite(block, columns, schema) else None

    return parse_chunk


def json_parser(schema: Schema, booleans: set[str], paths: dict[str, list[Path]]) -> ChunkParser:
    """A parser for chunks of JSON lines; `booleans` names the columns of true and false, `paths` has the wanted columns
    and where their values may be in an object."""
    arrow = import_pyarrow("json")
    if arrow is None:
        return lambda chunk, file: None
    from pyarrow import compute, json

    texts = {*schema.categorical, *((schema.target,) if schema.target_categorical else ())}
    booleans = booleans & paths.keys() - texts
    types = {name: arrow.bool_() if name in booleans else arrow.float64() for name in paths}
    types |= {name: arrow.string() for name in paths if name in texts}
    fields = _nested_fields([(path, types[name]) for name, found in paths.items() for path in found])
    if fields is None:
        return lambda chunk, file: None
    parse = json.ParseOptions(arrow.schema(list(fields.items())), unexpected_field_behavior="ignore")

    def column(found: Any, name: str) -> Any:
        parts = [compute.struct_field(found.column(key), rest) if rest else found.column(key)
                 for key, *rest in paths[name]]  # fmt: skip
        return parts[0] if len(parts) == 1 else compute.coalesce(*parts)

    def parse_chunk(chunk: TextChunk, file: int) -> RowBlock | None:
        read = json.ReadOptions(use_threads=False, block_size=len(chunk.data) + 1)
        try:
            chunk.data.decode()  # pyarrow does not check keys that it ignores
            found = json.read_json(arrow.BufferReader(chunk.data), read, parse)
        except (UnicodeDecodeError, arrow.ArrowException):
            return None
        if found.num_rows != chunk.lines:
            return None  # blank lines: lines must be counted one by one
        columns = {name: column(found, name) for name in paths}
        columns |= {name: columns[name].cast(arrow.float64()) for name in booleans}
        block = block_of(columns, schema, *chunk.positions(file), chunk.fraction)
        return block if _all_finite(block, columns, schema) else None

    return parse_chunk


def _nested_fields(leaves: list[tuple[Path, Any]]) -> dict[str, Any] | None:
    """The fields of nested objects with these leaves; None if one is both an object and a leaf."""
    import pyarrow

    groups: dict[str, list[tuple[Path, Any]]] = {}
    for (key, *rest), kind in leaves:
        groups.setdefault(key, []).append((tuple(rest), kind))
    found = {}
    for key, members in groups.items():
        if all(rest for rest, _ in members):
            inner = _nested_fields(members)
            if inner is None:
                return None
            found[key] = pyarrow.struct(list(inner.items()))
        elif len(members) == 1:
            found[key] = members[0][1]
        else:
            return None
    return found


def _categorical(column: Any) -> CategoricalColumn:
    """Text without surrounding blanks; empty text is missing."""
    from pyarrow import types

    whole = (column if types.is_dictionary(column.type) else column.dictionary_encode()).combine_chunks()
    whole = whole.chunk(0) if hasattr(whole, "chunks") else whole
    categories = [str(value).strip() for value in whole.dictionary.to_pylist()]
    codes = np.asarray(whole.indices.fill_null(-1).to_numpy(zero_copy_only=False), np.int64)
    empty = [i for i, category in enumerate(categories) if not category]
    return CategoricalColumn(np.where(np.isin(codes, empty), -1, codes) if empty else codes, categories)
