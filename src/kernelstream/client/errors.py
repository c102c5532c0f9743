"""What a server answers instead of a result, as exceptions with its sentence."""

from typing import Any


class RequestRefused(ValueError):
    """The server refuses a request, and would refuse it again: `status` is that of HTTP, and `rows` are the bad rows,
    each with `row` (its index in what was given), `column` and `reason`."""

    def __init__(self, sentence: str, status: int, rows: list[dict[str, Any]] | None = None):
        super().__init__(sentence)
        self.status, self.rows = status, rows or []


class ServerUnavailable(ConnectionError):
    """There is no answer, or the server is too busy or out of order, also after trying again. `status` is that of
    HTTP; None without an answer."""

    def __init__(self, sentence: str, status: int | None = None):
        super().__init__(sentence)
        self.status = status
