"""`choose`: scales of features, ranks and λ for a Gaussian kernel, from the rows of a fit.

On at most 10,000 rows a ladder of widths and λ is tried, and columns whose fine detail matters are narrowed
(`narrowing`); log-scales descend from there (`coarse_to_fine`). What is found is compared with the usual width on
held-out rows, each with the support vectors that the recipe finds with it; if it is not surely better, simpler scales
are compared as well. The usual width stands unless another is surely better. With at least 4,000 rows, columns that
bend (`bending`) challenge the winner.
"""

import logging
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..core.parallel import WORTH, in_order, one_blas_thread
from .bending import bent_map
from .coarse_to_fine import Scales, coarse_to_fine, finer
from .feature_map import FeatureMap
from .folds import Fold, folds_of
from .judging import FindSupport, Verdicts, judged, winner
from .ladder import best_rung
from .losses_of_task import TunedTask
from .narrowing import narrowed
from .rank_columns import WIDEST as WIDEST_RANKS
from .rank_columns import scaled, standardised
from .relevant_scales import relevant_scales
from .trials import Trials

logger = logging.getLogger(__name__)

LEAST = 100  # rows: with fewer, the judge is too uncertain to change anything
WIDEST = 4096  # features
ROWS = 10_000  # of the search; as many more, at most, judge
NUMBERS = 1 << 22  # in the rows of the search: wide rows are searched with fewer
BENDING = 8_000  # rows, at most, beyond those of the search and its judges, that columns are bent with too
CENTRES = 400  # of the search
BENT_CENTRES = 200  # with which columns bend: with more it takes longer, and is no better
LAMS = (1e-5, 1e-4, 1e-3)  # that are compared
DESCENT_LAM = (1e-4, 1e-3)  # limits of λ in the descent
FEW_STEPS = 6  # a descent that ends so soon begins again from wider kernels, with more regularisation
WIDER = 0.4  # the log-scales that a descent finds for its centres suit wider kernels as well
USUAL, BENT = "usual", "bent"  # the candidate that others must surely surpass, and one that has another map
NOTHING = -30.0  # log-scale of a column that does not count
ALIKE = 0.05  # difference of log-scales that matters


class Tuned(NamedTuple):
    """What was chosen. `map` is None if the usual width stands."""

    map: FeatureMap | None
    lam: float
    name: str
    loss: float  # the mean over held-out rows


