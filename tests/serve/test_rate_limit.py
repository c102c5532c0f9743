"""Too many requests a second: 429 with Retry-After, for each token or address by itself."""

from pathlib import Path

from kernelstream.serve.rate_limit import MOST, RateLimit
from kernelstream.serve.tokens import Tokens

from .server_process import ServerProcess


def statuses(server: ServerProcess, count: int) -> list[int]:
    return [server.call("GET", "/models").status for _ in range(count)]


def test_each_token_has_a_limit_of_its_own_and_guesses_share_one(tmp_path: Path) -> None:
    tokens = Tokens(tmp_path / "data")
    one, other = tokens.add("read"), tokens.add("read")
    with ServerProcess(tmp_path / "data", "--require-tokens", "--rate-limit", "0.5") as server:
        server.token = one
        assert statuses(server, 3) == [200, 429, 429]
        refused = server.call("GET", "/models")
        assert int(refused.headers["retry-after"]) in (1, 2)
        assert refused.json["error"].startswith("These are more than 0.5 requests a second")
        server.token = other
        assert statuses(server, 1) == [200]
        server.token = "ks_guess"
        assert statuses(server, 2) == [401, 429]
        assert [server.call("GET", "/health").status for _ in range(5)] == [200] * 5


def test_without_the_option_nothing_is_limited_on_loopback(server: ServerProcess) -> None:
    assert set(statuses(server, 200)) == {200}


def test_those_who_are_remembered_are_bounded() -> None:
    limit = RateLimit(0.5, clock=lambda: 0.0)
    assert (limit.wait("first"), limit.wait("first")) == (0.0, 2.0)
    for i in range(MOST):
        limit.wait(str(i))
    assert limit.wait("first") == 0.0  # it was forgotten
    assert limit.wait(str(MOST - 1)) > 0.0
