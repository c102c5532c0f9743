"""`/metrics` against a real server process, read by Prometheus's own parser."""

import re
from pathlib import Path

import pytest

pytest.importorskip("prometheus_client")
from prometheus_client.parser import text_string_to_metric_families

from .server_process import ROOT, ServerProcess, make_rows


def samples(server: ServerProcess) -> dict[tuple[str, ...], float]:
    """Values by name and labels."""
    answer = server.call("GET", "/metrics")
    assert answer.status == 200 and answer.headers["content-type"].startswith("text/plain")
    found = {}
    for family in text_string_to_metric_families(answer.data.decode()):
        for sample in family.samples:
            found[(sample.name, *(sample.labels[key] for key in sorted(sample.labels)))] = sample.value
    return found


def test_metrics_are_the_figures_of_the_model(server: ServerProcess) -> None:
    before = samples(server)
    assert server.learn(make_rows(50, 11), query="?wait=true").status == 200
    assert server.predict(make_rows(7, 12)).status == 200
    assert server.predict([{"a": "abc", "b": 1, "c": "colour 1"}]).status == 422
    server.wait_for()
    after, stats = samples(server), server.stats()

    def grown(name: str, *labels: str) -> float:
        return after[(f"kernelstream_{name}", *labels)] - before.get((f"kernelstream_{name}", *labels), 0.0)

    assert grown("rows_learned_total", "m") == 50
    assert grown("predictions_total", "m") == 7
    assert grown("predict_seconds_count", "m") == 1
    assert grown("commit_seconds_count", "m") == 1
    assert grown("errors_total", "m", "422") == 1
    for metric, key in {
        "rows_learned_total": "rows", "support_vectors": "support_vectors", "model_bytes": "bytes",
        "log_loss": "log_loss", "waiting_rows": "waiting_rows", "drift_events": "drift_events",
    }.items():  # fmt: skip
        assert after[(f"kernelstream_{metric}", "m")] == stats[key]
    assert after[("kernelstream_score", "accuracy", "m")] == stats["score"]
    assert 0.0 < stats["log_loss"] < 1.0
    assert after[("kernelstream_ready", "m")] == 1.0
    assert sum(stats["labels"].values()) == stats["rows"] and set(stats["labels"]) == {"n", "p"}
    assert "is not a number" in stats["last_errors"][-1]["error"]
    inside = [value for key, value in after.items() if key[0] == "kernelstream_commit_seconds_bucket"]
    assert max(inside) == after[("kernelstream_commit_seconds_count", "m")]


def test_the_documentation_names_every_metric_and_its_type(server: ServerProcess) -> None:
    text = server.call("GET", "/metrics").data.decode()
    there = {family.name: family.type for family in text_string_to_metric_families(text)}
    page = (ROOT / "docs" / "serving.md").read_text(encoding="utf-8")
    told = dict(re.findall(r"^\| `(kernelstream_\w+?)(?:_total)?` \| (\w+) \|", page, re.MULTILINE))
    assert told == {name: kind for name, kind in there.items() if name.startswith("kernelstream_")}


def test_metrics_of_a_model_are_off_also_after_a_restart(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "data") as server:
        server.create("quiet", metrics=False)
        server.create("loud")
        server.call("POST", "/models/quiet/predict", b"{")
        assert server.stats("quiet")["errors"] == {}
        assert ("kernelstream_ready", "quiet") not in samples(server)
        assert server.call("PUT", "/models/quiet/metrics", {"on": True}).json == {"name": "quiet", "metrics": True}
        assert server.call("PUT", "/models/loud/metrics", {"on": False}).status == 200
        assert server.call("PUT", "/models/none/metrics", {"on": False}).status == 404
        server.call("POST", "/models/quiet/predict", b"{")
        assert sum(server.stats("quiet")["errors"].values()) == 1
        server.stop()
        server.start()
        found = samples(server)
        assert ("kernelstream_ready", "quiet") in found and ("kernelstream_ready", "loud") not in found
