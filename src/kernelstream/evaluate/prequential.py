"""Prequential evaluation (progressive validation, test-then-train): predict each batch, score it, then learn it."""

import time
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse

from ..core.sparse_input import as_csr
from .metrics import Metric, as_metric
from .prequential_learners import Learner, as_learner
from .prequential_results import Point, Progress, ThinnedHistory

MOST = 512  # points kept by default


class _Totals(NamedTuple):
    """Sums since the start of the stream; the difference of two is a window."""

    examples: int = 0
    tested: int = 0
    total: float = 0.0
    support: int | None = None
    seconds: float = 0.0
    nbytes: int | None = None


def progressive(
    model: Any,
    stream: Iterable[tuple[Any, Any]],
    *,
    every: int | None = None,
    metric: str | Callable[..., Any] | None = None,
    classes: Any = None,
) -> Progress:
    """Test, then train, along a stream: how well the model predicts rows it has not seen yet.

    Also called prequential evaluation or progressive validation. A batch is predicted before any of it is learned, so
    the model does not improve within a batch; batches of one row are progressive validation in the strict sense. Every
    example is used for testing and for training, and none needs to be held out.

    Parameters
    ----------
    model : Model or estimator
        It is trained further. An unfitted estimator cannot predict, so its first batch is learned only.
        Estimators of scikit-learn with `partial_fit` work too.
    stream : iterable of (X, y)
        Batches, or single rows with their targets.
    every : int or None
        Keep a point every so many examples (at the end of the batch in which they are reached). None keeps up to 512
        points, evenly spaced over a stream of any length.
    metric : "accuracy", "rmse", "mae", a function or None
        A function takes targets and predictions and returns one number per example, whose mean is reported. None is
        the accuracy for classifiers and the root mean squared error for regressors.
    classes : array or None
        All labels, for an unfitted classifier.

    Returns
    -------
    Progress
        Arrays of the examples learned, the score so far and since the previous point, support vectors, seconds and
        bytes. `iter_progressive` yields the same points one by one, for progress bars.

    See Also
    --------
    iter_progressive : The same, point by point.
    kernelstream.plot.LearningCurveDisplay : A picture of the result.

    Examples
    --------
    >>> from kernelstream import KernelClassifier
    >>> from kernelstream.datasets import batches
    >>> from kernelstream.evaluate import progressive
    >>> model = KernelClassifier(gamma=4.0, budget=50, random_state=0)
    >>> result = progressive(model, batches("checkerboard", 4000, 100), every=1000, classes=[-1, 1])
    >>> result.examples.tolist(), result.support.tolist()
    ([1000, 2000, 3000, 4000], [50.0, 50.0, 50.0, 50.0])
    >>> bool(result.window[-1] > result.score[-1] > result.score[0])
    True
    """
    learner, measure = _checked(model, every, metric, classes)
    history, last = ThinnedHistory(_Totals(), MOST if every is None else None), _Totals()
    for last in _totals(learner, stream, measure, every):
        history.add(last)
    points = [_point(before, after, measure) for before, after in pairwise(history.with_last(last))]
    return Progress.of(measure.name, points)


def iter_progressive(
    model: Any,
    stream: Iterable[tuple[Any, Any]],
    *,
    every: int | None = None,
    metric: str | Callable[..., Any] | None = None,
    classes: Any = None,
) -> Iterator[Point]:
    """The points of `progressive` one by one, while it runs; with `every=None`, one after each batch.

    Parameters
    ----------
    model : Model or estimator
        It is trained further, as by `progressive`.
    stream : iterable of (X, y)
        Batches, or single rows with their targets.
    every : int or None, default None
        A point every so many examples; None is one after each batch.
    metric : "accuracy", "rmse", "mae", a function or None, default None
        As for `progressive`.
    classes : array or None, default None
        All labels, for an unfitted classifier.

    Examples
    --------
    >>> from kernelstream import KernelClassifier
    >>> from kernelstream.datasets import batches
    >>> model = KernelClassifier(gamma=4.0, budget=50, random_state=0)
    >>> for point in iter_progressive(model, batches("checkerboard", 3000, 1000), classes=[-1, 1]):
    ...     print(f"{point.examples} examples, {point.support} support vectors, {point.window:.0%}")
    1000 examples, 50 support vectors, nan%
    2000 examples, 50 support vectors, 93%
    3000 examples, 50 support vectors, 95%
    """
    learner, measure = _checked(model, every, metric, classes)
    return (_point(*pair, measure) for pair in pairwise(_from_zero(_totals(learner, stream, measure, every))))


def _checked(model: Any, every: int | None, metric: Any, classes: Any) -> tuple[Learner, Metric]:
    if every is not None and every < 1:
        raise ValueError(f"every is {every}; it must be 1 or more.")
    learner = as_learner(model, classes)
    return learner, as_metric(metric, learner.metric)


def _from_zero(totals: Iterator[_Totals]) -> Iterator[_Totals]:
    yield _Totals()
    yield from totals


def _totals(
    learner: Learner, stream: Iterable[tuple[Any, Any]], metric: Metric, every: int | None
) -> Iterator[_Totals]:
    """Totals after every batch, or after each that completes another `every` examples; and at the end."""
    examples, tested, total, seconds = 0, 0, 0.0, 0.0
    reported = 0
    checked = False
    for number, item in enumerate(stream):
        X, y = _batch(item, number)
        rows = X.shape[0]
        if rows == 0:
            continue
        start = time.perf_counter()
        try:
            if not checked:  # a metric that gives no number per row is refused before anything is learned
                metric.sum(learner.truth(y), learner.truth(y))
                checked = True
            predicted = learner.test_then_train(X, y)
            if predicted is not None:
                total += metric.sum(learner.truth(y), predicted)
                tested += rows
        except ValueError as error:
            raise ValueError(f"Batch {number}, which starts at example {examples} of the stream: {error}") from error
        seconds += time.perf_counter() - start
        examples += rows
        if every is None or examples // every > reported // every:
            reported = examples
            yield _Totals(examples, tested, total, *_sized(learner, seconds))
    if reported != examples:
        yield _Totals(examples, tested, total, *_sized(learner, seconds))


def _sized(learner: Learner, seconds: float) -> tuple[int | None, float, int | None]:
    support, nbytes = learner.size()
    return support, seconds, nbytes


def _batch(item: Any, number: int) -> tuple[Any, Any]:
    """Rows and targets of a batch, or of a single row."""
    try:
        X, y = item
    except (TypeError, ValueError):
        raise ValueError(f"Item {number} of the stream is not a pair (X, y): {item!r}.") from None
    if issparse(X):
        return as_csr(X), y
    if np.ndim(X) == 1:
        return np.asarray(X)[None, :], np.asarray(y)[None]
    return (X if hasattr(X, "shape") else np.asarray(X)), y


def _point(before: _Totals, after: _Totals, metric: Metric) -> Point:
    window = metric.mean(after.total - before.total, after.tested - before.tested)
    return Point(
        after.examples, after.tested, metric.mean(after.total, after.tested), window, after.support, after.seconds,
        after.nbytes,
    )  # fmt: skip
