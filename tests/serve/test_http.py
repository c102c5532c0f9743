"""Endpoints against a real server process."""

import io
import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from kernelstream import StreamPipeline

from .server_process import ServerProcess, make_rows


def rows_learned(server: ServerProcess) -> int:
    return int(server.wait_for()["rows"])


def test_learn_in_all_formats_and_predict(server: ServerProcess) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    before, rows = rows_learned(server), make_rows(20, 3)
    assert server.learn(rows).json["accepted"] == 20
    lines = "".join(json.dumps(row) + "\n" for row in rows).encode()
    assert server.call("POST", "/models/m/learn", lines, kind="application/x-ndjson").json["accepted"] == 20
    table, drain = pyarrow.Table.from_pylist(rows), io.BytesIO()
    with pyarrow.ipc.new_stream(drain, table.schema) as stream:
        stream.write_table(table)
    kind = "application/vnd.apache.arrow.stream"
    assert server.call("POST", "/models/m/learn?wait=true", drain.getvalue(), kind=kind).json["accepted"] == 20
    assert rows_learned(server) == before + 60
    asked = [{name: value for name, value in row.items() if name != "y"} for row in rows]
    found = server.predict(asked).json["predictions"]
    assert found == server.call("POST", "/models/m/predict", drain.getvalue(), kind=kind).json["predictions"]
    proba = server.call("POST", "/models/m/predict_proba", {"rows": asked}).json
    assert proba["classes"] == ["n", "p"]
    assert [proba["classes"][row.index(max(row))] for row in proba["probabilities"]] == found
    assert all(abs(sum(row) - 1.0) < 1e-6 for row in proba["probabilities"])


def test_repeated_ids_and_keys_are_acknowledged_but_not_learned(server: ServerProcess) -> None:
    before, rows = rows_learned(server), make_rows(3, 4)
    first = server.learn(rows, ids=["e1", "e2", "e3"]).json
    again = server.learn(rows, ids=["e1", "e2", "e4"], query="?wait=true").json
    assert (first["accepted"], first["duplicates"]) == (3, 0)
    assert (again["accepted"], again["duplicates"]) == (1, 2)
    twice = server.learn([rows[0], rows[0]], ids=["e5", "e5"]).json
    assert (twice["accepted"], twice["duplicates"]) == (1, 1)
    for accepted in (3, 0):
        body = {"rows": rows}
        found = server.call("POST", "/models/m/learn?wait=true", body, idempotency_key="batch-1").json
        assert found["accepted"] == accepted
    for accepted in (2, 0):
        named = [row | {"event": f"x{i}"} for i, row in enumerate(rows[:2])]
        assert server.learn(named, query="?id_column=event").json["accepted"] == accepted
    assert rows_learned(server) == before + 3 + 1 + 1 + 3 + 2


def test_a_bad_row_is_named_and_nothing_of_its_batch_is_learned(server: ServerProcess) -> None:
    before, rows = rows_learned(server), make_rows(6, 5)
    rows[1]["a"] = "abc"
    rows[2]["y"] = None
    rows[3]["b"] = [1]
    del rows[4]["c"]
    rows[5]["a"] = 1e300
    answer = server.learn(rows)
    assert answer.status == 422
    assert answer.json["error"].startswith("row 1, column 'a': 'abc' is not a number")
    named = [(bad["row"], bad["column"]) for bad in answer.json["rows"]]
    assert named == [(1, "a"), (2, "y"), (3, "b"), (4, "c"), (5, "a")]
    assert rows_learned(server) == before
    skipped = server.learn(rows, query="?bad_rows=skip&wait=true").json
    assert skipped["accepted"] == 1 and [bad["row"] for bad in skipped["refused"]] == [1, 2, 3, 4, 5]
    found = server.stats()
    assert found["rows"] == before + 1 and found["unlearned_events"] == 0


def test_labels_come_later_before_twice_and_never(server: ServerProcess) -> None:
    before, rows = rows_learned(server), make_rows(3, 6)

    def label(name: str, value: str = "p") -> str:
        answer = server.call("POST", "/models/m/label", {"id": name, "label": value})
        return str(answer.json["outcomes"][0]["outcome"])

    assert server.predict(rows, ids=["p1", "p2", "p3"]).json["ids"] == ["kept"] * 3
    assert (label("p1"), label("p1"), label("p1", "n")) == ("learned", "duplicate", "duplicate")
    assert server.predict(rows[:1], ids=["p1"]).json["ids"] == ["duplicate"]
    assert (label("early"), label("early")) == ("waiting", "duplicate")
    assert server.predict(rows[:1], ids=["early"]).json["ids"] == ["learned"]
    many = {"labels": [{"id": "p2", "label": "n"}, {"id": "p3", "label": "p"}]}
    assert [o["outcome"] for o in server.call("POST", "/models/m/label", many).json["outcomes"]] == ["learned"] * 2
    assert server.call("POST", "/models/m/label", {"id": "p9", "label": None}).status == 422
    assert rows_learned(server) == before + 4


