"""Several files, or standard input, as one stream of blocks of rows, read and parsed ahead in threads."""

from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace

from .blocks import FilePosition, RowBlock
from .byte_source import ByteSource
from .formats import FORMATS, FormatReader, detect_format
from .libsvm import LibsvmReader
from .locations import Location
from .missing_numbers import without_marks
from .read_ahead import read_ahead
from .remote import without_secrets
from .schema import Options, Schema, check_encoding
from .source_names import expand_names, locate
from .unlabelled import labelled

_DEPTH = 3  # blocks read in advance


class FileStream:
    """The rows of files, one file after the other.

    Parameters
    ----------
    names : iterable of str
        Files, patterns, folders, members of archives or URLs; - is standard input.
    options : Options, default Options()
        How to read them.
    schema : Schema or None, default None
        The columns, if they are known; None detects them.
    digests : bool, default False
        Whether digests of what was read are computed.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "a.csv"
    >>> _ = path.write_text("x,colour,y\\n1,red,0\\n2,blue,1\\n")
    >>> stream = FileStream([str(path)])
    >>> stream.schema.numeric, stream.schema.categorical, stream.schema.target
    (('x',), ('colour',), 'y')
    >>> [block.numeric.tolist() for block in stream.blocks()]
    [[[1.0], [2.0]]]
    """

    def __init__(
        self,
        names: Iterable[str],
        options: Options = Options(),
        schema: Schema | None = None,
        *,
        digests: bool = False,
    ):
        if options.format is not None and options.format not in FORMATS:
            raise ValueError(f"unknown format {options.format!r}. Available: {', '.join(FORMATS)}.")
        check_encoding(options.encoding)
        self.files, self.options = expand_names(names), options
        self.nouns = ["line"] * len(self.files)
        self._digests = digests  # so that a position can be checked when reading continues there
        self.locations = [locate(file) for file in self.files]
        self.sizes = [location.size for location in self.locations]
        self._known = schema is not None  # then the first line of a pipe is enough to start
        self._first: FormatReader | None = None
        if schema is None:
            self._first = self._open(0, options)
            try:
                with _text_errors(self.locations[0]):
                    schema = self._first.infer()
            except ValueError:
                self.close()
                raise
        self.schema = schema

    @property
    def repeatable(self) -> bool:
        """Whether the stream can be read again from its beginning, which a pipe cannot."""
        return all(location.repeatable for location in self.locations)

    @property
    def names(self) -> list[str]:
        """The names of the files as a model file keeps them: without the passwords and signatures of URLs."""
        return [without_secrets(file) for file in self.files]

    @property
    def size(self) -> int:
        """Total size of the files in bytes; 0 for standard input."""
        return sum(self.sizes)

    def blocks(self, start: FilePosition = FilePosition()) -> Generator[RowBlock]:
        """All rows from a position on. The first block still has the lines up to `start.after`."""
        return read_ahead(self._all(start), _DEPTH)

    def _all(self, start: FilePosition) -> Generator[RowBlock]:
        if start.file > 0:
            self.close()
        for index in range(start.file, len(self.files)):
            reader, before, size = self._reader(index), sum(self.sizes[:index]), self.sizes[index]
            self.nouns[index] = reader.noun
            first = start if index == start.file else FilePosition(index)
            with closing(reader.source), _text_errors(self.locations[index]):
                for found in reader.blocks(self.schema.as_read, first):
                    block = without_marks(found, self.schema.as_read).split(self.schema)
                    block = labelled(block, self.schema, self.locations[index].name, reader.noun)
                    fraction = (before + block.fraction * size) / self.size if self.size else 0.0
                    yield replace(block, fraction=fraction, schema=self.schema)

    def close(self) -> None:
        """Close a file that was opened for inspection and never read."""
        if self._first is not None:
            self._first.source.close()

    def _reader(self, index: int) -> FormatReader:
        if index == 0 and self._first is not None:
            # opened for inspection; the head of standard input has been read
            reader, self._first = self._first, None
            return reader
        header = self.schema.header if self.options.header is None else self.options.header
        reader = self._open(index, self.options._replace(header=header))
        if isinstance(reader, LibsvmReader) != self.schema.pairs:
            reader.source.close()
            wanted, found = ("index:value pairs", "columns") if self.schema.pairs else ("columns", "index:value pairs")
            raise ValueError(f"{self.locations[index].name} has {found}, but the model or the first file has {wanted}.")
        return reader

    def _open(self, index: int, options: Options) -> FormatReader:
        source = ByteSource(self.locations[index], soon=self._known)
        source.digests = self._digests
        try:
            kind = options.format or detect_format(source.name, source.head)
            if options.query is not None and not FORMATS[kind].queries:
                raise ValueError(f"--query is for databases, and {source.name} is {kind}. Leave it out.")
            with _text_errors(source.location):
                return FORMATS[kind].reader(source, options._replace(format=kind))
        except BaseException:
            source.close()
            raise


@contextmanager
def _text_errors(location: Location) -> Iterator[None]:
    """Libraries that read binary files find text that is none when they are asked for it."""
    try:
        yield
    except UnicodeDecodeError as error:
        found = bytes(error.object)[error.start : error.start + 8]
        raise ValueError(f"{location.name} is damaged: {found!r} should be text, but is not UTF-8.") from None
