"""A topic of librdkafka's mock cluster, and a consumer that is killed: every message is learned exactly once."""

import json
import os
import random
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("confluent_kafka")
from confluent_kafka import Producer

from kernelstream.serve import Service
from kernelstream.serve.block_bytes import block_from_bytes
from kernelstream.serve.connectors import Consumed, consume, open_sink, open_source
from kernelstream.serve.connectors.open_source import read_settings
from kernelstream.serve.event_log import BLOCK

from .server_process import ROOT, make_rows

KILLS = 5
MOST = 90_000  # messages: at 100,000 there is a snapshot, behind which events are deleted, and the log is compared


class Topic:
    """A mock cluster in this process, which consumers of other processes reach too."""

    def __init__(self) -> None:
        self.producer = Producer({"test.mock.num.brokers": 1, "bootstrap.servers": "mock", "log_level": 0})
        found = self.producer.list_topics("clicks", 10)
        broker = next(iter(found.brokers.values()))
        self.partitions, self.sent = len(found.topics["clicks"].partitions), 0
        self.url = f"kafka://{broker.host}:{broker.port}/clicks"

    def send(self, count: int) -> None:
        """Rows over all partitions, each with a number of its own in column `a`."""
        for row in make_rows(count, seed=self.sent):
            self.raw(json.dumps(row | {"a": self.sent / 1024.0}).encode(), self.sent % self.partitions)
            self.sent += 1
        self.producer.flush(10)

    def raw(self, value: bytes | None, partition: int) -> None:
        self.producer.produce("clicks", value, partition=partition)


@pytest.fixture
def topic() -> Iterator[Topic]:
    yield Topic()


def logged(folder: Path) -> list[float]:
    """Column `a` of all rows in the log, after those that the model began with."""
    with closing(sqlite3.connect(folder / "models" / "m" / "log.sqlite")) as database:
        payloads = database.execute("SELECT payload FROM events WHERE kind = ? ORDER BY seq", (BLOCK,)).fetchall()
    blocks = [block_from_bytes(payload) for (payload,) in payloads]
    return [value for block in blocks for value in np.asarray(block.numeric)[:, 0].tolist()]


def offsets(folder: Path) -> dict[str, str]:
    with closing(sqlite3.connect(folder / "models" / "m" / "log.sqlite")) as database:
        return dict(database.execute("SELECT source, position FROM offsets").fetchall())


def consumed(folder: Path, topic: Topic, **more: Any) -> Consumed:
    source, done = open_source(topic.url, until_end=True, **more), Consumed()
    service = Service(folder)
    try:
        consume(service.model("m"), source, threading.Event(), done, skip_bad=True)
    finally:
        source.close()
        service.close()
    return done


def test_a_consumer_that_is_killed_learns_every_message_once(folder: Path, topic: Topic) -> None:
    assert killed_consumer(folder, topic, KILLS) >= KILLS


def killed_consumer(folder: Path, topic: Topic, kills: int, seed: int = 0) -> int:
    """Kill a consumer again and again while messages come; the number of kills after which it had made progress."""
    draw, finished, moved, said = random.Random(seed), threading.Event(), 0, folder.parent / "consumer.log"
    environment = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT / "src")}
    line = [sys.executable, "-m", "kernelstream", "consume", topic.url, "--model", "m", "--data", str(folder)]

    def produce() -> None:
        while not finished.is_set():
            if topic.sent < MOST:
                topic.send(20)
            time.sleep(0.02)

    thread = threading.Thread(target=produce)
    thread.start()
    try:
        for _ in range(kills):
            before = offsets(folder)
            with said.open("wb") as errors, subprocess.Popen(line, env=environment, stderr=errors) as process:
                until = time.monotonic() + 60
                while offsets(folder) == before and time.monotonic() < until and process.poll() is None:
                    time.sleep(0.005)
                time.sleep(draw.uniform(0.0, 0.5))
                assert process.poll() is None, said.read_text()
                process.kill()
            moved += offsets(folder) != before
    finally:
        finished.set()
        thread.join()
    subprocess.run([*line, "--until-end"], env=environment, check=True, timeout=120, stderr=subprocess.DEVNULL)
    found = logged(folder)
    assert sorted(found) == [number / 1024.0 for number in range(topic.sent)]
    assert sum(map(int, offsets(folder).values())) == topic.sent
    for partition in range(topic.partitions):  # in the order of each partition
        own = [value for value in found if round(value * 1024) % topic.partitions == partition]
        assert own == sorted(own)
    service = Service(folder)
    assert service.model("m").learner.caught_up.is_set()  # --until-end has learned it all
    assert service.stats("m")["rows"] == 128 + topic.sent
    service.close()
    return moved


