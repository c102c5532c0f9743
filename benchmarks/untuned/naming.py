"""Learners as a reader names them, and their order: ours, then the peers."""

from collections.abc import Iterable

from benchmarks.streams.records import Record
from benchmarks.untuned.learners import DEFAULT, LEARNERS, MACHINE, THOROUGH, TREES, TUNED
from benchmarks.untuned.running import Figures

NAMES = {
    DEFAULT: "`tune=False`", TUNED: "default", TREES: "HistGradientBoosting", MACHINE: "tuned SVC",
    THOROUGH: "SVC tuned on all rows",
}  # fmt: skip


def parts_of(label: str) -> tuple[str, int | None]:
    """The learner and the budget of a label.

    >>> parts_of("tuned-500"), parts_of("HGB")
    (('tuned', 500), ('HGB', None))
    """
    name, _, budget = label.partition("-")
    return name, int(budget) if budget else None


def shown(label: str, usual: int | None = None) -> str:
    """The name, with its budget unless that is the usual one.

    >>> shown("tuned-500", 500), shown("tuned-2000", 500), shown("SVC")
    ('default', 'default, B = 2,000', 'tuned SVC')
    """
    name, budget = parts_of(label)
    return NAMES.get(name, name) + (f", B = {budget:,}" if budget not in (None, usual) else "")


def ordered(figures: Figures) -> list[str]:
    """Labels by budget, those without one last, and then in the order of the learners."""
    names = list(LEARNERS)

    def place(label: str) -> tuple[float, int]:
        name, budget = parts_of(label)
        return float("inf") if budget is None else budget, names.index(name)

    return sorted({label for _, label in figures}, key=place)


def budgets_of(found: Iterable[Record]) -> list[int]:
    """All budgets of ours, the smallest first."""
    budgets = {parts_of(record["learner"])[1] for record in found}
    return sorted(budget for budget in budgets if budget is not None)
