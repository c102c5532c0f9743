"""`GET /events`: figures as server-sent events, every second, for the page.

`figures` has all models in short and the chosen one completely; `detail`, less often, what takes longer to compute.
"""

import asyncio
import json
import math
import time
from collections.abc import AsyncIterator
from typing import Any

from fastapi import FastAPI
from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool

from .. import __version__
from ..evaluate.metrics import METRICS
from ..pipeline import column_relevance
from ..pipeline.curve import Curve
from .metrics_page import all_stats
from .refused_request import RefusedRequest
from .service import Service

EVERY, DETAIL_EVERY, STEP = 1.0, 5.0, 0.25  # seconds: between figures, between details, between looks at the exit
LONGEST = 600.0  # seconds of a stream; then the page asks again, and its token is checked again
STREAMS = 64  # at a time
SHORT = (
    "name", "phase", "rows", "metric", "score", "support_vectors", "bytes", "waiting_rows", "problem",
)  # fmt: skip


class LiveFigures:
    """What all who watch are told; computed once for all of them."""

    def __init__(self, service: Service):
        self.service, self.streams = service, 0
        self._stats: tuple[float, list[dict[str, Any]]] = (0.0, [])
        self._details = dict[str, tuple[float, dict[str, Any] | None]]()

    def figures(self, chosen: str | None) -> dict[str, Any]:
        """All models in short, and the chosen one."""
        at, stats = self._stats
        if time.time() - at > EVERY / 2:
            at, stats = self._stats = time.time(), all_stats(self.service)
        short = [{key: found[key] for key in SHORT if key in found} for found in stats]
        model = next((found for found in stats if found["name"] == chosen), None)
        return {"version": __version__, "time": at, "models": short, "model": model}

    def detail(self, name: str) -> dict[str, Any] | None:
        """Relevance of columns and learning curve; None before the model is initialised."""
        at, found = self._details.get(name, (0.0, None))
        if time.time() - at > DETAIL_EVERY / 2:
            try:
                found = self._detail(name)
            except RefusedRequest:
                found = None
            present = self.service.names()
            self._details = {known: kept for known, kept in self._details.items() if known in present}
            self._details[name] = time.time(), found
        return found

    def _detail(self, name: str) -> dict[str, Any] | None:
        learner = self.service.model(name).learner
        with learner.turns.reading():
            pipeline = learner.pipeline
            if pipeline is None:
                return None
            relevance = column_relevance(pipeline.estimator, pipeline.intake.preparation) or {}
            shares = {column: _finite(share) for column, share in relevance.items()}
            return {"relevance": shares, "curve": points_of(pipeline.curve)}

    async def stream(self, chosen: str | None) -> AsyncIterator[str]:
        """Events until the server stops, or for some minutes."""
        end, detailed, stopping = time.monotonic() + LONGEST, 0.0, self.service.stopping
        self.streams += 1
        try:
            while time.monotonic() < end and not stopping.is_set():
                if chosen is not None and time.monotonic() - detailed >= DETAIL_EVERY:
                    detailed = time.monotonic()
                    yield _event("detail", await run_in_threadpool(self.detail, chosen))
                yield _event("figures", self.figures(chosen))
                for _ in range(round(EVERY / STEP)):
                    if not stopping.is_set():
                        await asyncio.sleep(STEP)
        finally:
            self.streams -= 1


def points_of(curve: Curve) -> list[dict[str, Any]]:
    """The points of a learning curve: scores over all rows, and over about the last tenth of them, and sizes."""
    kept, metric, found, start = curve.history.kept, METRICS[curve.metric], list[dict[str, Any]](), 0
    for point in kept[1:]:
        while kept[start + 1].tested <= 0.9 * point.tested:
            start += 1
        past, rows = kept[start], point.tested - kept[start].tested
        found.append(
            {
                "rows": point.examples,
                "score": _finite(metric.mean(point.total, point.tested)),
                "recent_score": _finite(metric.mean(point.total - past.total, rows)),
                "support_vectors": point.support,
                "bytes": point.nbytes,
            }
        )
    return found


def _finite(value: float) -> float | None:
    """JSON has no other numbers."""
    return value if math.isfinite(value) else None


def _event(kind: str, content: Any) -> str:
    return f"event: {kind}\ndata: {json.dumps(content, separators=(',', ':'))}\n\n"


def add_live_events(app: FastAPI, service: Service) -> None:
    """The endpoint. It is not on the OpenAPI page, whose tools would wait for its end."""
    live = LiveFigures(service)

    @app.get("/events", include_in_schema=False)
    async def events(model: str | None = None) -> StreamingResponse:
        if model is not None:
            service.model(model)  # or a refusal
        if live.streams >= STREAMS:
            raise RefusedRequest(503, f"{STREAMS} pages watch already, which is the maximum.", retry_after=10.0)
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        return StreamingResponse(live.stream(model), media_type="text/event-stream", headers=headers)
