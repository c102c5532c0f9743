"""`GET /`: the page to watch models, and its files. They are the same for everybody and contain no figures."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from fastapi import FastAPI, Response

FOLDER = Path(__file__).parent / "page"
TYPES = {
    ".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml",
    ".js": "text/javascript; charset=utf-8",
}  # fmt: skip
_FILES = sorted(path.name for path in FOLDER.iterdir() if path.suffix in TYPES)
#: addresses and files of the page: it has no figures in it, and asks for a token itself
PAGE = {"/": "index.html"} | {f"/page/{name}": name for name in _FILES if name != "index.html"}
HEADERS = {
    "content-security-policy": "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}


def add_page(app: FastAPI) -> None:
    """One endpoint for each file of the page."""
    for path, name in PAGE.items():
        app.add_api_route(path, _endpoint(FOLDER / name), include_in_schema=False, response_class=Response)


def _endpoint(file: Path) -> Callable[[], Awaitable[Response]]:
    data, headers = file.read_bytes(), HEADERS | {"content-type": TYPES[file.suffix]}

    async def page() -> Response:
        return Response(data, headers=headers)

    return page
