"""Handwritten digits on a microcontroller: pendigits learned from raw numbers, as a C header of at most 64 KiB.

The header is compiled with gcc and asked about every test row as the file has it, so scaling is included. The files are
those that KERNELSTREAM_DATA names the folder of.
"""

import os
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sklearn.datasets import load_svmlight_file

from benchmarks.report import arguments, failed, show, verdict, write
from kernelstream.export.c import assemble
from kernelstream.pipeline import Settings, StreamPipeline, Training, run
from tests.export.program import run_header

LIMIT, LEAST, LOSS = 64 << 10, 95.0, 1.0  # bytes, per cent right, and points that 8 bits may cost
FEATURES, EPOCHS, GAMMA = 16, 3, 0.1
BUDGETS = {"float32": (100, 250, 600), "int8": (100, 250, 600, 1700)}
CLOSE = 1e-5  # scores in float32, where the largest is 1
COLUMNS = ("tables", "SVs", "bytes", "header, KiB", "predict, %", "C, %", "labels changed", "scores off", "verdict")


class Line(NamedTuple):
    dtype: str
    vectors: int
    table_bytes: int
    text_bytes: int
    accuracy: float  # of predict, in per cent
    in_c: float  # of the header
    changed: int  # rows with another label
    off: float  # the largest difference of scores, where the largest score is 1

    @property
    def passed(self) -> bool:
        least = LEAST if self.vectors >= 250 else 0.0
        near = self.dtype == "int8" or self.off <= CLOSE
        return near and self.table_bytes <= LIMIT and self.in_c >= max(least, self.accuracy - LOSS)


def trained(folder: Path, budget: int) -> StreamPipeline:
    """By the command line's own means: raw rows, scaled as the first of them say."""
    settings = Settings(parameters={"gamma": GAMMA, "budget": budget}, epochs=EPOCHS)
    run(Training.start([str(_file("pendigits.bz2"))], settings), folder / "m.ks", 0, lambda news: None)
    return StreamPipeline.load(folder / "m.ks")


def _file(name: str) -> Path:
    if "KERNELSTREAM_DATA" not in os.environ:
        raise FileNotFoundError(f"{name} is needed: let KERNELSTREAM_DATA name the folder of the LIBSVM files.")
    return Path(os.environ["KERNELSTREAM_DATA"]) / name


def measure(dtype: str, budget: int, folder: Path) -> Line:
    model = trained(folder, budget)
    X, y = load_svmlight_file(str(_file("pendigits.t.bz2")), n_features=FEATURES)
    X, classes = X.toarray(), model.estimator.classes_
    scores = model.estimator.decision_function(model.intake.preparation.scaling.apply(X).astype(np.float32))
    predicted, made = classes[scores.argmax(axis=1)], assemble(model, "m", dtype)
    answers = run_header(made.text, X, len(classes), len(classes), folder)
    found, off = classes[answers.chosen], float(np.abs(answers.scores - scores).max() / np.abs(scores).max())
    right, in_c = (100.0 * float(np.mean(labels == y)) for labels in (predicted, found))
    vectors, changed = model.estimator.n_support_, int(np.sum(found != predicted))
    return Line(dtype, vectors, made.table_bytes, made.text_bytes, right, in_c, changed, off)


def main() -> int:
    options = arguments(__doc__).parse_args()
    with tempfile.TemporaryDirectory() as name:
        lines = [measure(dtype, budget, Path(name)) for dtype, budgets in BUDGETS.items() for budget in budgets]
    rows = [
        (
            line.dtype, line.vectors, f"{line.table_bytes:,}", f"{line.text_bytes / 1024:.0f}", f"{line.accuracy:.2f}",
            f"{line.in_c:.2f}", line.changed, f"{line.off:.1e}", verdict(line.passed),
        )
        for line in lines
    ]  # fmt: skip
    show(f"pendigits in C; at most {LIMIT:,} bytes of tables", COLUMNS, rows)
    results = [line._asdict() | {"passed": line.passed} for line in lines]
    write(options.json, results)
    return failed(results)


if __name__ == "__main__":
    raise SystemExit(main())
