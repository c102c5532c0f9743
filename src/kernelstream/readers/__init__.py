"""Rows from files and pipes, read in blocks within bounded memory.

CSV and TSV, JSON lines, LIBSVM, Parquet and NumPy; gzip, bzip2 and xz; several files, patterns, folders, and "-" for
standard input. `FileStream` detects the format and the columns, `RowReader` reads rows from it. A new format is one
file with a `FormatReader`, and one entry in `formats.py`.
"""

from .bad_lines import BadLine, BadLinePolicy, RaiseOnBad, SkipBad
from .blocks import CategoricalColumn, FilePosition, Pairs, RowBlock
from .digests import ChangedInput
from .file_stream import FileStream
from .formats import FORMATS
from .locations import STANDARD_INPUT
from .row_reader import RowReader
from .schema import Options, Schema

__all__ = [
    "FORMATS",
    "STANDARD_INPUT",
    "BadLine",
    "BadLinePolicy",
    "CategoricalColumn",
    "ChangedInput",
    "FilePosition",
    "FileStream",
    "Options",
    "Pairs",
    "RaiseOnBad",
    "RowBlock",
    "RowReader",
    "Schema",
    "SkipBad",
]
