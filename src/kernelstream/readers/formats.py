"""The formats that can be read, and how one is detected. A new format is a file like `parquet.py` and an entry here;
outside the library, call `register_format`."""

import re
from collections.abc import Callable, Iterator
from pathlib import PurePath
from typing import NamedTuple, Protocol

from .aligned_text import is_aligned
from .arrow_ipc import FILE, OLD_FEATHER, STREAM, ArrowIpcReader
from .avro import AvroReader
from .blocks import FilePosition, RowBlock
from .byte_source import ByteSource
from .comments import without_comments
from .compression import SUFFIXES as COMPRESSED
from .csv_dialect import detect_separator
from .csv_files import CsvReader
from .json_array import JsonArrayReader, is_json_array
from .json_lines import JsonLinesReader
from .libsvm import LibsvmReader
from .lines import BOM, first_lines
from .numpy_files import NumpyReader
from .parquet import ParquetReader
from .schema import Options, Schema
from .sql import DuckdbReader, SqliteReader

_LIBSVM_LINE = re.compile(rb"\S+(?:[ \t]+(?:qid:\S+|\d+:\S+))+\s*(?:#.*)?")


class FormatReader(Protocol):
    """Reads one file in one format."""

    noun: str  #: what errors call its rows: line, or row
    source: ByteSource

    def infer(self) -> Schema: ...

    def blocks(self, schema: Schema, start: FilePosition) -> Iterator[RowBlock]: ...


class Format(NamedTuple):
    """A format is detected by its magic bytes if it is binary; if it is text, by suffix, or else by its content."""

    reader: Callable[[ByteSource, Options], FormatReader]
    suffixes: tuple[str, ...]
    magic: tuple[bytes, ...] = ()  #: none for text
    magic_at: int = 0  #: offset in bytes
    matches: Callable[[bytes], bool] = lambda head: False  #: whether text that begins like this has the format
    queries: bool = False  #: whether it is a database


def _is_json(head: bytes) -> bool:
    return first_lines(head)[0].lstrip().startswith(b"{")


def _is_libsvm(head: bytes) -> bool:
    lines = [line for line in first_lines(head) if not line.startswith(b"#")]
    return bool(lines) and not _is_json(head) and all(_LIBSVM_LINE.fullmatch(line) for line in lines)


def _is_csv(head: bytes) -> bool:
    return detect_separator(head) is not None or is_aligned(head)


# `cli/input_options.py` repeats the names, so that the command line's help need not import this; a test compares them.
FORMATS: dict[str, Format] = {
    "csv": Format(CsvReader, (".csv",), matches=_is_csv),
    "tsv": Format(CsvReader, (".tsv", ".tab")),
    "jsonl": Format(JsonLinesReader, (".jsonl", ".ndjson", ".json"), matches=_is_json),
    "json": Format(JsonArrayReader, (), matches=is_json_array),
    "libsvm": Format(LibsvmReader, (".svm", ".libsvm", ".svmlight"), matches=_is_libsvm),
    "parquet": Format(ParquetReader, (".parquet", ".pq"), magic=(b"PAR1",)),
    "arrow": Format(ArrowIpcReader, (".arrow", ".feather", ".arrows", ".ipc"), magic=(FILE, STREAM, OLD_FEATHER)),
    "avro": Format(AvroReader, (".avro",), magic=(b"Obj\x01",)),
    "numpy": Format(NumpyReader, (".npy", ".npz"), magic=(b"\x93NUMPY", b"PK\x03\x04")),
    "sqlite": Format(SqliteReader, (".db", ".sqlite", ".sqlite3"), magic=(b"SQLite format 3\x00",), queries=True),
    "duckdb": Format(DuckdbReader, (".duckdb",), magic=(b"DUCK",), magic_at=8, queries=True),
}
SUFFIXES = {suffix: name for name, entry in FORMATS.items() for suffix in entry.suffixes}


def register_format(name: str, entry: Format) -> Format:
    """Add a format of your own under a new name, which readers, commands (--format) and detection then know.

    Parameters
    ----------
    name : str
        The new name.
    entry : Format
        How to recognise and read the format.
    """
    if FORMATS.get(name, entry) != entry:
        raise ValueError(f"register_format: there is a format {name!r} already. Choose another name.")
    taken = [suffix for suffix in entry.suffixes if SUFFIXES.get(suffix, name) != name]
    if taken:
        raise ValueError(f"register_format: {taken[0]} is a suffix of {SUFFIXES[taken[0]]!r} already. Leave it out.")
    FORMATS[name] = entry
    SUFFIXES.update(dict.fromkeys(entry.suffixes, name))
    return entry


def bare_suffix(name: str) -> str:
    """The suffix of a file name, without that of a compression.

    >>> bare_suffix("a/Data.CSV.gz"), bare_suffix("covtype.bz2")
    ('.csv', '')
    """
    path = PurePath(name.lower())
    return PurePath(path.stem).suffix if path.suffix in COMPRESSED else path.suffix


def detect_format(name: str, head: bytes) -> str:
    """The format of a file that begins with these bytes.

    >>> detect_format("covtype.bz2", b"2 1:0.5 7:1\\n1 3:2\\n"), detect_format("-", b"a;b\\n1;2\\n")
    ('libsvm', 'csv')
    """
    head = head.removeprefix(BOM)
    for kind, entry in FORMATS.items():
        if head[entry.magic_at :].startswith(entry.magic):
            return kind
    if not head.strip():
        raise ValueError(f"{name} is empty.")
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise ValueError(f"{name} is UTF-16 text. Convert it: iconv -f UTF-16 -t UTF-8 FILE | kernelstream … -")
    if b"\x00" in head[:1024]:
        raise ValueError(f"{name} is a binary file of unknown format. Available formats: {', '.join(FORMATS)}.")
    if is_json_array(head):
        return "json"
    known = SUFFIXES.get(bare_suffix(name))
    return known if known is not None and not FORMATS[known].magic else _detect_text(name, head)


def _detect_text(name: str, head: bytes) -> str:
    table = without_comments(head)
    for kind, entry in reversed(FORMATS.items()):  # almost any text matches csv, the first
        if entry.matches(table):
            return kind
    line = first_lines(table)[0][:60].decode(errors="replace")
    raise ValueError(
        f"{name}: the format cannot be detected from its first line, {line!r}. Specify --format "
        f"({', '.join(FORMATS)}), and for csv the column separator (--delimiter)."
    )
