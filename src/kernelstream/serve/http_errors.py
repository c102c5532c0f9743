"""Errors as answers: {"error": sentence}, never a traceback."""

import logging
import math
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from .event_log import LogUnavailable
from .refused_request import RefusedRequest

log = logging.getLogger(__name__)


def add_error_answers(app: FastAPI) -> None:
    """Answer every kind of error that a request may meet."""

    async def answer(request: Request, error: Exception) -> JSONResponse:
        return error_answer(request, error)

    for kind in (RefusedRequest, LogUnavailable, RequestValidationError, HTTPException, Exception):
        app.add_exception_handler(kind, answer)


def error_answer(request: Request, error: Exception) -> JSONResponse:
    """The answer to a request that has met an error."""
    if isinstance(error, RefusedRequest):
        return _error(error.status, str(error), error.retry_after, **error.more)
    if isinstance(error, LogUnavailable):
        return _error(503, f"{error} Nothing was learned; predictions go on. Try again later.", 5.0)
    if isinstance(error, RequestValidationError):
        return _invalid(error)
    if isinstance(error, ClientDisconnect):
        return _error(400, "The connection was closed before the body had come.")
    if isinstance(error, HTTPException):
        way = " GET /openapi.json lists all endpoints." if error.status_code in (404, 405) else ""
        return _error(error.status_code, f"{error.detail}.{way}")
    log.error("a request failed: %s %s", request.method, request.url.path, exc_info=error)
    return _error(500, "The server met an error that is not your fault; its log has more.")


def _error(status: int, sentence: str, retry_after: float | None = None, **more: Any) -> JSONResponse:
    headers = {} if retry_after is None else {"Retry-After": str(math.ceil(retry_after))}
    return JSONResponse({"error": sentence} | more, status, headers)


def _invalid(error: RequestValidationError) -> JSONResponse:
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if part not in ("body", "query"))
    message = str(first["msg"])[:200]
    return _error(422, f"{where[:100]}: {message}." if where else f"{message}.")
