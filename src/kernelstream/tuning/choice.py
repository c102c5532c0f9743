"""`choose`: scales of features, ranks and λ for a Gaussian kernel, from the rows of a fit.

On at most 10,000 rows a ladder of widths and λ is tried, then log-scales descend from there (`descent`). Five sets of
scales are compared on held-out rows with the support vectors that the recipe finds with each. The usual width stands
unless another is surely better. With more rows than that takes, columns that bend (`bending`) challenge the winner.
"""

import logging
from typing import NamedTuple

import numpy as np

from ..core.parallel import WORTH, in_order, one_blas_thread
from .bending import bent_map
from .descent import Descent
from .feature_map import FeatureMap
from .gaussian_rows import gaussian_rows
from .judging import FindSupport, Verdicts, fitted, judged, winner
from .ladder import Fold, best_rung
from .losses_of_task import TunedTask
from .rank_columns import scaled, standardised

logger = logging.getLogger(__name__)

LEAST = 100  # rows: with fewer, the judge is too uncertain to change anything
WIDEST = 1024  # features
ROWS, SMALL = 10_000, 4_000  # of the search; with fewer than SMALL there are three folds instead of one
CENTRES = 400  # of the search
BENDING = 12_000  # rows, at most, beyond those of the search and its judges, that columns are bent with
LAMS = (1e-5, 1e-4, 1e-3)  # that are compared
DESCENT_LAM = (1e-4, 1e-3)  # limits of λ in the descent
FEW_STEPS = 6  # a descent that ends so soon begins again from wider kernels, with more regularisation
WIDER = 0.4  # the log-scales that a descent finds for its centres suit wider kernels as well
NOTHING = -30.0  # log-scale of a column that does not count
PATIENCE = (8, 4)  # steps without gain before a descent ends: one fold, several folds


class Tuned(NamedTuple):
    """What was chosen. `map` is None if the usual width stands."""

    map: FeatureMap | None
    lam: float
    name: str
    loss: float  # the mean over held-out rows


def choose(
    task: TunedTask, X: np.ndarray, T: np.ndarray, find: FindSupport, rng: np.random.Generator,
    lam: float | None = None, ranks: bool = True,
) -> Tuned:  # fmt: skip
    """Choose for rows X with targets T, (rows, outputs): signs, or standardised numbers.

    `find` returns the support vectors of the recipe with γ = 1 for some rows of columns; `lam` is λ if it is given.
    Without `ranks` there are no rank columns.

    Parameters
    ----------
    task : TunedTask
        The loss, and how mistakes are counted.
    X : array
        Rows.
    T : array of shape (rows, outputs)
        Targets: signs, or standardised numbers.
    find : function
        Returns the support vectors of the recipe with γ = 1 for some rows of columns.
    rng : numpy.random.Generator
        Random numbers.
    lam : float or None, default None
        λ, if it is given.
    ranks : bool, default True
        Whether there may be rank columns.
    """
    # Folds, candidates and blocks of rows are shared out among threads. Those of BLAS would wait for each other at
    # every small matrix: on a busy machine, or in a container with fewer cores than it sees, twenty times as long.
    with one_blas_thread:
        return _choose(task, X, T, find, rng, lam, ranks)


