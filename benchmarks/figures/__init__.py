"""The figures of `python -m benchmarks`, one module per family."""

from benchmarks.figure import Figure
from benchmarks.figures import averages, lookahead, merging, predict, sparse

FAMILIES = (merging, lookahead, sparse, averages, predict)
FIGURES: dict[str, Figure] = {figure.name: figure for family in FAMILIES for figure in family.FIGURES}
