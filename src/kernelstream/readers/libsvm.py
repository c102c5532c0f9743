"""LIBSVM text: `label index:value index:value …`, zeros left out."""

from collections.abc import Iterator

import numpy as np

from .blocks import Block, Column, Pairs, Words, words_of
from .cells import is_words, number
from .lines import Piece, first_piece, pieces
from .opening import Bytes
from .parse_pairs import NO_NUMBER, NO_PAIR, NOT_ASCENDING, TOO_LARGE, TOO_SMALL, parse_pairs
from .place import BadLine, Place, shown
from .schema import Options, Schema

_WHY = {
    NO_PAIR: "{} is not a feature's index:value.",
    NO_NUMBER: "the value in {} is not a number.",
    NOT_ASCENDING: "the index in {} is not larger than the one before it; indices must ascend.",
    TOO_SMALL: "the index in {} is 0, and LIBSVM counts from 1. If this file counts from 0, say so (--zero-based).",
    TOO_LARGE: "the index in {} is beyond 2³¹ − 2.",
}


class Libsvm:
    noun = "line"

    def __init__(self, source: Bytes, options: Options):
        self.source, self.base = source, 0 if options.zero_based else 1

    def infer(self) -> Schema:
        """Labels are words if many of the first are no numbers."""
        schema = Schema(pairs=True, target="label", target_words=True)
        labels = self._parsed(first_piece(self.source), schema, 0).target
        assert isinstance(labels, Words)
        return schema._replace(target_words=is_words(labels.values[code] for code in labels.codes if code >= 0))

    def blocks(self, schema: Schema, start: Place) -> Iterator[Block]:
        for piece in pieces(self.source, start):
            yield self._parsed(piece, schema, start.file)

    def _parsed(self, piece: Piece, schema: Schema, file: int) -> Block:
        data, lines, most = piece.data, piece.lines, piece.data.count(b":")
        rows = (np.empty(lines, np.int64), np.empty(lines), *(np.empty(lines, np.int64) for _ in range(3)))
        found = (np.empty(most, np.int32), np.empty(most))
        slow = tuple(np.empty(most, np.int64) for _ in range(3))
        bad = tuple(np.empty(lines, np.int64) for _ in range(4))
        n, m, s, b = parse_pairs(np.frombuffer(data, np.uint8), self.base, rows, found, slow, bad)
        numbers, labels, begins, ends, stops = (column[:n] for column in rows)
        indices, values = (column[:m] for column in found)
        for which, begin, end in zip(*(column[:s].tolist() for column in slow), strict=True):
            values[which] = float(data[begin:end])
        return Block(
            Pairs(stops, indices, values),
            (),
            None if schema.target is None else _targets(schema, data, labels, begins, ends),
            numbers + piece.line,
            np.full(n, file, np.int32),
            *piece.place(file),
            piece.share,
            tuple(self._refusal(piece, *row) for row in zip(*(column[:b].tolist() for column in bad), strict=True)),
        )

    def _refusal(self, piece: Piece, line: int, begin: int, at: int, why: int) -> BadLine:
        token = piece.data[at : at + 80].split(maxsplit=1)[0].decode(errors="replace")
        return BadLine(
            self.source.name, piece.line + line, _WHY[why].format(shown(token)), f"character {at - begin + 1}"
        )


def _targets(schema: Schema, data: bytes, labels: np.ndarray, begins: np.ndarray, ends: np.ndarray) -> Column:
    places = zip(begins.tolist(), ends.tolist(), strict=True)
    if schema.target_words:
        return words_of(data[begin:end].decode(errors="replace") or None for begin, end in places)
    for row in np.flatnonzero(np.isnan(labels)):
        # decimals with many digits; words stay NaN, and are refused where targets must be numbers
        value = number(data[begins[row] : ends[row]].decode(errors="replace"))
        labels[row] = np.nan if value is None else value
    return labels
