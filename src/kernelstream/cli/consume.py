"""`kernelstream consume`: a source of rows that a model learns exactly once."""

import signal
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .exit_status import UsageError, exit_on_error
from .input_options import COMMON, SkipBad, reads
from .terminal import err, print_skipped

if TYPE_CHECKING:
    from ..serve import Service

SOURCE_HELP = "kafka://BROKER/TOPIC, tail:PATH (a file or folder that grows), or - for standard input."
SourceText = Annotated[str, typer.Argument(metavar="SOURCE", help=SOURCE_HELP, show_default=False)]
Model = Annotated[str, typer.Option(help="Name of the model.", show_default=False)]
DataFolderOption = Annotated[Path, typer.Option(help="Folder of `kernelstream serve`; no server may be running on it.")]
Target = Annotated[
    str | None, typer.Option("--target", "-t", show_default=False,
                             help="Column to predict: creates the model, if there is none of this name."),
]  # fmt: skip
FirstRows = Annotated[int, typer.Option(help="Rows that a new model is initialised from.", min=16)]
KafkaConfig = Annotated[
    Path | None,
    typer.Option(show_default=False, help="File with settings of librdkafka, one NAME=VALUE a line, e.g. for TLS."),
]
UntilEnd = Annotated[bool, typer.Option("--until-end", help="Stop when all rows that there are have been learned.")]
AllowGaps = Annotated[
    bool, typer.Option("--allow-gaps", help="Go on though Kafka has deleted messages that were not learned yet.")
]
_DATA, _JOIN = Path("kernelstream-data"), 2.0


@reads({name: kind for name, kind in COMMON.items() if name not in ("header", "zero_based")})
def consume(
    source: SourceText,
    model: Model,
    data: DataFolderOption = _DATA,
    target: Target = None,
    first_rows: FirstRows = 256,
    kafka_config: KafkaConfig = None,
    until_end: UntilEnd = False,
    allow_gaps: AllowGaps = False,
    skip_bad: SkipBad = False,
    reading: Any = None,
) -> None:
    """Learn a stream of rows exactly once: a Kafka topic, files that grow, or a pipe.

    Rows and the position after them are written to the model's log in one transaction. After a crash or a stop, the
    same command continues at that position: no row is lost, and none is learned twice. (Standard input has no
    positions.) Stops on Ctrl-C or SIGTERM; then `kernelstream serve` can use the folder.

    Kafka's messages are JSON objects, and need `pip install "kernelstream[kafka]"`.

    **Examples**

    `kernelstream consume kafka://localhost:9092/clicks --model clicks --target clicked --data models/`

    `kernelstream consume tail:logs/ --model clicks --data models/`
    """
    with exit_on_error():
        from threadpoolctl import threadpool_limits

        from ..readers import Options
        from ..serve import Service
        from ..serve.connectors import Consumed, open_source
        from ..serve.connectors.open_source import read_settings
        from ..serve.server_logs import log_to_stderr

        log_to_stderr(as_json=False, level="WARNING")
        config = None if kafka_config is None else read_settings(kafka_config)
        opened = open_source(source, Options(**reading), config, until_end=until_end, allow_gaps=allow_gaps)
        service, done = Service(data), Consumed()
        try:
            _create(service, model, target, first_rows, data)
            with threadpool_limits(1, "blas"):  # as in a server, so that both learn the same model from the same log
                _consume(service, model, opened, done, skip_bad=skip_bad)
        finally:
            service.close()
            print_skipped(done.skipped, done.first)
            err().print(f"{done.rows:,} rows of {source} accepted by the model {model}.")


def _create(service: "Service", name: str, target: str | None, first_rows: int, data: Path) -> None:
    from ..serve import RefusedRequest

    if name in service.names():
        return
    if target is None:
        raise UsageError(f"There is no model {name!r} in {data}. To create it, name the column to predict: --target")
    try:
        service.create(name, {"target": target, "first_rows": first_rows})
    except RefusedRequest as error:
        raise UsageError(str(error)) from None


def _consume(service: "Service", name: str, source: Any, done: Any, *, skip_bad: bool) -> None:
    """In a thread, so that signals are heard whatever it waits for."""
    from ..serve.connectors import consume

    stop, wrong = threading.Event(), list[BaseException]()

    def run() -> None:
        try:
            consume(service.model(name), source, stop, done, skip_bad=skip_bad)
            source.close()
        except BaseException as error:
            wrong.append(error)

    before = {number: signal.signal(number, lambda *_: stop.set()) for number in (signal.SIGINT, signal.SIGTERM)}
    thread = threading.Thread(target=run, name="consume", daemon=True)
    try:
        thread.start()
        while thread.is_alive() and not stop.is_set():
            thread.join(0.1)
        thread.join(_JOIN)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if wrong:
        raise wrong[0]
