"""A topic of Kafka, whose messages are JSON objects. Its positions are ours: nothing is committed to Kafka."""

import logging
import time
from collections.abc import Iterator, Mapping
from typing import Any

from ...readers.dict_rows import json_object
from .source import SourceBatch

try:
    from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, KafkaException, TopicPartition
except ImportError as error:
    raise ImportError(f'Kafka needs confluent-kafka ({error}): pip install "kernelstream[kafka]"') from None

log = logging.getLogger(__name__)
ROWS, SECONDS = 1000, 0.2  # messages of a batch, and the time that it waits for them
NEW_PARTITIONS = 60.0  # seconds after which it looks for some
QUIET = 60.0  # seconds between two messages about one kind of trouble
_ANSWER = 15.0  # seconds to wait for a broker


class KafkaSource:
    """All partitions of a topic. `config` has more settings of librdkafka, for example for TLS; with `until_end` it
    ends at the last message that there is; with `allow_gaps` it goes on though Kafka has deleted messages not yet
    read."""

    def __init__(
        self, brokers: str, topic: str, config: Mapping[str, str] | None = None, *, until_end: bool = False,
        allow_gaps: bool = False,
    ):  # fmt: skip
        settings: dict[str, Any] = {"group.id": "kernelstream"} | dict(config or {})
        settings |= {
            "isolation.level": "read_committed",
            "bootstrap.servers": brokers, "enable.auto.commit": False, "enable.partition.eof": True,
            "auto.offset.reset": "earliest" if allow_gaps else "error",
            "log_level": 0, "error_cb": self._log_error,  # librdkafka's own log has a line for every attempt
        }  # fmt: skip
        self.brokers, self.topic, self._until_end = brokers, topic, until_end
        self._logged = dict[int, float]()
        try:
            self._consumer = Consumer(settings)
        except KafkaException as error:
            raise ValueError(f"Kafka does not take these settings: {error.args[0].str()}.") from None
        self._known, self._ended = set[int](), set[int]()
        self._stored: Mapping[str, str] = {}
        self._looked = 0.0

    def seek(self, positions: Mapping[str, str]) -> None:
        self._stored = positions
        self._add_partitions()

    def batches(self) -> Iterator[SourceBatch]:
        while not (self._until_end and self._ended >= self._known):
            if time.monotonic() - self._looked > NEW_PARTITIONS:
                self._add_partitions()
            yield self._batch(self._consumer.consume(ROWS, SECONDS))

    def close(self) -> None:
        self._consumer.close()

    def _batch(self, messages: list[Any]) -> SourceBatch:
        batch = SourceBatch([], [], positions := dict[str, str](), [], [])
        for message in messages:
            partition = message.partition()
            if message.error() is not None:
                self._handle(message)
                continue
            self._ended.discard(partition)
            positions[self._part(partition)] = str(message.offset() + 1)
            if message.value() is None:
                continue  # a tombstone: a key without a row
            place = f"topic {self.topic}, partition {partition}, offset {message.offset():,}"
            row = json_object(message.value())
            if isinstance(row, str):
                batch.bad.append(f"{place}: {row}")
            else:
                batch.rows.append(row)
                batch.places.append(place)
                batch.origins.append({"topic": self.topic, "partition": partition, "offset": message.offset()})
        return batch

    def _handle(self, message: Any) -> None:
        error, code = message.error(), message.error().code()
        if code == KafkaError._PARTITION_EOF:
            self._ended.add(message.partition())
        elif code == KafkaError._AUTO_OFFSET_RESET:
            raise ValueError(
                f"Topic {self.topic}, partition {message.partition()}: Kafka does not have offset "
                f"{message.offset():,}, the next to learn. To go on with the oldest message that it has: --allow-gaps"
            )
        elif error.fatal() or code in (KafkaError.UNKNOWN_TOPIC_OR_PART, KafkaError.TOPIC_AUTHORIZATION_FAILED):
            raise OSError(f"The topic {self.topic} cannot be read: {error.str()}.")
        else:  # librdkafka tries again
            self._log_error(error)

    def _log_error(self, error: Any) -> None:
        """Once a minute, as a broker that is down is tried again all the time."""
        now = time.monotonic()
        if now - self._logged.get(error.code(), -QUIET) >= QUIET:
            self._logged[error.code()] = now
            log.warning("Kafka, topic %s: %s", self.topic, error.str())

    def _add_partitions(self) -> None:
        self._looked = time.monotonic()
        try:
            found = self._consumer.list_topics(self.topic, _ANSWER).topics[self.topic]
        except KafkaException as error:
            if self._known:  # it was there a minute ago: it is tried again
                return
            raise OSError(f"No answer from Kafka at {self.brokers}: {error.args[0].str()}.") from None
        if found.error is not None:
            raise OSError(f"The topic {self.topic} cannot be read: {found.error.str()}.")
        new = sorted(set(found.partitions) - self._known)
        starts = [int(self._stored.get(self._part(number), OFFSET_BEGINNING)) for number in new]
        if new:
            self._consumer.incremental_assign(list(map(TopicPartition, [self.topic] * len(new), new, starts)))
        self._known |= set(new)

    def _part(self, partition: int) -> str:
        return f"kafka:{self.topic}/{partition}"
