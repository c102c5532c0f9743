"""What fixed share guarantees (Herbster & Warmuth, *Machine Learning* 1998); `core.mixture.share_out` computes it."""

import math


def regret(experts: int, share: float, rows: int, changes: int) -> float:
    """The log-loss of a mixture with fixed share α over T rows exceeds that of the best sequence of experts with k
    changes by at most ln N + k ln(N/α) − (T − 1 − k) ln(1 − α), whatever the rows are: the mixture is a Bayesian one
    over all such sequences.

    Parameters
    ----------
    experts : int
        N, the number of experts.
    share : float
        α, the share that is redistributed after each row.
    rows : int
        T, the length of the stream.
    changes : int
        k, how often the best expert changes.

    Examples
    --------
    >>> round(regret(2, 0.01, 10_000, 1), 1)
    106.5
    """
    stays = (rows - 1 - changes) * -math.log1p(-share)
    return math.log(experts) + changes * math.log(experts / share) + stays
