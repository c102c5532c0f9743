"""The figures of `python -m benchmarks`, one module per family."""

from benchmarks.figure import Figure
from benchmarks.figures import (
    averages,
    latency,
    limits,
    lookahead,
    merging,
    pipelines,
    predict,
    river,
    scaling,
    sparse,
    stages,
    startup,
    sweeps,
    vowpal,
)

FAMILIES = (
    merging, lookahead, sparse, averages, predict, pipelines, latency, river, vowpal, scaling, sweeps, startup, stages,
    limits,
)  # fmt: skip
FIGURES: dict[str, Figure] = {figure.name: figure for family in FAMILIES for figure in family.FIGURES}
