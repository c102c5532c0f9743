"""JSON lines: one object per line, a column for every key; keys of nested objects are joined by dots."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

from .arrow import json_parser
from .bad_lines import BadLine, shown
from .blocks import FilePosition, RowBlock
from .byte_source import ByteSource
from .cells import MAX_BAD_FRACTION, BlockBuilder, is_text
from .lines import TextChunk, chunks, first_chunk
from .nested import DOT, MAX_DEPTH, NotAnObject, Path, candidates, leaves, value_at
from .schema import Options, Schema, choose, listed
from .values import BadValue, category_of, number_of

T = TypeVar("T")
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
        """Keys in order of appearance; those with text are categorical."""
        found = self._values()
        if not found:
            raise ValueError(f"{self.source.name}: its first {self.noun}s contain no JSON object.")
        self._refuse_arrays(found)
        categorical = {key: kinds.count(str) > MAX_BAD_FRACTION * len(kinds) for key, kinds in found.items()}
        return choose(categorical, self.options, self.source.name)

    def _values(self) -> dict[str, list[type]]:
        """The types of each column's values in the first objects, whose paths are kept."""
        found = dict[str, list[type]]()
        self._paths = dict[str, list[Path]]()
        for _, item in self._objects(first_chunk(self.source), _SAMPLE):
            for path, value in leaves(item) if isinstance(item, dict) else ():
                name = DOT.join(path)
                if is_text(name):
                    found.setdefault(name, []).append(type(value))
                    paths = self._paths.setdefault(name, [])
                    if path not in paths:
                        paths.append(path)
        # an object may be null, which is not a column of its own
        nested = {DOT.join(path[:i]) for paths in self._paths.values() for path in paths for i in range(1, len(path))}
        return {name: kinds for name, kinds in found.items() if name not in nested or set(kinds) - {type(None)}}

    def _refuse_arrays(self, found: dict[str, list[type]]) -> None:
        """A ValueError if a column has arrays, unless it is ignored or they are bad lines among many good ones."""
        unusable = [
            name
            for name, kinds in found.items()
            if name not in self.options.ignore
            and kinds.count(list) + kinds.count(dict) > MAX_BAD_FRACTION * (len(kinds) - kinds.count(type(None)))
        ]
        if unusable:
            kind = "arrays" if list in found[unusable[0]] else f"objects nested deeper than {MAX_DEPTH} levels"
            raise ValueError(
                f"{self.source.name}: key {unusable[0]!r} has {kind}, which are neither numeric nor text. Exclude "
                f"{listed(unusable)} (--ignore), or convert."
            )

    def blocks(self, schema: Schema, start: FilePosition) -> Iterator[RowBlock]:
        booleans = {key for key, kinds in self._values().items() if bool in kinds}
        wanted = (*schema.features, *(() if schema.wanted_target is None else (schema.wanted_target,)))
        paths = {name: candidates(name, self._paths.get(name, ()), wanted) for name in wanted}
        parse = json_parser(schema, booleans, paths)
        for chunk in chunks(self.source, start):
            block = parse(chunk, start.file)
            block = self._line_by_line(chunk, schema, start.file, paths) if block is None else block
            yield replace(block, digest=chunk.digest)

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
        target, target_of = schema.wanted_target, category_of if schema.target_categorical else number_of

        def value(of: Callable[[Any], T], item: dict[str, Any], name: str) -> T:
            try:
                return of(value_at(item, paths[name]))
            except NotAnObject as error:
                raise self._bad(line, str(BadValue(error.value, "an object")), f"key {error.key!r}") from None
            except BadValue as error:
                raise self._bad(line, str(error), f"key {name!r}") from None

        for line, found in self._objects(chunk):
            if isinstance(found, BadLine):
                builder.bad.append(found)
                continue
            try:
                numeric = [value(number_of, found, name) for name in schema.numeric]
                categorical = [value(category_of, found, name) for name in schema.categorical]
                label: Any = None if target is None else value(target_of, found, target)
                builder.add(line, numeric, categorical, label)
            except BadLine as bad:
                builder.bad.append(bad)
        return builder.block()

    def _bad(self, line: int, reason: str, where: str = "") -> BadLine:
        return BadLine(self.source.name, line, reason, where, self.noun)