def test_messages_that_are_no_rows(folder: Path, topic: Topic) -> None:
    topic.send(8)
    topic.raw(None, 0)
    topic.raw(b"\xff oops", 1)
    topic.raw(json.dumps(make_rows(1)[0] | {"a": "blue"}).encode(), 2)
    topic.producer.flush(10)
    service = Service(folder)
    source = open_source(topic.url, until_end=True)
    with pytest.raises(ValueError, match=r"topic clicks, partition [12], offset 2(: invalid JSON|, column 'a')"):
        consume(service.model("m"), source, threading.Event(), Consumed(), skip_bad=False)
    source.close()
    service.close()
    done = consumed(folder, topic)
    assert (done.rows, done.skipped) == (8, 2)
    assert consumed(folder, topic) == Consumed()
    assert sum(map(int, offsets(folder).values())) == 11


def test_messages_that_kafka_no_longer_has(folder: Path, topic: Topic) -> None:
    topic.send(8)
    consumed(folder, topic)
    other = Topic()  # as if the topic had been made anew, with fewer messages
    other.send(4)
    with pytest.raises(ValueError, match=r"Kafka does not have offset 2, .*--allow-gaps"):
        consumed(folder, other)
    assert sum(map(int, offsets(folder).values())) == 8


def test_allowed_gaps_go_on_with_the_oldest_message(folder: Path, topic: Topic) -> None:
    topic.send(8)
    consumed(folder, topic)
    other = Topic()
    other.send(4)
    assert consumed(folder, other, allow_gaps=True).rows == 4
    assert sum(map(int, offsets(folder).values())) == 4


def test_settings_of_librdkafka_are_used(folder: Path, topic: Topic, tmp_path: Path) -> None:
    topic.send(4)
    path = tmp_path / "kafka.properties"
    path.write_text("# small\nclient.id = trial\nfetch.min.bytes=1\n")
    assert consumed(folder, topic, config=read_settings(path)).rows == 4
    known = {"no.such.setting=1": "No such configuration property", "sasl.mechanisms": "NAME=VALUE"}
    for setting, message in known.items():
        path.write_text(setting)
        with pytest.raises(ValueError, match=message):
            consumed(folder, topic, config=read_settings(path))
    command = [sys.executable, "-m", "kernelstream", "consume", topic.url, "--model", "m", "--data", str(folder)]
    environment = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT / "src")}
    line = [*command, "--until-end", "--kafka-config", str(path)]
    found = subprocess.run(line, env=environment, capture_output=True, text=True, timeout=120)
    assert found.returncode != 0 and "line 1: expected NAME=VALUE" in found.stderr.replace("\n", " ")


def test_predictions_are_written_at_least_once(folder: Path, topic: Topic) -> None:
    topic.send(8)
    only = [{name: row[name] for name in "abc"} for row in make_rows(3, 77)]
    for row in (*only, {"a": "blue", "b": 1.0, "c": "colour 1"}):  # no targets; the last cannot be predicted
        topic.raw(json.dumps(row).encode(), 0)
    topic.producer.flush(10)
    service, done, stop = Service(folder), Consumed(), threading.Event()
    model = service.model("m")
    source, sink = open_source(topic.url, until_end=True), open_sink(topic.url, "answers")
    consume(model, source, stop, done, skip_bad=True, sink=sink)
    source.close()
    assert (done.rows, done.predicted, done.skipped) == (8, 11, 1) and "offset" in done.first[0]
    source = open_source(topic.url, until_end=True)
    consume(model, source, stop, again := Consumed(), skip_bad=True, sink=sink)  # nothing is left
    source.close()
    assert again.predicted == 0
    written = messages(topic, "answers")
    assert len({(found["partition"], found["offset"]) for found in written}) == len(written) == 11
    assert {found["topic"] for found in written} == {"clicks"}
    assert {found["prediction"] for found in written} <= {"n", "p"}
    service.close()
    with pytest.raises(ValueError, match="predictions need another one"):
        open_sink(topic.url, "clicks")


def messages(topic: Topic, name: str) -> list[dict[str, Any]]:
    """All messages of a topic."""
    brokers = topic.url.removeprefix("kafka://").partition("/")[0]
    source, found = open_source(f"kafka://{brokers}/{name}", until_end=True), list[dict[str, Any]]()
    source.seek({})
    for batch in source.batches():
        found += batch.rows
    source.close()
    return found


def test_no_broker(folder: Path) -> None:
    from kernelstream.serve.connectors import kafka

    source = kafka.KafkaSource("127.0.0.1:1", "clicks")
    kafka_answer, kafka._ANSWER = kafka._ANSWER, 0.5
    try:
        with pytest.raises(OSError, match=r"No answer from Kafka at 127\.0\.0\.1:1"):
            source.seek({})
    finally:
        kafka._ANSWER = kafka_answer
        source.close()
