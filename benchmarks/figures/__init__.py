"""The figures of `python -m benchmarks`, one module per family."""

from benchmarks.figure import Figure
from benchmarks.figures import merging

FAMILIES = (merging,)
FIGURES: dict[str, Figure] = {figure.name: figure for family in FAMILIES for figure in family.FIGURES}
