"""Labels that come later with a weight of their own."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kernelstream import StreamPipeline
from kernelstream.client import Client
from kernelstream.serve import Limits, RefusedRequest, Service
from kernelstream.serve.pending_labels import Label
from kernelstream.serve.refused_rows import cannot_be
from kernelstream.serve.row_checks import RowChecker

from .in_process import PLAN, learned, newest
from .server_process import ServerProcess, make_rows


def features(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: row[name] for name in "abc"} for row in rows]


def weighted_rows() -> list[dict[str, Any]]:
    return [row | {"w": 1 + i % 3} for i, row in enumerate(make_rows(128, 5))]


def test_labels_are_learned_with_their_weights_and_again_in_a_replay(tmp_path: Path) -> None:
    late, probe = make_rows(4, 8), features(make_rows(50, 6))
    service = Service(tmp_path / "data")
    model = service.create("m", PLAN | {"weight": "w"})
    learned(model, weighted_rows())
    _, _, block, reader = model.predict("predict", features(late[:3]))
    assert model.labels.keep(block, reader, ["1", "2", "3"]).result(60) == ["kept"] * 3
    labels = [Label(late[0]["y"], 3.5), Label(late[1]["y"]), Label(late[2]["y"], 0)]
    assert model.labels.label(list(zip("123", labels, strict=True))).result(60) == ["learned"] * 3
    assert model.labels.label([("early", Label(late[3]["y"], 2))]).result(60) == ["waiting"]
    _, _, block, reader = model.predict("predict", features(late[3:]))
    assert model.labels.keep(block, reader, ["early"]).result(60) == ["learned"]
    model.learner.learned(model.log.last).result(60)
    found = model.predict("predict_proba", probe).values

    plain = StreamPipeline.train(weighted_rows(), target="y", weight="w", budget=20, shuffle=False)
    checker = RowChecker.of(plain, Limits())
    for rows, weights in ((late[:3], (3.5, 1.0, 0.0)), (late[3:], (2.0,))):
        given = [row | {"w": weight} for row, weight in zip(rows, weights, strict=True)]
        plain.learn_block(checker.to_learn(given).block, cannot_be, test=True)
    assert np.array_equal(found, plain.predict_proba(probe))
    service.close()
    newest(tmp_path / "data").unlink()  # so that the labels are learned once more
    again = Service(tmp_path / "data")
    assert again.model("m").learner.caught_up.wait(60)
    assert np.array_equal(again.model("m").predict("predict_proba", probe).values, found)
    again.close()


@pytest.mark.parametrize("weight", [-1, 1e16, float("inf"), float("nan"), "2", True, [1]])
def test_weights_that_cannot_be_are_refused_with_all_labels(tmp_path: Path, weight: Any) -> None:
    service = Service(tmp_path / "data")
    model = service.create("m", PLAN | {"weight": "w"})
    learned(model, weighted_rows())
    with pytest.raises(RefusedRequest, match=r"row 1, column 'w': the weight must be .* None of the labels was taken"):
        model.labels.label([("1", Label("p", 2)), ("2", Label("p", weight))])
    assert model.pending.count == 0
    service.close()


def test_a_model_without_weights_says_so_and_the_client_sends_weights(server: ServerProcess) -> None:
    with Client(f"http://127.0.0.1:{server.port}") as client:
        with pytest.raises(ValueError, match="'weight': the model has no weights; leave it out, or"):
            client.label("m", "weighed", "p", 2.0)
        client.create("weighed", "y", weight="w", first_rows=128, budget=20)
        client.learn("weighed", weighted_rows(), wait=True)
        client.predict("weighed", features(make_rows(2, 9)), id=["1", "2"])
        assert client.label("weighed", ["1", "2"], ["p", "n"], [0.5, 4]) == ["learned", "learned"]
        with pytest.raises(ValueError, match="column 'w'"):
            client.label("weighed", "3", "p", -0.5)
        client.delete("weighed")
