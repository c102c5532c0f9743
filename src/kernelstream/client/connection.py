"""Requests to a server: sent, sent again, and refused."""

from typing import Any

try:
    import httpx
except ImportError as error:
    raise ImportError(f'A client needs httpx ({error}): pip install "kernelstream[client]"') from None

from .errors import RequestRefused, ServerUnavailable
from .retries import BUSY, Retries

_SAFE = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)  # nothing was sent


class Connection:
    """The address of a server, with a pool of connections. The token is sent, and shown nowhere."""

    def __init__(self, url: str, token: str | None, timeout: float, retry_for: float):
        try:
            address = httpx.URL(url)
        except (httpx.InvalidURL, TypeError) as error:
            raise ValueError(f"{url!r} is not the URL of a server ({error}). Example: http://127.0.0.1:8080") from None
        if address.scheme not in ("http", "https") or not address.host:
            raise ValueError(f"{url!r} is not the URL of a server. Example: http://127.0.0.1:8080")
        if address.userinfo:  # it would be part of messages and logs
            raise ValueError("The URL of a server has no user or password. Give the token as token=….")
        self.url, self.retry_for = str(address).rstrip("/"), retry_for
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        self._http = httpx.Client(base_url=self.url, headers=headers, timeout=timeout)

    def send(
        self, method: str, path: str, data: bytes | None = None, kind: str = "application/json", *,
        query: dict[str, str] | None = None, headers: dict[str, str] | None = None, again: bool = True,
    ) -> httpx.Response:  # fmt: skip
        """The answer to a request. `again`: whether it may be sent again though the server may have done it already;
        otherwise it is sent again only if the server has not."""
        attempts = Retries(self.retry_for)
        sent = (headers or {}) | ({} if data is None else {"content-type": kind})
        while True:
            try:
                answer = self._http.request(method, path, content=data, params=query, headers=sent)
            except httpx.TransportError as error:
                if (again or isinstance(error, _SAFE)) and attempts.pause():
                    continue
                raise self._unreachable(error, attempts, again) from None
            if answer.status_code in BUSY and attempts.pause(answer.headers.get("retry-after")):
                continue
            if answer.is_success:
                return answer
            raise _refusal(answer, attempts)

    def close(self) -> None:
        self._http.close()

    def _unreachable(self, error: Exception, attempts: Retries, again: bool) -> ServerUnavailable:
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        if not again and not isinstance(error, _SAFE):
            way = "Whether the request was done is unknown: look with models() before you send it again."
        else:
            way = f"Is `kernelstream serve` running there? (attempts: {attempts.number + 1:,})"
        return ServerUnavailable(f"No answer from {self.url} ({what}). {way}")


def _refusal(answer: httpx.Response, attempts: Retries) -> Exception:
    try:
        found: Any = answer.json()
    except ValueError:
        found = None
    body: dict[str, Any] = found if isinstance(found, dict) else {}
    sentence = body.get("error") or f"The server answered with status {answer.status_code} and no reason."
    if answer.status_code in BUSY:
        return ServerUnavailable(f"{sentence} (attempts: {attempts.number + 1:,})", answer.status_code)
    if answer.status_code >= 500:
        return ServerUnavailable(str(sentence), answer.status_code)
    rows = body.get("rows")
    return RequestRefused(str(sentence), answer.status_code, rows if isinstance(rows, list) else None)
