"""HTTP: the endpoints of a service. Bodies and answers are JSON; errors are {"error": sentence}."""

import asyncio
import logging
import math
from collections.abc import Callable
from functools import partial
from typing import Any, Literal

try:
    from fastapi import FastAPI, Query, Request, Response
    from fastapi.exceptions import RequestValidationError
    from fastapi.responses import JSONResponse
    from pydantic import BaseModel, ConfigDict, Field
    from starlette.concurrency import run_in_threadpool
    from starlette.exceptions import HTTPException
except ImportError as error:
    raise ImportError(f'A server needs FastAPI and uvicorn ({error}): pip install "kernelstream[serve]"') from None

from .. import __version__
from .event_log import LogUnavailable
from .hosted_model import ColumnsChanged, HostedModel
from .limits import Limits
from .refusal import Refusal
from .request_bodies import ARROW, JSON, NDJSON, RowsBody, check_id, parse_json, parse_rows
from .service import Service

log = logging.getLogger(__name__)
SMALL = 8192  # bytes of a body that is parsed at once, not in another thread
_AGAIN = 20  # attempts, if a model is replaced meanwhile
_ROWS_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            JSON: {
                "schema": {
                    "type": "object",
                    "required": ["rows"],
                    "properties": {
                        "rows": {"type": "array", "items": {"type": "object"}},
                        "ids": {"type": "array", "items": {"type": "string"}},
                        "key": {"type": "string"},
                    },
                },
                "example": {"rows": [{"x": 1.5, "colour": "red", "y": "yes"}], "ids": ["event-1"]},
            },
            NDJSON: {"schema": {"type": "string"}},
            ARROW: {"schema": {"type": "string", "format": "binary"}},
        },
    }
}
_LABEL_BODY = {
    "requestBody": {
        "required": True,
        "content": {JSON: {"schema": {"type": "object"}, "example": {"labels": [{"id": "event-1", "label": "yes"}]}}},
    }
}
_FILE_BODY = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


