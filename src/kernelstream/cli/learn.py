"""`kernelstream learn`: rows to a server."""

from typing import Annotated, Any

import typer

from .exit_status import UsageError, exit_on_error
from .input_files import check_inputs
from .input_options import COMMON, Data, SkipBad, reads
from .server_url import Url, open_model, refuse_rows, rows_to_send
from .terminal import err, print_json, print_skipped

IdColumn = Annotated[
    str | None,
    typer.Option(show_default=False,
                 help="Column with the id of every row: rows whose id the server knows are not learned again."),
]  # fmt: skip
Batch = Annotated[int, typer.Option(help="Rows of a request.", min=1)]
Wait = Annotated[bool, typer.Option("--wait", help="Wait until the rows are learned, not only on the server's disk.")]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


@reads(COMMON)
def learn(
    data: Data,
    url: Url = None,
    id_column: IdColumn = None,
    batch: Batch = 1000,
    wait: Wait = False,
    skip_bad: SkipBad = False,
    json: Json = False,
    reading: Any = None,
) -> None:
    """Send rows of files or a pipe to a model of a server, which learns them.

    Rows are sent in batches as they come. A batch is sent again if there is no answer, or if the server is busy, and
    learned once. To be able to repeat the whole command, name a column with ids (--id-column).

    Needs `pip install "kernelstream[client]"`.

    **Examples**

    `kernelstream learn --url http://127.0.0.1:8080/models/clicks clicks.jsonl`

    `tail -F log.jsonl | kernelstream learn --url http://127.0.0.1:8080/models/clicks - --id-column id`
    """
    with exit_on_error(json):
        if url is None:
            raise UsageError("Name the model of a server with --url. To train a model file: kernelstream train")
        check_inputs(None, data)
        from ..readers import RaiseOnBad, SkipBad

        client, model = open_model(url)
        policy = SkipBad() if skip_bad else RaiseOnBad()
        total = {"accepted": 0, "duplicates": 0}
        try:
            with client:
                for sent in rows_to_send(data, reading, policy, batch):
                    found = _sent(client, model, sent, id_column, policy, wait=wait)
                    total = {name: count + found[name] for name, count in total.items()}
        finally:  # also what was learned before an error
            print_skipped(policy.count, policy.first)
            if json:
                print_json(total | {"skipped": policy.count})
            else:
                again = f", {total['duplicates']:,} known already" if id_column is not None else ""
                err().print(f"{total['accepted']:,} rows accepted by {url}{again}.")


def _sent(client: Any, model: str, sent: Any, id_column: str | None, policy: Any, *, wait: bool) -> dict[str, int]:
    from ..client import RequestRefused

    while sent.rows:
        ids = None if id_column is None else [_id(row, id_column, sent, i) for i, row in enumerate(sent.rows)]
        rows = [{name: value for name, value in row.items() if name != id_column} for row in sent.rows]
        try:
            found: dict[str, int] = client.learn(model, rows, ids, wait=wait)
            return found
        except RequestRefused as error:  # the whole batch: send it again without bad rows
            sent = refuse_rows(error, sent, policy)
    return {"accepted": 0, "duplicates": 0}


def _id(row: dict[str, Any], column: str, sent: Any, i: int) -> Any:
    from ..readers import BadLine

    if row.get(column) is None:
        name = "standard input" if sent.file == "-" else sent.file
        raise BadLine(name, sent.lines[i], "the row has no id.", f"column {column!r}")
    return row[column]
