"""Avro files; the fields of nested records are joined by dots."""

from collections.abc import Generator, Iterator
from itertools import islice
from typing import Any

from .byte_source import ByteSource
from .nested import DOT, MAX_DEPTH, Path, value_at
from .schema import Options
from .typed_rows import Row, TypedRowReader

MAX_COLUMNS = 1 << 16


class AvroReader(TypedRowReader):
    """Enumerations, unique identifiers and most text are categorical."""

    def __init__(self, source: ByteSource, options: Options):
        try:
            from fastavro import reader
        except ImportError:
            raise ImportError('Avro files are read with fastavro: pip install "kernelstream[avro]"') from None
        self.source = source
        try:
            self._records = reader(source.as_file())
            self._paths = list(islice(_leaves(self._records.writer_schema, {}), MAX_COLUMNS + 1))
        except Exception as error:  # a damaged file makes fastavro raise almost any error
            raise self._damaged(error) from None
        if not self._paths or self._paths == [()]:
            raise ValueError(f"{source.name}: its items are not records with fields.")
        if len(self._paths) > MAX_COLUMNS:
            raise ValueError(f"{source.name} has more than {MAX_COLUMNS:,} fields.")
        super().__init__(source, options, [DOT.join(path) for path in self._paths])

    def rows(self) -> Generator[Row]:
        flat = [path[0] for path in self._paths] if all(len(path) == 1 for path in self._paths) else None
        records = iter(self._records)
        while True:
            try:
                record: Any = next(records, None)
                if record is None:
                    return
                row = [record[key] for key in flat] if flat else [value_at(record, [path]) for path in self._paths]
            except Exception as error:
                raise self._damaged(error) from None
            yield row

    def _damaged(self, error: Exception) -> ValueError:
        why = f"{type(error).__name__}: {error}".rstrip(": .")
        return ValueError(f"{self.source.name} is damaged or not an Avro file: {why}.")


def _leaves(schema: Any, known: dict[str, Any], before: Path = ()) -> Iterator[Path]:
    """The paths of the fields that are not records themselves.

    >>> inner = {"type": "record", "name": "p", "fields": [{"name": "x", "type": "long"}]}
    >>> fields = [{"name": "a", "type": ["null", inner]}, {"name": "b", "type": "p"}, {"name": "c", "type": "string"}]
    >>> list(_leaves({"type": "record", "name": "r", "fields": fields}, {}))
    [('a', 'x'), ('b', 'x'), ('c',)]
    """
    if isinstance(schema, list):
        present = [each for each in schema if each != "null"]
        schema = present[0] if len(present) == 1 else None
    schema = known.get(schema) if isinstance(schema, str) else schema
    if not isinstance(schema, dict) or schema.get("type") != "record" or len(before) == MAX_DEPTH:
        yield before
        return
    inside = known | {schema["name"]: None}  # a record inside itself has no end
    for field in schema["fields"]:
        yield from _leaves(field["type"], inside, (*before, field["name"]))
    known[schema["name"]] = schema
    known |= {name: each for name, each in inside.items() if each is not None and name not in known}
