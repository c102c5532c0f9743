"""The client against a real server: what goes in comes out, and errors are the server's sentences."""

import logging
from typing import Any

import pandas as pd
import pytest

import kernelstream
from kernelstream.client import Client, RequestRefused, ServerUnavailable

from ..serve.server_process import ServerProcess, free_port, make_rows

SETTINGS: dict[str, Any] = {"target": "y", "budget": 20, "first_rows": 128}


def test_a_model_from_its_first_row_to_its_last(client: Client, tmp_path) -> None:
    rows = make_rows(300, seed=1)
    assert client.create("life", **SETTINGS)["phase"] == "collecting"
    assert {"life", "m"} <= {model["name"] for model in client.models()}
    assert client.learn("life", rows[:128]) == {"accepted": 128, "duplicates": 0, "refused": []}
    assert client.learn("life", rows[128:], wait=True)["accepted"] == 172  # after waiting for the first ones
    assert client.inspect("life")["rows"] == 300
    client.backup("life", tmp_path / "life.ks")
    pipeline = kernelstream.load(tmp_path / "life.ks")
    assert client.predict("life", rows) == pipeline.predict(rows).tolist()
    assert client.predict("life", rows[0]) == pipeline.predict(rows[:1])[0]
    proba = client.predict_proba("life", rows[0])
    assert proba == pytest.approx(dict(zip(pipeline.classes_, pipeline.predict_proba(rows[:1])[0], strict=True)))
    client.load_file("copy", tmp_path / "life.ks")
    assert client.predict_proba("copy", rows[:5]) == client.predict_proba("life", rows[:5])
    client.delete("life")
    client.archive("copy")
    assert not {"life", "copy"} & {model["name"] for model in client.models()}


@pytest.mark.parametrize("form", ["dicts", "generator", "pandas", "arrow"])
def test_rows_in_every_form(client: Client, form: str) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    rows = make_rows(50, seed=2)
    rows[7]["a"] = None
    expected = client.predict("m", rows)
    frame = pd.DataFrame(rows)
    given = {"dicts": rows, "generator": (row for row in rows), "pandas": frame, "arrow": pyarrow.table(frame)}[form]
    ids = [f"{form}-{i}" for i in range(50)]
    if form == "generator":
        assert client.learn("m", given, ids)["accepted"] == 50
    else:
        assert client.predict("m", given) == expected
        assert client.learn("m", given, ids)["accepted"] == 50
        assert client.learn("m", given, ids) == {"accepted": 0, "duplicates": 50, "refused": []}


def test_missing_values_and_numbers_of_other_libraries(client: Client) -> None:
    import numpy as np

    row = {"a": 0.5, "b": 2, "c": "colour 1"}
    same = {"a": np.float32(0.5), "b": np.int64(2), "c": "colour 1"}
    assert client.predict_proba("m", same) == client.predict_proba("m", row)
    nan = client.predict_proba("m", row | {"a": float("nan")})
    assert nan == client.predict_proba("m", row | {"a": None}) != client.predict_proba("m", row)
    with pytest.raises(ValueError, match="inf is not a finite number"):
        client.predict("m", row | {"a": float("inf")})


def test_a_bad_row_is_named_by_its_index_in_everything(server: ServerProcess) -> None:
    rows = make_rows(60, seed=3)
    rows[47]["a"] = "blue"
    with Client(f"http://127.0.0.1:{server.port}", batch=20) as client:
        before = client.inspect("m")["events"]
        with pytest.raises(RequestRefused, match=r"In the request with rows 40 to 59: row 7, column 'a': ") as error:
            client.learn("m", rows)
        assert error.value.status == 422 and [bad["row"] for bad in error.value.rows] == [47]
        assert client.inspect("m")["events"] == before + 2  # the requests before it
        found = client.learn("m", rows, skip_bad=True)
        assert found["accepted"] == 59 and [bad["row"] for bad in found["refused"]] == [47]


def test_labels_that_come_later(client: Client) -> None:
    rows = make_rows(3, seed=4)
    features = [{name: row[name] for name in "abc"} for row in rows]
    assert client.predict("m", features[0], id="late-0") in ("p", "n")
    assert len(client.predict("m", features[1:], id=["late-1", "late-2"])) == 2
    assert client.label("m", "late-0", rows[0]["y"]) == "learned"
    assert client.label("m", ["late-0", "late-1", "unknown"], ["p", "n", "p"]) == ["duplicate", "learned", "waiting"]


def test_errors_are_the_sentences_of_the_server(client: Client) -> None:
    with pytest.raises(RequestRefused, match="There is no model 'nobody'") as error:
        client.inspect("nobody")
    assert error.value.status == 404
    with pytest.raises(ValueError, match="'m/file' cannot be the name of a model"):
        client.inspect("m/file")
    with pytest.raises(RequestRefused, match="There is a model 'm' already"):
        client.create("m", "y")
    with pytest.raises(ValueError, match="There are 1 rows, but 2 ids"):
        client.learn("m", make_rows(1), ["a", "b"])
    with pytest.raises(ValueError, match="row 1 is a list; a row is a dict"):
        client.predict("m", [{"a": 1}, [1]])


@pytest.mark.parametrize("url", ["127.0.0.1:8080", "ftp://host", "http://", "http://user:secret@host"])
def test_urls_that_cannot_be(url: str) -> None:
    with pytest.raises(ValueError, match=r"URL of a server") as error:
        Client(url)
    assert "secret" not in str(error.value)


def test_no_server_at_all() -> None:
    with (
        Client(f"http://127.0.0.1:{free_port()}", retry_for=0.3) as client,
        pytest.raises(ServerUnavailable, match=r"No answer from http.*Is `kernelstream serve` running there\?"),
    ):
        client.models()


def test_tokens_are_sent_and_never_shown(tmp_path, caplog: pytest.LogCaptureFixture) -> None:
    from kernelstream.serve.tokens import Tokens

    secret = Tokens(tmp_path / "data").add("read")
    caplog.set_level(logging.DEBUG)
    with ServerProcess(tmp_path / "data", "--require-tokens") as server:
        url = f"http://127.0.0.1:{server.port}"
        with Client(url, token=secret) as client:
            assert client.models() == []
            with pytest.raises(RequestRefused) as refused:
                client.create("x", "y")
        with Client(url, token=f"{secret}x") as client, pytest.raises(RequestRefused) as unknown:
            client.models()
        assert (refused.value.status, unknown.value.status) == (403, 401)
        shown = [repr(client), str(refused.value), str(unknown.value), caplog.text, server.log.read_text()]
        assert not any(secret in text for text in shown)
