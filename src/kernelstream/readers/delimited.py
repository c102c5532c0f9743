"""Tables as text: CSV, TSV and their kin."""

from collections.abc import Iterator, Sequence

from .arrow_csv import quick_reader
from .blocks import Block
from .cells import is_text, is_words, number_or_missing, word
from .lines import Piece, first_piece, pieces, whole_lines, whole_records
from .opening import Bytes
from .place import BadLine, Place, shown
from .records import Record, has_header, records
from .schema import Options, Schema, choose, located
from .sniffing import delimiter_of
from .table import Table

_SAMPLE = 1000  # rows looked at to tell numbers from words


class Delimited:
    """Read with pyarrow, if it is there. A piece that it does not understand is read cell by cell, to say why."""

    noun = "line"

    def __init__(self, source: Bytes, options: Options):
        self.source, self.options = source, options
        self.delimiter = options.delimiter or ("\t" if options.format == "tsv" else delimiter_of(source.head) or ",")
        self._not_text = f"is not text in {options.encoding}. Name the encoding, for instance --encoding latin-1."
        self._whole = whole_records if options.quotes else whole_lines
        head = first_piece(source, self._whole)
        if b"\r" in head.data and b"\n" not in head.data:
            raise ValueError(f"{source.name} has lines that end in CR alone: tr '\\r' '\\n' < FILE | kernelstream … -")
        found = list(self._records(head))
        if not found:
            raise ValueError(f"{source.name} is empty: there is nothing to read.")
        first = found[0]
        others = [r.cells for r in found[1:_SAMPLE] if len(r.cells) == len(first.cells) and r.cells != first.cells]
        self.header = has_header(first.cells, others) if options.header is None else options.header
        self.names = self._named(first.cells)
        self._header = first.cells if self.header else None
        self._sample = others if self.header else [first.cells, *others]
        lines = first.last if self.header else 0
        skipped = sum(len(line) + 1 for line in head.data.split(b"\n")[:lines])
        self._body = Place(0, head.offset + skipped, 1 + lines)

    def _named(self, first: Sequence[str]) -> list[str]:
        if not self.header:
            return [str(i + 1) for i in range(len(first))]
        names = [name.strip() for name in first]
        if not all(map(is_text, names)):
            raise ValueError(f"{self.source.name}: the first line {self._not_text}")
        twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
        if twice is not None:
            raise ValueError(
                f"{self.source.name}: two columns are called {twice!r}. Rename one; or, if the first line is no "
                "header, say so (--no-header)."
            )
        return names

    def infer(self) -> Schema:
        """A column is of words if one of its first cells is no number."""
        columns = zip(*self._sample, strict=True) if self._sample else [()] * len(self.names)
        kinds = {name: is_words(cells) for name, cells in zip(self.names, columns, strict=True)}
        return choose(kinds, self.options, self.source.name, self.header)

    def blocks(self, schema: Schema, start: Place) -> Iterator[Block]:
        places = located(schema, self.names, self.source.name)
        quick = quick_reader(schema, places, len(self.names), self.delimiter, self.options)
        begin = self._body._replace(file=start.file) if start.offset == 0 else start
        for piece in pieces(self.source, begin, self._whole):
            block = quick(piece, start.file)
            yield self._cell_by_cell(piece, schema, places, start.file) if block is None else block

    def _records(self, piece: Piece) -> Iterator[Record]:
        return records(piece, self.delimiter, self.options.quotes, self.options.encoding)

    def _cell_by_cell(self, piece: Piece, schema: Schema, places: dict[str, int], file: int) -> Block:
        table = Table(schema, piece, file)
        for record in self._records(piece):
            if record.cells == self._header:
                continue  # of another file that was appended
            try:
                self._take(table, record, schema, places)
            except BadLine as bad:
                table.bad.append(bad)
        return table.block()

    def _take(self, table: Table, record: Record, schema: Schema, places: dict[str, int]) -> None:
        cells, expected = record.cells, len(self.names)
        if record.fault or len(cells) != expected:
            reason = record.fault or f"it has {len(cells)} columns, and {expected} are expected."
            raise BadLine(self.source.name, record.line, reason)

        def numeric(name: str) -> float:
            value = number_or_missing(cells[places[name]])
            if value is None:
                raise self._refusal(record, places[name], "is not a number, as others in this column are.")
            return value

        def text(name: str) -> str | None:
            cell = cells[places[name]]
            if not is_text(cell):
                raise self._refusal(record, places[name], self._not_text)
            return word(cell)

        target = schema.wanted_target
        table.add(
            record.line,
            [numeric(name) for name in schema.numbers],
            [text(name) for name in schema.words],
            None if target is None else text(target) if schema.target_words else numeric(target),
        )

    def _refusal(self, record: Record, column: int, reason: str) -> BadLine:
        name = f" ({self.names[column]!r})" if self.header else ""
        cell = shown(record.cells[column])
        return BadLine(self.source.name, record.line, f"{cell} {reason}", f"column {column + 1}{name}")
