"""The figures of `python -m benchmarks`, one module per family."""

from benchmarks.figure import Figure
from benchmarks.figures import averages, latency, lookahead, merging, pipelines, predict, sparse, vowpal

FAMILIES = (merging, lookahead, sparse, averages, predict, pipelines, latency, vowpal)
FIGURES: dict[str, Figure] = {figure.name: figure for family in FAMILIES for figure in family.FIGURES}
