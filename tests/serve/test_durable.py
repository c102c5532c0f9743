"""What survives: damaged snapshots, full disks, stops in every state; and what is refused instead of growing."""

import sqlite3
import threading
import time
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from kernelstream.serve import Limits, LogUnavailable, RefusedRequest, Service
from kernelstream.serve.turn_lock import Busy

from .in_process import PLAN, learned, newest
from .server_process import make_rows


def test_a_damaged_snapshot_falls_back_to_the_one_before(folder: Path) -> None:
    limits = Limits(snapshot_rows=50)
    service = Service(folder, limits)
    for seed in range(1, 6):
        learned(service.model("m"), make_rows(40, seed))
    service.close()
    whole, path = newest(folder).read_bytes(), newest(folder)
    path.write_bytes(whole[: len(whole) // 2])
    service = Service(folder, limits)
    assert service.model("m").learner.caught_up.wait(60)
    assert service.stats("m")["rows"] == 128 + 5 * 40
    learned(service.model("m"), make_rows(1, 9))
    service.close()
    assert path.with_suffix(".damaged").exists()
    again = Service(folder, limits)  # what was saved now is good
    assert again.stats("m")["rows"] == 128 + 5 * 40 + 1
    again.close()


def test_without_any_good_snapshot_the_model_says_so_and_can_be_replaced(folder: Path, tmp_path: Path) -> None:
    limits = Limits(snapshot_rows=10)
    service = Service(folder, limits)
    for seed in range(1, 5):
        learned(service.model("m"), make_rows(20, seed))
    backup = service.model("m").backup()
    time.sleep(0.2)
    service.close()
    for path in (folder / "models" / "m" / "snapshots").glob("*.ks"):
        path.write_bytes(b"nothing")
    service = Service(folder, limits)
    model = service.model("m")
    assert model.phase == "failed"
    with pytest.raises(RefusedRequest, match="No usable snapshot is left"):
        model.learn(make_rows(1))
    service.import_file("m", backup)
    assert model.phase == "ready"
    learned(model, make_rows(5, 3))
    service.close()
    service = Service(folder, limits)
    assert service.stats("m")["rows"] == 128 + 4 * 20 + 5
    service.close()


def test_an_import_that_was_interrupted_can_be_repeated(folder: Path) -> None:
    service = Service(folder)
    backup = service.model("m").backup()
    service.close()
    (folder / "models" / "half").mkdir()
    (folder / "models" / "half" / "model.json").write_text('{"created": 0, "plan": null}')
    service = Service(folder)
    for call in (lambda: service.model("half").learn(make_rows(1)), service.model("half").backup):
        with pytest.raises(RefusedRequest, match="has no file yet"):
            call()
    assert service.import_file("half", backup).phase == "ready"
    service.close()


def test_events_behind_two_snapshots_are_deleted_unless_they_are_kept(folder: Path) -> None:
    for keep in (False, True):
        service = Service(folder, Limits(snapshot_rows=30, keep_events=keep))
        model = service.model("m")
        before = model.log.first()
        for seed in range(1, 6):
            learned(model, make_rows(30, seed))
        until = time.monotonic() + 10
        while not keep and time.monotonic() < until and (model.log.first() or 0) <= 3:
            time.sleep(0.01)
        first, last = model.log.first(), model.log.last
        assert first == before if keep else first is not None and last - first < 3
        service.close()


def test_too_many_waiting_rows_are_refused_and_come_through_later(folder: Path) -> None:
    service = Service(folder, Limits(waiting=100))
    model, hold, held = service.model("m"), threading.Event(), threading.Event()
    busy = model.learner.between_events(lambda: (held.set(), hold.wait(60)))
    assert held.wait(60)
    futures: list[Future[dict[str, Any]]] = [model.learn(make_rows(60, 1))]
    futures[0].result(60)
    with pytest.raises(RefusedRequest) as refused:
        model.learn(make_rows(60, 2)).result(60)
    assert refused.value.status == 429 and refused.value.retry_after
    assert str(refused.value).startswith("60 rows of the model 'm' are waiting to be learned; the maximum is 100,")
    assert len(model.predict("predict", make_rows(3, 3))[0]) == 3  # meanwhile
    hold.set()
    busy.result(60)
    model.learner.learned(futures[0].result()["seq"]).result(60)
    assert learned(model, make_rows(60, 2))["accepted"] == 60
    service.close()


def test_a_full_disk_refuses_learning_and_goes_on_predicting(folder: Path) -> None:
    service = Service(folder)
    model = service.model("m")
    acknowledged, rows = learned(model, make_rows(10, 1), ids=[f"a{i}" for i in range(10)]), 138
    assert acknowledged["accepted"] == 10

    def limit(transaction: Any) -> None:
        pages = transaction.database.execute("PRAGMA page_count").fetchone()[0]
        transaction.database.execute(f"PRAGMA max_page_count = {pages + 2}")

    model.log.submit(limit).result(60)
    for seed in range(40):
        try:
            rows += int(model.learn(make_rows(100, seed)).result(60)["accepted"])
        except LogUnavailable as error:
            assert "full" in str(error)
            break
    else:
        raise AssertionError("the disk was never full")
    assert "full" in str(service.stats("m")["problem"])
    assert len(model.predict("predict", make_rows(3, 3))[0]) == 3
    # there is room again; a file of a full disk takes no pragma, so the connection gets its limit directly
    model.log.submit(lambda transaction: transaction.database.execute("PRAGMA max_page_count = 1073741823")).result(60)
    rows += int(learned(model, make_rows(100, 50))["accepted"])
    assert service.stats("m")["problem"] is None
    service.close()
    service = Service(folder)
    assert service.model("m").learner.caught_up.wait(60)
    assert service.stats("m")["rows"] == rows
    service.close()


def test_two_servers_cannot_have_one_folder(folder: Path) -> None:
    service = Service(folder)
    with pytest.raises(OSError, match="in use by another server"):
        Service(folder)
    service.close()
    Service(folder).close()


def test_a_stop_leaves_what_it_has_no_time_for_in_the_log(folder: Path) -> None:
    service = Service(folder, Limits(stop_seconds=0.0))
    model, hold = service.model("m"), threading.Event()
    model.learner.between_events(lambda: hold.wait(60))
    for seed in range(5):
        model.learn(make_rows(50, seed)).result(60)
    closing = threading.Thread(target=service.close)
    closing.start()
    time.sleep(0.1)
    hold.set()
    closing.join(60)
    service = Service(folder)
    assert service.model("m").learner.caught_up.wait(60)
    assert service.stats("m")["rows"] == 128 + 250
    service.close()


def test_a_stop_while_first_rows_are_collected_loses_none(tmp_path: Path) -> None:
    for start in range(0, 128, 32):
        service = Service(tmp_path)
        model = service.create("m", PLAN) if start == 0 else service.model("m")
        assert model.learner.caught_up.wait(60)
        assert service.stats("m")["collected_rows"] == start
        learned(model, make_rows(128)[start : start + 32])
        service.close()
    whole = Service(tmp_path / "whole")
    learned(whole.create("m", PLAN), make_rows(128))
    whole.close()
    found = []
    for folder in (tmp_path, tmp_path / "whole"):
        service = Service(folder)
        found.append(service.model("m").predict("predict_proba", make_rows(50, 8))[0])
        service.close()
    assert (found[0] == found[1]).all()


def test_offsets_of_a_source_are_committed_with_its_rows(folder: Path) -> None:
    service = Service(folder)
    model = service.model("m")
    model.learn(make_rows(1, 1), offsets={"topic/0": "17"}).result(60)
    assert model.log.submit(lambda transaction: transaction.position("topic/0")).result(60) == "17"
    bad = make_rows(1, 1)
    bad[0]["a"] = "no number"
    with pytest.raises(RefusedRequest):
        model.learn(bad, offsets={"topic/0": "18"})
    assert model.log.submit(lambda transaction: transaction.position("topic/0")).result(60) == "17"
    service.close()


def test_work_that_fails_leaves_nothing_behind(folder: Path) -> None:
    service = Service(folder)
    log = service.model("m").log
    before = log.last

    def fails(transaction: Any) -> None:
        transaction.set_position("s", "1")
        transaction.append("rows", b"[]", [])
        raise KeyError("on purpose")

    first, second = log.submit(fails), log.submit(lambda transaction: transaction.position("s"))
    with pytest.raises(KeyError):
        first.result(60)
    assert second.result(60) is None and log.last == before
    service.close()


def test_a_log_of_another_time_is_still_read(folder: Path) -> None:
    """The tables are what the documentation says; whoever audits them relies on it."""
    database = sqlite3.connect(folder / "models" / "m" / "log.sqlite")
    assert [row[1] for row in database.execute("PRAGMA table_info(events)")] == ["seq", "kind", "payload", "at"]
    assert database.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    database.close()


def test_what_may_be_compiled_is_not_waited_for_at_once(folder: Path) -> None:
    service = Service(folder)
    model = service.model("m")
    for method in ("predict", "predict_proba"):
        with pytest.raises(Busy):
            model.predict(method, make_rows(1), patience=1.0)
        expected = model.predict(method, make_rows(1)).values.tolist()
        assert model.predict(method, make_rows(1), patience=1.0).values.tolist() == expected
    with model.learner.turns.learning(), pytest.raises(Busy):
        model.predict("predict", make_rows(1), patience=0.001)
    service.close()
