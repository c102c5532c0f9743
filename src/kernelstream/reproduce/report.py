"""The report: a page for each paper, an index, and the figures."""

import os
import platform
from importlib.metadata import version
from pathlib import Path

from ..saving.atomic_write import replace_file
from .all_recipes import all_recipes_section
from .experiment import Experiment, experiments
from .judging import CellResult, ReproducedCounts, cell_result, count_reproduced
from .report_figures import draw, surface
from .report_tables import comparison_table, markdown
from .trial_records import TrialRecords

PAPERS = {
    "bpegasos": "Wang, Crammer & Vucetic, ICML 2010 (BPegasos)",
    "nbsgd": "Le, Nguyen, Nguyen & Phung, AISTATS 2016 (NBSGD)",
    "olrd": "He & Kwok, Neural Networks 2014 (OLRU, OLRD)",
    "oskl": "Zhang, Yi, Jin, Lin & He, ICML 2013 (OSKL)",
    "polk": "Koppel, Warnell, Stump & Ribeiro, ICASSP 2017 (POLK)",
    "beyond": "All recipes on all data sets at the same budgets",
}


def records_of(experiment: Experiment, folder: Path, scale: str) -> TrialRecords:
    """The records of an experiment in a folder of results, one line of JSON for each trial.

    Parameters
    ----------
    experiment : Experiment
        The experiment.
    folder : path
        The folder of results.
    scale : str
        The size of the experiment.
    """
    return TrialRecords(folder / "records" / f"{experiment.key}-{scale}.jsonl")


def write_report(folder: Path, scale: str) -> list[Path]:
    """Write an index, and a page for each paper that has records in `folder`.

    Parameters
    ----------
    folder : path
        The folder of results.
    scale : str
        The size of the experiments.
    """
    done: dict[str, list[CellResult]] = {}
    pages: dict[str, list[str]] = {}
    for experiment in experiments(scale=scale):
        if records_of(experiment, folder, scale):
            text, cells = _section(experiment, folder, scale)
            pages.setdefault(experiment.paper, [f"# {PAPERS[experiment.paper]}"]).append(text)
            done.setdefault(experiment.paper, []).extend(cells)
    for paper, parts in pages.items():
        _write(folder / f"{paper}.md", "\n\n".join(parts) + "\n")
    index = folder / "README.md"
    _write(index, _index(done, folder, scale))
    return [index, *(folder / f"{paper}.md" for paper in done)]


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, text.encode())


def _section(experiment: Experiment, folder: Path, scale: str) -> tuple[str, list[CellResult]]:
    records = records_of(experiment, folder, scale)
    cells = [cell_result(cell, records) for cell in experiment.cells]
    hindsight = experiment.hindsight and f"**Chosen after seeing the results:** {experiment.hindsight}"
    told = [experiment.about, hindsight, experiment.finding]
    parts = [f"## {experiment.title}", *(" ".join(text.split()) for text in told)]
    if experiment.layout == "all recipes":
        parts.append(all_recipes_section(experiment, cells, folder))
    elif any(cell.cell.published for cell in cells):
        parts += [comparison_table(experiment, cells).markdown(), summary(count_reproduced(cells))]
    pictures = draw(experiment, cells, records, folder)
    for method in experiment.figure.get("surfaces", ()):
        cell = next(cell.cell for cell in cells if cell.cell.method == method)
        path = surface(cell, records, folder / f"{experiment.key}-surface-{method}.png")
        pictures += [path] if path else []
    parts += [f"![{experiment.title}]({path.name})" for path in pictures]
    return "\n\n".join(part for part in parts if part), cells


def _index(done: dict[str, list[CellResult]], folder: Path, scale: str) -> str:
    rows = []
    for paper, cells in done.items():
        found = count_reproduced(cells)
        lacking = sum(cell.cell.lacking is not None for cell in cells)
        missing = sum(not (cell.figures or cell.failure or cell.cell.lacking) for cell in cells)
        rows.append([f"[{PAPERS[paper]}]({paper}.md)", *_counts(found), str(lacking), str(missing)])
    rows.append(["**all**", *_counts(count_reproduced(cell for cells in done.values() for cell in cells)), "", ""])
    how = "a tenth of the data, one repeat" if scale == "quick" else "the papers' sizes"
    table = markdown(
        ["paper", "judged", "reproduced", "share", "within tolerance both ways", "share", "cells without data",
         "cells not run"], rows,
    )  # fmt: skip
    return f"""# Results

Written by `kernelstream reproduce --{scale} --output {folder}` ({how}). Every run is recorded in `records/`, one line
of JSON each; `--report` writes these pages from the records without running anything.

A published figure counts as reproduced if ours is as good, or worse by at most 2 points of accuracy or error, 0.03 of
RMSE, or 15 % of the support vectors. "Within tolerance both ways" leaves out those that are better than published by
more than that, which an exact replication would not be. Sizes that were set (a budget, or a parameter fitted to the
published size) are not counted, nor are figures that contradict each other; times are shown, not judged. Settings that
a paper does not give had to be chosen. Where that was done after seeing the results, the page says so; it raises the
share of reproduced figures.

{table}

{_machine()}
"""


def _counts(found: ReproducedCounts) -> list[str]:
    within = str(found.reproduced - found.better)
    return [str(found.judged), str(found.reproduced), found.share, within, found.share_within]


def summary(found: ReproducedCounts) -> str:
    if not found.judged:
        return "No published figure can be judged here."
    within = found.reproduced - found.better
    return (
        f"{found.reproduced} of {found.judged} published figures reproduced: {within} within the tolerance both ways, "
        f"{found.better} much better."
    )


def _machine() -> str:
    from .. import __version__

    packages = ", ".join(f"{name} {version(name)}" for name in ("numpy", "numba", "scikit-learn"))
    cores = f"{os.cpu_count()} shared cores"
    return (
        f"Run on {_processor()}, {cores}; kernelstream {__version__}, Python {platform.python_version()}, {packages}."
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())
