"""Rows from files and pipes, read in blocks within bounded memory.

CSV and TSV, JSON lines and arrays, LIBSVM, Parquet, Arrow, Avro, NumPy, SQLite and DuckDB; gzip, bzip2, xz and zstd;
several files, patterns, folders, members of zip archives, URLs, and "-" for standard input. `FileStream` detects the
format and the columns, `RowReader` reads rows from it. A new format is one file with a `FormatReader`, and one entry in
`formats.py`, or `register_format` outside the library; a new kind of source is a `Location`.
"""

from .bad_lines import BadLine, BadLinePolicy, RaiseOnBad, SkipBad
from .blocks import CategoricalColumn, FilePosition, Pairs, RowBlock
from .byte_source import ByteSource
from .digests import ChangedInput
from .file_stream import FileStream
from .formats import FORMATS, Format, FormatReader, register_format
from .locations import STANDARD_INPUT
from .row_reader import RowReader, RowStream
from .schema import Options, Schema
from .shuffled_reader import Shuffle, ShuffledReader
from .text_rows import RowPart, TextRows
from .typed_rows import TypedRowReader

__all__ = [
    "FORMATS",
    "STANDARD_INPUT",
    "BadLine",
    "BadLinePolicy",
    "ByteSource",
    "CategoricalColumn",
    "ChangedInput",
    "FilePosition",
    "FileStream",
    "Format",
    "FormatReader",
    "Options",
    "Pairs",
    "RaiseOnBad",
    "RowBlock",
    "RowPart",
    "RowReader",
    "RowStream",
    "Schema",
    "Shuffle",
    "ShuffledReader",
    "SkipBad",
    "TextRows",
    "TypedRowReader",
    "register_format",
]
