"""`kernelstream consume`: a source of rows that a model learns exactly once."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .exit_status import UsageError, exit_on_error
from .input_options import COMMON, SkipBad, reads
from .terminal import err, print_skipped

if TYPE_CHECKING:
    from ..serve import Service
    from ..serve.connectors import ConsumerThread

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
Predictions = Annotated[
    str | None,
    typer.Option("--predictions", metavar="TOPIC", show_default=False,
                 help="Also write predictions to this topic of the same cluster, each at least once. Rows without a "
                      "target are then predicted, and not learned."),
]  # fmt: skip
UntilEnd = Annotated[bool, typer.Option("--until-end", help="Stop when all rows that there are have been learned.")]
AllowGaps = Annotated[
    bool, typer.Option("--allow-gaps", help="Go on though Kafka has deleted messages that were not learned yet.")
]
Port = Annotated[
    int | None,
    typer.Option(min=1, max=65535, show_default=False,
                 help="Also serve the folder on this port of 127.0.0.1, as `kernelstream serve` does, until stopped."),
]  # fmt: skip
_DATA = Path("kernelstream-data")


@reads({name: kind for name, kind in COMMON.items() if name not in ("header", "zero_based")})
def consume(
    source: SourceText,
    model: Model,
    data: DataFolderOption = _DATA,
    target: Target = None,
    first_rows: FirstRows = 256,
    port: Port = None,
    kafka_config: KafkaConfig = None,
    predictions: Predictions = None,
    until_end: UntilEnd = False,
    allow_gaps: AllowGaps = False,
    skip_bad: SkipBad = False,
    reading: Any = None,
) -> None:
    """Learn a stream of rows exactly once: a Kafka topic, files that grow, or a pipe.

    Rows and the position after them are written to the model's log in one transaction. After a crash or a stop, the
    same command continues at that position: no row is lost, and none is learned twice. (Standard input has no
    positions.) Stops on Ctrl-C or SIGTERM. With --port the model predicts over HTTP meanwhile.

    Kafka's messages are JSON objects, and need `pip install "kernelstream[kafka]"`.

    **Examples**

    `kernelstream consume kafka://localhost:9092/clicks --model clicks --target clicked --data models/ --port 8080`

    `kernelstream consume tail:logs/ --model clicks --data models/`
    """
    with exit_on_error():
        from ..readers import Options
        from ..serve.connectors import Consumed, open_sink, open_source
        from ..serve.connectors.open_source import read_settings
        from ..serve.server_logs import log_to_stderr

        log_to_stderr(as_json=False, level="WARNING" if port is None else "INFO")
        config = None if kafka_config is None else read_settings(kafka_config)
        opened = open_source(source, Options(**reading), config, until_end=until_end, allow_gaps=allow_gaps)
        sink = None if predictions is None else open_sink(source, predictions, config)
        done = Consumed()

        @contextmanager
        def consuming(service: "Service") -> Iterator["ConsumerThread"]:
            from ..serve.connectors import ConsumerThread

            _create(service, model, target, first_rows, data)
            hosted, served = service.model(model), port is not None
            thread = ConsumerThread(hosted, opened, done, skip_bad=skip_bad, log_error=served, sink=sink)
            try:
                yield thread
            finally:
                thread.stop()
                print_skipped(done.skipped, done.first)
                err().print(f"{done.rows:,} rows of {source} accepted by the model {model}.")
                if predictions is not None:
                    err().print(f"{done.predicted:,} predictions written to the topic {predictions}.")
            if thread.error is not None:
                raise thread.error

        if port is None:
            _alone(data, consuming)
        else:
            from ..serve.run_server import Address, run_server

            run_server(data, Address(port=port), beside=consuming)


def _alone(data: Path, consuming: Any) -> None:
    """Without HTTP."""
    from threadpoolctl import threadpool_limits

    from ..serve import Service

    service = Service(data)
    # on one BLAS thread, as in a server, so that both learn the same model from the same log
    try:
        with threadpool_limits(1, "blas"), consuming(service) as thread:
            heard = (signal.SIGINT, signal.SIGTERM)
            before = {number: signal.signal(number, lambda *_: thread.stopping.set()) for number in heard}
            thread.wait()
            for number, handler in before.items():
                signal.signal(number, handler)
    finally:
        service.close()


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
