"""Predictions as messages of a Kafka topic: each at least once."""

import json
import threading
from collections.abc import Mapping, Sequence
from typing import Any

try:
    from confluent_kafka import KafkaException, Producer
except ImportError as error:
    raise ImportError(f'Kafka needs confluent-kafka ({error}): pip install "kernelstream[kafka]"') from None

_LOOK = 0.5  # seconds between looks at the exit, while a broker does not answer


class PredictionTopic:
    """Writes one message for each row: {"topic", "partition", "offset", "prediction"}. `config` has more settings of
    librdkafka; those that are for consumers only are left out."""

    def __init__(self, brokers: str, topic: str, config: Mapping[str, str] | None = None):
        given = {name: value for name, value in (config or {}).items() if name != "group.id"}
        settings = {"acks": "all", "enable.idempotence": True, "linger.ms": 5} | given
        settings |= {"bootstrap.servers": brokers, "log_level": 0}
        self.topic, self._wrong = topic, list[str]()
        try:
            self._producer = Producer(settings)
        except KafkaException as error:
            raise ValueError(f"Kafka does not take these settings: {error.args[0].str()}.") from None

    def write(self, origins: Sequence[Mapping[str, Any]], predictions: Sequence[Any], stop: threading.Event) -> bool:
        """Write predictions; whether Kafka has them all, which it may not have if we are stopped."""
        for origin, prediction in zip(origins, predictions, strict=True):
            key = f"{origin['topic']}/{origin['partition']}/{origin['offset']}".encode()
            value = json.dumps({**origin, "prediction": prediction}).encode()
            while True:
                try:
                    self._producer.produce(self.topic, value, key, on_delivery=self._delivered)
                    break
                except BufferError:  # too many wait for the broker
                    if stop.is_set():
                        return False
                    self._producer.poll(_LOOK)
        while self._producer.flush(_LOOK):
            if stop.is_set():
                return False
        if self._wrong:
            raise OSError(f"Predictions cannot be written to the topic {self.topic}: {self._wrong[0]}.")
        return True

    def _delivered(self, error: Any, message: Any) -> None:
        if error is not None:
            self._wrong.append(error.str())
