"""The stream of figures, and the page in a real browser (Debian's chromium, by Playwright)."""

import http.client
import json
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from kernelstream.serve.page_files import FOLDER, PAGE
from kernelstream.serve.tokens import Tokens

from .server_process import ServerProcess, make_rows
from .test_metrics import samples

FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


@contextmanager
def events(server: ServerProcess, path: str, token: str | None = None) -> Iterator[Iterator[tuple[str, Any]]]:
    """Kinds and contents of server-sent events."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.request("GET", path, headers={"authorization": f"Bearer {token}"} if token else {})
    answer = connection.getresponse()
    assert answer.status == 200 and answer.headers["content-type"].startswith("text/event-stream")

    def read() -> Iterator[tuple[str, Any]]:
        while True:
            kind = answer.readline().decode().removeprefix("event: ").strip()
            data = answer.readline().decode().removeprefix("data: ")
            assert answer.readline() == b"\n"
            yield kind, json.loads(data)

    try:
        yield read()
    finally:
        connection.close()


def test_the_stream_moves_when_rows_are_learned(server: ServerProcess) -> None:
    with events(server, "/events?model=m") as heard:
        kind, detail = next(heard)
        assert kind == "detail" and set(detail["relevance"]) == {"a", "b", "c"}
        rows = [point["rows"] for point in detail["curve"]]
        assert rows == sorted(rows)
        kind, first = next(heard)
        assert kind == "figures" and "m" in [found["name"] for found in first["models"]]
        server.learn(make_rows(40, 21), query="?wait=true")
        for _ in range(5):
            now = next(found for kind, found in heard if kind == "figures")
            if now["model"]["rows"] == first["model"]["rows"] + 40:
                break
        assert now["model"]["rows"] == first["model"]["rows"] + 40
        assert now["time"] > first["time"]
    assert server.call("GET", "/events?model=none").status == 404


def test_the_server_stops_while_pages_watch(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "data") as server:
        server.create()
        with events(server, "/events?model=m") as heard:
            assert next(heard) == ("detail", None)
            status, seconds = server.stop()
            assert status == 0 and seconds < 10.0


def test_every_file_of_the_page_is_served_and_loads_nothing_from_elsewhere(server: ServerProcess) -> None:
    assert sorted(PAGE.values()) == sorted(path.name for path in FOLDER.iterdir())
    wanted = {
        f"/page/{name}" for path in FOLDER.glob("*.js") for name in re.findall(r'from "./(.*)"', path.read_text())
    }
    wanted |= set(re.findall(r'(?:href|src)="(/page/.*?)"', (FOLDER / "index.html").read_text()))
    assert wanted | {"/"} == set(PAGE)  # nothing is absent, and nothing is left over
    for path, name in PAGE.items():
        answer = server.call("GET", path)
        assert answer.status == 200 and answer.data == (FOLDER / name).read_bytes()
        assert "default-src 'self'" in answer.headers["content-security-policy"]
        others = answer.data.replace(b"http://www.w3.org/2000/svg", b"")
        assert b"http://" not in others and b"https://" not in others


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="the page is tested with playwright, which is absent")
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("the page is tested in chromium, which is not installed here (apt-get install chromium)")
    with sync_api.sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, headless=True, args=FLAGS)
        yield launched
        launched.close()


@contextmanager
def opened(browser: Any, server: ServerProcess, width: int = 1400, scheme: str = "light") -> Iterator[Any]:
    """The page; no errors in its console when it is left."""
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page, wrong = context.new_page(), list[str]()
    page.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(f"http://127.0.0.1:{server.port}/")
    try:
        yield page
    finally:
        context.close()
    assert [text for text in wrong if "401" not in text] == []


def figures(page: Any) -> dict[str, str]:
    found: dict[str, str] = page.evaluate(
        "Object.fromEntries([...document.querySelectorAll('[data-figure]')].map(e => [e.dataset.figure, e.value]))"
    )
    return found


@pytest.mark.parametrize(("width", "scheme"), [(380, "light"), (380, "dark"), (1400, "light"), (1400, "dark")])
def test_the_page_shows_the_figures_of_metrics(browser: Any, server: ServerProcess, width: int, scheme: str) -> None:
    server.learn(make_rows(60, width), query="?wait=true")
    server.predict(make_rows(3, 1))
    server.predict([{"a": "<b>abc</b>", "b": 1, "c": "colour 1"}])
    with opened(browser, server, width, scheme) as page:
        page.goto(f"http://127.0.0.1:{server.port}/#model=m")
        page.wait_for_selector("[data-figure=rows]")
        page.wait_for_timeout(1500)  # another event, after all of the above
        shown, told = figures(page), samples(server)
        for figure, metric in {
            "rows": "rows_learned_total", "support_vectors": "support_vectors", "bytes": "model_bytes",
            "log_loss": "log_loss", "predictions": "predictions_total", "waiting_rows": "waiting_rows",
            "drift_events": "drift_events",
        }.items():  # fmt: skip
            assert float(shown[figure]) == told[(f"kernelstream_{metric}", "m")], figure
        assert float(shown["score"]) == told[("kernelstream_score", "accuracy", "m")]
        wrong = [value for key, value in told.items() if key[:2] == ("kernelstream_errors_total", "m")]
        assert float(shown["errors"]) == sum(wrong)
        assert "'<b>abc</b>' is not a number" in page.inner_text("#errors")
        assert page.locator("#charts svg path.line").count() >= 4
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        light = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(246, 247, 249)"
        assert light == (scheme == "light")
        server.learn(make_rows(10, 5), query="?wait=true")
        page.wait_for_selector(f"[data-figure=rows][value='{int(shown['rows']) + 10}']")


def test_a_model_is_chosen_by_keyboard_and_charts_have_tables(browser: Any, server: ServerProcess) -> None:
    server.create("other")
    with opened(browser, server) as page:
        page.wait_for_selector("#models a")
        page.wait_for_selector("text=State: ready")
        page.focus("#models a[href='#model=other']")
        page.wait_for_timeout(1200)  # the list is drawn again meanwhile
        page.keyboard.press("Enter")
        page.wait_for_selector("text=State: collecting: 0 of 128 first rows")
        assert page.get_attribute("#models a[href='#model=other']", "aria-current") == "true"
        page.click("#models a[href='#model=m']")
        page.wait_for_selector("text=State: ready")
        page.wait_for_selector("#charts path.line")
        page.focus("#charts details:first-of-type summary")
        page.keyboard.press("Enter")
        page.wait_for_selector("#charts details[open] td")
        assert page.evaluate("[...document.querySelectorAll('svg[role=img]')].every(s => s.getAttribute('aria-label'))")
        assert page.evaluate("[...document.querySelectorAll('main section')].every(s => s.querySelector('h3'))")
    server.call("DELETE", "/models/other")


def test_the_page_asks_for_a_token_and_keeps_it_out_of_addresses(browser: Any, tmp_path: Path) -> None:
    tokens = Tokens(tmp_path / "data")
    secret = tokens.add("read")
    with ServerProcess(tmp_path / "data", "--require-tokens") as server:
        assert server.call("GET", "/events").status == 401
        with opened(browser, server) as page:
            asked = list[str]()
            page.on("request", lambda request: asked.append(request.url))
            page.fill("#token", "ks_wrong")
            page.press("#token", "Enter")
            page.wait_for_selector("text=The server refused this token")
            page.fill("#token", secret)
            page.press("#token", "Enter")
            page.wait_for_selector("text=No models yet")
            page.reload()
            page.wait_for_selector("text=No models yet")
            assert not any(secret in url for url in [*asked, page.url])
            assert page.evaluate("localStorage.length") == 0 and page.evaluate("document.cookie") == ""
            page.click("#forget")
            page.wait_for_selector("#login:not([hidden])")


def test_the_page_connects_again_after_a_restart(browser: Any, tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "data") as server:
        server.create()
        context = browser.new_context()
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{server.port}/")
        page.wait_for_selector("text=State: collecting")
        server.stop()
        page.wait_for_selector("text=Connection lost; trying again")
        server.start()
        page.wait_for_selector("text=Connected")
        context.close()
