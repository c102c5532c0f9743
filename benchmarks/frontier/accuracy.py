"""Test accuracy at two budgets, beside plain merging, a single streamed pass, and the peers."""

from collections.abc import Iterator, Sequence
from statistics import mean
from typing import Any

from benchmarks.data import Dataset
from benchmarks.figure import Run
from benchmarks.frontier.learners import default, learned, merging, streamed
from benchmarks.frontier.part import Line, Part, spread
from benchmarks.peers import settings
from benchmarks.report import show, verdict

SHUFFLES = 3
NAMES = ("ijcnn1", "checkerboard", "letter", "usps", "covtype", "a9a")
BARS = {
    500: dict(zip(NAMES, (98.5, 99.4, 95.5, 94.3, 82.4, 85.0), strict=True)),
    100: dict(zip(NAMES, (97.8, 99.3, 85.0, 93.3, 73.5, 84.8), strict=True)),
}
COLUMNS = ("data", "B", "bar", "refit", "", "merging alone", "streamed refit", "best peer")
PEERS = ("JSAT merge", "JSAT project", "Shark merge", "Nyström + SGD", "RFF + SGD", "KOL NOGD")


def measure(run: Run) -> Iterator[Line]:
    for name in NAMES:
        data = run.data(name)
        if data is not None:
            for budget in BARS:
                yield _line(run, name, data, budget)


def _line(run: Run, name: str, data: Dataset, budget: int) -> Line:
    refit, plain, stream = [], [], []
    for seed in range(run.choose(SHUFFLES, 1)):
        run.tell(f"{name}, B = {budget}, shuffle {seed + 1}")
        refit.append(learned(default(data, budget, seed), data))
        plain.append(learned(merging(data, budget, seed), data))
        stream.append(streamed(default(data, budget, seed), data, seed))
    peers, bar = settings(name).peers, BARS[budget][name]
    return {
        "part": "accuracy", "data": name, "budget": budget, "bar": bar, "passed": mean(refit) >= bar,
        "refit": refit, "merging": plain, "streamed": stream,
        "peers": {peer: figure._asdict() for peer, figure in peers.get(budget, {}).items()},
        "unlimited": {peer: figure._asdict() for peer, figure in peers.get(None, {}).items()},
    }  # fmt: skip


def best(peers: dict[str, dict[str, Any]]) -> str:
    """The best of the peers as a cell.

    >>> best({"a": {"mean": 97.0, "sd": 0.1}, "b": {"mean": 98.1, "sd": None}}), best({})
    ('98.1 b', '–')
    """
    if not peers:
        return "–"
    name = max(peers, key=lambda peer: peers[peer]["mean"])
    return f"{peers[name]['mean']:.1f} {name}"


def tables(lines: Sequence[Line]) -> None:
    lines = sorted(lines, key=lambda line: -line["budget"])
    show("test accuracy (%) after one pass: mean of shuffles ± sd", COLUMNS, [_cells(line) for line in lines])
    names = [peer.removesuffix(" + SGD") for peer in PEERS]
    show("beside all peers", ("data", "B", "refit", *names, "no budget"), [_beside(line) for line in lines])


def _cells(line: Line) -> tuple[Any, ...]:
    return (
        line["data"], line["budget"], f"≥ {line['bar']:.1f}", spread(line["refit"]), verdict(line["passed"]),
        spread(line["merging"]), spread(line["streamed"]), best(line["peers"]),
    )  # fmt: skip


def _beside(line: Line) -> tuple[Any, ...]:
    figures = [f"{line['peers'][peer]['mean']:.1f}" if peer in line["peers"] else "–" for peer in PEERS]
    return line["data"], line["budget"], f"{mean(line['refit']):.1f}", *figures, best(line["unlimited"])


ACCURACY = Part("test accuracy at B = 500 and 100, beside merging, a stream, and peers", measure, tables)
