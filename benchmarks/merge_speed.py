"""Model merging: CPU seconds, and the error against selection of one support vector at a time in float64.

Several models of 500 support vectors, each of its own part of the training rows, are merged to 500. Eight of covtype
must be merged in 0.15 s, with an error of at most 1.1 times that of the slow way.
"""

import time
from typing import Any

import numpy as np

from benchmarks.data import load
from benchmarks.report import arguments, console, failed, show, verdict, write
from kernelstream import KernelClassifier, merge
from kernelstream.core.parallel import one_blas_thread
from kernelstream.estimators.fitted import single_model_of
from kernelstream.kernels import Kernel

BUDGETS = {"covtype": 500, "letter": 500, "ijcnn1": 300, "checkerboard": 100}
MODELS, TURNS = (2, 4, 8), 5
SECONDS, WORSE = 0.15, 1.1
SHORTLIST = 1.5
COLUMNS = ("data", "models", "support vectors", "s", "error", "one at a time", "ratio", "verdict")


def learned(name: str) -> list[KernelClassifier]:
    data, found = load(name), []
    for i in range(max(MODELS)):
        model = KernelClassifier(gamma=data.gamma, lam=data.lam, budget=BUDGETS[name], adapt=False, random_state=i)
        part = slice(i, None, max(MODELS))
        found.append(model.partial_fit(data.X_train[part], data.y_train[part], classes=np.unique(data.y_train)))
    return found


def one_at_a_time(kernel: Kernel, sv: np.ndarray, coef: np.ndarray, budget: int) -> float:
    """The error of forward selection to 1.5 × the budget and backward elimination, all in float64."""
    K = kernel(sv)
    values = K @ coef
    product, square = values.copy(), np.diag(K).copy()
    basis, picked = np.empty((int(SHORTLIST * budget), len(sv))), list[int]()
    for k in range(min(len(basis), len(sv))):
        gain = np.where(square > 1e-10, np.square(product).sum(axis=1) / np.maximum(square, 1e-300), 0.0)
        p = int(gain.argmax())
        new = (K[p] - basis[:k, p] @ basis[:k]) / np.sqrt(square[p])
        product -= np.outer(new, product[p] / np.sqrt(square[p]))
        square -= new * new
        square[p], basis[k] = 0.0, new
        picked.append(p)
    left = np.array(picked)
    own = K[np.ix_(left, left)] + 1e-10 * np.eye(len(left))
    Q, a = np.linalg.inv(own), np.linalg.solve(own, values[left])
    while len(left) > budget:
        p = int((np.square(a).sum(axis=1) / np.diag(Q)).argmin())
        rest = np.delete(np.arange(len(left)), p)
        a = (a - np.outer(Q[:, p], a[p] / Q[p, p]))[rest]
        Q = (Q - np.outer(Q[:, p], Q[p] / Q[p, p]))[np.ix_(rest, rest)]
        left = left[rest]
    fitted = np.linalg.solve(K[np.ix_(left, left)] + 1e-10 * np.eye(len(left)), values[left])
    inside = np.sum(fitted * (K[np.ix_(left, left)] @ fitted))
    squared = np.sum(coef * values) - 2.0 * np.sum(fitted * values[left]) + inside
    return float(np.sqrt(max(squared, 0.0)))


def line(name: str, models: list[KernelClassifier]) -> dict[str, Any]:
    times = []
    for _ in range(TURNS):
        start = time.process_time()
        found = merge(models)
        times.append(time.process_time() - start)
    functions = [single_model_of(model, "merge").function for model in models]
    weights = np.array([model.record_.examples for model in models], float)
    sv = np.concatenate([function.support_vectors for function in functions]).astype(np.float64)
    coef = np.concatenate([w * f.coefficients for w, f in zip(weights / weights.sum(), functions, strict=True)])
    slow = one_at_a_time(single_model_of(models[0], "merge").recipe.kernel, sv, coef, BUDGETS[name])
    judged = name == "covtype" and len(models) == max(MODELS)
    ratio, seconds = found.error / slow, float(np.median(times))
    passed = ratio <= WORSE and (not judged or seconds <= SECONDS)
    return {
        "data": name, "models": len(models), "support_vectors": len(sv), "seconds": seconds, "error": found.error,
        "slow": slow, "ratio": ratio, "passed": passed,
    }  # fmt: skip


def cells(each: dict[str, Any]) -> tuple[Any, ...]:
    return (
        each["data"], each["models"], f"{each['support_vectors']:,}", f"{each['seconds']:.3f}", f"{each['error']:.2f}",
        f"{each['slow']:.2f}", f"{each['ratio']:.3f}", verdict(each["passed"]),
    )  # fmt: skip


def main() -> int:
    parser = arguments(__doc__)
    parser.add_argument("--data", nargs="+", choices=tuple(BUDGETS), default=list(BUDGETS))
    options = parser.parse_args()
    results = []
    with one_blas_thread:
        for name in options.data:
            try:
                models = learned(name)
            except FileNotFoundError as missing:
                console.print(f"{name} is left out: {missing}")
                continue
            results += [line(name, models[:count]) for count in MODELS]
    show("Model merging, CPU seconds on one core", COLUMNS, map(cells, results))
    write(options.json, results)
    return failed(results)


if __name__ == "__main__":
    raise SystemExit(main())
