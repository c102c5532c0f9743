"""`GET /metrics`: the figures of all models as Prometheus reads them, from the same `stats` as the page."""

from collections.abc import Iterator
from itertools import accumulate
from typing import Any

from fastapi import FastAPI, Response
from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector
from pydantic import BaseModel, ConfigDict

from .. import __version__
from .endpoint_docs import METRICS
from .model_tally import BUCKETS
from .refused_request import RefusedRequest
from .service import Service

#: name in `stats`, name of the metric, what it is
COUNTERS = (
    ("rows", "rows_learned", "Rows that the model has learned, also before the server started."),
    ("predictions", "predictions", "Rows predicted since the server started."),
    ("refused_rows", "refused_rows", "Rows that were refused because a value was invalid."),
    ("unlearned_events", "unlearned_events", "Events of the log that the model refused."),
)
GAUGES = (
    ("support_vectors", "support_vectors", "Support vectors of the model."),
    ("bytes", "model_bytes", "Memory of the model in bytes."),
    ("log_loss", "log_loss", "Mean log-loss of predictions before learning."),
    ("waiting_rows", "waiting_rows", "Rows that are accepted and wait to be learned: the queue."),
    ("pending_labels", "pending_labels", "Predictions and labels that wait for each other."),
    ("events", "events", "Number of the last event in the log."),
    ("learned_events", "learned_events", "Number of the last event that was learned."),
    ("snapshot_event", "snapshot_event", "Number of the last event in the newest snapshot."),
    ("drift_events", "drift_events", "Changes of the error rate that were noticed; at most the latest 1,000."),
)
SCORES = (
    ("score", "score", "Progressive score: of predictions before learning, over all rows."),
    ("recent_score", "recent_score", "The same over about the last tenth of the rows."),
)
HISTOGRAMS = (
    ("predict_seconds", "predict_seconds", "Seconds that a request for predictions was computed."),
    ("commit_seconds", "commit_seconds", "Seconds until rows or labels were on the disk."),
)


class MetricsSetting(BaseModel):
    """Whether a model is counted."""

    model_config = ConfigDict(extra="forbid")

    on: bool


class ServiceCollector(Collector):
    """Asks for the figures of all models when somebody looks."""

    def __init__(self, service: Service):
        self.service = service

    def collect(self) -> Iterator[Any]:
        stats = [found for found in all_stats(self.service) if found["metrics"]]
        version = GaugeMetricFamily("kernelstream_info", "Version of kernelstream.", labels=["version"])
        version.add_metric([__version__], 1.0)
        yield version
        ready = GaugeMetricFamily("kernelstream_ready", "1 if the model predicts and learns.", labels=["model"])
        errors = CounterMetricFamily(
            "kernelstream_errors", "Requests answered with an error.", labels=["model", "status"]
        )
        for found in stats:
            ready.add_metric([found["name"]], float(found["phase"] == "ready" and not found["problem"]))
            for status, count in found["errors"].items():
                errors.add_metric([found["name"], status], count)
        yield from (ready, errors)
        for names, kind in ((COUNTERS, CounterMetricFamily), (GAUGES, GaugeMetricFamily)):
            for key, name, about in names:
                yield _family(kind(f"kernelstream_{name}", about, labels=["model"]), stats, key)
        for key, name, about in SCORES:
            family = GaugeMetricFamily(f"kernelstream_{name}", about, labels=["model", "metric"])
            for found in stats:
                if found.get(key) is not None:
                    family.add_metric([found["name"], found["metric"]], found[key])
            yield family
        for key, name, about in HISTOGRAMS:
            histogram = HistogramMetricFamily(f"kernelstream_{name}", about, labels=["model"])
            for found in stats:
                histogram.add_metric([found["name"]], _buckets(found[key]["buckets"]), found[key]["sum"])
            yield histogram


def all_stats(service: Service) -> list[dict[str, Any]]:
    """The figures of all models that are there."""
    found = []
    for name in service.names():
        try:
            found.append(service.stats(name))
        except RefusedRequest:
            continue  # deleted meanwhile
    return found


def _family(family: Any, stats: list[dict[str, Any]], key: str) -> Any:
    for found in stats:
        if found.get(key) is not None:
            family.add_metric([found["name"]], found[key])
    return family


def _buckets(counts: list[int]) -> list[tuple[str, float]]:
    return [(str(end), float(n)) for end, n in zip((*BUCKETS, "+Inf"), accumulate(counts), strict=True)]


def add_metrics(app: FastAPI, service: Service) -> None:
    """The endpoints."""
    registry = CollectorRegistry()
    registry.register(ServiceCollector(service))
    ProcessCollector(registry=registry)

    @app.get("/metrics", response_class=Response, openapi_extra=METRICS)
    def metrics() -> Response:
        """The figures of all models whose metrics are on, in the text format of Prometheus."""
        return Response(generate_latest(registry), headers={"content-type": CONTENT_TYPE_LATEST})

    @app.put("/models/{name}/metrics")
    def set_metrics(name: str, setting: MetricsSetting) -> dict[str, Any]:
        """Switch the metrics of a model on or off."""
        service.set_metrics(name, setting.on)
        return {"name": name, "metrics": setting.on}
