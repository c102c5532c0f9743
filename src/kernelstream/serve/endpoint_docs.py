"""What the OpenAPI page says about endpoints that read their parameters and bodies themselves."""

from typing import Any

from .request_bodies import ARROW, JSON, NDJSON


def _object(required: list[str], **properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": required, "properties": properties}


def _list(items: Any) -> dict[str, Any]:
    return {"type": "array", "items": items}


def _query(name: str, about: str, values: tuple[str, ...] = ()) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"} | ({"enum": list(values)} if values else {"maxLength": 1000})
    return {"name": name, "in": "query", "required": False, "schema": schema, "description": about}


def _answers(**properties: Any) -> dict[str, Any]:
    schema = _object([name for name in properties if name not in ("ids", "learned")], **properties)
    return {"responses": {"200": {"description": "Done.", "content": {JSON: {"schema": schema}}}}}


_TEXT, _WHOLE, _CELL = {"type": "string"}, {"type": "integer"}, {"type": ["string", "number", "boolean", "null"]}
_ID = {"type": ["string", "integer"]}
_LABEL = _CELL  # of the model's own kind
_NAME = {"name": "name", "in": "path", "required": True, "schema": _TEXT}
_ROW = {"type": "object", "additionalProperties": _CELL}
_NOT_EMPTY = {"type": "string", "minLength": 1}
_MANY = _object(["rows"], rows={"anyOf": [_list(_ROW), _ROW]}, ids=_list(_ID), key=_NOT_EMPTY)
_ROWS = {"anyOf": [{**_MANY, "additionalProperties": False}, _list(_ROW)]}
_WEIGHT = {"type": ["number", "null"], "minimum": 0}  # null is 1
_ONE_LABEL = {**_object(["id", "label"], id=_ID, label=_LABEL, weight=_WEIGHT), "additionalProperties": False}
_LABELS = {"anyOf": [_object(["labels"], labels=_list(_ONE_LABEL)), _ONE_LABEL]}
_BYTES = {"schema": {"type": "string", "format": "binary"}}
_ROWS_BODY = {
    "required": True,
    "content": {
        JSON: {"schema": _ROWS, "example": {"rows": [{"x": 1.5, "colour": "red", "y": "yes"}], "ids": ["event-1"]}},
        NDJSON: {"schema": _TEXT},
        ARROW: _BYTES,
    },
}
_ID_COLUMN = _query("id_column", "Column with the id of every row; it is not learned.")
_KEY = {
    "name": "Idempotency-Key", "in": "header", "required": False, "schema": _NOT_EMPTY,
    "description": "A request with a key that was used before is acknowledged, and not learned again.",
}  # fmt: skip
_OUTCOMES = ("kept", "learned", "duplicate", "expired", "full", "waiting")
_OUTCOME = {"type": "string", "enum": list(_OUTCOMES)}
_BAD = _object(["row", "reason"], row=_WHOLE, column={"type": ["string", "null"]}, reason=_TEXT)

LEARN: dict[str, Any] = {
    "parameters": [
        _NAME, _query("bad_rows", "What becomes of bad rows.", ("refuse", "skip")),
        _query("wait", "Answer when the rows are learned.", ("false", "true")), _ID_COLUMN, _KEY,
    ],
    "requestBody": _ROWS_BODY,
} | _answers(
    accepted=_WHOLE, duplicates=_WHOLE, refused=_list(_BAD), seq=_WHOLE, learned={"type": "boolean"}
)  # fmt: skip
_ASKED = {"parameters": [_NAME, _ID_COLUMN], "requestBody": _ROWS_BODY}
PREDICT: dict[str, Any] = _ASKED | _answers(predictions=_list(_LABEL), ids=_list(_OUTCOME))
PROBABILITIES: dict[str, Any] = _ASKED | _answers(
    classes=_list(_LABEL), probabilities=_list(_list({"type": "number"})), ids=_list(_OUTCOME)
)
LABEL: dict[str, Any] = {
    "parameters": [_NAME],
    "requestBody": {
        "required": True,
        "content": {JSON: {"schema": _LABELS, "example": {"labels": [{"id": "event-1", "label": "yes"}]}}},
    },
} | _answers(outcomes=_list(_object(["id", "outcome"], id=_TEXT, outcome=_OUTCOME)))
FILE: dict[str, Any] = {"requestBody": {"required": True, "content": {"application/octet-stream": _BYTES}}}
BACKUP: dict[str, Any] = {
    "responses": {"200": {"description": "A model file.", "content": {"application/octet-stream": _BYTES}}}
}
METRICS: dict[str, Any] = {
    "responses": {"200": {"description": "Figures.", "content": {"text/plain": {"schema": _TEXT}}}}
}
READY: dict[str, Any] = {
    "responses": {
        status: {"description": what, "content": {JSON: {"schema": _object(
            ["ready", "replaying", "problems"], ready={"type": "boolean"}, replaying=_list(_TEXT),
            problems={"type": "object", "additionalProperties": _TEXT},
        )}}}
        for status, what in {"200": "All models learn.", "503": "Some do not, or not yet."}.items()
    }
}  # fmt: skip
