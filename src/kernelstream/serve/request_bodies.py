"""Bodies of requests as rows: JSON, JSON lines, or an Arrow stream."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple, NoReturn

import orjson

from .limits import Limits
from .pending_labels import Label
from .refused_request import RefusedRequest
from .row_checks import is_unicode

JSON, NDJSON, ARROW = "application/json", "application/x-ndjson", "application/vnd.apache.arrow.stream"


class RowsBody(NamedTuple):
    """The rows of a request, a list of objects or an Arrow table, and their ids, if it has some."""

    rows: Any
    ids: list[str] | None = None
    key: str | None = None


def parse_json(data: bytes) -> Any:
    """A JSON value; a refusal says what is wrong."""
    try:
        return orjson.loads(data)
    except ValueError:
        pass  # what it does not take may still be JSON to Python, whose messages also say more
    try:
        return json.loads(data, parse_constant=_no_constant)
    except RefusedRequest:
        raise
    except RecursionError:
        raise RefusedRequest(400, "The JSON is nested too deeply.") from None
    except (ValueError, UnicodeDecodeError) as error:
        raise RefusedRequest(400, f"The body is not JSON: {error}.") from None


def _no_constant(name: str) -> NoReturn:
    raise RefusedRequest(400, f"{name} is not JSON. Send null for a missing value.")


def parse_rows(data: bytes, content_type: str, limits: Limits, id_column: str | None = None) -> RowsBody:
    """The rows in a body.

    >>> parse_rows(b'{"rows": [{"x": 1}], "ids": ["a"]}', JSON, Limits())
    RowsBody(rows=[{'x': 1}], ids=['a'], key=None)
    >>> parse_rows(b'{"x": 1, "n": 7}\\n{"x": 2, "n": 8}\\n', NDJSON, Limits(), id_column="n")
    RowsBody(rows=[{'x': 1}, {'x': 2}], ids=['7', '8'], key=None)
    """
    kind = content_type.partition(";")[0].strip().lower()
    if kind == JSON:
        found = _from_json(parse_json(data))
    elif kind == NDJSON:
        found = RowsBody([_line(line, number) for number, line in enumerate(data.splitlines(), 1) if line.strip()])
    elif kind == ARROW:
        found = RowsBody(_from_arrow(data, limits))
    else:
        raise RefusedRequest(415, f"The content type is {kind[:80]!r}; send {JSON}, {NDJSON} or {ARROW}.")
    if id_column is not None:
        named = _ids_in(found.rows, id_column)
        found = found._replace(rows=_without(found.rows, id_column), ids=named)
    ids = None if found.ids is None else [check_id(name, limits) for name in found.ids]
    return found._replace(ids=ids, key=None if found.key is None else check_id(found.key, limits))


def check_id(name: Any, limits: Limits) -> str:
    """An id as text; a refusal if it is none."""
    if isinstance(name, bool) or not isinstance(name, (str, int)) or name == "":
        raise RefusedRequest(422, f"An id must be a string that is not empty, or an integer, not {name!r:.80}.")
    if len(str(name)) > limits.text:
        raise RefusedRequest(422, f"An id has {len(str(name)):,} characters; the maximum is {limits.text:,}.")
    if not is_unicode(str(name)):
        raise RefusedRequest(422, "An id has half of a surrogate pair, which is no character.")
    return str(name)


def _from_json(body: Any) -> RowsBody:
    if isinstance(body, list):
        return RowsBody(body)
    if not isinstance(body, dict) or "rows" not in body:
        raise RefusedRequest(422, 'The body must be {"rows": [{…}, …]}, or a list of rows.')
    unknown = [name for name in body if name not in ("rows", "ids", "key")]
    if unknown:
        raise RefusedRequest(422, f"Unknown field {unknown[0]!r:.80}. Available: rows, ids, key.")
    rows, ids, key = body["rows"], body.get("ids"), body.get("key")
    rows = [rows] if isinstance(rows, dict) else rows
    if not isinstance(rows, list):
        raise RefusedRequest(422, '"rows" must be a list of objects.')
    if ids is not None and not isinstance(ids, list):
        raise RefusedRequest(422, '"ids" must be a list, one for each row.')
    if key is not None and (not isinstance(key, str) or not key):
        raise RefusedRequest(422, '"key" must be a string that is not empty.')
    return RowsBody(rows, ids, key)


def _line(line: bytes, number: int) -> Any:
    try:
        return parse_json(line)
    except RefusedRequest as error:
        raise RefusedRequest(400, f"line {number:,}: {error}") from None


def _from_arrow(data: bytes, limits: Limits) -> Any:
    try:
        import pyarrow
        import pyarrow.ipc
    except ImportError:
        raise RefusedRequest(
            415, 'Arrow streams need pyarrow on the server: pip install "kernelstream[files]"'
        ) from None
    batches, rows = [], 0
    try:
        with pyarrow.ipc.open_stream(data) as stream:
            for batch in stream:
                batch.validate(full=True)  # it is not trusted
                rows += batch.num_rows
                if rows > limits.rows:
                    raise RefusedRequest(413, f"The request has more than {limits.rows:,} rows. Send several requests.")
                batches.append(batch)
            if len(stream.schema) > limits.columns:
                raise RefusedRequest(
                    422, f"The rows have {len(stream.schema):,} columns; the maximum is {limits.columns:,}."
                )
            return pyarrow.Table.from_batches(batches, stream.schema)
    except (pyarrow.ArrowException, OSError, ValueError, KeyError) as error:
        raise RefusedRequest(400, f"The body is not an Arrow stream: {str(error)[:200]}.") from None


def _ids_in(rows: Any, column: str) -> list[Any]:
    if not isinstance(rows, list):
        if column not in rows.column_names:
            raise RefusedRequest(422, f"The rows have no column {column!r:.80} with ids.")
        found: list[Any] = rows.column(column).to_pylist()
        return found
    for i, row in enumerate(rows):
        if not isinstance(row, dict) or column not in row:
            raise RefusedRequest(422, f"row {i:,}: there is no column {column!r:.80} with its id.")
    return [row[column] for row in rows]


def _without(rows: Any, column: str) -> Any:
    if not isinstance(rows, list):
        return rows.drop_columns([column])
    return [{name: value for name, value in row.items() if name != column} for row in rows]


def read_query(given: Mapping[str, str], known: tuple[str, ...]) -> dict[str, str]:
    """The parameters of a query; a refusal if one is unknown or too long."""
    for name, value in given.items():
        if name not in known:
            raise RefusedRequest(422, f"Unknown parameter {name!r:.80}. Available: {', '.join(known)}.")
        if len(value) > 1000:
            raise RefusedRequest(422, f"The parameter {name} has {len(value):,} characters; the maximum is 1,000.")
    return dict(given)


def one_of(asked: Mapping[str, str], name: str, default: str, known: tuple[str, ...]) -> str:
    """A parameter that has one of a few values."""
    value = asked.get(name, default)
    if value not in known:
        raise RefusedRequest(422, f"{name} is {value!r:.80}; use {' or '.join(known)}.")
    return value


def parse_labels(body: Any, limits: Limits) -> list[tuple[str, Label]]:
    """The ids and labels of a body: one, or a list of them."""
    given = body.get("labels", [body]) if isinstance(body, dict) else body
    if not isinstance(given, list) or not given:
        raise RefusedRequest(422, 'The body must be {"id": …, "label": …}, or {"labels": [{"id": …, "label": …}, …]}.')
    if len(given) > limits.rows:
        raise RefusedRequest(413, f"The request has {len(given):,} labels; the maximum is {limits.rows:,}.")
    for i, one in enumerate(given):
        if not isinstance(one, dict) or not {"id", "label"} <= set(one) <= {"id", "label", "weight"}:
            needed = 'an object with "id" and "label", and "weight" if the model has weights'
            raise RefusedRequest(422, f"label {i:,}: it must be {needed}.")
    return [(check_id(one["id"], limits), Label(one["label"], one.get("weight"))) for one in given]
