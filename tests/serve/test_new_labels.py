"""Labels that come late are classes from then on, as in `kernelstream train`; rows with weights."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kernelstream import StreamPipeline
from kernelstream.prepare.target_column import MAX_CLASSES
from kernelstream.serve import Limits, RefusedRequest, Service
from kernelstream.serve.event_learner import CHUNK
from kernelstream.serve.pending_labels import Label
from kernelstream.serve.refused_rows import cannot_be
from kernelstream.serve.row_checks import RowChecker

from .in_process import PLAN, learned
from .server_process import make_rows


def with_third(count: int, seed: int) -> list[dict[str, Any]]:
    """Rows of which those far from the origin have a label of their own."""
    return [row | ({"y": "far"} if row["a"] ** 2 + row["b"] ** 2 > 3.0 else {}) for row in make_rows(count, seed)]


def test_a_label_that_comes_late_is_learned_and_replayed(folder: Path) -> None:
    service = Service(folder)
    model = service.model("m")
    before = model.predict("predict_proba", make_rows(5, 9))
    assert before.classes == ["n", "p"] and before.values.shape == (5, 2)
    for seed in range(1, 6):
        assert learned(model, with_third(100, seed))["accepted"] == 100
    after = model.predict("predict_proba", make_rows(5, 9))
    assert after.classes == ["n", "p", "far"] and after.values.shape == (5, 3)
    far = [{"a": 2.5, "b": 2.5, "c": "colour 1"}, {"a": -3.0, "b": 2.0, "c": "colour 2"}]
    assert model.predict("predict", far).values.tolist() == ["far", "far"]
    assert service.inspect("m")["classes"] == ["n", "p", "far"]
    assert model.labels.label([("later", Label("further"))]).result(60) == ["waiting"]
    assert service.stats("m")["unlearned_events"] == 0
    service.close()
    for path in (folder / "models" / "m" / "snapshots").glob("*.ks"):
        if path.stem != min(other.stem for other in path.parent.glob("*.ks")):
            path.unlink()  # so that the label comes up again in the replay
    again = Service(folder)
    assert again.model("m").learner.caught_up.wait(60)
    same = again.model("m").predict("predict_proba", make_rows(5, 9))
    assert same.classes == after.classes and np.array_equal(same.values, after.values)
    again.close()


def test_there_are_never_more_classes_than_a_model_may_have(folder: Path) -> None:
    service = Service(folder)
    model = service.model("m")
    rows = [row | {"y": f"label {i}"} for i, row in enumerate(make_rows(MAX_CLASSES, 1))]
    with pytest.raises(RefusedRequest, match="is not among the classes"):
        model.learn(rows)
    assert learned(model, rows, skip=True)["accepted"] == MAX_CLASSES - 2
    with pytest.raises(RefusedRequest, match="is not among the classes"):
        model.learn([make_rows(1)[0] | {"y": "one more"}])
    assert service.stats("m")["unlearned_events"] == 0
    service.close()


def test_labels_of_two_requests_that_do_not_fit_together(folder: Path) -> None:
    service = Service(folder)
    model = service.model("m")
    learned(model, [row | {"y": f"label {i}"} for i, row in enumerate(make_rows(MAX_CLASSES - 3, 1))])
    checker = model.learner.checker
    assert checker is not None
    both = [checker.to_learn([make_rows(1)[0] | {"y": name}]) for name in ("this", "that")]
    assert [found.bad for found in both] == [[], []]  # there is room for each of them
    checker.note_labels(both[0].block)
    with pytest.raises(RefusedRequest, match="'that' is not among the classes"):
        checker.note_labels(both[1].block)
    service.close()


@pytest.mark.parametrize("more", [{"classes": ["n", "p"]}, {"algorithm": "sparse_klr"}])
def test_a_model_of_given_classes_or_for_two_only_refuses_others(tmp_path: Path, more: dict[str, Any]) -> None:
    service = Service(tmp_path / "data")
    model = service.create("m", {"target": "y", "first_rows": 128, "adapt": False} | more)
    learned(model, make_rows(128))
    with pytest.raises(RefusedRequest, match=r"the label 'far' is not among the classes 'n', 'p'\."):
        model.learn(with_third(100, 1))
    service.close()


def test_rows_with_weights_are_learned_as_a_pipeline_learns_them(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    rows = [row | {"w": w} for row, w in zip(make_rows(400, 5), rng.integers(0, 4, 400).tolist(), strict=True)]
    service = Service(tmp_path / "data")
    model = service.create("m", PLAN | {"weight": "w"})
    learned(model, rows[:128])
    for at in range(128, 400, 34):
        learned(model, rows[at : at + 34])
    probe = [{name: row[name] for name in "abc"} for row in make_rows(50, 6)]  # predictions need no weight
    found = model.predict("predict_proba", probe).values
    plain = StreamPipeline.train(rows[:128], target="y", weight="w", budget=20, shuffle=False)
    checker = RowChecker.of(plain, Limits())
    for at in range(128, 400, 34):
        block = checker.to_learn(rows[at : at + 34]).block
        assert block.weight is not None and block.weight.tolist() == [row["w"] for row in rows[at : at + 34]]
        for start in range(0, len(block), CHUNK):
            plain.learn_block(block.take(slice(start, start + CHUNK)), cannot_be, test=True)
    assert np.array_equal(found, plain.predict_proba(probe))
    unweighted = service.create("u", PLAN)
    learned(unweighted, [{name: row[name] for name in "abcy"} for row in rows[:128]])
    learned(unweighted, [{name: row[name] for name in "abcy"} for row in rows[128:]])
    assert not np.array_equal(found, unweighted.predict("predict_proba", probe).values)
    zero = [row | {"w": 0} for row in make_rows(40, 7)]
    before = service.stats("m")["rows"]
    learned(model, zero)
    assert service.stats("m")["rows"] == before + 40
    for wrong in (-1, None, "heavy", 1e16):
        with pytest.raises(RefusedRequest) as refused:
            model.learn([rows[0] | {"w": wrong}])
        assert refused.value.more["rows"][0]["column"] == "w"
    predicted = model.predict("predict", probe[:1])
    assert model.labels.keep(predicted.block, predicted.reader, ["p1"]).result(60) == ["kept"]
    assert model.labels.label([("p1", Label("n"))]).result(60) == ["learned"]
    model.learner.learned(model.log.last).result(60)
    assert service.stats("m")["unlearned_events"] == 0
    service.close()
    again = Service(tmp_path / "data")
    assert again.model("m").learner.caught_up.wait(60)
    assert again.stats("m")["rows"] == 441
    again.close()