def test_a_backup_is_read_by_the_command_line_and_replaces_a_model(server: ServerProcess, tmp_path: Path) -> None:
    backup = server.call("GET", "/models/m/file").data
    path, rows = tmp_path / "m.ks", make_rows(30, 7)
    path.write_bytes(backup)
    data = tmp_path / "rows.jsonl"
    data.write_text("".join(json.dumps(row) + "\n" for row in rows))
    command = [sys.executable, "-m", "kernelstream", "predict", str(path), str(data), "--to", "jsonl"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True, env=server.env).stdout
    written = [json.loads(line)["prediction"] for line in printed.splitlines()]
    assert written == server.predict(rows).json["predictions"]

    kind = "application/octet-stream"
    assert server.call("PUT", "/models/copy/file", backup, kind=kind).status == 200
    assert server.predict(rows, "copy").json["predictions"] == written
    assert server.learn(rows, "copy", query="?wait=true").json["accepted"] == 30
    other = StreamPipeline.train([{"u": float(i % 7), "v": i % 2} for i in range(300)], target="v", budget=20)
    other.save(tmp_path / "other.ks")
    assert server.call("PUT", "/models/copy/file", (tmp_path / "other.ks").read_bytes(), kind=kind).status == 200
    assert server.learn(rows, "copy").status == 422  # nothing of the model before remains
    assert server.predict([{"u": 1.0}], "copy").json["predictions"] == other.predict([{"u": 1.0}]).tolist()
    broken = backup[:-1000] + bytes(1000)
    answer = server.call("PUT", "/models/copy/file", broken, kind=kind)
    assert answer.status == 422 and "damaged" in answer.json["error"]
    assert server.call("POST", "/models/copy/archive").status == 200
    assert server.predict(rows, "copy").status == 404


def test_models_are_created_and_deleted_while_others_learn(server: ServerProcess) -> None:
    columns = {"a": "number", "b": "number", "c": "category"}
    server.create("schema", columns=columns, classes=["n", "p"], first_rows=16)
    assert server.call("POST", "/models", {"name": "schema", "target": "y"}).status == 409
    early = server.predict(make_rows(1), "schema")
    assert early.status == 409 and "has not learned yet" in early.json["error"]
    bad = server.learn([{"a": "x", "b": 1, "c": "u", "y": "p"}], "schema")
    assert bad.status == 422 and bad.json["rows"] == [{"row": 0, "column": "a", "reason": "'x' is not a number."}]
    wrong = server.learn([{"a": 1, "b": 1, "c": "u", "y": "q"}], "schema")
    assert "is not among the classes" in wrong.json["error"]
    assert server.learn([row | {"extra": 1} for row in make_rows(16)], "schema").json["accepted"] == 16
    server.wait_for(name="schema")
    assert set(server.stats("schema")["columns"]) == {"a", "b", "c"}
    assert server.call("DELETE", "/models/schema").status == 200
    assert server.stats("schema").keys() == {"error"}


def test_one_label_is_not_enough_and_more_rows_help(server: ServerProcess) -> None:
    server.create("slow", first_rows=16)
    same = [row | {"y": "p"} for row in make_rows(16)]
    assert server.learn(same, "slow").status == 200
    found = server.wait_for("collecting", "slow")
    assert "only the label 'p'" in found["not_initialised"] and found["needed_rows"] == 32
    assert server.learn(make_rows(16), "slow").status == 200
    assert server.wait_for(name="slow")["rows"] == 32
    server.call("DELETE", "/models/slow")


