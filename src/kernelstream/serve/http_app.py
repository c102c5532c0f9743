"""HTTP: the endpoints of a service. Bodies and answers are JSON; errors are {"error": sentence}."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

try:
    from fastapi import FastAPI, Request, Response
    from fastapi.responses import JSONResponse
    from starlette.concurrency import run_in_threadpool
except ImportError as error:
    raise ImportError(f'A server needs FastAPI and uvicorn ({error}): pip install "kernelstream[serve]"') from None

from .. import __version__
from ..pipeline import StreamPipeline
from .endpoint_docs import FILE, LABEL, LEARN, PREDICT
from .error_counter import ErrorCounter
from .hosted_model import HostedModel
from .http_errors import add_error_answers
from .http_guard import MAY_WRITE
from .limits import Limits
from .live_events import add_live_events
from .logged_model import ColumnsChanged
from .metrics_page import add_metrics
from .new_model import NewModel
from .page_files import add_page
from .refused_request import RefusedRequest
from .request_bodies import JSON, RowsBody, check_id, one_of, parse_json, parse_labels, parse_rows, read_query
from .service import Service

SMALL = 8192  # bytes of a body that is parsed at once, not in another thread
_AGAIN = 20  # attempts, if a model is replaced meanwhile


def make_app(service: Service) -> FastAPI:
    """The application. Guards (tokens, hosts, sizes) are around it: see `http_guard`."""
    app = FastAPI(
        title="kernelstream", version=__version__, docs_url=None, redoc_url=None, openapi_url="/openapi.json",
        description="Models that learn from requests. Errors are {\"error\": sentence}.",
    )  # fmt: skip
    add_error_answers(app)
    _add_service(app, service)
    _add_models(app, service)
    _add_rows(app, service)
    add_metrics(app, service)
    add_live_events(app, service)
    add_page(app)
    app.add_middleware(ErrorCounter, service=service)
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
        plan = {name: value for name, value in new.model_dump(exclude={"name", "metrics"}).items() if value is not None}
        for name in list(plan.get("columns", {})):
            if len(name) > service.limits.text:
                raise RefusedRequest(422, f"The name of a column has {len(name):,} characters; the maximum is "
                              f"{service.limits.text:,}.")  # fmt: skip
        if len(plan.get("columns", {})) > service.limits.columns:
            raise RefusedRequest(
                422, f"There are {len(plan['columns']):,} columns; the maximum is {service.limits.columns:,}."
            )
        return service.create(new.name, plan, metrics=new.metrics).stats()

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

    @app.put("/models/{name}/file", openapi_extra=FILE)
    async def replace(name: str, request: Request) -> dict[str, Any]:
        """Create a model from a model file, or replace it: nothing of the one before remains."""
        data = await request.body()
        return (await run_in_threadpool(service.import_file, name, data)).stats()


def _add_rows(app: FastAPI, service: Service) -> None:
    """These are called most, so they read their parameters themselves, which is twice as fast."""

    @app.post("/models/{name}/learn", openapi_extra=LEARN, response_model=None)
    async def learn(request: Request) -> JSONResponse:
        """Learn rows with their targets. They are on the disk when this answers, and learned in order soon after, or,
        with `wait`, already."""
        model = service.model(request.path_params["name"])
        asked = read_query(request.query_params, ("bad_rows", "wait", "id_column"))
        wait = one_of(asked, "wait", "false", ("false", "true")) == "true"
        skip = one_of(asked, "bad_rows", "refuse", ("refuse", "skip")) == "skip"
        data = await request.body()
        body = await _rows(request, data, service.limits, asked.get("id_column"))
        key = body.key or _key(request, service.limits)
        call = partial(model.learn, body.rows, ids=body.ids, key=key, skip=skip)
        found = await _committed(call, len(data) < SMALL)
        if wait:
            await asyncio.wrap_future(model.learner.learned(found["seq"]))
        return JSONResponse(found | {"learned": True} if wait else found)

    @app.post("/models/{name}/predict", openapi_extra=PREDICT, response_model=None)
    async def predict(request: Request) -> JSONResponse:
        """The label or number of every row. With ids, the features are kept for labels that come later."""
        found, _, more = await _predicted(service, "predict", request)
        return JSONResponse({"predictions": found.tolist()} | more)

    @app.post("/models/{name}/predict_proba", openapi_extra=PREDICT, response_model=None)
    async def predict_proba(request: Request) -> JSONResponse:
        """The probability of every class, in the order of `classes`."""
        found, pipeline, more = await _predicted(service, "predict_proba", request)
        return JSONResponse({"classes": pipeline.classes_.tolist(), "probabilities": found.tolist()} | more)

    @app.post("/models/{name}/label", openapi_extra=LABEL, response_model=None)
    async def label(request: Request) -> JSONResponse:
        """Labels of predictions with ids; the outcome of each: learned, duplicate, expired, waiting or full."""
        model = service.model(request.path_params["name"])
        _check_json(request)
        labels = parse_labels(parse_json(await request.body()), service.limits)
        outcomes = await _committed(lambda: model.labels.label(labels), len(labels) < 10)
        found = [{"id": name, "outcome": outcome} for (name, _), outcome in zip(labels, outcomes, strict=True)]
        return JSONResponse({"outcomes": found})


async def _rows(request: Request, data: bytes, limits: Limits, id_column: str | None) -> RowsBody:
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
    raise RefusedRequest(503, "The model changes all the time. Try again.", retry_after=1.0)


async def _predicted(service: Service, method: str, request: Request) -> tuple[Any, StreamPipeline, dict[str, Any]]:
    model: HostedModel = service.model(request.path_params["name"])
    asked = read_query(request.query_params, ("id_column",))
    body = await _rows(request, await request.body(), service.limits, asked.get("id_column"))
    if body.ids is not None and not request.scope.get(MAY_WRITE, True):
        raise RefusedRequest(403, "The token has not the scope write, which predictions with ids need.")
    for _ in range(_AGAIN):
        found, block, reader, pipeline = await run_in_threadpool(model.predict, method, body.rows)
        if body.ids is None:
            return found, pipeline, {}
        try:
            outcomes = await asyncio.wrap_future(model.labels.keep(block, reader, body.ids))
        except ColumnsChanged:
            continue
        return found, pipeline, {"ids": outcomes}
    raise RefusedRequest(503, "The model changes all the time. Try again.", retry_after=1.0)


def _check_json(request: Request) -> None:
    kind = request.headers.get("content-type", JSON).partition(";")[0].strip().lower()
    if kind != JSON:
        raise RefusedRequest(415, f"The content type is {kind[:80]!r}; send {JSON}.")
