"""Labels that come too late, and too many that wait."""

import time
from pathlib import Path

from kernelstream.serve import Limits, Service
from kernelstream.serve.pending_labels import Label

from .in_process import newest
from .server_process import make_rows


def test_labels_after_the_deadline_are_expired_and_a_replay_learns_the_same(folder: Path) -> None:
    service = Service(folder, Limits(label_deadline=0.3))
    model = service.model("m")
    _, _, block, reader = model.predict("predict", make_rows(2, 1))
    assert model.labels.keep(block, reader, ["in time", "late"]).result(60) == ["kept", "kept"]
    assert model.labels.label([("in time", Label("p")), ("early", Label("n"))]).result(60) == ["learned", "waiting"]
    time.sleep(0.35)
    late = [("late", Label("p")), ("late", Label("p")), ("in time", Label("p"))]
    assert model.labels.label(late).result(60)[:2] == ["expired", "expired"]
    again = model.labels.keep(block, reader, ["early", "new"]).result(60)
    assert again == ["expired", "kept"]  # the label of the first came too long before it
    before = service.stats("m")["events"]
    model.learner.learned(before).result(60)
    assert service.stats("m")["rows"] == 129
    service.close()
    newest(folder).unlink()  # so that the label is learned once more
    service = Service(folder, Limits(label_deadline=0.3))
    assert service.model("m").learner.caught_up.wait(60)
    assert service.stats("m")["rows"] == 129
    service.close()


def test_pending_predictions_are_bounded(folder: Path) -> None:
    service = Service(folder, Limits(pending=3))
    model = service.model("m")
    _, _, block, reader = model.predict("predict", make_rows(3, 1))
    assert model.labels.keep(block, reader, ["1", "2", "3"]).result(60) == ["kept"] * 3
    assert model.labels.keep(block, reader, ["4", "5", "6"]).result(60) == ["full"] * 3
    labels = [(name, Label("p")) for name in ("unknown", "1", "another")]
    assert model.labels.label(labels).result(60) == ["full", "learned", "waiting"]
    service.close()


def test_predictions_whose_label_never_comes_make_room(folder: Path) -> None:
    service = Service(folder, Limits(pending=3, label_deadline=0.2))
    model = service.model("m")
    _, _, block, reader = model.predict("predict", make_rows(3, 1))
    for attempt in range(3):
        names = [f"{attempt} {i}" for i in range(3)]
        assert model.labels.keep(block, reader, names).result(60) == ["kept"] * 3
        time.sleep(0.25)
    rows = model.log.submit(lambda t: t.database.execute("SELECT count(*) FROM pending").fetchone()[0]).result(60)
    assert rows <= 6  # the oldest are forgotten
    service.close()
