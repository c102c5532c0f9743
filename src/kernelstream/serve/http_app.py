"""HTTP: the endpoints of a service. Bodies and answers are JSON; errors are {"error": sentence}."""

from typing import Any

try:
    import orjson  # noqa: F401  for the modules below
    from fastapi import FastAPI, Request, Response
    from starlette.concurrency import run_in_threadpool
except ImportError as error:
    raise ImportError(f'A server needs more packages ({error}): pip install "kernelstream[serve]"') from None

from .. import __version__
from .direct_routes import DirectRoutes
from .endpoint_docs import BACKUP, FILE, LABEL, LEARN, PREDICT, PROBABILITIES, READY
from .error_counter import ErrorCounter
from .http_errors import add_error_answers
from .http_guard import App
from .live_events import add_live_events
from .metrics_page import add_metrics
from .new_model import NewModel
from .openapi_page import set_openapi_page
from .page_files import add_page
from .refused_request import RefusedRequest
from .row_endpoints import RowEndpoints
from .service import Service


def make_app(service: Service) -> App:
    """The application. Guards (tokens, hosts, sizes) are around it: see `http_guard`."""
    app = FastAPI(
        title="kernelstream", version=__version__, docs_url=None, redoc_url=None, openapi_url="/openapi.json",
        description="Models that learn from requests. Errors are {\"error\": sentence}.",
    )  # fmt: skip
    add_error_answers(app)
    _add_service(app, service)
    _add_models(app, service)
    endpoints = RowEndpoints(service).by_name()
    for name, about in {"learn": LEARN, "predict": PREDICT, "predict_proba": PROBABILITIES, "label": LABEL}.items():
        app.post(f"/models/{{name}}/{name}", openapi_extra=about, response_model=None)(endpoints[name])
    add_metrics(app, service)
    add_live_events(app, service)
    add_page(app)
    set_openapi_page(app)
    return ErrorCounter(DirectRoutes(app, endpoints), service)


def _add_service(app: FastAPI, service: Service) -> None:
    @app.get("/health")
    async def health() -> dict[str, Any]:
        """The process answers."""
        return {"status": "ok", "version": __version__}

    @app.get("/ready", openapi_extra=READY)
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

    @app.get("/models/{name}/file", response_class=Response, openapi_extra=BACKUP)
    def backup(name: str) -> Response:
        """The model as a file, which `kernelstream predict` reads."""
        headers = {"content-disposition": f'attachment; filename="{name}.ks"'}
        return Response(service.model(name).backup(), media_type="application/octet-stream", headers=headers)

    @app.put("/models/{name}/file", openapi_extra=FILE)
    async def replace(name: str, request: Request) -> dict[str, Any]:
        """Create a model from a model file, or replace it: nothing of the one before remains."""
        data = await request.body()
        return (await run_in_threadpool(service.import_file, name, data)).stats()
