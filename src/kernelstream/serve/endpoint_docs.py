"""What the OpenAPI page says about endpoints that read their parameters and bodies themselves."""

from typing import Any

from .request_bodies import ARROW, JSON, NDJSON


def _path() -> dict[str, Any]:
    return {"name": "name", "in": "path", "required": True, "schema": {"type": "string"}}


def _query(name: str, about: str, values: tuple[str, ...] = ()) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"} | ({"enum": list(values)} if values else {})
    return {"name": name, "in": "query", "required": False, "schema": schema, "description": about}


def _body(content: dict[str, Any]) -> dict[str, Any]:
    return {"required": True, "content": content}


_ROWS = {
    "type": "object",
    "required": ["rows"],
    "properties": {
        "rows": {"type": "array", "items": {"type": "object"}},
        "ids": {"type": "array", "items": {"type": "string"}},
        "key": {"type": "string"},
    },
}
_LABEL: dict[str, Any] = {"id": {"type": "string"}, "label": {}}
_LABELS = {
    "type": "object",
    "required": ["labels"],
    "properties": {
        "labels": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["id", "label"],
                "properties": {"id": {"type": "string"}, "label": {}},
            },
        }
    },
}
_BYTES = {"schema": {"type": "string", "format": "binary"}}
_ROWS_BODY = _body(
    {
        JSON: {"schema": _ROWS, "example": {"rows": [{"x": 1.5, "colour": "red", "y": "yes"}], "ids": ["event-1"]}},
        NDJSON: {"schema": {"type": "string"}},
        ARROW: _BYTES,
    }
)
_ID_COLUMN = _query("id_column", "Column with the id of every row; it is not learned.")
_ERRORS = {
    "responses": {
        status: {
            "description": what,
            "content": {JSON: {"schema": {"type": "object", "properties": {"error": {"type": "string"}}}}},
        }
        for status, what in {
            "400": "The body cannot be parsed.", "404": "There is no such model.", "409": "Not in this state.",
            "413": "Too large.", "415": "Unknown content type.", "422": "Rows or parameters are invalid.",
            "429": "Too many rows are waiting: try again after Retry-After seconds.",
            "503": "Learning is refused for the moment, e.g. because the disk is full.",
        }.items()
    }
}  # fmt: skip
LEARN: dict[str, Any] = _ERRORS | {
    "parameters": [
        _path(), _query("bad_rows", "What becomes of bad rows.", ("refuse", "skip")),
        _query("wait", "Answer when the rows are learned.", ("false", "true")), _ID_COLUMN,
    ],
    "requestBody": _ROWS_BODY,
}  # fmt: skip
PREDICT: dict[str, Any] = _ERRORS | {"parameters": [_path(), _ID_COLUMN], "requestBody": _ROWS_BODY}
LABEL: dict[str, Any] = _ERRORS | {
    "parameters": [_path()],
    "requestBody": _body({JSON: {"schema": _LABELS, "example": {"labels": [{"id": "event-1", "label": "yes"}]}}}),
}
FILE: dict[str, Any] = {"requestBody": _body({"application/octet-stream": _BYTES})}
