"""The page of results, from the records of one run or of several: bars, differences, scores, times and ranks."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from benchmarks.streams.bars import Judged
from benchmarks.streams.records import Record
from benchmarks.untuned.dots import draw
from benchmarks.untuned.learners import LEARNERS
from benchmarks.untuned.naming import ordered, parts_of, shown
from benchmarks.untuned.page_tables import differences, mean_ranks, scores, times
from benchmarks.untuned.running import Figures, figures
from benchmarks.untuned.sets import CAP, SETS
from kernelstream.reproduce.report_tables import markdown
from kernelstream.saving.atomic_write import replace_file

ABOUT = """\
`fit` is told nothing: neither kernel nor width nor λ. Accuracy, or R² for the last five sets, in percent, on rows that
played no part in the design of the search. All learners get the same rows: standardised, at most {cap:,} to learn from.
The default and `tune=False` keep {budget:,} support vectors, unless another budget B is named. HistGradientBoosting,
LightGBM and xRFM have default settings; xRFM keeps a fifth of its rows to choose among its iterations, and all others
as support vectors. C and γ of the SVC (SVR for regressions) are chosen by cross-validation on 5,000 rows, which is
part of its time. Times are CPU seconds of `fit` on one thread, after compilation. The best of a row is bold.
"""
VERDICTS = {True: "pass", False: "**miss**", None: "open"}


def write_page(path: Path, found: Sequence[Record], judged: Sequence[Judged], budget: int, shuffles: int) -> list[Path]:
    """Write the page and its figure; their paths."""
    path.parent.mkdir(parents=True, exist_ok=True)
    results = figures(found, shuffles, least=1)
    picture = draw(results, budget, path.with_name(f"{path.stem}-differences.png"))
    parts = [
        "# What `fit` reaches if it is told nothing",
        f"Written by `python -m benchmarks.untuned --page` from records of fits: means over {shuffles} shuffles.",
        ABOUT.format(cap=CAP, budget=budget).strip(), *_reservations(found, results, budget, shuffles), "## Bars",
        markdown(["bar", "found", ""], [[bar.bar, bar.found, VERDICTS[bar.passed]] for bar in judged], words=3),
        "## The default minus the others", differences(results, budget),
        f"![Score of the others minus that of the default]({picture.name})" if picture else "",
        "## Scores", scores(results, budget), "## CPU seconds of fit", times(results, budget),
        *mean_ranks(results, budget), "## Learners", _learners(results), _versions(found),
    ]  # fmt: skip
    replace_file(path, ("\n\n".join(part for part in parts if part) + "\n").encode())
    return [path, *([picture] if picture else [])]


def _reservations(found: Sequence[Record], results: Figures, budget: int, shuffles: int) -> list[str]:
    """What to know before comparing: shuffles that are missing, and a library that has changed between fits."""
    said = []
    for name in ordered(results):
        have = {data: len(own.scores) for (data, other), own in results.items() if other == name}
        few = ", ".join(f"{data} ({have[data]})" for data in SETS if have.get(data, shuffles) < shuffles)
        if few:
            said.append(
                f"Scores of {shown(name, budget)} are of fewer shuffles on {few}; differences and ranks compare "
                "the same shuffles of all."
            )
    said += _machines(found)
    states = {each["versions"]["source"] for each in found if LEARNERS[parts_of(each["learner"])[0]].ours}
    if len(states) > 1:
        said.append(f"**The fits of kernelstream were made with {len(states)} different versions of its source.**")
    return said


def _machines(found: Sequence[Record]) -> list[str]:
    """Whose times are not known to be of the machine that measured the most fits."""
    machines = [(parts_of(each["learner"])[0], each["versions"].get("processor", "")) for each in found]
    usual = Counter(machine for _, machine in machines).most_common(1)[0][0]
    apart = [name for name in LEARNERS if any(name == other and machine != usual for other, machine in machines)]
    return [f"Times of {' and '.join(map(shown, apart))} may be those of another machine."] if apart else []


def _learners(results: Figures) -> str:
    names = dict.fromkeys(parts_of(label)[0] for label in ordered(results))
    rows = [[shown(name), name, LEARNERS[name].about] for name in names]
    return markdown(["learner", "name in `--learners`", "what it is"], rows, words=3)


def _versions(found: Sequence[Record]) -> str:
    names = ("kernelstream", "python", "numpy", "numba", "scikit-learn", "lightgbm", "xrfm", "torch")
    every = {(name, each["versions"][name]) for each in found for name in names if name in each["versions"]}
    listed = sorted(every, key=lambda pair: (names.index(pair[0]), pair[1]))
    return f"Measured with {', '.join(f'{name} {version}' for name, version in listed)}."
