"""JSON lines through pyarrow, a piece at a time."""

from .arrow import block_of, import_pyarrow, is_usual
from .arrow_csv import Quick
from .blocks import Block
from .lines import Piece
from .schema import Schema


def quick_reader(schema: Schema, truths: set[str]) -> Quick:
    """A function from a piece to its rows, or to None if anything about the piece is unusual; `truths` names the
    columns of true and false."""
    arrow = import_pyarrow("json")
    if arrow is None:
        return lambda piece, file: None
    from pyarrow import json

    words = {*schema.words, *((schema.target,) if schema.target_words else ())}
    wanted = [*schema.features, *((schema.wanted_target,) if schema.wanted_target is not None else ())]
    truths = {name for name in wanted if name in truths - words}
    numbers = {name: arrow.bool_() if name in truths else arrow.float64() for name in wanted if name not in words}
    types = numbers | {name: arrow.string() for name in wanted if name in words}
    parse = json.ParseOptions(arrow.schema(list(types.items())), unexpected_field_behavior="ignore")

    def quick(piece: Piece, file: int) -> Block | None:
        read = json.ReadOptions(use_threads=False, block_size=len(piece.data) + 1)
        try:
            piece.data.decode()  # pyarrow does not look into keys that it passes over
            found = json.read_json(arrow.BufferReader(piece.data), read, parse)
        except (UnicodeDecodeError, arrow.ArrowException):
            return None
        if found.num_rows != piece.lines:
            return None  # blank lines: lines must be counted one by one
        columns = {name: found.column(name) for name in wanted}
        columns |= {name: columns[name].cast(arrow.float64()) for name in truths}
        block = block_of(columns, schema, *piece.place(file), piece.share)
        return block if is_usual(block, columns, schema) else None

    return quick
