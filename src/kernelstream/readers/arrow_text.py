"""Fast parsing of CSV and JSON lines with pyarrow, if it is installed.

A parser returns None for a chunk with anything unusual, which is then read line by line, to say what is wrong.
"""

from collections.abc import Callable
from typing import Any

from .arrow import all_finite, block_of, import_pyarrow
from .arrow_numbers import numbers_read
from .blocks import RowBlock
from .cells import MISSING
from .lines import TextChunk
from .nested import Path
from .schema import Options, Schema

ChunkParser = Callable[[TextChunk, int], RowBlock | None]
_NULLS = sorted({form for text in MISSING for form in (text, text.upper(), text.capitalize())} | {"NaN", "#N/a", "N/a"})


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
        column_types=types, include_columns=list(types), null_values=[*_NULLS, *schema.na], strings_can_be_null=False
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
        return block if all_finite(block, columns, schema) else None

    return parse_chunk


def json_parser(schema: Schema, seen: dict[str, set[type]], paths: dict[str, list[Path]]) -> ChunkParser:
    """A parser for chunks of JSON lines; `seen` has the types of each column's first values, `paths` the wanted columns
    and where their values may be in an object."""
    arrow = import_pyarrow("json")
    if arrow is None:
        return lambda chunk, file: None
    from pyarrow import compute, json

    texts = {*schema.categorical, *((schema.target,) if schema.target_categorical else ())}
    booleans = {name for name in paths.keys() - texts if bool in seen.get(name, ())}
    # a column that was text where the model was trained may have numbers here
    texts |= {name for name in schema.kinds if not seen.get(name, set()) & {bool, int, float}}
    types = {name: arrow.string() if name in texts else arrow.float64() for name in paths}
    types |= dict.fromkeys(booleans, arrow.bool_())
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
        columns = numbers_read({name: column(found, name) for name in paths}, schema)
        if columns is None:
            return None
        columns |= {name: columns[name].cast(arrow.float64()) for name in booleans}
        block = block_of(columns, schema, *chunk.positions(file), chunk.fraction)
        return block if all_finite(block, columns, schema) else None

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
