"""JSON lines: one object per line, a column for every key; keys of nested objects are joined by dots."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from .arrow_text import json_parser
from .bad_lines import BadLine, shown
from .block_builder import BlockBuilder
from .blocks import FilePosition, RowBlock
from .byte_source import ByteSource
from .cells import is_text
from .kept_columns import kept_of_objects
from .lines import TextChunk, chunks, first_chunk
from .nested import DOT, MAX_DEPTH, NotAnObject, Path, candidates, leaves, value_at
from .schema import Options, Schema, choose, listed
from .values import BadValue, category_of, kind_of_values, number_of, texts_in

_SAMPLE = 1000  # lines inspected to find the keys


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
            raise ValueError(f"{self.source.name}: its first {self.noun}s contain no JSON object.")
        kinds = {name: kind_of_values(values, self.options.na) for name, values in found.items()}

        def unusable(name: str) -> str:
            arrays = any(isinstance(value, list) for value in found[name])
            return "has arrays" if arrays else f"has objects nested deeper than {MAX_DEPTH} levels"

        return choose(kinds, self.options, self.source.name, unusable=unusable, texts=texts_in(found))

    def _values(self) -> dict[str, list[Any]]:
        """Each column's values in the first objects; their paths are kept."""
        found = dict[str, list[Any]]()
        self._paths = dict[str, list[Path]]()
        for _, item in self._objects(first_chunk(self.source), _SAMPLE):
            for path, value in leaves(item) if isinstance(item, dict) else ():
                name = DOT.join(path)
                if is_text(name):
                    found.setdefault(name, []).append(value)
                    paths = self._paths.setdefault(name, [])
                    if path not in paths:
                        paths.append(path)
        # an object may be null, which is not a column of its own
        objects = self._objects_seen()
        return {name: v for name, v in found.items() if name not in objects or v.count(None) < len(v)}

    def _objects_seen(self) -> set[str]:
        """The names of objects inside the first objects."""
        return {DOT.join(path[:i]) for paths in self._paths.values() for path in paths for i in range(1, len(path))}

    def blocks(self, schema: Schema, start: FilePosition) -> Iterator[RowBlock]:
        values = self._values()
        seen = {name: set(map(type, found)) for name, found in values.items()}
        wanted = (*schema.features, *(() if schema.wanted_target is None else (schema.wanted_target,)))
        paths = {name: candidates(name, self._paths.get(name, ()), wanted) for name in wanted}
        kept = self._kept_paths(list(values))
        parse = json_parser(schema, seen, paths)
        for chunk in chunks(self.source, start):
            block = parse(chunk, start.file)
            block = self._line_by_line(chunk, schema, start.file, paths) if block is None else block
            yield replace(block, digest=chunk.digest, kept=kept_of_objects(chunk, kept, block.lines) if kept else ())

    def _kept_paths(self, columns: list[str]) -> list[list[Path]]:
        """Where the values of columns to keep are: also whole objects and arrays. A ValueError if no object at the head
        of a file has one; a pipe may have it later."""
        for name in self.options.keep:
            if not self.source.live and name not in self._paths and name not in self._objects_seen():
                raise ValueError(f"{self.source.name} has no column {name!r}. Columns: {listed(columns)}.")
        return [candidates(name, self._paths.get(name, ()), ()) for name in self.options.keep]

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
                yield line, self._bad(line, why)
                continue
            if isinstance(found, dict):
                yield line, found
            else:
                yield line, self._bad(line, f"{shown(text.decode().strip())} is not a JSON object.")

    def _line_by_line(self, chunk: TextChunk, schema: Schema, file: int, paths: dict[str, list[Path]]) -> RowBlock:
        builder = BlockBuilder(schema, chunk, file)
        target = schema.wanted_target

        def value(item: dict[str, Any], name: str, categorical: bool) -> Any:
            try:
                found = value_at(item, paths[name])
                return (
                    category_of(found, schema.na)
                    if categorical
                    else number_of(found, schema.kinds.get(name), schema.na)
                )
            except NotAnObject as error:
                raise self._bad(line, str(BadValue(error.value, "an object")), f"key {error.key!r}") from None
            except BadValue as error:
                raise self._bad(line, str(error), f"key {name!r}") from None

        for line, found in self._objects(chunk):
            if isinstance(found, BadLine):
                builder.bad.append(found)
                continue
            try:
                numeric = [value(found, name, False) for name in schema.numeric]
                categorical = [value(found, name, True) for name in schema.categorical]
                label = None if target is None else value(found, target, schema.target_categorical)
                builder.add(line, numeric, categorical, label)
            except BadLine as bad:
                builder.bad.append(bad)
        return builder.block()

    def _bad(self, line: int, reason: str, where: str = "") -> BadLine:
        return BadLine(self.source.name, line, reason, where, self.noun)
