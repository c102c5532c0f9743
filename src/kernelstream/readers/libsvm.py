"""LIBSVM text: `label index:value index:value …`, zeros omitted."""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from .bad_lines import BadLine, shown
from .blocks import CategoricalColumn, Column, FilePosition, Pairs, RowBlock, categorical_column
from .byte_source import ByteSource
from .cells import is_categorical, number
from .libsvm_parser import NO_NUMBER, NO_PAIR, NOT_ASCENDING, TOO_LARGE, TOO_SMALL, parse_pairs
from .lines import TextChunk, chunks, first_chunk
from .schema import Options, Schema

NOT_FINITE = -1  # found here, not by the parser
_WHY = {
    NO_PAIR: "{} is not an index:value pair.",
    NO_NUMBER: "the value in {} is not a number.",
    NOT_ASCENDING: "the index in {} is not larger than the previous one; indices must ascend.",
    TOO_SMALL: "the index in {} is 0, and LIBSVM indices start at 1. If this file's start at 0, use --zero-based.",
    TOO_LARGE: "the index in {} is larger than 2³¹ − 2.",
    NOT_FINITE: "the value in {} is too large for float64.",
}


class LibsvmReader:
    noun = "line"

    def __init__(self, source: ByteSource, options: Options):
        self.source, self.base = source, 0 if options.zero_based else 1
        if options.weight is not None:
            raise ValueError(f"{source.name} is LIBSVM, which has no column of weights (--weight {options.weight}).")

    def infer(self) -> Schema:
        """Labels are categorical if more than a tenth of the first ones are not numbers."""
        schema = Schema(pairs=True, target="label", target_categorical=True)
        labels = self._parse(first_chunk(self.source), schema, 0).target
        assert isinstance(labels, CategoricalColumn)
        texts = (labels.categories[code] for code in labels.codes if code >= 0)
        return schema._replace(target_categorical=is_categorical(texts))

    def blocks(self, schema: Schema, start: FilePosition) -> Iterator[RowBlock]:
        for chunk in chunks(self.source, start):
            yield replace(self._parse(chunk, schema, start.file), digest=chunk.digest)

    def _parse(self, chunk: TextChunk, schema: Schema, file: int) -> RowBlock:
        data, lines, most = chunk.data, chunk.lines, chunk.data.count(b":")
        rows = (np.empty(lines, np.int64), np.empty(lines), *(np.empty(lines, np.int64) for _ in range(3)))
        found = (np.empty(most, np.int32), np.empty(most))
        slow = tuple(np.empty(most, np.int64) for _ in range(3))
        bad = tuple(np.empty(lines, np.int64) for _ in range(4))
        n, m, s, b = parse_pairs(np.frombuffer(data, np.uint8), self.base, rows, found, slow, bad)
        numbers, labels, begins, ends, stops = (column[:n] for column in rows)
        indices, values = (column[:m] for column in found)
        too_large = []  # (row, start of the value)
        for which, begin, end in zip(*(column[:s].tolist() for column in slow), strict=True):
            values[which] = float(data[begin:end])
            if math.isinf(values[which]):
                too_large.append((int(np.searchsorted(stops, which, side="right")), begin))
        block = RowBlock(
            Pairs(stops, indices, values),
            (),
            None if schema.target is None else _targets(schema, data, labels, begins, ends),
            numbers + chunk.line,
            np.full(n, file, np.int32),
            *chunk.positions(file),
            chunk.fraction,
            tuple(self._bad_line(chunk, *row) for row in zip(*(column[:b].tolist() for column in bad), strict=True)),
        )
        return self._without(block, chunk, dict(reversed(too_large))) if too_large else block

    def _without(self, block: RowBlock, chunk: TextChunk, too_large: dict[int, int]) -> RowBlock:
        """A block without the rows whose value at this position is beyond float64, which become bad lines."""
        more = []
        for row, at in sorted(too_large.items()):
            start = chunk.data.rfind(b"\n", 0, at) + 1
            pair = max(chunk.data.rfind(b" ", start, at), chunk.data.rfind(b"\t", start, at)) + 1
            more.append(self._bad_line(chunk, int(block.lines[row]) - chunk.line, start, max(pair, start), NOT_FINITE))
        kept = np.ones(len(block), bool)
        kept[list(too_large)] = False
        return replace(block.take(kept), bad=tuple(sorted([*block.bad, *more], key=lambda bad: bad.line)))

    def _bad_line(self, chunk: TextChunk, line: int, begin: int, at: int, why: int) -> BadLine:
        token = chunk.data[at : at + 80].split(maxsplit=1)[0].decode(errors="replace")
        return BadLine(
            self.source.name, chunk.line + line, _WHY[why].format(shown(token)), f"character {at - begin + 1}"
        )


def _targets(schema: Schema, data: bytes, labels: np.ndarray, begins: np.ndarray, ends: np.ndarray) -> Column:
    if schema.target_categorical:
        spans = zip(begins.tolist(), ends.tolist(), strict=True)
        return categorical_column(data[begin:end].decode(errors="replace") or None for begin, end in spans)
    for row in np.flatnonzero(np.isnan(labels)):
        # decimals with many digits; text stays NaN, and is rejected where targets must be numbers
        value = number(data[begins[row] : ends[row]].decode(errors="replace"))
        labels[row] = np.nan if value is None else value
    return labels
