"""`kernelstream serve` and `kernelstream serve token`."""

from pathlib import Path
from typing import Annotated

import typer

from .exit_status import UsageError, exit_on_error
from .printable import printable

Data = Annotated[Path, typer.Option(help="Folder with models, logs and tokens; it is made if it does not exist.")]
Host = Annotated[str, typer.Option(help="Address to listen on. Any other than loopback requires tokens.")]
Port = Annotated[int, typer.Option(help="Port to listen on.", min=1, max=65535)]
Cert = Annotated[Path | None, typer.Option(help="TLS certificate (PEM).", show_default=False)]
Key = Annotated[Path | None, typer.Option(help="TLS private key (PEM).", show_default=False)]
RequireTokens = Annotated[bool, typer.Option("--require-tokens", help="Require tokens on loopback too.")]
LogJson = Annotated[bool, typer.Option("--log-json", help="Write logs as one JSON object a line.")]
KeepEvents = Annotated[bool, typer.Option("--keep-events", help="Keep all events, also behind snapshots, for audit.")]
SnapshotRows = Annotated[int, typer.Option(help="Rows learned between two snapshots.", min=1)]
SnapshotSeconds = Annotated[float, typer.Option(help="Seconds between two snapshots.", min=0.1)]
LabelDeadline = Annotated[float, typer.Option(help="Seconds that a prediction with an id waits for its label.", min=1)]
MaxWaiting = Annotated[
    int, typer.Option(help="Rows of a model that wait to be learned; more are refused (429).", min=1)
]
MaxBody = Annotated[int, typer.Option(help="Bytes of a request.", min=1024)]
MaxRows = Annotated[int, typer.Option(help="Rows of a request.", min=1)]
MaxModels = Annotated[int, typer.Option(help="Models.", min=1)]
RateLimit = Annotated[
    float | None,
    typer.Option(min=0, show_default="1000, but none on loopback",
                 help="Requests a second of each token, or of each address without one; 0 is no limit."),
]  # fmt: skip
Scope = Annotated[str, typer.Option(help="read, write or admin; each includes those before it.")]
Note = Annotated[str, typer.Option(help="Who has the token.")]
TokenId = Annotated[str, typer.Argument(help="Id of a token, as `token list` shows it.")]

app = typer.Typer(invoke_without_command=True, rich_markup_mode="markdown")
token = typer.Typer(help="Make, list and remove tokens.", no_args_is_help=True)
app.add_typer(token, name="token")
_DATA = Path("kernelstream-data")
_RATE = 1000.0  # requests a second from elsewhere


@app.callback()
def serve(
    context: typer.Context, data: Data = _DATA, host: Host = "127.0.0.1", port: Port = 8080, tls_cert: Cert = None,
    tls_key: Key = None, require_tokens: RequireTokens = False, log_json: LogJson = False,
    keep_events: KeepEvents = False, snapshot_rows: SnapshotRows = 100_000, snapshot_seconds: SnapshotSeconds = 300.0,
    label_deadline: LabelDeadline = 86_400.0, max_waiting: MaxWaiting = 20_000, max_body: MaxBody = 16 << 20,
    max_rows: MaxRows = 20_000, max_models: MaxModels = 100, rate_limit: RateLimit = None,
) -> None:  # fmt: skip
    """Serve models over HTTP: they learn from requests, and lose nothing that was acknowledged.

    Needs `pip install "kernelstream[serve]"`. Stops on Ctrl-C or SIGTERM, within ten seconds.

    **Examples**

    `kernelstream serve --data models/`

    `kernelstream serve token add --scope write --data models/`
    """
    if context.invoked_subcommand is not None:
        return
    with exit_on_error():
        if (tls_cert is None) != (tls_key is None):
            raise UsageError("Give both --tls-cert and --tls-key, or neither.")
        from ..serve import Limits
        from ..serve.run_server import Address, run_server
        from ..serve.server_logs import log_to_stderr

        log_to_stderr(as_json=log_json)
        address = Address(host, port, tls_cert, tls_key, require_tokens)
        rate = rate_limit if rate_limit is not None else 0.0 if address.loopback else _RATE
        limits = Limits(
            rate=rate, body=max_body, rows=max_rows, models=max_models, waiting=max_waiting,
            label_deadline=label_deadline, snapshot_rows=snapshot_rows, snapshot_seconds=snapshot_seconds,
            keep_events=keep_events,
        )  # fmt: skip
        run_server(data, address, limits)


@token.command()
def add(data: Data = _DATA, scope: Scope = "read", note: Note = "") -> None:
    """Make a token and print it: this is the only time that it is shown."""
    with exit_on_error():
        from ..serve.tokens import SCOPES, Tokens

        if scope not in SCOPES:
            raise UsageError(f"--scope is {scope!r}; use one of {', '.join(SCOPES)}.")
        typer.echo(Tokens(data).add(scope, note))


@token.command(name="list")
def listed(data: Data = _DATA) -> None:
    """List the tokens: id, scope and note."""
    with exit_on_error():
        from ..serve.tokens import Tokens

        for entry in Tokens(data).listed():
            typer.echo(printable(f"{entry['id']}  {entry['scope']:5}  {entry['note']}").rstrip())


@token.command()
def remove(name: TokenId, data: Data = _DATA) -> None:
    """Remove a token; a running server refuses it from now on."""
    with exit_on_error():
        from ..serve.tokens import Tokens

        if not Tokens(data).remove(name):
            raise ValueError(f"There is no token with the id {name!r}. `kernelstream serve token list` shows all.")
