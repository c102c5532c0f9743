"""Requests with rows go to their endpoints directly: the way through FastAPI takes longer than a prediction.

FastAPI has these endpoints too, for the OpenAPI page; they are the same functions.
"""

import re
from collections.abc import Awaitable, Callable, Mapping

from starlette.requests import Request
from starlette.responses import Response

from .http_errors import error_answer
from .http_guard import App, Receive, Scope, Send, TooLarge

Endpoint = Callable[[Request], Awaitable[Response]]


class DirectRoutes:
    """An ASGI application around another, for POST /models/NAME/ENDPOINT."""

    def __init__(self, app: App, endpoints: Mapping[str, Endpoint]):
        self.app, self.endpoints = app, endpoints
        self._path = re.compile(f"/models/([^/]+)/({'|'.join(endpoints)})")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = self._path.fullmatch(scope["path"]) if scope["type"] == "http" and scope["method"] == "POST" else None
        if found is None:
            await self.app(scope, receive, send)
            return
        request = Request({**scope, "path_params": {"name": found[1]}}, receive)
        try:
            response = await self.endpoints[found[2]](request)
        except TooLarge:
            raise  # the guard answers
        except Exception as error:
            response = error_answer(request, error)
        await response(scope, receive, send)
