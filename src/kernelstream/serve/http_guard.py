"""What every request passes first: the host it names, where it comes from, its token, how many come from there, and the
size of its body."""

import json
import math
import re
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from .limits import Limits
from .page_files import PAGE
from .rate_limit import RateLimit
from .tokens import Tokens, includes

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LOOPBACK = {"localhost", "127.0.0.1", "::1"}
OPEN = {"/health", "/ready", *PAGE}  # for load balancers and browsers, which have no token
MAY_WRITE = "kernelstream.may_write"  # in the scope of a request with a token
WHO = "kernelstream.who"  # in the scope: whose requests are counted together
_PREDICTS = re.compile(r"/models/[^/]+/(predict|predict_proba)")
_WRITES = re.compile(r"/models/[^/]+/(learn|label)")


class TooLarge(Exception):
    """The body has more bytes than allowed."""


def scope_needed(method: str, path: str) -> str:
    """The scope that a request needs.

    >>> scope_needed("POST", "/models/m/predict"), scope_needed("POST", "/models/m/learn"), scope_needed("DELETE", "/x")
    ('read', 'write', 'admin')
    """
    if method in ("GET", "HEAD") and not path.endswith("/file"):
        return "read"
    if method == "POST" and _PREDICTS.fullmatch(path):
        return "read"
    return "write" if method == "POST" and _WRITES.fullmatch(path) else "admin"


class Guard:
    """An ASGI application around another."""

    def __init__(self, app: App, tokens: Tokens, limits: Limits, *, require_tokens: bool, hosts: frozenset[str] | None):
        self.app, self.tokens, self.limits = app, tokens, limits
        self.require_tokens, self.hosts, self.rates = require_tokens, hosts, RateLimit(limits.rate)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        refused = self._refusal(scope, headers)
        if refused is not None:
            await _answer(send, *refused)
            return
        wait = 0.0 if scope["path"] in OPEN else self.rates.wait(scope[WHO])
        if wait:
            sentence = f"These are more than {self.rates.rate:g} requests a second, the maximum. Try again later."
            await _answer(send, 429, sentence, wait)
            return
        limit = self.limits.file if scope["path"].endswith("/file") else self.limits.body
        declared = headers.get("content-length", "0")
        if not declared.isdigit() or int(declared) > limit:
            await _answer(send, 413, _too_large(limit))
            return
        await self._limited(scope, receive, send, limit)

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str] | tuple[int, str, float | None] | None:
        host = _host(headers.get("host", ""))
        if self.hosts is not None and host not in self.hosts:
            return 421, f"This server does not answer for the host {host[:80]!r}. Use 127.0.0.1 or localhost."
        origin = headers.get("origin")
        if origin is not None and _host(origin.partition("://")[2]) != host:
            return 403, "Pages of other sites may not use this server."
        scope[WHO] = f"address {(scope.get('client') or ('',))[0]}"
        if not self.require_tokens or scope["path"] in OPEN:
            return None
        kind, _, secret = headers.get("authorization", "").partition(" ")
        needed = scope_needed(scope["method"], scope["path"])
        token = self.tokens.find(secret.strip()) if kind.lower() == "bearer" else None
        if token is None:
            return self._unknown(scope[WHO])
        scope[WHO], scope[MAY_WRITE] = f"token {token['id']}", includes(token, "write")
        if not includes(token, needed):
            return 403, f"The token has not the scope {needed}, which this request needs."
        return None

    def _unknown(self, who: str) -> tuple[int, str, float | None]:
        """Without a token, or with one that is not known: these count too, so that guessing is limited."""
        wait = self.rates.wait(who)
        if wait:
            return 429, "These are too many requests without a valid token. Try again later.", wait
        way = "send the header Authorization: Bearer TOKEN (kernelstream serve token add)."
        return 401, f"A token is needed: {way}", None

    async def _limited(self, scope: Scope, receive: Receive, send: Send, limit: int) -> None:
        """Pass the request on, unless its body turns out to be larger than it said."""
        taken, started = 0, False

        async def counted() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > limit:
                raise TooLarge
            return message

        async def noted(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self.app(scope, counted, noted)
        except TooLarge:
            if not started:
                await _answer(send, 413, _too_large(limit))


def _too_large(limit: int) -> str:
    return f"The body is larger than {limit:,} bytes, the maximum. Send several requests."


def _host(text: str) -> str:
    """A host without its port."""
    if text.startswith("["):
        return text[1:].partition("]")[0].lower()
    return text.rpartition(":")[0].lower() if text.count(":") == 1 else text.lower()


async def _answer(send: Send, status: int, sentence: str, retry_after: float | None = None) -> None:
    body = json.dumps({"error": sentence}, ensure_ascii=False).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    headers += [(b"www-authenticate", b"Bearer")] if status == 401 else []
    headers += [] if retry_after is None else [(b"retry-after", str(math.ceil(retry_after)).encode())]
    headers += [(b"connection", b"close")] if status == 413 else []
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
