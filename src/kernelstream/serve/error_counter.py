"""Counts the errors that requests to a model are answered with, and keeps the last sentences for the page."""

import json
import re

from .http_guard import App, Message, Receive, Scope, Send
from .refused_request import RefusedRequest
from .service import Service

_MODEL = re.compile(r"/models/([a-z0-9_-]+)(/.*)?")


class ErrorCounter:
    """An ASGI application around another."""

    def __init__(self, app: App, service: Service):
        self.app, self.service = app, service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = _MODEL.fullmatch(scope.get("path", "")) if scope["type"] == "http" else None
        if found is None:
            await self.app(scope, receive, send)
            return
        status, name, request = 0, found[1], f"{scope['method'][:10]} {(found[2] or '/')[:40]}"

        async def watched(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            if status >= 400 and message["type"] == "http.response.body" and message.get("body"):
                self._count(name, status, request, _sentence(message["body"]))
            await send(message)

        try:
            await self.app(scope, receive, watched)
        except Exception:  # it is answered further out
            self._count(name, 500, request, "The server met an error; its log has more.")
            raise

    def _count(self, name: str, status: int, request: str, sentence: str) -> None:
        try:
            tally = self.service.model(name).tally
        except RefusedRequest:
            return  # there is no such model
        tally.failed(status, request, sentence)


def _sentence(body: bytes) -> str:
    try:
        return str(json.loads(body)["error"])
    except (ValueError, KeyError, TypeError):
        return "The answer has no sentence."