BAD_BODIES = [
    b"", b"{", b"[", b"null", b"5", b'"x"', b"[[]]", b"{}", b'{"rows": 5}', b'{"rows": []}', b'{"rows": [5]}',
    b'{"rows": [{"a": NaN}]}', b'{"rows": [{"a": Infinity}]}', b'{"rows": [{}]}', b"[" * 100_000, b"\xff\xfe",
    b'{"rows": [{"a": 1e999, "b": 1, "c": "x", "y": "p"}]}', b'{"rows": [{"a": ' + b"9" * 5000 + b"}]}",
    b'{"rows": [{"a": 1' + b"0" * 400 + b', "b": 1, "c": "x", "y": "p"}]}', b'{"rows": [], "ids": [1]}',
    b'{"rows": [{"a": 1, "b": 2, "c": "x", "y": "p"}], "ids": []}', b'{"labels": 3}', b'{"labels": [{"id": 1}]}',
    b'{"rows": [{"a": 1, "b": 2, "c": "x", "y": null}]}', b'{"rows": [{"a": 1, "b": 2, "c": "x", "y": {}}]}',
    b'{"rows": [{"a": 1, "b": 2, "c": "\\ud800", "y": "q"}]}', b'{"rows": [{"a": "\\u0000", "b": 2, "c": "", "y": 1}]}',
    b'{"rows": [{"a": 1, "b": 2, "c": "x", "y": "\\ud800"}]}', b'{"rows": [{"a": 1, "b": 2}], "ids": ["\\udfff"]}',
    b'{"rows": [{"a": 1, "b": 2, "c": "x", "y": "p"}], "key": "\\udfff"}',
    b'{"name": "\\ud800", "target": "y"}', b'{"name": "t", "target": "\\ud800"}',
    b'{"rows": [{"a": 1, "b": 2, "c": "' + b"x" * 2000 + b'", "y": "p"}]}', b'{"rows": {"a": [1]}, "other": 1}',
    b'{"id": 1, "label": "p", "weight": 2}', b'{"labels": [{"id": 1, "label": "p", "weight": -1e999}]}',
]  # fmt: skip
PATHS = ["/models", "/models/m/learn", "/models/m/predict", "/models/m/predict_proba", "/models/m/label"]


def test_bad_requests_are_answered_by_sentences_and_change_nothing(server: ServerProcess) -> None:
    before, draw = rows_learned(server), random.Random(0)
    kinds = ["application/json", "application/x-ndjson", "application/vnd.apache.arrow.stream", "text/plain", "x" * 300]
    requests = [("POST", path, body, "application/json") for path in PATHS for body in BAD_BODIES]
    requests += [("POST", path, draw.choice(BAD_BODIES), kind) for path in PATHS for kind in kinds[1:]]
    for _ in range(150):
        noise = bytes(draw.randrange(256) for _ in range(draw.randrange(200)))
        requests.append(("POST", draw.choice(PATHS), noise, draw.choice(kinds)))
    requests += [("PUT", "/models/m/file", noise, kinds[0]), ("PUT", "/models/UPPER/file", b"x", kinds[0])]
    requests += [("POST", "/models/%2e%2e%2fm/learn", b"{}", kinds[0]), ("DELETE", "/models/..%2f..%2f", b"", kinds[0])]
    requests += [("PATCH", "/models", b"", kinds[0]), ("GET", "/etc/passwd", b"", kinds[0])]
    requests += [("POST", f"/models/m/learn?{query}", b"{}", kinds[0]) for query in ("wait=x", "bad_rows=2", "zz=1")]
    for method, path, body, kind in requests:
        answer = server.call(method, path, body, kind=kind)
        if "/predict" in path and answer.status == 200:
            continue  # a row without its label, or with a category that the model has not seen
        assert 400 <= answer.status < 500, (method, path, body[:80], kind, answer.status, answer.data)
        assert answer.json["error"] and b"Traceback" not in answer.data
    assert server.call("POST", "/models/m/learn", b"x" * 300_000).status == 413
    assert server.learn(make_rows(1001)).status == 413
    found = server.wait_for()
    assert found["rows"] == before and found["unlearned_events"] == 0


def test_other_sites_and_other_hosts_are_refused(server: ServerProcess) -> None:
    assert server.call("GET", "/models", host="evil.example").status == 421
    assert server.call("GET", "/models", origin="https://evil.example").status == 403
    assert server.call("GET", "/models", host=f"localhost:{server.port}").status == 200
    headers = server.call("GET", "/models").headers
    assert "access-control-allow-origin" not in headers


def test_the_openapi_page_names_every_endpoint(server: ServerProcess) -> None:
    page = server.call("GET", "/openapi.json").json
    assert {"/health", "/ready", "/models", "/models/{name}/learn", "/models/{name}/label"} <= set(page["paths"])
    assert "requestBody" in page["paths"]["/models/{name}/learn"]["post"]
    assert server.call("GET", "/ready").json["ready"] is True
