"""Progressive validation: every example is predicted first and learned afterwards."""

import math
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse

from .learners import Learner, as_learner
from .metrics import Metric, as_metric
from .results import Point, Progress

MOST = 512  # points kept if nothing is said


class _Tally(NamedTuple):
    """Sums up to some moment: of any two, the window between them follows."""

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
    """Test, then train, along a stream: how well the model predicts what it has not seen yet.

    The predictions of a batch are made before any of it is learned, so within a batch the model does not improve:
    smaller batches are finer, and batches of one row are progressive validation to the letter. Every example is used
    for testing and for learning, and none needs to be held out.

    Parameters
    ----------
    model : Model or estimator
        Goes on learning. An estimator that has not learned anything cannot predict: its first batch is learned only.
        Estimators of scikit-learn that have partial_fit may take part.
    stream : iterable of (X, y)
        Batches, or single rows with their targets.
    every : int or None
        Keep a point after so many examples (at the end of the batch in which they are reached). None keeps up to 512
        points, evenly over the stream, however long it is.
    metric : "accuracy", "rmse", "mae", a function or None
        A function takes truth and prediction and gives one number per example, whose mean is reported. None is the
        accuracy for labels and the root mean squared error for numbers.
    classes : array or None
        For a classifier that has not learned anything: all labels to come.

    Returns
    -------
    Progress
        Arrays of the examples learned, the score so far and over the window since the point before, support vectors,
        seconds and bytes. `iter_progressive` gives the same points one by one, for progress bars.

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
    kept, stride, last = [_Tally()], 1, _Tally()
    for count, tally in enumerate(_tallies(learner, stream, measure, every), 1):
        last = tally
        if every is not None or count % stride == 0:
            kept.append(tally)
        if every is None and len(kept) > MOST:
            # every other one goes, and the windows between those that stay grow
            kept, stride = kept[::2], 2 * stride
    if last != kept[-1]:
        kept.append(last)
    return Progress.of(measure.name, [_point(before, after, measure) for before, after in pairwise(kept)])


def iter_progressive(
    model: Any,
    stream: Iterable[tuple[Any, Any]],
    *,
    every: int | None = None,
    metric: str | Callable[..., Any] | None = None,
    classes: Any = None,
) -> Iterator[Point]:
    """The points of `progressive` one by one while it goes on; with `every=None`, one for each batch.

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
    return (_point(*pair, measure) for pair in pairwise(_from_zero(_tallies(learner, stream, measure, every))))


def _checked(model: Any, every: int | None, metric: Any, classes: Any) -> tuple[Learner, Metric]:
    if every is not None and every < 1:
        raise ValueError(f"every is {every}; a point can be kept after 1 example or more.")
    learner = as_learner(model, classes)
    return learner, as_metric(metric, learner.metric)


def _from_zero(tallies: Iterator[_Tally]) -> Iterator[_Tally]:
    yield _Tally()
    yield from tallies


def _tallies(
    learner: Learner, stream: Iterable[tuple[Any, Any]], metric: Metric, every: int | None
) -> Iterator[_Tally]:
    """Sums after every batch, or after each that reaches another `every` examples; and at the end."""
    examples, tested, total, seconds = 0, 0, 0.0, 0.0
    told = 0
    for number, item in enumerate(stream):
        X, y = _batch(item, number)
        rows = X.shape[0]
        if rows == 0:
            continue
        start = time.perf_counter()
        try:
            predicted = learner.test_then_train(X, y)
            if predicted is not None:
                total += metric.sum(learner.truth(y), predicted)
                tested += rows
        except ValueError as error:
            raise ValueError(f"Batch {number}, which begins with example {examples} of the stream: {error}") from error
        seconds += time.perf_counter() - start
        examples += rows
        if every is None or examples // every > told // every:
            told = examples
            yield _Tally(examples, tested, total, *_sized(learner, seconds))
    if told != examples:
        yield _Tally(examples, tested, total, *_sized(learner, seconds))


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
        return X.tocsr(), y
    if np.ndim(X) == 1:
        return np.asarray(X)[None, :], np.asarray(y)[None]
    return (X if hasattr(X, "shape") else np.asarray(X)), y


def _point(before: _Tally, after: _Tally, metric: Metric) -> Point:
    def mean(total: float, count: int) -> float:
        return metric.reported(total / count) if count else math.nan

    return Point(
        after.examples, after.tested, mean(after.total, after.tested),
        mean(after.total - before.total, after.tested - before.tested), after.support, after.seconds, after.nbytes,
    )  # fmt: skip
