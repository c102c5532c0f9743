"""JSON lines: one object a line, a column for every key."""

import json
import math
from collections.abc import Iterator
from typing import Any

from .arrow_json import quick_reader
from .blocks import Block
from .cells import FEW, is_text, word
from .lines import Piece, first_piece, pieces
from .opening import Bytes
from .place import BadLine, Place, shown
from .schema import Options, Schema, choose
from .table import Table

_SAMPLE = 1000  # lines looked at to find the keys
_KINDS: dict[type, str] = {str: "text", list: "an array", dict: "an object"}


class JsonLines:
    """Read with pyarrow, if it is there. A piece that it does not understand is read line by line, to say why.

    A key that an object lacks, or whose value is null, is missing; keys that none of the first objects had are passed
    over.
    """

    noun = "line"

    def __init__(self, source: Bytes, options: Options):
        self.source, self.options = source, options

    def infer(self) -> Schema:
        """Keys in the order in which they come; those with text are words."""
        found = self._values()
        if not found:
            raise ValueError(f"{self.source.name}: no line at its beginning is a JSON object.")
        words = {key: kinds.count(str) > FEW * len(kinds) for key, kinds in found.items()}
        return choose(words, self.options, self.source.name)

    def _values(self) -> dict[str, list[type]]:
        """The types of every key's values in the first objects."""
        found = dict[str, list[type]]()
        for _, item in self._objects(first_piece(self.source), _SAMPLE):
            for key, value in item.items() if isinstance(item, dict) else ():
                if is_text(key):
                    found.setdefault(key, []).append(type(value))
        return found

    def blocks(self, schema: Schema, start: Place) -> Iterator[Block]:
        quick = quick_reader(schema, {key for key, kinds in self._values().items() if bool in kinds})
        for piece in pieces(self.source, start):
            block = quick(piece, start.file)
            yield self._line_by_line(piece, schema, start.file) if block is None else block

    def _objects(self, piece: Piece, most: int | None = None) -> Iterator[tuple[int, dict[str, Any] | BadLine]]:
        """(line, object) of the lines that are not blank."""
        for i, text in enumerate(piece.data.split(b"\n")[:most]):
            if not text.strip():
                continue
            line = piece.line + i
            try:
                found = json.loads(text.decode())
            except (ValueError, RecursionError) as error:  # a UnicodeDecodeError is a ValueError
                yield line, BadLine(self.source.name, line, f"it is not JSON: {error}.")
                continue
            if isinstance(found, dict):
                yield line, found
            else:
                yield line, BadLine(self.source.name, line, f"{shown(text.decode())} is not a JSON object.")

    def _line_by_line(self, piece: Piece, schema: Schema, file: int) -> Block:
        table = Table(schema, piece, file)
        target = schema.wanted_target
        for line, found in self._objects(piece):
            if isinstance(found, BadLine):
                table.bad.append(found)
                continue
            try:
                numbers = [self._number(line, found, name) for name in schema.numbers]
                words = [self._word(line, found, name) for name in schema.words]
                label: float | str | None = None
                if target is not None:
                    label = (self._word if schema.target_words else self._number)(line, found, target)
                table.add(line, numbers, words, label)
            except BadLine as bad:
                table.bad.append(bad)
        return table.block()

    def _number(self, line: int, found: dict[str, Any], name: str) -> float:
        value = found.get(name)
        if value is None:
            return math.nan
        try:
            number = float(value) if isinstance(value, (int, float)) else math.inf
        except OverflowError:
            number = math.inf
        if math.isinf(number):
            raise self._refusal(line, name, value, "a finite number")
        return number

    def _word(self, line: int, found: dict[str, Any], name: str) -> str | None:
        value = found.get(name)
        if isinstance(value, (dict, list)):
            raise self._refusal(line, name, value, "text or a number")
        if value is None:
            return None
        text = value if isinstance(value, str) else json.dumps(value)
        if not is_text(text):
            raise self._refusal(line, name, value, "whole: it has half a character")
        return word(text)

    def _refusal(self, line: int, name: str, value: Any, wanted: str) -> BadLine:
        kind = _KINDS.get(type(value))
        what = f"{shown(json.dumps(value))} is {kind}, not {wanted}." if kind else f"{value!r} is not {wanted}."
        return BadLine(self.source.name, line, what, f"key {name!r}")
