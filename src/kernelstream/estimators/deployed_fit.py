"""`fit` within the size of an exported model: the most accurate of a few candidates, judged on held-out rows.

Tables of int8 hold two to four times as many support vectors as float32, and rounding costs little: they are taken,
unless float32 fits as well or rounding makes more mistakes. Rank columns (`kernelstream.tuning`) take the room of
support vectors: a model without them is tried too.
"""

import copy
import logging
from typing import Any, NamedTuple

import numpy as np
from sklearn.metrics import r2_score

from ..losses.smooth import Hubers, Smooth, SquaredHinges
from ..model import Model
from ..model.targets import check_targets
from ..recipe import Recipe
from ..refit.judge import no_worse
from .deployment import Deployment, ExportFormat, Size, TooSmall, vectors_within

logger = logging.getLogger(__name__)

Tuned = tuple[Recipe, Any]  # and the rows as it takes them


class Judged(NamedTuple):
    """An exported function on held-out rows."""

    losses: np.ndarray
    wrong: np.ndarray  # mistakes; in regression, losses
    score: float | None


class Candidate(NamedTuple):
    """A fitted copy of the estimator, exported in this type."""

    estimator: Any
    dtype: str
    judged: dict[str, Judged]  # by the type of the tables

    @property
    def loss(self) -> float:
        return float(self.judged[self.dtype].losses.sum()) if self.judged else 0.0


class DeployedFit(NamedTuple):
    """Rows in memory, and the size."""

    estimator: Any  # with its targets begun; it stays as it is
    size: Size
    format: ExportFormat
    X: Any
    y: np.ndarray
    weights: np.ndarray
    epochs: int
    rng: Any

    def best(self) -> Any:
        """A fitted copy of the estimator."""
        found, tuned = self._tuned(ranks=True)
        best, last = None, self.format.dtypes[-1]
        has_ranks = found.feature_map_ is not None and len(found.feature_map_.ranks) > 0
        try:
            best = self._candidate(found, tuned, self.format.dtypes[0])
        except TooSmall:
            if not has_ranks:
                raise
        if has_ranks:
            plain, other_tuned = self._tuned(ranks=False)
            other = self._candidate(plain, other_tuned, self.format.dtypes[0])
            if best is not None:
                logger.info("deploy: held-out losses with and without rank columns: %g, %g", best.loss, other.loss)
            if best is None or other.loss < best.loss:
                best, tuned = other, other_tuned
        assert best is not None
        return self._described(best if best.dtype == last else self._wider(best, tuned, last))

    def _wider(self, best: Candidate, tuned: Tuned, dtype: str) -> Candidate:
        """The same model with larger numbers, if they fit; or, if rounding them costs too much, a smaller model."""
        if self.format.nbytes(best.estimator, dtype) <= self.size.limit:
            return best._replace(dtype=dtype)
        if not best.judged or no_worse(best.judged[best.dtype].wrong, best.judged[dtype].wrong):
            return best
        other = self._candidate(best.estimator, tuned, dtype)
        logger.info("deploy: held-out losses in %s and %s: %g, %g", best.dtype, dtype, best.loss, other.loss)
        return other if other.loss < best.loss else best

    def _tuned(self, ranks: bool) -> tuple[Any, Tuned]:
        """A copy of the estimator that has chosen its scales, the recipe, and the rows as that takes them."""
        found = copy.copy(self.estimator)
        return found, found._tuned(self.X, self.y, self.weights, self.rng, ranks)

    def _candidate(self, estimator: Any, tuned: Tuned, dtype: str) -> Candidate:
        found, (recipe, mapped) = copy.copy(estimator), tuned
        found._reset_calibration()
        found.model_, _ = found._new_model(found._sized(recipe, 2), mapped, self.y, None, copy.deepcopy(self.rng))
        count = vectors_within(self.size, found, dtype, mapped)
        while True:
            judged: dict[str, Judged] = {}

            def watch(model: Model, rows: np.ndarray, judged: dict[str, Judged] = judged) -> None:
                for kind in {dtype, self.format.dtypes[-1]}:
                    judged[kind] = self._judged(found, model, kind, rows)

            rng = copy.deepcopy(self.rng)
            found.model_ = found._fit_recipe(
                found._sized(recipe, count), mapped, self.y, self.weights, self.epochs, rng, watch
            )
            nbytes = self.format.nbytes(found, dtype)
            if nbytes <= self.size.limit:
                return Candidate(found, dtype, judged)
            if count == 2:
                raise TooSmall(f"deploy: {self.size.limit} bytes are too few: 2 support vectors take {nbytes}.")
            # an ONNX file that needs float64 after all
            count = max(int(min(count, found.n_support_) * self.size.limit / nbytes) - 1, 2)

    def _judged(self, estimator: Any, model: Model, dtype: str, rows: np.ndarray) -> Judged:
        shell, y, weights, loss = copy.copy(estimator), self.y[rows], self.weights[rows], model.recipe.loss
        shell.model_, values = model, loss.target == "values"
        scores = self.format.scores(shell, dtype, self.X[rows])
        Y = check_targets(estimator._translate(y, loss), loss, model.n_outputs)
        smooth: Smooth = loss.smooth() or (Hubers() if values else SquaredHinges())
        F, T = estimator._translate(scores, loss) if values else scores, smooth.targets(Y, model.n_outputs)
        wrong, score = weights * smooth.wrong(F, T), None
        if values and (weights > 0.0).sum() > 1:
            score = float(r2_score(y, scores, sample_weight=weights))
        elif not values and weights.any():
            score = float(1.0 - wrong.sum() / weights.sum())
        return Judged(weights * smooth.loss(F, T)[0], wrong, score)

    def _described(self, best: Candidate) -> Any:
        found, judged = best.estimator, best.judged.get(best.dtype)
        nbytes = self.format.nbytes(found, best.dtype)
        score, rows = (None, 0) if judged is None else (judged.score, len(judged.wrong))
        found.deploy_ = Deployment(self.size.format, best.dtype, self.size.limit, nbytes, score, rows)
        return found


def fit_deployed(estimator: Any, size: Size, X: Any, y: np.ndarray, weights: np.ndarray, epochs: int, rng: Any) -> Any:
    """A copy of the estimator, fitted to rows in memory so that its exported form stays within the size."""
    own = np.random.RandomState(rng.randint(2**31 - 1))  # of which every candidate takes a copy
    return DeployedFit(estimator, size, size.load(), X, y, weights, epochs, own).best()
