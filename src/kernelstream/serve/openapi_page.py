"""`GET /openapi.json`: what FastAPI knows of the endpoints, with the errors as they are."""

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from .http_guard import OPEN
from .request_bodies import JSON

ERRORS = {
    "400": "The body cannot be parsed.", "401": "A token is needed.", "403": "The token has not the scope.",
    "404": "There is no such model.", "405": "The endpoint has other methods.", "409": "Not in this state.",
    "413": "Too large.", "415": "Unknown content type.", "421": "The request names another host.",
    "422": "Rows or parameters are invalid.",
    "429": "Too many requests, or too many rows wait: try again after Retry-After seconds.",
    "503": "Learning is refused for the moment, for example because the disk is full.",
}  # fmt: skip
_ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {"type": "string", "description": "A sentence."},
        "rows": {"type": "array", "items": {"type": "object"}, "description": "Row, column and reason of bad rows."},
    },
}


def set_openapi_page(app: FastAPI) -> None:
    """Let the application answer with this page. FastAPI's own says that invalid requests are answered otherwise."""
    page = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
    schemas: dict[str, Any] = page.setdefault("components", {}).setdefault("schemas", {})
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    schemas["Error"] = _ERROR
    page["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    content = {JSON: {"schema": {"$ref": "#/components/schemas/Error"}}}
    errors = {status: {"description": what, "content": content} for status, what in ERRORS.items()}
    for path, operations in page["paths"].items():
        for about in operations.values():
            known = {status: found for status, found in about["responses"].items() if status != "422"}
            about["responses"] = errors | known
            about["security"] = [{}] if path in OPEN else [{"token": []}, {}]  # on loopback none is needed
    app.openapi = lambda: page  # type: ignore[method-assign]
