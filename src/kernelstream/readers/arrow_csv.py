"""CSV through pyarrow, a piece at a time."""

from collections.abc import Callable

from .arrow import block_of, import_pyarrow, is_usual
from .blocks import Block
from .cells import MISSING
from .lines import Piece
from .schema import Options, Schema

Quick = Callable[[Piece, int], Block | None]
_NULLS = [*MISSING, *(text.upper() for text in MISSING), "NaN", "None", "Null"]


def quick_reader(schema: Schema, places: dict[str, int], width: int, delimiter: str, options: Options) -> Quick:
    """A function from a piece to its rows, or to None if anything about the piece is unusual."""
    arrow = import_pyarrow("csv")
    if arrow is None:
        return lambda piece, file: None
    from pyarrow import csv

    positions = [str(i) for i in range(width)]
    words = {*schema.words, *((schema.target,) if schema.target_words else ())}
    types = {positions[i]: arrow.string() if name in words else arrow.float64() for name, i in places.items()}
    parse = csv.ParseOptions(delimiter=delimiter, quote_char='"' if options.quotes else False)
    parse.newlines_in_values = options.quotes
    convert = csv.ConvertOptions(
        column_types=types, include_columns=list(types), null_values=_NULLS, strings_can_be_null=False
    )

    def quick(piece: Piece, file: int) -> Block | None:
        data = piece.data
        if data.count(b"\r") != data.count(b"\r\n"):
            return None  # pyarrow would end a line there
        if options.encoding.lower() not in ("utf-8", "utf8", "ascii"):
            data = data.decode(options.encoding, errors="surrogateescape").encode(errors="replace")
        read = csv.ReadOptions(column_names=positions, use_threads=False, block_size=len(data) + 1)
        try:
            found = csv.read_csv(arrow.BufferReader(data), read, parse, convert)
        except arrow.ArrowException:
            return None
        if found.num_rows != piece.lines:
            return None  # blank lines, or line breaks in quotes: lines must be counted one by one
        columns = {name: found.column(positions[i]) for name, i in places.items()}
        block = block_of(columns, schema, *piece.place(file), piece.share)
        return block if is_usual(block, columns, schema) else None

    return quick
