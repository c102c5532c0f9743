"""What `fit` must reach if it is told nothing, and whether it does.

While sets or shuffles are missing, a bar is decided only if they cannot change it. Differences are of means over the
shuffles, in points of accuracy or of R² in percent.
"""

from collections.abc import Callable, Mapping
from statistics import mean, median

from benchmarks.streams.bars import Judged
from benchmarks.untuned.learners import DEFAULT, MACHINE, THOROUGH, TREES, TUNED
from benchmarks.untuned.running import Figures, label
from benchmarks.untuned.sets import SETS

SHUFFLES = 3  # with fewer, nothing is decided
MANY = 10_000  # rows to learn from, above which time is compared
Gaps = Mapping[str, float]


def bars(figures: Figures, budget: int, larger: int | None, shuffles: int) -> list[Judged]:
    """Every bar beside what was measured, at a budget and at a larger one, if there is one."""
    tuned = label(TUNED, budget)
    gain = gaps(figures, tuned, label(DEFAULT, budget))
    trees, machine = gaps(figures, tuned, TREES), gaps(figures, tuned, MACHINE)
    found = [
        _whole("median gain over tune=False at least +0.5", gain, median, 0.5),
        _whole("mean gain over tune=False at least +2", gain, mean, 2.0),
        _worst("nowhere more than 0.3 below tune=False", gain, -0.3),
        _count("ahead of HistGradientBoosting on 9 or more sets", trees, lambda gap: gap > 0.0, 9),
        _worst("nowhere more than 5 behind HistGradientBoosting", trees, -5.0),
        _count("within 1 point of the tuned SVC, or ahead, on 15 or more sets", machine, lambda gap: gap >= -1.0, 15),
        _time(figures, tuned, MACHINE, "the tuned SVC's"),
    ]
    if larger is not None:
        more = gaps(figures, label(TUNED, larger), tuned)
        found.append(_worst(f"B = {larger:,} nowhere more than 0.2 below B = {budget:,}", more, -0.2))
    if gaps(figures, tuned, THOROUGH):
        found.append(_time(figures, tuned, THOROUGH, "that of an SVC tuned on all rows"))
    return found if shuffles >= SHUFFLES else [bar._replace(passed=None) for bar in found]


def gaps(figures: Figures, ours: str, theirs: str) -> dict[str, float]:
    """Our score minus another, on the sets that have both, over the shuffles that both have."""
    both = {name: (figures.get((name, ours)), figures.get((name, theirs))) for name in SETS}
    return {
        name: mean(a - b for a, b in zip(mine.scores, other.scores, strict=False))
        for name, (mine, other) in both.items()
        if mine and other
    }


def _whole(bar: str, values: Gaps, measure: Callable[[list[float]], float], least: float) -> Judged:
    """A bar on a figure of all sets together."""
    if not values:
        return Judged(bar, "not measured", None)
    found = measure(list(values.values()))
    words = f"{found:+.2f} over {len(values)} of {len(SETS)} sets"
    return Judged(bar, words, found >= least if len(values) == len(SETS) else None)


def _worst(bar: str, values: Gaps, least: float) -> Judged:
    """A bar that must hold on every set."""
    if not values:
        return Judged(bar, "not measured", None)
    name = min(values, key=values.__getitem__)
    passed = False if values[name] < least else True if len(values) == len(SETS) else None
    return Judged(bar, f"at worst {values[name]:+.2f}, on {name}", passed)


def _count(bar: str, values: Gaps, holds: Callable[[float], bool], least: int) -> Judged:
    """A bar that must hold on so many sets."""
    if not values:
        return Judged(bar, "not measured", None)
    kept, missing = sum(map(holds, values.values())), len(SETS) - len(values)
    passed = True if kept >= least else False if kept + missing < least else None
    return Judged(bar, f"{kept} of {len(values)} measured", passed)


def _time(figures: Figures, tuned: str, machine: str, whose: str) -> Judged:
    """Both sides with their search; the last fit of the SVC alone is told beside it."""
    bar = f"CPU time of fit at most 1/10 of {whose}, search and all, on sets with more than {MANY:,} rows"
    both = {name: (figures[name, tuned], figures[name, machine]) for name in gaps(figures, tuned, machine)}
    large = {
        name: (mean(ours.seconds) / mean(theirs.seconds), mean(ours.seconds) / mean(theirs.last_fit))
        for name, (ours, theirs) in both.items()
        if ours.rows > MANY
    }
    if not large:
        return Judged(bar, "not measured", None)
    name = max(large, key=lambda each: large[each][0])
    whole, alone = large[name]
    passed = False if whole > 0.1 else True if len(both) == len(SETS) else None
    kept = sum(each <= 0.1 for each, _ in large.values())
    words = f"at worst {whole:.3f}, on {name} ({alone:.3f} of its last fit); kept on {kept} of {len(large)} sets"
    return Judged(bar, words, passed)
