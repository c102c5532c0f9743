"""The page of results: bars, wins and losses, a table for each measure, ranks and curves."""

from collections.abc import Sequence
from pathlib import Path

from benchmarks.streams.bars import JUDGED, Judged, Results, log_loss_ranks, pairs
from benchmarks.streams.curves import draw
from benchmarks.streams.ours import OURS
from benchmarks.streams.registry import STREAMS, learner
from benchmarks.streams.tables import Grid, grids
from kernelstream.reproduce.ranking import critical_difference
from kernelstream.reproduce.report_tables import markdown
from kernelstream.saving.atomic_write import replace_file

ABOUT = """\
Every learner predicts a row, as probabilities, and then learns it. None is tuned: all have default settings and a seed.
All get the raw features. `ks-single` is our classifier with `adapt=False`, `ks-scaler` the default behind River's
`StandardScaler`, and `ks-half-life` a single model with `half_life=1000`. κ-temporal compares with repeating the last
label, which has 0 %. In the log-loss, probabilities below 10⁻⁶ count as 10⁻⁶. The time is CPU time of predicting and
learning. The memory is `nbytes` of our models and what River counts of its own, which leaves out compiled objects. The
best of a row is bold.
"""
VERDICTS = {True: "pass", False: "**miss**", None: "open"}


def write_page(folder: Path, results: Results, judged: Sequence[Judged], setting: str) -> list[Path]:
    """Write the page and its figures; their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    pictures = [path for path in (_ranks(results, folder), draw(results, folder / "streams-accuracy.png")) if path]
    table = markdown(["bar", "found", ""], [[bar.bar, bar.found, VERDICTS[bar.passed]] for bar in judged], words=3)
    parts = [
        "# Learners that need no tuning, on streams that drift",
        f"Written by `python -m benchmarks.streams --report`: {setting}.",
        ABOUT.strip(), "## Bars", table, "## Wins and losses", *_wins_and_losses(results), "## Tables",
        *(f"**{grid.measure.title}**\n\n{_markdown(grid)}" for grid in grids(results)),
        *(f"![{path.stem}]({path.name})" for path in pictures),
        "## Streams and learners", _streams(results), _learners(results), _versions(results),
    ]  # fmt: skip
    page = folder / "streams.md"
    replace_file(page, ("\n\n".join(part for part in parts if part) + "\n").encode())
    return [page, *pictures]


def _wins_and_losses(results: Results) -> list[str]:
    """For each peer, where our accuracy is higher and where it is lower, the largest differences first."""
    rows, own = [], {learner.name for learner in OURS}
    for peer in dict.fromkeys(name for _, name in results if name not in own):
        both = pairs(results, peer, "accuracy", [name for name in STREAMS if not STREAMS[name].regression])
        gaps = sorted(((ours - theirs, name) for name, (ours, theirs) in both.items()), key=lambda gap: -abs(gap[0]))
        if gaps:
            won, lost = ([gap for gap in gaps if (gap[0] > 0.0) is side] for side in (True, False))
            rows.append([peer, f"{len(won)} of {len(gaps)}", *(_listed(side) for side in (lost, won))])
    if not rows:
        return []
    header = ["peer", "kernelstream more accurate on", "losses and ties (points)", "wins (points)"]
    return [f"Accuracy on all classification streams; the bars count {len(JUDGED)} of them.", markdown(header, rows, 4)]


def _listed(gaps: Sequence[tuple[float, str]]) -> str:
    return ", ".join(f"{name} {gap:+.1f}" for gap, name in gaps) or "–"


def _markdown(grid: Grid) -> str:
    rows = [
        [f"**{text}**" if top else text for text, top in zip(row, tops, strict=True)]
        for row, tops in zip(grid.rows, grid.best, strict=True)
    ]
    return markdown(grid.columns, rows, words=2)


def _ranks(results: Results, folder: Path) -> Path | None:
    ranks = log_loss_ranks(results)
    if ranks is None:
        return None
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    from kernelstream.plot.files import save_figure

    path = folder / "streams-ranks.png"
    figure = critical_difference(ranks, f"mean rank by log-loss, {ranks.sets} drifting streams")
    save_figure(figure, path, dpi=150)
    pyplot.close(figure)
    return path


def _streams(results: Results) -> str:
    sizes = {stream: record for (stream, _), record in results.items()}
    rows = [
        [
            name,
            about.group,
            about.about,
            *(f"{sizes[name][key]:,}" if sizes[name][key] else "–" for key in ("n", "features", "classes")),
        ]
        for name, about in STREAMS.items()
        if name in sizes
    ]
    return markdown(["stream", "group", "what it is", "rows", "features", "classes"], rows, words=3)


def _learners(results: Results) -> str:
    names = dict.fromkeys(name for _, name in results)
    return markdown(["learner", "what it is"], [[name, learner(name).about] for name in names], words=2)


def _versions(results: Results) -> str:
    found = dict.fromkeys(
        f"{name} {version}"
        for record in results.values()
        for name, version in record["versions"].items()
        if name not in ("source", "machine", "processor")
    )
    return f"Measured with {', '.join(found)}."