class NewModel(BaseModel):
    """A model to create; what is not given is chosen as `kernelstream train` does."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(max_length=64)
    target: str = Field(max_length=1000, min_length=1)
    task: Literal["classification", "regression"] = "classification"
    columns: dict[str, Literal["number", "category", "date"]] | None = None
    classes: list[str | int | float] | None = Field(default=None, min_length=2, max_length=1000)
    algorithm: str | None = Field(default=None, max_length=100)
    budget: int | None = Field(default=None, ge=1, le=100_000)
    gamma: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    lam: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    half_life: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    adapt: bool = True
    missing: Literal["auto", "refuse", "mean", "zero"] = "auto"
    class_weight: Literal["balanced"] | None = None
    seed: int = Field(default=0, ge=0, lt=2**32)
    first_rows: int = Field(default=256, ge=16, le=32_768)


def make_app(service: Service) -> FastAPI:
    """The application. Guards (tokens, hosts, sizes) are around it: see `http_guard`."""
    app = FastAPI(
        title="kernelstream", version=__version__, docs_url=None, redoc_url=None, openapi_url="/openapi.json",
        description="Models that learn from requests. Errors are {\"error\": sentence}.",
    )  # fmt: skip
    app.add_exception_handler(Refusal, _refused)
    app.add_exception_handler(LogUnavailable, _unavailable)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(Exception, _unexpected)
    _add_service(app, service)
    _add_models(app, service)
    _add_rows(app, service)
    return app


def _add_service(app: FastAPI, service: Service) -> None:
    @app.get("/health")
    async def health() -> dict[str, Any]:
        """The process answers."""
        return {"status": "ok", "version": __version__}

    @app.get("/ready")
    async def ready(response: Response) -> dict[str, Any]:
        """All models have learned what was in their logs at the start, and can learn."""
        stats = [service.stats(name) for name in service.names()]
        problems = {found["name"]: found["problem"] for found in stats if found["problem"]}
        good = service.ready and not problems
        response.status_code = 200 if good else 503
        return {
            "ready": good,
            "replaying": [s["name"] for s in stats if s["phase"] == "replaying"],
            "problems": problems,
        }


def _add_models(app: FastAPI, service: Service) -> None:
    @app.get("/models")
    async def models() -> dict[str, Any]:
        """All models, with their figures."""
        return {"models": [service.stats(name) for name in service.names()]}

    @app.post("/models", status_code=201)
    def create(new: NewModel) -> dict[str, Any]:
        """Create a model, which will be initialised by its first rows."""
        plan = {name: value for name, value in new.model_dump(exclude={"name"}).items() if value is not None}
        for name in list(plan.get("columns", {})):
            if len(name) > service.limits.text:
                raise Refusal(422, f"The name of a column has {len(name):,} characters; the maximum is "
                              f"{service.limits.text:,}.")  # fmt: skip
        if len(plan.get("columns", {})) > service.limits.columns:
            raise Refusal(
                422, f"There are {len(plan['columns']):,} columns; the maximum is {service.limits.columns:,}."
            )
        return service.create(new.name, plan).stats()

    @app.get("/models/{name}")
    def inspect(name: str) -> dict[str, Any]:
        """A model: its figures, columns, classes, settings and relevance of columns."""
        return service.inspect(name)

    @app.delete("/models/{name}")
    def delete(name: str) -> dict[str, Any]:
        """Delete a model, its log and its snapshots."""
        service.delete(name)
        return {"deleted": name}

    @app.post("/models/{name}/archive")
    def archive(name: str) -> dict[str, Any]:
        """Stop a model, and keep its log and snapshots in the archive folder."""
        return {"archived": name, "folder": service.archive(name).name}

    @app.get("/models/{name}/file", response_class=Response)
    def backup(name: str) -> Response:
        """The model as a file, which `kernelstream predict` reads."""
        headers = {"content-disposition": f'attachment; filename="{name}.ks"'}
        return Response(service.model(name).backup(), media_type="application/octet-stream", headers=headers)

    @app.put("/models/{name}/file", openapi_extra=_FILE_BODY)
    async def replace(name: str, request: Request) -> dict[str, Any]:
        """Create a model from a model file, or replace it: nothing of the one before remains."""
        data = await request.body()
        return (await run_in_threadpool(service.import_file, name, data)).stats()


def _add_rows(app: FastAPI, service: Service) -> None:
    @app.post("/models/{name}/learn", openapi_extra=_ROWS_BODY)
    async def learn(
        name: str, request: Request, bad_rows: Literal["refuse", "skip"] = "refuse", wait: bool = False,
        id_column: str | None = Query(default=None, max_length=1000),
    ) -> dict[str, Any]:  # fmt: skip
        """Learn rows with their targets. They are on the disk when this answers, and learned in order soon after, or,
        with `wait`, already."""
        model = service.model(name)
        body = await _rows(request, service.limits, id_column)
        ids, key = body.ids, body.key or _key(request, service.limits)
        small = int(request.headers.get("content-length", SMALL)) < SMALL
        call = partial(model.learn, body.rows, ids=ids, key=key, skip=bad_rows == "skip")
        found = await _committed(call, small)
        if wait:
            await asyncio.wrap_future(model.learner.learned(found["seq"]))
        return found | {"learned": True} if wait else found

    @app.post("/models/{name}/predict", openapi_extra=_ROWS_BODY)
    async def predict(
        name: str, request: Request, id_column: str | None = Query(default=None, max_length=1000)
    ) -> dict[str, Any]:
        """The label or number of every row. With ids, the features are kept for labels that come later."""
        found, more = await _predicted(service, name, "predict", request, id_column)
        return {"predictions": found.tolist()} | more

    @app.post("/models/{name}/predict_proba", openapi_extra=_ROWS_BODY)
    async def predict_proba(
        name: str, request: Request, id_column: str | None = Query(default=None, max_length=1000)
    ) -> dict[str, Any]:
        """The probability of every class, in the order of `classes`."""
        found, more = await _predicted(service, name, "predict_proba", request, id_column)
        classes = service.model(name).learner.pipeline
        assert classes is not None
        return {"classes": classes.classes_.tolist(), "probabilities": found.tolist()} | more

    @app.post("/models/{name}/label", openapi_extra=_LABEL_BODY)
    async def label(name: str, request: Request) -> dict[str, Any]:
        """Labels of predictions with ids; the outcome of each: learned, duplicate, expired, waiting or full."""
        model = service.model(name)
        _check_json(request)
        labels = _labels(parse_json(await request.body()), service.limits)
        outcomes = await _committed(lambda: model.label(labels), len(labels) < 10)
        return {"outcomes": [{"id": i, "outcome": o} for (i, _), o in zip(labels, outcomes, strict=True)]}


async def _rows(request: Request, limits: Limits, id_column: str | None) -> RowsBody:
    data = await request.body()
    kind = request.headers.get("content-type", JSON)
    if len(data) < SMALL:
        return parse_rows(data, kind, limits, id_column)
    return await run_in_threadpool(parse_rows, data, kind, limits, id_column)


def _key(request: Request, limits: Limits) -> str | None:
    given = request.headers.get("idempotency-key")
    return None if given is None else check_id(given, limits)


async def _committed(call: Callable[[], Any], small: bool) -> Any:
    """The result of a future that `call` makes, when it is on the disk."""
    for _ in range(_AGAIN):
        future = call() if small else await run_in_threadpool(call)
        try:
            return await asyncio.wrap_future(future)
        except ColumnsChanged:
            continue
    raise Refusal(503, "The model changes all the time. Try again.", retry_after=1.0)


async def _predicted(
    service: Service, name: str, method: str, request: Request, id_column: str | None
) -> tuple[Any, dict[str, Any]]:
    model: HostedModel = service.model(name)
    body = await _rows(request, service.limits, id_column)
    for _ in range(_AGAIN):
        found, block, reader, _ = await run_in_threadpool(model.predict, method, body.rows)
        if body.ids is None:
            return found, {}
        try:
            return found, {"ids": await asyncio.wrap_future(model.keep(block, reader, body.ids))}
        except ColumnsChanged:
            continue
    raise Refusal(503, "The model changes all the time. Try again.", retry_after=1.0)


def _check_json(request: Request) -> None:
    kind = request.headers.get("content-type", JSON).partition(";")[0].strip().lower()
    if kind != JSON:
        raise Refusal(415, f"The content type is {kind[:80]!r}; send {JSON}.")


def _labels(body: Any, limits: Limits) -> list[tuple[str, Any]]:
    """The ids and labels of a body: one, or a list of them."""
    given = body.get("labels", [body]) if isinstance(body, dict) else body
    if not isinstance(given, list) or not given:
        raise Refusal(422, 'The body must be {"id": …, "label": …}, or {"labels": [{"id": …, "label": …}, …]}.')
    if len(given) > limits.rows:
        raise Refusal(413, f"The request has {len(given):,} labels; the maximum is {limits.rows:,}.")
    for i, one in enumerate(given):
        if not isinstance(one, dict) or set(one) != {"id", "label"}:
            raise Refusal(422, f'label {i:,}: it must be an object with "id" and "label", and nothing else.')
    return [(check_id(one["id"], limits), one["label"]) for one in given]


def _error(status: int, sentence: str, retry_after: float | None = None, **more: Any) -> JSONResponse:
    headers = {} if retry_after is None else {"Retry-After": str(math.ceil(retry_after))}
    return JSONResponse({"error": sentence} | more, status, headers)


async def _refused(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Refusal)
    return _error(error.status, str(error), error.retry_after, **error.more)


async def _unavailable(request: Request, error: Exception) -> JSONResponse:
    return _error(503, f"{error} Nothing was learned; predictions go on. Try again later.", 5.0)


async def _invalid(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if part not in ("body", "query"))
    message = str(first["msg"])[:200]
    return _error(422, f"{where[:100]}: {message}." if where else f"{message}.")


async def _http_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    way = " GET /openapi.json lists all endpoints." if error.status_code in (404, 405) else ""
    return _error(error.status_code, f"{error.detail}.{way}")


async def _unexpected(request: Request, error: Exception) -> JSONResponse:
    log.error("a request failed: %s %s", request.method, request.url.path, exc_info=error)
    return _error(500, "The server met an error that is not your fault; its log has more.")
