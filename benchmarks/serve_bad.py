"""Bad requests: a part of `python -m benchmarks.serve`. tests/serve/test_openapi.py sends those of schemathesis."""

import json
import random
from pathlib import Path

from benchmarks.serve_common import make_rows, prepared, show
from tests.serve.server_process import ServerProcess
from tests.serve.test_http import BAD_BODIES, PATHS


def bad(folder: Path, scale: float) -> None:
    """Bad requests: mutations of good ones and noise."""
    count, draw = int(10_000 * scale), random.Random(0)
    good = json.dumps({"rows": make_rows(2, 1), "ids": ["a", "b"]}).encode()
    kinds = ["application/json", "application/x-ndjson", "application/vnd.apache.arrow.stream", "text/plain"]
    wrong, statuses = 0, dict[int, int]()
    with ServerProcess(folder / "data") as server:
        prepared(server)
        before = server.stats()["rows"]
        for _ in range(count):
            body = bytearray(draw.choice([*BAD_BODIES, good]))
            for _ in range(draw.randrange(4)):
                if body:
                    body[draw.randrange(len(body))] = draw.randrange(256)
            path = draw.choice(PATHS) + draw.choice(["", "", "", "?bad_rows=x", "?id_column=x0", "?%00=%ff"])
            answer = server.call(draw.choice(["POST"] * 9 + ["PUT"]), path, bytes(body), kind=draw.choice(kinds))
            statuses[answer.status] = statuses.get(answer.status, 0) + 1
            accepted = "learn" in path and answer.status == 200  # the mutation has made other numbers of it
            wrong += answer.status >= 500 or b"Traceback" in answer.data
            before += answer.json["accepted"] if accepted else 0
        same = server.wait_for()["rows"] == before
    print(f"    statuses: {dict(sorted(statuses.items()))}")
    show(f"{count:,} bad requests: answers 500 or with a traceback", str(wrong), "0", wrong == 0)
    show("    the model has learned nothing of them but rows that were accepted", str(same), "True", same)
