"""All recipes on all data sets: a table for each budget, and mean ranks."""

from collections.abc import Sequence
from pathlib import Path
from statistics import mean, median

from .experiment import Experiment
from .judging import CellResult
from .ranking import Ranking, critical_difference, ranking
from .report_tables import DIGITS, markdown, number
from .trial_records import HIGHER

NEARLY = 0.8  # of data sets and budgets: a method with fewer results is not ranked


def all_recipes_section(experiment: Experiment, cells: Sequence[CellResult], folder: Path) -> str:
    """The tables, and the diagram of ranks, in Markdown."""
    done = [cell for cell in cells if cell.figures]
    if not done:
        return "Not run."
    parts = []
    for budget in sorted({cell.cell.budget or 0 for cell in done}):
        parts += [f"### B = {budget:,}", _at_budget(experiment, [cell for cell in done if cell.cell.budget == budget])]
    ranks = ranks_of(experiment, done)
    if ranks is not None:
        from matplotlib import pyplot

        from ..plot.files import save_figure

        path = folder / f"{experiment.key}-ranks.png"
        figure = critical_difference(ranks, f"Mean ranks over {ranks.sets} data sets")
        save_figure(figure, path, dpi=150)
        pyplot.close(figure)
        parts += ["### Ranks", _about(ranks), f"![Mean ranks]({path.name})"]
    return "\n\n".join([*parts, *_failures(cells)])


def _failures(cells: Sequence[CellResult]) -> list[str]:
    """A sentence for each method that failed: where, and its first error message."""
    places: dict[str, dict[str, list[str]]] = {}
    said: dict[str, str] = {}
    for cell in cells:
        if cell.failure:
            budgets = places.setdefault(cell.cell.method, {}).setdefault(cell.cell.data, [])
            budgets.append(f"{cell.cell.budget:,}")
            said.setdefault(cell.cell.method, cell.failure.split(": ", 1)[-1])
    return [
        f"No results for {method}: " + "; ".join(f"{data}, B = {', '.join(found)}" for data, found in where.items())
        + f". ({said[method]})"
        for method, where in places.items()
    ]  # fmt: skip


def _at_budget(experiment: Experiment, cells: Sequence[CellResult]) -> str:
    """A row for each method, the best mean rank first; the best of each column is bold."""
    sets = list(dict.fromkeys(cell.cell.data for cell in cells))
    methods = list(dict.fromkeys(cell.cell.method for cell in cells))
    found = {(cell.cell.method, cell.cell.data): cell for cell in cells}
    ranks = ranks_of(experiment, cells)
    if ranks is not None:
        methods = [*ranks.methods, *(method for method in methods if method not in ranks.methods)]
    scores = {place: cell.figures[experiment.measure].ours for place, cell in found.items()}
    best = {name: _best(experiment, [scores[m, name] for m in methods if (m, name) in scores]) for name in sets}
    digits = DIGITS[experiment.measure]
    rows = []
    for method in methods:
        mine = [found[method, name] for name in sets if (method, name) in found]
        values = [scores.get((method, name)) for name in sets]
        texts = [number(value, digits) for value in values]
        marked = [
            f"**{text}**" if value is not None and text == number(best[name], digits) else text
            for text, value, name in zip(texts, values, sets, strict=True)
        ]
        rank = f"{ranks.ranks[ranks.methods.index(method)]:.1f}" if ranks and method in ranks.methods else ""
        rows.append([method, *marked, rank, *_costs(mine)])
    return markdown(["recipe", *sets, "mean rank", "SVs", "µs per example", "KiB"], rows)


def _best(experiment: Experiment, values: list[float]) -> float:
    return max(values) if experiment.measure in HIGHER else min(values)


def _costs(cells: Sequence[CellResult]) -> list[str]:
    """Medians over the data sets: support vectors, time, memory."""
    times = [1e6 * c.figures["seconds"].ours / c.figures["examples"].ours for c in cells]
    return [
        number(median(c.figures["svs"].ours for c in cells), 0),
        number(median(times), 1),
        number(median(c.figures["bytes"].ours for c in cells) / 1024.0, 0),
    ]


def ranks_of(experiment: Experiment, cells: Sequence[CellResult]) -> Ranking | None:
    """Ranks of the methods with results nearly everywhere, where all of them have some; None if that is too little."""
    scores: dict[str, dict[tuple[str, float], float]] = {}
    for cell in cells:
        value = cell.figures[experiment.measure].ours
        better = value if experiment.measure in HIGHER else -value
        scores.setdefault(cell.cell.method, {})[cell.cell.data, cell.cell.budget or 0] = better
    everywhere = {place for found in scores.values() for place in found}
    kept = {name: found for name, found in scores.items() if len(found) >= NEARLY * len(everywhere)}
    places = sorted(place for place in everywhere if all(place in found for found in kept.values()))
    if len(kept) < 3 or len({data for data, _ in places}) < 2:
        return None
    # budgets of one data set are not independent: one score for each data set
    sets = sorted({data for data, _ in places})
    return ranking(
        {
            name: [mean(found[place] for place in places if place[0] == data) for data in sets]
            for name, found in kept.items()
        }
    )


def _about(ranks: Ranking) -> str:
    return (
        f"Friedman's test: p = {ranks.p_value:.1g} for equal recipes ({ranks.sets} data sets, scores averaged over the "
        "budgets). Nemenyi's test: two recipes differ significantly, at the 5 % level, if their mean ranks are "
        f"{ranks.critical:.2f} or more apart; bars join recipes that do not."
    )