def searched_rows(features: int) -> int:
    """How many rows are searched, at most, and how many more judge.

    >>> searched_rows(54), searched_rows(1000)
    (10000, 4194)
    """
    return min(ROWS, NUMBERS // features)


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
        search = Search(task, X, T, find, rng, lam, ranks)
        return search.bent(search.straight())


class Search:
    """The rows of a search, and what it found on the way."""

    def __init__(
        self, task: TunedTask, X: np.ndarray, T: np.ndarray, find: FindSupport, rng: np.random.Generator,
        lam: float | None, ranks: bool,
    ):  # fmt: skip
        order = rng.permutation(len(X))
        self.task, self.X, self.targets, self.ranks = task, X, T, ranks
        count = searched_rows(X.shape[1])
        self.rows, self.spare = order[:count], order[2 * count : 2 * count + BENDING]
        self.used = order[: 2 * count]  # those beyond the search only judge
        self.columns = standardised(np.asarray(X[self.rows], np.float64), ranks)
        self.A = self.columns.transform(X[self.used]).astype(np.float32)
        self.T = T[self.used].astype(np.float32)
        self.folds = folds_of(len(self.rows), CENTRES, len(X))
        judges = np.array_split(np.arange(len(self.rows), len(self.used)), len(self.folds))  # each judges once
        self.judges = [
            fold._replace(held=np.concatenate([fold.held, own])) for fold, own in zip(self.folds, judges, strict=True)
        ]
        self.find = lambda Z, rows: find(Z, self.used[rows])
        self.rule = np.full(self.columns.width, -0.5 * np.log(self.columns.width))
        self.rung = best_rung(self.A, self.T, self.folds, self.rule)
        self.lams = LAMS if lam is None else (lam,)
        self.pull = min(max(self.rung.lam, DESCENT_LAM[0]), DESCENT_LAM[1])  # λ of the descent
        self.verdicts: dict[str, Verdicts] = {}

    @cached_property
    def descents(self) -> list[Scales]:
        """Where log-scales descend to on every fold."""
        return list(in_order(self._descended, self.folds, WORTH))

    def straight(self) -> Tuned:
        """The best of the candidates for the scales of columns."""
        candidates = {
            USUAL: [self._usual()] * len(self.folds), "descent": [own.found.theta for own in self.descents],
            "wider": [own.found.theta - WIDER for own in self.descents],
        }  # fmt: skip
        if len(self.folds) == 1 and self.descents[0].pays:
            candidates["finer"] = [finer(self.task, self.A, self.T, self.folds[0], self.descents[0])]

        def judge(name: str) -> Iterator[Verdicts]:
            return judged(self.task, self.A, self.T, candidates[name], self.judges, self.lams, self.find)

        trials = Trials(judge, USUAL)
        trials.open(list(candidates))
        if trials.undecided():
            others = self._simpler(candidates[USUAL][0])
            candidates.update(others)
            trials.open(list(others))
        name, lam = trials.decide()
        self.verdicts = trials.verdicts
        found = self.verdicts[name].losses[lam]
        logger.info(
            "scales of features: %s, λ = %g; mean losses of %d held-out rows: %s", name, lam, len(found),
            {each: round(verdict.best(), 4) for each, verdict in self.verdicts.items()},
        )  # fmt: skip
        scales = np.exp(np.mean(candidates[name], axis=0))
        return Tuned(None if name == USUAL else scaled(self.columns, scales), lam, name, float(found.mean()))

    def bent(self, best: Tuned) -> Tuned:
        """Bent columns instead, if there are rows for them and they are surely better."""
        if not self.ranks or len(self.folds) > 1 or self.columns.features > WIDEST_RANKS:
            return best
        fold, start = self.folds[0], scaled(self.columns, np.exp(self.descents[0].found.theta))
        learned, held = np.concatenate([self.rows[fold.learned], self.spare]), self.rows[fold.held]
        rows, judges = ((np.asarray(self.X[some], np.float64), self.targets[some]) for some in (learned, held))
        bent = bent_map(self.task, start, rows, judges, BENT_CENTRES, self.pull, self.descents[0].found.loss)
        if bent is None:
            return best
        A = bent.transform(self.X[self.used]).astype(np.float32)
        (own,) = judged(self.task, A, self.T, [np.zeros(bent.width)], self.judges, [best.lam], self.find)
        logger.info("columns that bend: mean loss %.4f, instead of %.4f", own.best(), best.loss)
        taken, _ = winner({best.name: self.verdicts[best.name].only(best.lam), BENT: own}, best.name)
        return best if taken == best.name else Tuned(bent, best.lam, BENT, own.best())

    def _usual(self) -> np.ndarray:
        """The log-scales of standardised columns that are those of γ = 1 / (features × variance) for the features."""
        columns, variance = self.columns, max(float(np.asarray(self.X[self.rows], np.float64).var()), 1e-300)
        own = -np.log(columns.factor) - 0.5 * np.log(columns.features * variance)
        return np.concatenate([own, np.full(len(columns.ranks), NOTHING)])

    def _simpler(self, usual: np.ndarray) -> dict[str, list[np.ndarray]]:
        """Candidates where the descent found nothing that is surely better."""
        d, count = self.columns.features, len(self.folds)
        alone = np.concatenate([np.full(d, -0.5 * np.log(d)), np.full(self.columns.width - d, NOTHING)])
        found = {"width": [self.rule + self.rung.offset] * count}
        if np.abs(usual - alone)[:d].max() > ALIKE:
            found["standardised"] = [alone] * count
        found["relevance"] = [
            relevant_scales(self.task, self.A, self.T, alone, fold, self.find, self.lams[0], d) for fold in self.folds
        ]
        return found

    def _descended(self, fold: Fold) -> Scales:
        best = None
        A, T = self.A[fold.learned], self.T[fold.learned]
        first = narrowed(A, T, self.rule + self.rung.offset, self.rung.lam)
        for start, lam in ((first, self.pull), (self.rule - 1.0, DESCENT_LAM[1])):
            own = coarse_to_fine(self.task, self.A, self.T, fold, start, lam)
            best = own if best is None or own.found.loss < best.found.loss else best
            if own.found.steps > FEW_STEPS:
                break
        assert best is not None
        return best
