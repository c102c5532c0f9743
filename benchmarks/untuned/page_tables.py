"""The tables of the page, in Markdown."""

from collections.abc import Callable, Iterable
from statistics import mean, median

from benchmarks.untuned.bars import gaps
from benchmarks.untuned.learners import TUNED
from benchmarks.untuned.naming import ordered, parts_of, shown
from benchmarks.untuned.running import Figure, Figures, label
from benchmarks.untuned.sets import SETS
from kernelstream.reproduce.ranking import ranking
from kernelstream.reproduce.report_tables import markdown


def differences(results: Figures, budget: int) -> str:
    """For each of the others, on how many sets the default is ahead, by how much, and where it loses and gains most."""
    tuned, rows = label(TUNED, budget), []
    for name in ordered(results):
        apart = gaps(results, tuned, name)
        if name != tuned and apart:
            low, high = min(apart, key=apart.__getitem__), max(apart, key=apart.__getitem__)
            ahead = f"{sum(value > 0.0 for value in apart.values())} of {len(apart)}"
            middle = (f"{measure(apart.values()):+.2f}" for measure in (median, mean))
            ends = (f"{apart[each]:+.2f}, {each}" for each in (low, high))
            rows.append([shown(name, budget), ahead, *middle, *ends])
    header = ["compared with", "default ahead on", "median", "mean", "worst", "best"]
    return markdown(header, rows) if rows else "The default is not measured."


def scores(results: Figures, budget: int) -> str:
    return _table(results, budget, lambda own: own.score, max)


def times(results: Figures, budget: int) -> str:
    return _table(results, budget, lambda own: mean(own.seconds), min)


def _table(
    results: Figures, budget: int, value: Callable[[Figure], float], best: Callable[[Iterable[float]], float]
) -> str:
    names, rows = ordered(results), []
    for data in SETS:
        own = {name: results[data, name] for name in names if (data, name) in results}
        if own:
            cells = {name: f"{value(each):.2f}" for name, each in own.items()}
            top = f"{best(value(each) for each in own.values()):.2f}"
            bold = [f"**{cells[name]}**" if cells.get(name) == top else cells.get(name, "") for name in names]
            rows.append([data, f"{next(iter(own.values())).rows:,}", *bold])
    return markdown(["set", "training rows", *(shown(name, budget) for name in names)], rows)


def mean_ranks(results: Figures, budget: int) -> list[str]:
    """Of the learners that have all sets that the default has, ours at one budget only; none with fewer than three."""
    data = [name for name in SETS if (name, label(TUNED, budget)) in results]
    full = [name for name in ordered(results) if all((each, name) in results for each in data)]
    ranked = [name for name in full if parts_of(name)[1] in (None, budget)]
    if len(ranked) < 3 or len(data) < 2:
        return []
    # over the shuffles that all have, or rows that are easier would decide
    common = {each: min(len(results[each, name].scores) for name in ranked) for each in data}
    found = ranking({name: [mean(results[each, name].scores[: common[each]]) for each in data] for name in ranked})
    rows = [[shown(name, budget), f"{rank:.2f}"] for name, rank in zip(found.methods, found.ranks, strict=True)]
    told = (
        f"By score on {found.sets} sets; 1 is best. A difference below {found.critical:.2f} is not significant "
        f"at the 5 % level (Nemenyi's test; Friedman's test that all are equal: p = {found.p_value:.2g})."
    )
    return ["## Mean ranks", told, markdown(["learner", "mean rank"], rows)]
