"""Weights of experts that follow the best of them when it changes (Herbster & Warmuth, *Machine Learning* 1998)."""

import math

import numpy as np

from ..core.mixture import follow


class FixedShare:
    """A mixture Σ_j w_j p_j of the predictions of N experts.

    After each row, w_j is multiplied by the likelihood that expert j gave to what happened; then a share α of the
    weight is spread evenly, so that an expert that was bad for long can return quickly.

    The log-loss of the mixture exceeds that of the best sequence of experts with k changes over T rows by at most
    `regret(T, k)`, whatever the rows are: the mixture is a Bayesian one over all such sequences.

    >>> mixture = FixedShare(2, share=0.01)
    >>> for _ in range(20):
    ...     mixture.update(np.array([0.9, 0.1]))
    >>> mixture.weights.round(3).tolist()
    [0.994, 0.006]
    >>> round(mixture.regret(10_000, 1), 1)
    106.5
    """

    def __init__(self, experts: int, share: float = 1e-3):
        self.share = float(share)
        self.weights = np.full(experts, 1.0 / experts)

    def update(self, likelihoods: np.ndarray) -> None:
        """What each expert had given to the outcome of this row: probabilities or densities, more than 0."""
        weights = np.array(self.weights, np.float64)  # of its own: what comes from a file may be read-only
        follow(weights, np.array(likelihoods, np.float64), self.share)
        self.weights = weights

    def restart(self, expert: int) -> None:
        """Another expert takes this one's place, with the weight that every one gets."""
        weights = self.weights.copy()
        weights[expert] = self.share / len(weights)
        self.weights = weights / weights.sum()

    def kept(self, chosen: list[int]) -> "FixedShare":
        """The mixture of these experts alone."""
        new = FixedShare(len(chosen), self.share)
        weights = self.weights[chosen]
        new.weights = weights / weights.sum()
        return new

    def regret(self, rows: int, changes: int) -> float:
        """The bound for this many rows and changes of expert."""
        experts = len(self.weights)
        stays = (rows - 1 - changes) * -math.log1p(-self.share)
        return math.log(experts) + changes * math.log(experts / self.share) + stays
