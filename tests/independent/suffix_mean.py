"""The γ-suffix mean of NBSGD, from a stored list of all iterates.

Sources: T. Le, V. Nguyen, T. D. Nguyen and D. Phung, "Nonparametric budgeted stochastic gradient descent", AISTATS
2016, algorithm 3; A. Rakhlin, O. Shamir and K. Sridharan, ICML 2012, for the suffix mean itself. For a stream of
unknown length two accumulators take turns (see `covered`).

Which iterates. f_t is the function that example t meets, f_1 = 0, and update t makes f_{t+1} of f_t. The output of
algorithm 3 is (f_{(1−γ)T+1} + … + f_T)/(γT): the iterates f_1 … f_T, *before* their update, and not f_{T+1}. The proof
needs exactly these: its terms are f(w_t) − f(w*) for the w_t at which the gradient g_t was taken, t ≤ T. f_{T+1} is the
other output of the algorithm ("last"), and no gradient was taken there.

An iterate is a pair (support (n, d), coef (n, c)). iterates[t − 1] is f_t.
"""

import math

import numpy as np


def iterates_before_updates(steps, dimension: int, outputs: int) -> list:
    """[f_1, …, f_T] from the T states after each update, which are f_2 … f_{T+1}: put 0 in front, drop the last."""
    nothing = (np.zeros((0, dimension)), np.zeros((0, outputs)))
    return [nothing] + [(step[0], step[1]) for step in list(steps)[:-1]]


def covered_known(length: int, gamma: float) -> range:
    """The t averaged when T is known: the last ⌈γT⌉ of 1 … T (Le et al. 2016, algorithm 3, output).

    Read as: γT is rounded up where it is no integer; 1e−9 is taken off first, so that 0.1 × 30 is 3 and not 4.
    """
    count = math.ceil(gamma * length - 1e-9)
    return range(length - count + 1, length + 1)


def covered(t: int) -> range:
    """The iterates averaged at time t when the length is not known.

    Two accumulators take turns in being emptied, one at t = 1, 4, 16, …, the other at t = 2, 8, 32, …: at t = 2^k its
    accumulator is emptied after f_t came in, so from then on it holds f_{2^k + 1}, …, f_t. At 2^k ≤ t < 2^{k+1} the
    younger one was emptied at 2^k and the older at 2^{k−1}; the older is reported, so the mean is over

        2^{k−1} + 1, …, t        (t = 1: over f_1 alone, from the accumulator not yet emptied).

    Share of 1 … t: (t − 2^{k−1})/t = 1 − 2^{k−1}/t grows from ½ at t = 2^k to 1 − 2^{k−1}/(2^{k+1} − 1) < ¾ at
    t = 2^{k+1} − 1, then falls back to ½: always in [½, ¾), but for t = 1, where it is 1.
    Read as: emptied *after* f_{2^k} came in, and before reporting at 2^k. If it were emptied before (the mean then
    starting with f_{2^k} itself), the share would be above ¾ at t = 2^{k+1} − 1; if the report at t = 2^k came before
    the emptying, it would be ¾ instead of ½ at that t, and the same at all others.
    """
    if t < 1:
        raise ValueError("t counts from 1")
    power = 1
    while 2 * power <= t:
        power *= 2
    return range(power // 2 + 1, t + 1)


def mean_of(iterates, times) -> tuple[np.ndarray, np.ndarray]:
    """(1/n) Σ_{t in times} f_t as one expansion: the same point in several iterates has its coefficients added.

    The points come in the order in which they are first met. Two rows are the same point if all coordinates are equal.
    """
    dimension, outputs = iterates[0][0].shape[1], iterates[0][1].shape[1]
    points, sums, place = [], [], {}
    for t in times:
        for x, a in zip(*iterates[t - 1], strict=True):
            key = tuple(float(value) + 0.0 for value in x)
            if key not in place:
                place[key] = len(points)
                points.append(np.array(x, dtype=float))
                sums.append(np.zeros(outputs))
            sums[place[key]] = sums[place[key]] + a
    return np.reshape(points, (-1, dimension)), np.reshape(sums, (-1, outputs)) / len(times)


def suffix_mean(iterates, t: int) -> tuple[np.ndarray, np.ndarray]:
    """The mean over covered(t) of f_1, f_2, …: what the two accumulators report after t examples."""
    return mean_of(iterates, covered(t))


def suffix_mean_known(iterates, gamma: float) -> tuple[np.ndarray, np.ndarray]:
    """The mean over the last ⌈γT⌉ of f_1 … f_T, T = len(iterates) (Le et al. 2016, algorithm 3, output)."""
    return mean_of(iterates, covered_known(len(iterates), gamma))


def evaluate(pair, kernel, x) -> np.ndarray:
    """Σ_j coef_j κ(support_j, x) ∈ R^c."""
    support, coef = pair
    values = np.array([kernel(z, x) for z in support], dtype=float).reshape(len(support))
    return coef.T @ values
