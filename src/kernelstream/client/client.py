"""`Client`: the models of a server."""

import os
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, overload
from urllib.parse import quote

from .connection import Connection
from .errors import RequestRefused
from .row_bodies import RowsRequest, as_table, requests, to_json

Row = Mapping[str, Any]
Id = str | int
Label = Any  #: text, a number or a boolean, as the model has learned it


class Client:
    """A server at `url`. Rows are a dict, dicts, a data frame or an Arrow table.

    Requests that got no answer are sent again for `retry_for` seconds, as are those that the server refuses for the
    moment (429, 503). Rows without ids get a key for each request, so that no row is learned twice. Errors are
    `RequestRefused` (a ValueError) and `ServerUnavailable` (a ConnectionError), with the server's sentence. Threads may
    share a client.

    Parameters
    ----------
    url : str, default "http://127.0.0.1:8080"
        The address of the server, without a path.
    token : str or None, default None
        The token, if the server requires one; it is in no message and no log.
    timeout : float, default 30.0
        Seconds to wait for an answer.
    retry_for : float, default 60.0
        Seconds in which a request without an answer is sent again.
    batch : int, default 2000
        Rows of a request, at most.

    Examples
    --------
    >>> client = Client("http://127.0.0.1:8080", token="ks_secret")
    >>> client
    Client('http://127.0.0.1:8080')
    >>> client.close()
    """

    def __init__(
        self, url: str = "http://127.0.0.1:8080", token: str | None = None, timeout: float = 30.0, *,
        retry_for: float = 60.0, batch: int = 2000,
    ):  # fmt: skip
        if batch < 1:
            raise ValueError(f"batch is {batch}; it must be at least 1.")
        self.batch = batch  #: rows of a request; more are sent as several
        self._connection = Connection(url, token, timeout, retry_for)

    def __repr__(self) -> str:
        return f"Client({self._connection.url!r})"

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._connection.close()

    def models(self) -> list[dict[str, Any]]:
        """The figures of all models."""
        found: list[dict[str, Any]] = self._connection.send("GET", "/models").json()["models"]
        return found

    def create(self, model: str, target: str, **settings: Any) -> dict[str, Any]:
        """Create a model that is initialised by its first rows; `settings` as in `docs/serving.md`: task, columns,
        classes, first_rows, budget and so on."""
        body = to_json({"name": model, "target": target} | settings)
        return self._json("POST", "/models", body, again=False)

    def load_file(self, model: str, path: str | os.PathLike[str]) -> dict[str, Any]:
        """Create a model from a model file, or replace it: nothing of the one before remains."""
        data = Path(path).read_bytes()
        return self._json("PUT", _path(model, "file"), data, "application/octet-stream", again=False)

    def backup(self, model: str, path: str | os.PathLike[str]) -> None:
        """Write the model to a file, which `kernelstream predict` and `kernelstream.load` read."""
        from ..saving.atomic_write import replace_file

        replace_file(path, self._connection.send("GET", _path(model, "file")).content)

    def inspect(self, model: str) -> dict[str, Any]:
        """Figures, columns, classes, settings, and the relevance of columns."""
        return self._json("GET", _path(model))

    def delete(self, model: str) -> None:
        """Delete a model with everything that it has learned."""
        self._json("DELETE", _path(model), again=False)

    def archive(self, model: str) -> None:
        """Stop a model, and keep its log and snapshots in the server's archive."""
        self._json("POST", _path(model, "archive"), again=False)

    def learn(
        self, model: str, rows: Any, ids: Sequence[Id] | None = None, *, wait: bool = False, skip_bad: bool = False
    ) -> dict[str, Any]:
        """Learn rows with their targets: they are on the server's disk when this returns, and with `wait` learned.

        Returns how many were `accepted`, and how many were `duplicates` of rows with the same id; rows without ids have
        none, as a request that is sent again is answered by its first outcome. A bad row refuses the request that it is
        in; with `skip_bad` only bad rows are left out, and `refused` names the first of them.
        """
        total: dict[str, Any] = {"accepted": 0, "duplicates": 0, "refused": []}
        query = ({"wait": "true"} if wait else {}) | ({"bad_rows": "skip"} if skip_bad else {})
        for request in requests(as_table(rows), ids, self.batch):
            headers = {"idempotency-key": f"client-{secrets.token_hex(16)}"} if ids is None else {}
            found = self._rows(model, "learn", request, query, headers)
            refused = _moved(found["refused"], request.first)
            new = found["duplicates"] if ids is None else 0  # a request whose first answer was lost
            total["accepted"] += found["accepted"] + new
            total["duplicates"] += found["duplicates"] - new
            total["refused"] += refused
        return total

    @overload
    def predict(self, model: str, rows: Row, id: Id | None = None) -> Label: ...
    @overload
    def predict(self, model: str, rows: Any, id: Sequence[Id] | None = None) -> list[Label]: ...
    def predict(self, model: str, rows: Any, id: Any = None) -> Any:
        """The label or number of a row, or a list of them. With an id, or one for each row, the server keeps the
        features until `label` gives the targets."""
        found = list[Label]()
        for answer in self._predicted(model, "predict", rows, id):
            found += answer["predictions"]
        return found[0] if isinstance(rows, Mapping) else found

    @overload
    def predict_proba(self, model: str, rows: Row, id: Id | None = None) -> dict[Label, float]: ...
    @overload
    def predict_proba(self, model: str, rows: Any, id: Sequence[Id] | None = None) -> list[dict[Label, float]]: ...
    def predict_proba(self, model: str, rows: Any, id: Any = None) -> Any:
        """The probability of every class of a row, or a list of them."""
        found = list[dict[Label, float]]()
        for answer in self._predicted(model, "predict_proba", rows, id):
            found += [dict(zip(answer["classes"], row, strict=True)) for row in answer["probabilities"]]
        return found[0] if isinstance(rows, Mapping) else found

    @overload
    def label(self, model: str, id: Id, target: Label, weight: float | None = None) -> str: ...
    @overload
    def label(
        self, model: str, id: Sequence[Id], target: Sequence[Label], weight: Sequence[float] | None = None
    ) -> list[str]: ...
    def label(self, model: str, id: Any, target: Any, weight: Any = None) -> Any:
        """The target of a prediction with an id, and its weight if the model has weights; what became of it: learned,
        duplicate, expired, waiting or full. With lists, that of each. After a lost answer, `duplicate` may be the label
        that was just learned."""
        one = isinstance(id, (str, int))
        given = {"id": id, "label": target} | ({} if weight is None else {"weight": weight})
        columns = {name: [value] for name, value in given.items()} if one else given
        labels = [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
        found = list[str]()
        for at in range(0, len(labels), self.batch):
            answer = self._json("POST", _path(model, "label"), to_json({"labels": labels[at : at + self.batch]}))
            found += [outcome["outcome"] for outcome in answer["outcomes"]]
        return found[0] if one else found

    def _predicted(self, model: str, method: str, rows: Any, given: Any) -> list[dict[str, Any]]:
        ids = [given] if isinstance(given, (str, int)) else given
        return [self._rows(model, method, request, {}, {}) for request in requests(as_table(rows), ids, self.batch)]

    def _rows(
        self, model: str, method: str, request: RowsRequest, query: dict[str, str], headers: dict[str, str]
    ) -> dict[str, Any]:
        path, query = _path(model, method), query | request.query
        try:
            return self._json("POST", path, request.data, request.kind, query=query, headers=headers)
        except RequestRefused as error:
            if not request.first:
                raise
            last = request.first + request.rows - 1
            sentence = f"In the request with rows {request.first:,} to {last:,}: {error}"
            raise RequestRefused(sentence, error.status, _moved(error.rows, request.first)) from None

    def _json(self, method: str, path: str, data: bytes | None = None, kind: str = "application/json",
              **more: Any) -> dict[str, Any]:  # fmt: skip
        found: dict[str, Any] = self._connection.send(method, path, data, kind, **more).json()
        return found


def _moved(rows: list[dict[str, Any]], first: int) -> list[dict[str, Any]]:
    """Bad rows by their index in everything that was given."""
    return [row | {"row": row["row"] + first} for row in rows]


def _path(model: str, what: str = "") -> str:
    if not model or "/" in model:  # it would be another address
        raise ValueError(f"{model!r:.80} cannot be the name of a model.")
    return f"/models/{quote(model, safe='')}" + (f"/{what}" if what else "")
