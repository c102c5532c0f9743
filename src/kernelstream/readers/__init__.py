"""Rows from files and pipes, in blocks, in memory that does not grow with them.

CSV and TSV, JSON lines, LIBSVM, Parquet and NumPy; gzip, bzip2 and xz; several files, patterns, folders, and "-" for
standard input. `Stream` tells the format and the columns, `Rows` takes rows from it.
"""

from .blocks import Block, Pairs, Words
from .opening import STANDARD_INPUT
from .place import BadLine, Place
from .rows import Policy, Refuse, Rows, Skip
from .schema import Options, Schema
from .sniffing import FORMATS
from .stream import Stream

__all__ = [
    "FORMATS",
    "STANDARD_INPUT",
    "BadLine",
    "Block",
    "Options",
    "Pairs",
    "Place",
    "Policy",
    "Refuse",
    "Rows",
    "Schema",
    "Skip",
    "Stream",
    "Words",
]
