"""Within 64 KiB: `deploy=` and `budget=` beside the best model that a search by hand finds, on pendigits and letter.

`python -m benchmarks.deployed_size` fits raw features. "By hand": standardised features, the γ of a grid with the best
accuracy on a fifth of the training rows, and the same size. Accuracy is that of the exported function, rounded as its
tables are, for `deploy`, and that of `predict` for `budget`; the mean over random seeds. The files are those of the
folder that KERNELSTREAM_DATA names.
"""

import os
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_svmlight_file

from benchmarks.report import arguments, console, failed, show, verdict, write
from kernelstream import KernelClassifier
from kernelstream.export.c import assemble
from kernelstream.export.deployed_scores import deployed_scores

SIZE, LIMIT = "64 KiB", 64 << 10
ALLOWED = 0.3  # points behind what was found by hand
GRID = (0.0125, 0.025, 0.05, 0.1, 0.2)  # γ
FILES = {"pendigits": ("pendigits.bz2", "pendigits.t.bz2"), "letter": ("letter.scale.bz2", "letter.scale.t.bz2")}
COLUMNS = ("set", "size of", "SVs", "bytes", "tables", "accuracy, %", "by hand, %", "γ", "difference", "verdict")
Line = dict[str, Any]


class Split(NamedTuple):
    X: NDArray[np.float64]
    y: NDArray[np.float64]
    X_test: NDArray[np.float64]
    y_test: NDArray[np.float64]

    def standardised(self) -> "Split":
        mean, deviation = self.X.mean(axis=0), self.X.std(axis=0)
        return self._replace(X=(self.X - mean) / deviation, X_test=(self.X_test - mean) / deviation)

    def within(self, seed: int) -> "Split":
        """The training rows alone, of which a fifth are to test on."""
        order = np.random.default_rng(seed).permutation(len(self.y))
        held, rest = np.split(order, [len(order) // 5])
        return Split(self.X[rest], self.y[rest], self.X[held], self.y[held])


def read(name: str) -> Split:
    folder = Path(os.environ["KERNELSTREAM_DATA"])
    (X, y), (X_test, y_test) = (load_svmlight_file(str(folder / file)) for file in FILES[name])
    return Split(X.toarray(), y, X_test.toarray(), y_test)


def fitted(rows: Split, option: str, seed: int, gamma: float | None = None) -> tuple[KernelClassifier, float]:
    """A model of this size and its accuracy on the test rows, in percent."""
    size: dict[str, Any] = {option: SIZE}
    model = KernelClassifier(gamma=gamma, random_state=seed, **size).fit(rows.X, rows.y)
    if model.deploy_ is None:
        return model, 100.0 * float(model.score(rows.X_test, rows.y_test))
    found = deployed_scores(model, model.deploy_.dtype, rows.X_test).argmax(axis=1)
    return model, 100.0 * float(np.mean(model.classes_[found] == rows.y_test))


def by_hand(rows: Split, option: str, seed: int) -> tuple[float, float]:
    """γ by held-out training rows, and the test accuracy that it gives."""
    own = rows.standardised()
    inner = own.within(seed)
    gamma = max(GRID, key=lambda each: fitted(inner, option, seed, each)[1])
    return gamma, fitted(own, option, seed, gamma)[1]


def measure(name: str, option: str, seeds: int) -> Line:
    rows = read(name)
    found = [(*fitted(rows, option, seed), *by_hand(rows, option, seed)) for seed in range(seeds)]
    models = [model for model, *_ in found]
    size = [model.model_.nbytes if option == "budget" else assemble(model).table_bytes for model in models]
    tables = [model.deploy_.dtype for model in models if model.deploy_ is not None]
    ours, hand = mean(each[1] for each in found), mean(each[3] for each in found)
    return {
        "set": name, "option": option, "support": [model.n_support_ for model in models], "bytes": max(size),
        "tables": sorted(set(tables)), "accuracy": ours, "by_hand": hand, "gamma": sorted({each[2] for each in found}),
        "passed": max(size) <= LIMIT and ours >= hand - ALLOWED,
    }  # fmt: skip


def cells(line: Line) -> tuple[Any, ...]:
    return (line["set"], line["option"], f"{min(line['support'])}–{max(line['support'])}", f"{line['bytes']:,}",
            ", ".join(line["tables"]), f"{line['accuracy']:.2f}", f"{line['by_hand']:.2f}",
            ", ".join(f"{gamma:g}" for gamma in line["gamma"]), f"{line['accuracy'] - line['by_hand']:+.2f}",
            verdict(line["passed"]))  # fmt: skip


def main(words: list[str] | None = None) -> int:
    parser = arguments(__doc__)
    parser.add_argument("--seeds", type=int, default=3, metavar="N", help="default 3")
    parser.add_argument("--sets", choices=list(FILES), nargs="+", default=list(FILES), help="only these sets")
    chosen = parser.parse_args(words)
    if "KERNELSTREAM_DATA" not in os.environ:
        console.print("Nothing is measured: KERNELSTREAM_DATA names no folder of LIBSVM files.")
        return 0
    lines = []
    for name in chosen.sets:
        for option in ("deploy", "budget"):
            lines.append(measure(name, option, chosen.seeds))
            show(f"{name}, {option}={SIZE!r}", COLUMNS, [cells(lines[-1])], words=2)
    write(chosen.json, lines)
    return failed(lines)


if __name__ == "__main__":
    raise SystemExit(main())
