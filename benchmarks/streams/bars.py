"""What kernelstream must reach on these streams, and whether it does.

Twelve streams that drift are judged. While some are not measured, a bar is decided only if the others cannot change it.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from benchmarks.streams.ours import MAIN, OURS
from benchmarks.streams.records import Record
from benchmarks.streams.registry import STREAMS
from benchmarks.streams.river_peers import ARF, SRP
from kernelstream.reproduce.ranking import Ranking, ranking

JUDGED = tuple(stream.name for stream in STREAMS.values() if stream.group == "drift" and stream.judged)
CLASSIFIED = tuple(stream.name for stream in STREAMS.values() if not stream.regression)
REGRESSIONS = tuple(stream.name for stream in STREAMS.values() if stream.regression)

Results = Mapping[tuple[str, str], Record]  # by stream and learner


class Judged(NamedTuple):
    """A bar, what was found, and whether it holds; None while that is open."""

    bar: str
    found: str
    passed: bool | None

    def as_dict(self) -> dict[str, Any]:
        return self._asdict()


def bars(results: Results) -> list[Judged]:
    """Every bar beside what was measured."""
    below = {name: theirs - ours for name, (ours, theirs) in pairs(results, ARF, "accuracy", JUDGED).items()}
    cost = {name: ours / theirs for name, (ours, theirs) in pairs(results, ARF, "us_per_row", CLASSIFIED).items()}
    error = {name: ours / theirs for name, (ours, theirs) in pairs(results, ARF, "rmse", REGRESSIONS).items()}
    return [
        _wins(results, ARF, 10),
        _worst("accuracy nowhere more than 1 point below ARF's", below, JUDGED,
               lambda gap: gap <= 1.0, lambda gap: f"{-gap:+.1f} points"),
        _wins(results, SRP, 9),
        _worst("CPU time at most 1/15 of ARF's on every stream", cost, CLASSIFIED,
               lambda ratio: ratio <= 1 / 15, lambda ratio: f"1/{1 / ratio:.1f}"),
        _first_by_log_loss(results),
        _worst("root mean squared error below ARF's in every regression", error, REGRESSIONS,
               lambda ratio: ratio < 1.0, lambda ratio: f"{ratio:.2f} of it"),
    ]  # fmt: skip


def pairs(results: Results, peer: str, measure: str, names: Sequence[str]) -> dict[str, tuple[float, float]]:
    """Ours and a peer's, on the streams that both have."""
    both = {name: (results.get((name, MAIN)), results.get((name, peer))) for name in names}
    return {name: (ours[measure], theirs[measure]) for name, (ours, theirs) in both.items() if ours and theirs}


def log_loss_ranks(results: Results) -> Ranking | None:
    """Mean ranks by log-loss on the judged streams that ours has, of the learners that have them all.

    Our variants are left out: they would take ranks from each other. None with fewer than three learners.
    """
    names = [name for name in JUDGED if (name, MAIN) in results]
    variants = {learner.name for learner in OURS} - {MAIN}
    found = dict.fromkeys(learner for _, learner in results if learner not in variants)
    full = [learner for learner in found if all((name, learner) in results for name in names)]
    if len(full) < 3 or len(names) < 2:
        return None
    return ranking({learner: [-results[name, learner]["log_loss"] for name in names] for learner in full})


def _wins(results: Results, peer: str, least: int) -> Judged:
    found = pairs(results, peer, "accuracy", JUDGED)
    wins, missing = sum(ours > theirs for ours, theirs in found.values()), len(JUDGED) - len(found)
    passed = True if wins >= least else False if wins + missing < least else None
    bar = f"accuracy above {peer}'s on {least} or more of {len(JUDGED)} drifting streams"
    return Judged(bar, f"{wins} of {len(found)} measured" if found else "not measured", passed)


def _worst(
    bar: str, values: Mapping[str, float], expected: Sequence[str], holds: Callable[[float], bool],
    words: Callable[[float], str],
) -> Judged:  # fmt: skip
    """A bar that must hold on every stream; larger values are worse."""
    if not values:
        return Judged(bar, "not measured", None)
    name = max(values, key=values.__getitem__)
    kept = all(holds(value) for value in values.values())
    passed = False if not kept else True if len(values) == len(expected) else None
    return Judged(bar, f"at worst {words(values[name])}, on {name}", passed)


def _first_by_log_loss(results: Results) -> Judged:
    bar, ranks = "first by mean rank of log-loss on the drifting streams", log_loss_ranks(results)
    if ranks is None:
        return Judged(bar, "not measured", None)
    mine = float(ranks.ranks[ranks.methods.index(MAIN)])
    place = 1 + int(np.count_nonzero(ranks.ranks < mine))
    complete = ranks.sets == len(JUDGED) and {ARF, SRP} <= set(ranks.methods)
    found = f"place {place} of {len(ranks.methods)}, mean rank {mine:.2f}, {ranks.sets} streams"
    return Judged(bar, found, place == 1 if complete else None)
