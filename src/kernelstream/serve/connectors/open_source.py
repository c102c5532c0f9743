"""The source that a text names."""

from collections.abc import Mapping
from pathlib import Path

from ...readers import Options
from .source import PredictionSink, Source
from .standard_input import PipeSource
from .tail import TailSource

KAFKA, TAIL = "kafka://", "tail:"


def open_source(
    text: str, options: Options = Options(), config: Mapping[str, str] | None = None, *, until_end: bool = False,
    allow_gaps: bool = False,
) -> Source:  # fmt: skip
    """A source: kafka://BROKER[,BROKER…]/TOPIC, tail:PATH, or - for standard input.

    Parameters
    ----------
    text : str
        kafka://BROKER[,BROKER…]/TOPIC, tail:PATH, or - for standard input.
    options : Options, default Options()
        How lines of text are read.
    config : mapping or None, default None
        Settings of Kafka's client, by librdkafka's names.
    until_end : bool, default False
        Whether to end when everything that there is has been read.
    allow_gaps : bool, default False
        Whether messages that Kafka has deleted are passed over.

    Examples
    --------
    >>> open_source("kafka://host")
    Traceback (most recent call last):
    ValueError: 'kafka://host' names no topic. Use kafka://BROKER/TOPIC, e.g. kafka://localhost:9092/clicks
    """
    if text == "-":
        return PipeSource(options)
    if text.startswith(TAIL):
        return TailSource(Path(text.removeprefix(TAIL)), options, until_end=until_end)
    if text.startswith(KAFKA):
        brokers, topic = _brokers_and_topic(text)
        from .kafka import KafkaSource

        return KafkaSource(brokers, topic, config, until_end=until_end, allow_gaps=allow_gaps)
    raise ValueError(f"unknown source {text!r}. Available: kafka://BROKER/TOPIC, tail:PATH, and - for standard input.")


def open_sink(text: str, topic: str, config: Mapping[str, str] | None = None) -> PredictionSink:
    """Where predictions of the rows of a source are written: a topic of the same cluster.

    Parameters
    ----------
    text : str
        The source, kafka://BROKER[,BROKER…]/TOPIC.
    topic : str
        The topic that predictions are written to.
    config : mapping or None, default None
        Settings of Kafka's client, by librdkafka's names.

    Examples
    --------
    >>> open_sink("-", "predictions")
    Traceback (most recent call last):
    ValueError: Predictions can be written to a topic only if the source is kafka://BROKER/TOPIC, not '-'.
    """
    if not text.startswith(KAFKA):
        raise ValueError(
            f"Predictions can be written to a topic only if the source is kafka://BROKER/TOPIC, not {text!r}."
        )
    brokers, source = _brokers_and_topic(text)
    if topic == source:
        raise ValueError(f"The topic {topic} is the source; predictions need another one.")
    from .prediction_topic import PredictionTopic

    return PredictionTopic(brokers, topic, config)


def _brokers_and_topic(text: str) -> tuple[str, str]:
    brokers, _, topic = text.removeprefix(KAFKA).partition("/")
    if not brokers or not topic or "/" in topic:
        raise ValueError(f"{text!r} names no topic. Use kafka://BROKER/TOPIC, e.g. kafka://localhost:9092/clicks")
    return brokers, topic


def read_settings(path: Path) -> dict[str, str]:
    """Settings of librdkafka: a line NAME=VALUE for each; # begins a comment.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "kafka.properties"
    >>> _ = path.write_text("# TLS\\nsecurity.protocol = SSL\\n")
    >>> read_settings(path)
    {'security.protocol': 'SSL'}
    """
    found = dict[str, str]()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        name, mark, value = line.partition("=")
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if not mark:  # without the line itself, which may be a password
            raise ValueError(f"{path}, line {number}: expected NAME=VALUE.")
        found[name.strip()] = value.strip()
    return found
