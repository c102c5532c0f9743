"""CSV, TSV and other tables of delimited text."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np

from .aligned_text import SPACES, is_aligned, single_spaces
from .arrow_text import csv_parser
from .bad_lines import BadLine, shown
from .block_builder import BlockBuilder
from .blocks import FilePosition, RowBlock
from .byte_source import ByteSource
from .cells import category, is_text
from .comments import comment_lines, without_comments
from .csv_dialect import CsvRecord, detect_separator, has_header, records
from .kept_columns import kept_cells
from .lines import BOM, TextChunk, chunks, first_chunk, whole_lines, whole_records
from .schema import Options, Schema, choose, chosen_column, column_indices, numbered
from .text_numbers import NUMBER, TEXT_KINDS, kind_of, read_number

_SAMPLE = 1000  # rows inspected to tell numeric from categorical columns


class CsvReader:
    """Reads with pyarrow, if it is installed. A chunk that it cannot parse is read cell by cell, to say why."""

    noun = "line"

    def __init__(self, source: ByteSource, options: Options):
        self.source, self.options = source, options
        table = without_comments(source.head.removeprefix(BOM))
        self.separator = options.delimiter or ("\t" if options.format == "tsv" else _separator(table))
        self._not_text = f"is not {options.encoding} text. Specify the encoding, for example --encoding latin-1."
        self._whole = whole_records if options.quotes else whole_lines
        head = first_chunk(source, self._whole)
        if b"\r" in head.data and b"\n" not in head.data:
            raise ValueError(
                f"{source.name} has lines that end in CR only. Convert it: tr '\\r' '\\n' < FILE | kernelstream … -"
            )
        comments = comment_lines(head.data)
        above = len(head.data) - len(without_comments(head.data))
        head = head._replace(data=head.data[above:], offset=head.offset + above, line=1 + comments)
        found = list(islice(self._records(head), _SAMPLE))
        if not found:
            raise ValueError(f"{source.name} is empty.")
        first = found[0]
        others = [r.cells for r in found[1:] if len(r.cells) == len(first.cells) and r.cells != first.cells]
        self.header = has_header(first.cells, others) if options.header is None else options.header
        self._notes = list[str]()
        self.names = self._column_names(first.cells)
        self._header = first.cells if self.header else None
        self._sample = others if self.header else [first.cells, *others]
        lines = first.last - comments if self.header else 0
        skipped = sum(len(line) + 1 for line in head.data.split(b"\n")[:lines])
        self._body = FilePosition(0, head.offset + skipped, head.line + lines)
        if comments:
            lines_are = "The first line, which begins" if comments == 1 else f"The first {comments} lines, which begin"
            self._notes.append(f"{lines_are} with #, {'is' if comments == 1 else 'are'} not part of the table.")

    def _column_names(self, first: Sequence[str]) -> list[str]:
        if not self.header:
            return [str(i + 1) for i in range(len(first))]
        names = [name.strip().removeprefix("#").lstrip() if i == 0 else name.strip() for i, name in enumerate(first)]
        if not all(map(is_text, names)):
            raise ValueError(f"{self.source.name}: the first line {self._not_text}")
        names, self._notes = numbered(names)
        return names

    def infer(self) -> Schema:
        """The first cells of a column decide what it is."""
        columns = zip(*self._sample, strict=True) if self._sample else [()] * len(self.names)
        texts = dict(zip(self.names, columns, strict=True))
        found = {name: kind_of(cells, self.options.na) for name, cells in texts.items()}
        kinds = {name: "" if kind == NUMBER else kind for name, kind in found.items()}
        return choose(kinds, self.options, self.source.name, self.header, self._notes, texts=texts)

    def blocks(self, schema: Schema, start: FilePosition) -> Iterator[RowBlock]:
        indices = column_indices(schema, self.names, self.source.name)
        parse = csv_parser(schema, indices, len(self.names), self.separator, self.options)
        begin = start
        if start.offset == 0:
            begin = self._body._replace(file=start.file, after=start.after, digest=start.digest)
        for chunk in chunks(self.source, begin, self._whole):
            block = parse(self._cells(chunk), start.file)
            block = self._cell_by_cell(chunk, schema, indices, start.file) if block is None else block
            first, last = chunk.positions(start.file)
            kept = self._kept(chunk, block.lines)
            yield replace(block, start=first, end=last, digest=chunk.digest, kept=kept)

    def _kept(self, chunk: TextChunk, lines: np.ndarray) -> tuple[np.ndarray, ...]:
        at = [self.names.index(chosen_column(name, self.names, self.source.name)) for name in self.options.keep]
        if not at:
            return ()
        rows = {r.line: [r.cells[i] for i in at] for r in self._records(chunk) if len(r.cells) > max(at)}
        return kept_cells(rows, lines, len(at))

    def _records(self, chunk: TextChunk) -> Iterator[CsvRecord]:
        return records(self._cells(chunk), self.separator, self.options.quotes, self.options.encoding)

    def _cells(self, chunk: TextChunk) -> TextChunk:
        return single_spaces(chunk) if self.separator == SPACES else chunk

    def _cell_by_cell(self, chunk: TextChunk, schema: Schema, indices: dict[str, int], file: int) -> RowBlock:
        builder = BlockBuilder(schema, chunk, file)
        for record in self._records(chunk):
            if record.cells == self._header:
                continue  # repeated where files were concatenated
            try:
                self._add(builder, record, schema, indices)
            except BadLine as bad:
                builder.bad.append(bad)
        return builder.block()

    def _add(self, builder: BlockBuilder, record: CsvRecord, schema: Schema, indices: dict[str, int]) -> None:
        cells, expected = record.cells, len(self.names)
        if record.fault or len(cells) != expected:
            reason = record.fault or f"expected {expected} columns, found {len(cells)}."
            raise BadLine(self.source.name, record.line, reason)

        def numeric(name: str) -> float:
            kind = schema.kinds.get(name, NUMBER)
            value = read_number(cells[indices[name]], kind, schema.na)
            if value is None:
                raise self._bad_cell(record, indices[name], _not_read(kind))
            return value

        def text(name: str) -> str | None:
            cell = cells[indices[name]]
            if not is_text(cell):
                raise self._bad_cell(record, indices[name], self._not_text)
            return category(cell, schema.na)

        target = schema.wanted_target
        builder.add(
            record.line,
            [numeric(name) for name in schema.numeric],
            [text(name) for name in schema.categorical],
            None if target is None else text(target) if schema.target_categorical else numeric(target),
        )

    def _bad_cell(self, record: CsvRecord, column: int, reason: str) -> BadLine:
        name = f" ({self.names[column]!r})" if self.header else ""
        cell = shown(record.cells[column])
        return BadLine(self.source.name, record.line, f"{cell} {reason}", f"column {column + 1}{name}")


def _separator(table: bytes) -> str:
    return detect_separator(table) or (SPACES if is_aligned(table) else ",")


def _not_read(kind: str) -> str:
    """Why a cell is bad."""
    as_before = "the column is numeric" if kind == NUMBER else "the first cells of the column are"
    return f"is not {TEXT_KINDS[kind].wanted}, and {as_before}. (If it stands for a missing value: --na.)"
