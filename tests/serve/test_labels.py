"""Labels that come too late, and too many that wait."""

import time
from pathlib import Path

from kernelstream.serve import Limits, Service

from .in_process import newest
from .server_process import make_rows


def test_labels_after_the_deadline_are_expired_and_a_replay_learns_the_same(folder: Path) -> None:
    service = Service(folder, Limits(label_deadline=0.3))
    model = service.model("m")
    _, block, reader, _ = model.predict("predict", make_rows(2, 1))
    assert model.keep(block, reader, ["in time", "late"]).result(60) == ["kept", "kept"]
    assert model.label([("in time", "p"), ("early", "n")]).result(60) == ["learned", "waiting"]
    time.sleep(0.35)
    assert model.label([("late", "p"), ("late", "p"), ("in time", "p")]).result(60)[:2] == ["expired", "expired"]
    assert model.keep(block, reader, ["early", "new"]).result(60)[0] in ("kept", "duplicate")  # its label is gone
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
    _, block, reader, _ = model.predict("predict", make_rows(3, 1))
    assert model.keep(block, reader, ["1", "2", "3"]).result(60) == ["kept"] * 3
    assert model.keep(block, reader, ["4", "5", "6"]).result(60) == ["full"] * 3
    assert model.label([("1", "p"), ("unknown", "p")]).result(60) == ["learned", "full"]
    service.close()
