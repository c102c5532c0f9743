"""A maintenance rule of your own, with a number for each support vector."""

from typing import NamedTuple

import numpy as np

from kernelstream.extend import Positive, remove, strategy
from kernelstream.maintenance import Maintenance


class Usage(NamedTuple):
    used: np.ndarray  # for each support vector: how close recent rows were


@strategy
class LeastUsed(Maintenance):
    """Remove the support vector that recent rows were least similar to.

    u_j is the mean of κ(x_j, x) over about the last `memory` updates, and 1 for a new support vector.
    """

    memory: Positive = 500.0

    def init(self, dims):
        return Usage(np.zeros(dims.capacity))

    def prepare(self, own, r, st, incoming):
        row, share = st.work.row, 1.0 / self.memory
        for j in range(st.expansion.n[0]):
            own.used[j] += share * (row[j] - own.used[j])

    def reduce(self, own, r, st):
        p = 0
        for j in range(1, st.expansion.n[0]):
            if own.used[j] < own.used[p]:
                p = j
        remove(r, st, p)

    def inserted(self, own, r, st, j):
        own.used[j] = 1.0

    def dropping(self, own, r, st, j):
        own.used[j] = own.used[st.expansion.n[0] - 1]

    def restart(self, own, ex):
        own.used[: ex.n[0]] = 1.0
