"""A fresh environment: a part of `python -m benchmarks.serve`. The three commands of docs/serving.md, and the page."""

import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import Request, urlopen

from benchmarks.serve_common import show
from tests.serve.server_process import ROOT, free_port
from tests.serve.test_page import FLAGS

ROWS = 1000
NDJSON = "application/x-ndjson"


def fresh(folder: Path, scale: float, what: str = str(ROOT)) -> None:
    """From the end of the install to a page that shows what was learned. `what` is a source tree or a wheel."""
    python, cache = folder / "venv" / "bin" / "python", folder / "cache"
    ours = ("NUMBA_", "KERNELSTREAM_", "PYTHON", "XDG_")
    env = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], env=env, check=True)
    pip: list[str | Path] = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", f"{what}[serve]"]
    subprocess.run(pip, env=env, check=True, stderr=subprocess.DEVNULL)
    installed, port = time.monotonic(), free_port()
    command: list[str | Path] = [
        python.with_name("kernelstream"),
        "serve",
        "--data",
        folder / "models",
        "--port",
        str(port),
    ]
    log = folder / "log"
    with log.open("wb") as said:
        server = subprocess.Popen(command, env=env | {"XDG_CACHE_HOME": str(cache)}, stdout=said, stderr=said)
    try:
        took = _learned(f"http://127.0.0.1:{port}", installed)
    finally:
        server.terminate()
        server.wait(30)
    for done, seconds in took.items():
        show(f"    {done}", f"{seconds:.1f} s")
    compiled = [float(seconds) for seconds in re.findall(r"INFO compiled .* in ([\d.]+) s", log.read_text())]
    show(f"    {len(compiled)} functions are compiled, in all", f"{sum(compiled):.1f} s")
    total = max(took.values())
    name = Path(what).name if Path(what).is_file() else "this source"
    show(f"install of {name} to a page that moves", f"{total:.1f} s", "≤ 30 s", total <= 30.0)


def _learned(url: str, start: float) -> dict[str, float]:
    """Seconds after `start` until each step was done."""
    from playwright.sync_api import sync_playwright

    took = dict[str, float]()

    def done(step: str) -> None:
        took[step] = time.monotonic() - start

    while not _answers(url):
        time.sleep(0.02)
    done("server answers")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), headless=True, args=FLAGS)
        page = browser.new_page()
        page.goto(url)
        page.wait_for_selector("text=No models yet")
        done("page is open in chromium")
        _post(f"{url}/models", {"name": "clicks", "target": "clicked", "first_rows": 64})
        _post(f"{url}/models/clicks/learn?wait=true", _clicks(), NDJSON)
        done(f"{ROWS:,} rows are learned")
        _post(f"{url}/models/clicks/predict", {"rows": [{"hour": 14, "site": "news"}]})
        done("prediction is answered")
        page.wait_for_selector(f"[data-figure=rows][value='{ROWS}']", timeout=60_000)
        done("page shows them")
        browser.close()
    return took


def _answers(url: str) -> bool:
    try:
        return bool(urlopen(f"{url}/health", timeout=5).status == 200)
    except OSError:
        return False


def _post(url: str, body: object, kind: str = "application/json") -> None:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    with urlopen(Request(url, data, {"content-type": kind}), timeout=600) as answer:
        answer.read()


def _clicks() -> bytes:
    """`clicks.jsonl` of docs/serving.md."""
    draw, lines = random.Random(0), list[bytes]()
    for _ in range(ROWS):
        hour, site = draw.randrange(24), draw.choice(["news", "shop"])
        clicked = "yes" if (hour > 12) == (site == "news") else "no"
        lines.append(json.dumps({"hour": hour, "site": site, "clicked": clicked}).encode() + b"\n")
    return b"".join(lines)
