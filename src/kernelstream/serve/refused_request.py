"""`RefusedRequest`: a request that cannot be done, as a sentence for whoever sent it."""

from typing import Any


class RefusedRequest(Exception):
    """The sentence, the HTTP status, seconds after which to try again, and more for programs.

    Examples
    --------
    >>> str(RefusedRequest(404, "There is no model 'x'."))
    "There is no model 'x'."
    """

    def __init__(self, status: int, sentence: str, *, retry_after: float | None = None, **more: Any):
        super().__init__(sentence)
        self.status, self.retry_after, self.more = status, retry_after, more
