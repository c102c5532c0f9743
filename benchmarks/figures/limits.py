"""What no implementation goes below, per row of a stream of 54 features and 2,000 support vectors.

Reading the data once; a row of kernel values at a time; the matrix product of many rows at a time.
"""

from collections.abc import Iterator

import numpy as np

from benchmarks.clock import in_turn, per_row, seconds
from benchmarks.clusters import clusters
from benchmarks.figure import Figure, Result, Run
from benchmarks.figures.predict import BUDGET, FEATURES, full_model, sgemm_seconds
from benchmarks.kernel_rows import row_seconds


def limits(run: Run) -> Iterator[Result]:
    model, n = full_model(BUDGET, FEATURES), run.choose(50_000, 10_000)
    X, _ = clusters(n, FEATURES, seed=1)
    S = np.ascontiguousarray(model.function.support_vectors.T.astype(np.float32))
    sides = {
        "reading the rows once, their sum": lambda: seconds(X.sum),
        "sgemm": lambda: sgemm_seconds(X, S),
        "one kernel row": lambda: row_seconds(model, X),
    }
    run.tell("in turn")
    for name, times in in_turn(sides, run.choose(7, 3)).items():
        yield Result(f"limit: {name}, B={BUDGET} d={FEATURES}", reference=per_row(times, n), details={"rows": n})


FIGURES = (Figure("limits", "reading, a kernel row, a matrix product: what nothing goes below", limits),)
