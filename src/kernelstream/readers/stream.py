"""Several sources as one stream of blocks, read and parsed ahead in threads."""

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from .ahead import ahead
from .arrays import Arrays
from .blocks import Block
from .delimited import Delimited
from .json_lines import JsonLines
from .libsvm import Libsvm
from .opening import STANDARD_INPUT, Bytes
from .parquet import Parquet
from .place import Place
from .schema import Options, Schema, check_encoding
from .sniffing import FORMATS, detect
from .sources import expand

_DEPTH = 3  # blocks that wait


class Reader(Protocol):
    """One source in one format."""

    noun: str  #: what its rows are called: lines, or rows
    source: Bytes

    def infer(self) -> Schema: ...

    def blocks(self, schema: Schema, start: Place) -> Iterator[Block]: ...


READERS: dict[str, Callable[[Bytes, Options], Reader]] = {
    "csv": Delimited, "tsv": Delimited, "jsonl": JsonLines, "libsvm": Libsvm, "parquet": Parquet, "numpy": Arrays,
}  # fmt: skip


class Stream:
    """The rows of files one after the other.

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "a.csv"
    >>> _ = path.write_text("x,colour,y\\n1,red,0\\n2,blue,1\\n")
    >>> stream = Stream([str(path)])
    >>> stream.schema.numbers, stream.schema.words, stream.schema.target
    (('x',), ('colour',), 'y')
    >>> [block.numbers.tolist() for block in stream.blocks()]
    [[[1.0], [2.0]]]
    """

    def __init__(self, names: Iterable[str], options: Options = Options(), schema: Schema | None = None):
        if options.format is not None and options.format not in FORMATS:
            raise ValueError(f"There is no format {options.format!r}: use one of {', '.join(FORMATS)}.")
        check_encoding(options.encoding)
        self.files, self.options = expand(names), options
        self.nouns = ["line"] * len(self.files)
        self._sizes = [0 if file == STANDARD_INPUT else Path(file).stat().st_size for file in self.files]
        self._known = schema is not None  # then there is no need to wait for more than a line
        self._first: Reader | None = None
        if schema is None:
            self._first = self._open(0, options)
            try:
                schema = self._first.infer()
            except ValueError:
                self.close()
                raise
        self.schema = schema

    @property
    def repeatable(self) -> bool:
        """Whether the stream can be read again from its beginning: it is no pipe."""
        return all(file != STANDARD_INPUT and Path(file).is_file() for file in self.files)

    @property
    def size(self) -> int:
        """Bytes of all files; 0 for standard input."""
        return sum(self._sizes)

    def blocks(self, start: Place = Place()) -> Generator[Block]:
        """All rows from a place on. Blocks begin there or before: lines up to `start.after` are among them."""
        return ahead(self._all(start), _DEPTH)

    def _all(self, start: Place) -> Generator[Block]:
        if start.file > 0:
            self.close()
        for index in range(start.file, len(self.files)):
            reader, before, size = self._reader(index), sum(self._sizes[:index]), self._sizes[index]
            self.nouns[index] = reader.noun
            with closing(reader.source):
                for block in reader.blocks(self.schema, start if index == start.file else Place(index)):
                    yield replace(block, share=(before + block.share * size) / self.size if self.size else 0.0)

    def close(self) -> None:
        """Close what was opened to look at and never read."""
        if self._first is not None:
            self._first.source.close()

    def _reader(self, index: int) -> Reader:
        if index == 0 and self._first is not None:
            # opened to look at; the head of standard input has been read
            reader, self._first = self._first, None
            return reader
        header = self.schema.header if self.options.header is None else self.options.header
        reader = self._open(index, self.options._replace(header=header))
        if isinstance(reader, Libsvm) != self.schema.pairs:
            reader.source.close()
            wanted, found = ("index:value pairs", "columns") if self.schema.pairs else ("columns", "index:value pairs")
            raise ValueError(f"{self.files[index]} has {found}, but {wanted} are needed, as in the data before.")
        return reader

    def _open(self, index: int, options: Options) -> Reader:
        source = Bytes(self.files[index], soon=self._known)
        try:
            kind = options.format or detect(source.name, source.head)
            return READERS[kind](source, options._replace(format=kind))
        except BaseException:
            source.close()
            raise
