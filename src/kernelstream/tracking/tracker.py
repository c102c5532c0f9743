"""`Tracker`: a stream is learned by several models at once, with other widths and memories; the best predict.

It has the methods of `Model` that a learner of single rows uses, and takes its place there.
"""

import copy
from typing import Any, Self

import numpy as np
from scipy.special import log_softmax, softmax

from ..core.mixture import calibrate, mix
from ..model import Model
from ..recipe import Recipe
from .experts import neighbour, with_budget
from .fixed_share import FixedShare

CHOSEN_AT, CHOSEN = 2048, 4  # the row at which the best are kept, and how many
DISCOUNT = 0.999  # of the losses by which they are ranked
DOUBT = 1e-3  # probability that no expert denies to any class
HEAT = 0.02  # step of the temperatures
HOTTEST = 3.0  # limits of their logarithms


class Tracker:
    """A mixture of models of one stream, for labels."""

    def __init__(self, experts: list[Model], recipe: Recipe):
        self.experts, self.told = experts, recipe
        self.mixture = FixedShare(len(experts))
        self.heat = np.zeros(len(experts))  # logarithms of the factors that make probabilities of scores
        self.losses = np.zeros(len(experts))
        self.rows = 0
        self._forget()

    def _forget(self) -> None:
        self._scored: np.ndarray | None = None  # the last row that was scored,
        self._logits = self._p = np.zeros((0, 0))  # (experts, classes): scores of it, and probabilities

    @property
    def best(self) -> Model:
        """The expert with the largest weight."""
        return self.experts[int(self.mixture.weights.argmax())]

    @property
    def recipe(self) -> Any:
        return self.best.recipe

    @property
    def n_outputs(self) -> int:
        return self.experts[0].n_outputs

    @property
    def n_features(self) -> int:
        return self.experts[0].n_features

    @property
    def dtype(self) -> np.dtype:
        return self.experts[0].dtype

    @property
    def n_support(self) -> int:
        """Support vectors of all experts."""
        return sum(expert.n_support for expert in self.experts)

    @property
    def nbytes(self) -> int:
        return sum(expert.nbytes for expert in self.experts)

    @property
    def rescalable(self) -> bool:
        return all(expert.rescalable for expert in self.experts)

    @property
    def may_overflow(self) -> bool:
        return any(expert.may_overflow for expert in self.experts)

    def _score(self, x: np.ndarray) -> None:
        if self._scored is not None and np.array_equal(self._scored, x):
            return
        scores = np.array([expert.scores_one(x) for expert in self.experts])
        shape = len(scores), max(scores.shape[1], 2)
        self._logits, self._p = np.empty(shape), np.empty(shape)
        mix(scores, np.array(self.heat, np.float64), DOUBT, self._logits, self._p)
        self._scored = np.array(x)

    def scores_one(self, x: np.ndarray) -> np.ndarray:
        """Log-probabilities of the classes; of two classes their difference."""
        self._score(x)
        return _scores(self.mixture.weights @ self._p)

    def scores_many(self, X: np.ndarray) -> np.ndarray:
        each = np.stack([expert.scores_many(X) for expert in self.experts], axis=1)  # (rows, experts, outputs)
        logits = np.concatenate([np.zeros_like(each), each], axis=2) if each.shape[2] == 1 else each
        p = (1.0 - DOUBT) * softmax(np.exp(self.heat)[:, None] * logits, axis=2) + DOUBT / logits.shape[2]
        return np.array([_scores(row) for row in np.einsum("e,rec->rc", self.mixture.weights, p)])

    def probabilities(self, scores: np.ndarray) -> np.ndarray:
        """Scores of many rows as probabilities."""
        logits = np.column_stack([np.zeros(len(scores)), scores]) if scores.shape[1] == 1 else scores
        found: np.ndarray = softmax(logits, axis=1)
        return found

    def learn_one(self, x: np.ndarray, y: Any, weight: float = 1.0) -> Self:
        """Learn a row: first the weights of the experts, then each of them."""
        self._score(x)
        index = int(y > 0.0) if self.n_outputs == 1 else int(y)
        for expert in self.experts:
            expert.learn_one(x, y, weight)
        # an example of less weight says less about the experts; one of more says no more than one example can
        trust = min(float(weight), 1.0)
        if trust > 0.0:
            given, heat = self._p[:, index] ** trust, self.heat.copy()
            self.mixture.update(given)
            self.losses = DISCOUNT**trust * self.losses - np.log(given)
            calibrate(self._p, self._logits, index, heat, trust * HEAT, HOTTEST)
            self.heat = heat
        self.rows += 1
        self._forget()
        if self.rows == CHOSEN_AT:
            self._choose()
        elif self.rows > CHOSEN_AT and self.rows & (self.rows - 1) == 0:
            self._challenge()
        return self

    def _choose(self) -> None:
        """Keep the best experts; the very best gets the whole budget."""
        kept = sorted(np.argsort(self.losses, kind="stable")[:CHOSEN].tolist())
        self.mixture, self.heat, self.losses = self.mixture.kept(kept), self.heat[kept], self.losses[kept]
        self.experts = [self.experts[i] for i in kept]
        best = int(self.losses.argmin())
        self.experts[best] = with_budget(self.experts[best], self.told.budget)

    def _challenge(self) -> None:
        """At rows 2^k: the best has the whole budget, and the worst makes way for a neighbour of the best, which has as
        many rows to prove itself as the stream has had."""
        best, worst = int(self.losses.argmin()), int(self.losses.argmax())
        self.experts[best] = with_budget(self.experts[best], self.told.budget)
        new = neighbour(self.experts[best], self.experts, self.told)
        if new is None or best == worst:
            return
        self.experts[worst] = new
        self.heat, self.losses = self.heat.copy(), self.losses.copy()
        self.heat[worst], self.losses[worst] = self.heat[best], self.losses.max()
        self.mixture.restart(worst)

    def rescale_features(self, factors: Any) -> Self:
        for expert in self.experts:
            expert.rescale_features(factors)
        self._forget()
        return self

    def expand(self, recipe: Recipe, features: int, mix: Any) -> "Tracker":
        """A new tracker with more features or outputs: see `Model.expand`."""
        new = Tracker.__new__(Tracker)
        new.__dict__.update(self.__dict__)
        new.told, new.mixture = recipe, copy.deepcopy(self.mixture)
        new.heat, new.losses = self.heat.copy(), self.losses.copy()
        new.experts = [
            expert.expand(recipe.replace(budget=expert.recipe.budget), features, mix) for expert in self.experts
        ]
        new._forget()
        return new

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_scored", "_logits", "_p")}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__dict__.update(saved)
        self._forget()


def _scores(p: np.ndarray) -> np.ndarray:
    logs = np.log(p)
    return logs[1:] - logs[:1] if len(p) == 2 else log_softmax(logs)
