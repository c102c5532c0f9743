"""The endpoints that take rows. They are called most, so they read parameters and bodies themselves."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import orjson
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from .hosted_model import HostedModel, ServedPredictions
from .http_guard import MAY_WRITE
from .limits import Limits
from .logged_model import ColumnsChanged
from .refused_request import RefusedRequest
from .request_bodies import JSON, RowsBody, check_id, one_of, parse_json, parse_labels, parse_rows, read_query
from .service import Service
from .turn_lock import Busy

SMALL = 8192  # bytes of a body that is handled at once, not in another thread
PATIENCE = 0.002  # seconds that small predictions wait at once for rows that are being learned
_AGAIN = 20  # attempts, if a model is replaced meanwhile


class RowEndpoints:
    """Those of all models of a service."""

    def __init__(self, service: Service):
        self.service, self.limits = service, service.limits

    def by_name(self) -> dict[str, Callable[[Request], Awaitable[Response]]]:
        """The endpoints by the last part of their addresses."""
        return {
            "learn": self.learn,
            "predict": self.predict,
            "predict_proba": self.predict_proba,
            "label": self.label,
        }

    async def learn(self, request: Request) -> Response:
        """Learn rows with their targets. They are on the disk when this answers, and learned in order soon after, or,
        with `wait`, already."""
        model = self.service.model(request.path_params["name"])
        asked = read_query(request.query_params, ("bad_rows", "wait", "id_column"))
        wait = one_of(asked, "wait", "false", ("false", "true")) == "true"
        skip = one_of(asked, "bad_rows", "refuse", ("refuse", "skip")) == "skip"
        data = await request.body()
        body = await self._parsed(request, data, asked.get("id_column"))
        key = body.key or _key(request, self.limits)
        call = partial(model.learn, body.rows, ids=body.ids, key=key, skip=skip)
        found = await _committed(call, len(data) < SMALL)
        if wait:
            await asyncio.wrap_future(model.learner.learned(found["seq"]))
        return _answer(found | {"learned": True} if wait else found)

    async def predict(self, request: Request) -> Response:
        """The label or number of every row. With ids, the features are kept for labels that come later."""
        found, more = await self._with_outcomes("predict", request)
        return _answer({"predictions": found.values.tolist()} | more)

    async def predict_proba(self, request: Request) -> Response:
        """The probability of every class, in the order of `classes`."""
        found, more = await self._with_outcomes("predict_proba", request)
        return _answer({"classes": found.classes, "probabilities": found.values.tolist()} | more)

    async def label(self, request: Request) -> Response:
        """Labels of predictions with ids; the outcome of each: learned, duplicate, expired, waiting or full."""
        model = self.service.model(request.path_params["name"])
        _check_json(request)
        labels = parse_labels(parse_json(await request.body()), self.limits)
        outcomes = await _committed(lambda: model.labels.label(labels), len(labels) < 10)
        found = [{"id": name, "outcome": outcome} for (name, _), outcome in zip(labels, outcomes, strict=True)]
        return _answer({"outcomes": found})

    async def _parsed(self, request: Request, data: bytes, id_column: str | None) -> RowsBody:
        kind = request.headers.get("content-type", JSON)
        if len(data) < SMALL:
            return parse_rows(data, kind, self.limits, id_column)
        return await run_in_threadpool(parse_rows, data, kind, self.limits, id_column)

    async def _with_outcomes(self, method: str, request: Request) -> tuple[ServedPredictions, dict[str, Any]]:
        model: HostedModel = self.service.model(request.path_params["name"])
        asked = read_query(request.query_params, ("id_column",))
        data = await request.body()
        body = await self._parsed(request, data, asked.get("id_column"))
        if body.ids is not None and not request.scope.get(MAY_WRITE, True):
            raise RefusedRequest(403, "The token has not the scope write, which predictions with ids need.")
        for _ in range(_AGAIN):
            found = await _in_turn(model, method, body.rows, len(data) < SMALL)
            if body.ids is None:
                return found, {}
            try:
                outcomes = await asyncio.wrap_future(model.labels.keep(found.block, found.reader, body.ids))
            except ColumnsChanged:
                continue
            return found, {"ids": outcomes}
        raise _changes()


async def _in_turn(model: HostedModel, method: str, rows: Any, small: bool) -> ServedPredictions:
    """Predictions; of a few rows at once, as a change of threads takes longer than they do."""
    if small:
        try:
            return model.predict(method, rows, patience=PATIENCE)
        except Busy:
            pass
    return await run_in_threadpool(model.predict, method, rows)


async def _committed(call: Callable[[], Any], small: bool) -> Any:
    """The result of a future that `call` makes, when it is on the disk."""
    for _ in range(_AGAIN):
        future = call() if small else await run_in_threadpool(call)
        try:
            return await asyncio.wrap_future(future)
        except ColumnsChanged:
            continue
    raise _changes()


def _answer(content: Any) -> Response:
    return Response(orjson.dumps(content), media_type=JSON)


def _changes() -> RefusedRequest:
    return RefusedRequest(503, "The model changes all the time. Try again.", retry_after=1.0)


def _key(request: Request, limits: Limits) -> str | None:
    given = request.headers.get("idempotency-key")
    return None if given is None else check_id(given, limits)


def _check_json(request: Request) -> None:
    kind = request.headers.get("content-type", JSON).partition(";")[0].strip().lower()
    if kind != JSON:
        raise RefusedRequest(415, f"The content type is {kind[:80]!r}; send {JSON}.")