def _choose(
    task: TunedTask, X: np.ndarray, T: np.ndarray, find: FindSupport, rng: np.random.Generator,
    lam: float | None, ranks: bool,
) -> Tuned:  # fmt: skip
    order = rng.permutation(len(X))
    search, spare = order[:ROWS], order[ROWS : 2 * ROWS]
    searched = np.asarray(X[search], np.float64)
    columns = standardised(searched, ranks)
    used = np.concatenate([search, spare])
    Y, more = T, order[2 * ROWS : 2 * ROWS + BENDING]
    A, T = columns.transform(X[used]).astype(np.float32), T[used].astype(np.float32)
    folds = _folds(len(search))
    d, width = columns.features, columns.width
    rule = np.full(width, -0.5 * np.log(width))
    rung = best_rung(A, T, folds, rule)

    def descended(fold: Fold) -> np.ndarray:
        return _descended(task, A, T, fold, rule, rung.offset, rung.lam, len(folds))

    descents = list(in_order(descended, folds, WORTH))
    usual, alone = (
        _usual(searched, columns),
        np.concatenate([np.full(d, -0.5 * np.log(d)), np.full(width - d, NOTHING)]),
    )
    candidates = {
        "usual": [usual] * len(folds), "width": [rule + rung.offset] * len(folds), "descent": descents,
        "wider": [theta - WIDER for theta in descents],
    }  # fmt: skip
    if np.abs(usual - alone)[:d].max() > 0.05:
        candidates["standardised"] = [alone] * len(folds)
    # rows beyond the search only judge
    judges = [fold._replace(held=np.concatenate([fold.held, np.arange(len(search), len(used))])) for fold in folds]

    def original(Z: np.ndarray, rows: np.ndarray) -> np.ndarray:
        return find(Z, used[rows])

    lams = LAMS if lam is None else (lam,)
    candidates["relevance"] = [_relevant(task, A, T, alone, fold, original, lams[0], d) for fold in folds]

    def judge(name: str) -> Verdicts:
        return judged(task, A, T, candidates[name], judges, lams, original)

    verdicts = dict(zip(candidates, in_order(judge, list(candidates), WORTH), strict=True))
    name, chosen = winner(verdicts, "usual")
    logger.info(
        "scales of features: %s, λ = %g; mean losses of %d held-out rows: %s", name, chosen,
        len(next(iter(verdicts["usual"].losses.values()))), {k: round(v.best(), 4) for k, v in verdicts.items()},
    )  # fmt: skip
    loss = float(verdicts[name].losses[chosen].mean())
    best = Tuned(None, chosen, name, loss)
    if name != "usual":
        best = best._replace(map=scaled(columns, np.exp(np.mean(candidates[name], axis=0))))
    if not ranks or not len(more):
        return best
    learned, held = np.concatenate([search[folds[0].learned], more]), search[folds[0].held]
    bent = bent_map(
        task, scaled(columns, np.exp(descents[0])), (np.asarray(X[learned], np.float64), Y[learned]),
        (np.asarray(X[held], np.float64), Y[held]), CENTRES, min(max(rung.lam, DESCENT_LAM[0]), DESCENT_LAM[1]),
    )  # fmt: skip
    if bent is None:
        return best
    own = judged(task, bent.transform(X[used]).astype(np.float32), T, [np.zeros(bent.width)], judges, lams, original)
    winning = Verdicts({chosen: verdicts[name].losses[chosen]}, {chosen: verdicts[name].errors[chosen]})
    logger.info("columns that bend: mean loss %.4f, instead of %.4f", own.best(), loss)
    taken, lam = winner({name: winning, "bent": own}, name)
    return best if taken == name else Tuned(bent, lam, taken, float(own.losses[lam].mean()))


def _folds(rows: int) -> list[Fold]:
    parts = np.array_split(np.arange(rows), 5 if rows >= SMALL else 3)
    found = []
    for held in parts[: 1 if rows >= SMALL else 3]:
        learned = np.setdiff1d(np.arange(rows), held)
        found.append(Fold(learned, held, learned[: min(CENTRES, len(learned) // 4)]))
    return found


def _usual(X: np.ndarray, columns: FeatureMap) -> np.ndarray:
    """The log-scales of standardised columns that are those of γ = 1 / (features × variance) for the features."""
    variance = max(float(X.var()), 1e-300)
    own = -np.log(columns.factor) - 0.5 * np.log(columns.features * variance)
    return np.concatenate([own, np.full(len(columns.ranks), NOTHING)])


def _descended(
    task: TunedTask, A: np.ndarray, T: np.ndarray, fold: Fold, rule: np.ndarray, offset: float, lam: float, folds: int
) -> np.ndarray:
    best = None
    for start, pull in ((offset, min(max(lam, DESCENT_LAM[0]), DESCENT_LAM[1])), (-1.0, DESCENT_LAM[1])):
        descent = Descent(task, A[fold.learned], T[fold.learned], A[fold.centres], pull, A[fold.held], T[fold.held])
        found = descent.run(rule + start, PATIENCE[folds > 1])
        best = found if best is None or found.loss < best.loss else best
        if found.steps > FEW_STEPS:
            break
    assert best is not None
    return best.theta


def _relevant(
    task: TunedTask, A: np.ndarray, T: np.ndarray, theta: np.ndarray, fold: Fold, find: FindSupport, lam: float, d: int
) -> np.ndarray:
    """Scales times the root mean square of the gradient of the function that they give: the diagonal of the average
    gradient outer product (Radhakrishnan et al., Science 2024)."""
    X = A[fold.learned] * np.exp(theta).astype(np.float32)
    Z = np.asarray(find(X, fold.learned), np.float32)
    _, a = next(fitted(task, X, T[fold.learned], Z, [lam]))
    some = X[:1000]
    K, total = gaussian_rows(some, Z), np.zeros(X.shape[1])
    for c in range(a.shape[1]):
        W = K * a[:, c]
        total += np.square(W.sum(axis=1)[:, None] * some - W @ Z, dtype=np.float64).sum(axis=0)
    slopes = np.sqrt(total[:d])
    found = theta.copy()
    found[:d] += np.log(np.maximum(slopes / np.sqrt(np.square(slopes).mean() + 1e-300), 1e-3))
    return found
