"""JSON lines: one object per line, a column for every key."""

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from .arrow import json_parser
from .bad_lines import BadLine, shown
from .block_builder import BlockBuilder
from .blocks import FilePosition, RowBlock
from .byte_source import ByteSource
from .cells import MAX_BAD_FRACTION, category, is_text
from .kept_columns import kept_of_objects
from .lines import TextChunk, chunks, first_chunk
from .schema import Options, Schema, choose, listed
from .text_numbers import CATEGORY, kind_of, read_number

_SAMPLE = 1000  # lines inspected to find the keys
_KINDS: dict[type, str] = {str: "text", list: "an array", dict: "an object"}


class JsonLinesReader:
    """Reads with pyarrow, if it is installed. A chunk that it cannot parse is read line by line, to say why.

    An absent key, or one whose value is null, is a missing value; keys that occur in none of the first objects are
    ignored.
    """

    noun = "line"

    def __init__(self, source: ByteSource, options: Options):
        self.source, self.options = source, options

    def infer(self) -> Schema:
        """Keys in order of appearance; those with text are what it is: categories, numbers or dates."""
        found = self._values()
        if not found:
            raise ValueError(f"{self.source.name}: its first lines contain no JSON object.")
        kinds = {key: self._kind(values) for key, values in found.items()}
        return choose(kinds, self.options, self.source.name)

    def _kind(self, values: list[Any]) -> str:
        texts = [value for value in values if isinstance(value, str)]
        if len(texts) <= MAX_BAD_FRACTION * len(values):
            return ""
        return kind_of(texts, self.options.na) if len(texts) == len(values) - values.count(None) else CATEGORY

    def _values(self) -> dict[str, list[Any]]:
        """Each key's values in the first objects."""
        found = dict[str, list[Any]]()
        for _, item in self._objects(first_chunk(self.source), _SAMPLE):
            for key, value in item.items() if isinstance(item, dict) else ():
                if is_text(key):
                    found.setdefault(key, []).append(value)
        return found

    def blocks(self, schema: Schema, start: FilePosition) -> Iterator[RowBlock]:
        parse = json_parser(schema, {key for key, values in self._values().items() if bool in map(type, values)})
        self._check_kept()
        for chunk in chunks(self.source, start):
            block = parse(chunk, start.file)
            block = self._line_by_line(chunk, schema, start.file) if block is None else block
            kept = kept_of_objects(chunk, self.options.keep, block.lines) if self.options.keep else ()
            yield replace(block, digest=chunk.digest, kept=kept)

    def _check_kept(self) -> None:
        """A ValueError if no object at the head of a file has a key that is to be kept; a pipe may have it later."""
        if not self.options.keep or not self.source.seekable:
            return
        first = [item for _, item in self._objects(first_chunk(self.source), _SAMPLE) if isinstance(item, dict)]
        keys = list(dict.fromkeys(key for item in first for key in item))
        for name in self.options.keep:
            if name.partition(".")[0] not in keys and name not in keys:
                raise ValueError(f"{self.source.name} has no column {name!r}. Columns: {listed(keys)}.")

    def _objects(self, chunk: TextChunk, most: int | None = None) -> Iterator[tuple[int, dict[str, Any] | BadLine]]:
        """(line, object) for each line that is not blank."""
        for i, text in enumerate(chunk.data.split(b"\n")[:most]):
            if not text.strip():
                continue
            line = chunk.line + i
            try:
                found = json.loads(text.decode())
            except (ValueError, RecursionError) as error:  # a UnicodeDecodeError is a ValueError
                why = f"invalid JSON: {error}."
                if "Exceeds the limit" in str(error):  # of Python's int, whose message is about Python
                    why = "an integer with thousands of digits is too large for float64."
                yield line, BadLine(self.source.name, line, why)
                continue
            if isinstance(found, dict):
                yield line, found
            else:
                yield line, BadLine(self.source.name, line, f"{shown(text.decode())} is not a JSON object.")

    def _line_by_line(self, chunk: TextChunk, schema: Schema, file: int) -> RowBlock:
        builder = BlockBuilder(schema, chunk, file)
        target = schema.wanted_target
        for line, found in self._objects(chunk):
            if isinstance(found, BadLine):
                builder.bad.append(found)
                continue
            try:
                found |= {key: self._read(line, found, key, schema) for key in schema.kinds.keys() & found.keys()}
                numeric = [self._number(line, found, name) for name in schema.numeric]
                categorical = [self._category(line, found, name) for name in schema.categorical]
                label: float | str | None = None
                if target is not None:
                    label = (self._category if schema.target_categorical else self._number)(line, found, target)
                builder.add(line, numeric, categorical, label)
            except BadLine as bad:
                builder.bad.append(bad)
        return builder.block()

    def _read(self, line: int, found: dict[str, Any], name: str, schema: Schema) -> Any:
        """The number or date of text; other values as they are."""
        value = found[name]
        if not isinstance(value, str):
            return value
        read = read_number(value, schema.kinds[name], schema.na)
        if read is None:
            raise self._bad_value(line, name, value, schema.kinds[name])
        return read

    def _number(self, line: int, found: dict[str, Any], name: str) -> float:
        value = found.get(name)
        if value is None:
            return math.nan
        try:
            number = float(value) if isinstance(value, (int, float)) else math.inf
        except OverflowError:
            number = math.inf
        if math.isinf(number):
            raise self._bad_value(line, name, value, "a finite number")
        return number

    def _category(self, line: int, found: dict[str, Any], name: str) -> str | None:
        value = found.get(name)
        if isinstance(value, (dict, list)):
            raise self._bad_value(line, name, value, "text or a number")
        if value is None:
            return None
        text = value if isinstance(value, str) else json.dumps(value)
        if not is_text(text):
            raise self._bad_value(line, name, value, "valid text: it contains half a character")
        return category(text, self.options.na)

    def _bad_value(self, line: int, name: str, value: Any, wanted: str) -> BadLine:
        kind = _KINDS.get(type(value))
        what = (
            f"{shown(json.dumps(value))} is {kind}, not {wanted}." if kind else f"{_shortened(value)} is not {wanted}."
        )
        return BadLine(self.source.name, line, what, f"key {name!r}")


def _shortened(value: Any) -> str:
    """A number, or true or false, as quoted in an error.

    >>> _shortened(True), _shortened(10**300)
    ('True', '1000000000000000000000000000000000000000…')
    """
    text = repr(value)
    return text if len(text) <= 41 else f"{text[:40]}…"
