"""`fit` within the size of an exported model: the most accurate of a few candidates, judged on held-out rows.

Tables of int8 hold two to four times as many support vectors as float32, and rounding costs little: they are taken,
unless float32 fits as well or rounding makes more mistakes. What `kernelstream.tuning` has chosen is compared with a
model without rank columns, which take the room of support vectors, and with the usual width.
"""

import copy
import logging
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ..model import Model
from ..recipe import Recipe
from ..refit.judge import no_worse
from .deployed_judge import Judged, judge, with_model
from .deployment import Deployment, ExportFormat, Size, TooSmall, vectors_within

logger = logging.getLogger(__name__)


class TunedRows(NamedTuple):
    """What is chosen before learning."""

    estimator: Any  # a copy, with its feature map
    recipe: Recipe
    rows: Any  # as the recipe takes them


class Candidate(NamedTuple):
    """A fitted copy of the estimator, exported in this type."""

    estimator: Any
    dtype: str
    judged: dict[str, Judged]  # by the type of the tables
    tuned: TunedRows

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
        candidates: dict[str, Candidate] = {}
        small: TooSmall | None = None
        for name, each in self._tunings():
            try:
                candidates[name] = self._candidate(each, self.format.dtypes[0])
            except TooSmall as error:
                small = error
        if small is not None and not candidates:
            raise small
        losses = {name: each.loss for name, each in candidates.items()}
        logger.info("deploy: losses of held-out rows: %s", losses)
        best, last = candidates[min(losses, key=losses.__getitem__)], self.format.dtypes[-1]
        return self._described(best if best.dtype == last else self._wider(best, last))

    def _tunings(self) -> Iterator[tuple[str, TunedRows]]:
        """The scales that `fit` chooses, and what may be better in this size: scales without ranks, which leave room
        for more support vectors, and the usual width. They were judged with fewer support vectors."""
        found = self._tuned(ranks=True)
        yield "tuned", found
        columns = found.estimator.feature_map_
        if columns is None:
            return
        if columns.ranks:
            plain = self._tuned(ranks=False)
            yield "without ranks", plain
            if plain.estimator.feature_map_ is None:  # it has the usual width
                return
        usual = copy.copy(self.estimator)
        usual.feature_map_ = None
        yield "usual width", TunedRows(usual, usual._recipe_for(usual._n_classes()), self.X)

    def _tuned(self, ranks: bool) -> TunedRows:
        found = copy.copy(self.estimator)
        return TunedRows(found, *found._tuned(self.X, self.y, self.weights, self.rng, ranks))

    def _wider(self, best: Candidate, dtype: str) -> Candidate:
        """The same model with larger numbers, if they fit; or, if rounding them costs too much, a smaller model."""
        if self.format.nbytes(best.estimator, dtype) <= self.size.limit:
            return best._replace(dtype=dtype)
        if not best.judged or no_worse(best.judged[best.dtype].wrong, best.judged[dtype].wrong):
            return best
        other = self._candidate(best.tuned, dtype)
        logger.info("deploy: losses of held-out rows in %s and %s: %g, %g", best.dtype, dtype, best.loss, other.loss)
        return other if other.loss < best.loss else best

    def _candidate(self, tuned: TunedRows, dtype: str) -> Candidate:
        found, recipe, mapped = copy.copy(tuned.estimator), tuned.recipe, tuned.rows
        found._reset_calibration()
        found.model_, _ = found._new_model(found._sized(recipe, 2), mapped, self.y, None, copy.deepcopy(self.rng))
        count = vectors_within(self.size, found, dtype, mapped)
        while True:
            judged: dict[str, Judged] = {}

            def watch(model: Model, rows: np.ndarray, judged: dict[str, Judged] = judged) -> None:
                for kind in {dtype, self.format.dtypes[-1]}:
                    exported = self.format.scores(with_model(found, model), kind, self.X[rows])
                    judged[kind] = judge(found, model, exported, self.y[rows], self.weights[rows])

            rng = copy.deepcopy(self.rng)
            found.model_ = found._fit_recipe(
                found._sized(recipe, count), mapped, self.y, self.weights, self.epochs, rng, watch
            )
            nbytes = self.format.nbytes(found, dtype)
            if nbytes <= self.size.limit:
                return Candidate(found, dtype, judged, tuned)
            if count == 2:
                raise TooSmall(f"deploy: {self.size.limit} bytes are too few: 2 support vectors take {nbytes}.")
            # an ONNX file that needs float64 after all
            count = max(int(min(count, found.n_support_) * self.size.limit / nbytes) - 1, 2)

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
