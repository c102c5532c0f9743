"""An output of your own: a moving average of the iterates that needs no more memory than the model."""

from typing import NamedTuple

import numpy as np

from kernelstream.extend import Positive, strategy
from kernelstream.output import Output


class AverageState(NamedTuple):
    coef: np.ndarray  # (outputs, capacity): the sum of coefficients, those of recent iterates counting most
    weight: np.ndarray  # the sum of their weights


@strategy
class MovingAverage(Output):
    """The mean of the iterates with weights that fall by 1/e in `memory` updates. A support vector that is removed from
    the model is removed from the mean, too."""

    memory: Positive = 1000.0

    def init(self, dims):
        return AverageState(np.zeros((dims.outputs, dims.capacity)), np.zeros(1))

    def update(self, own, r, st):
        ex, share = st.expansion, 1.0 / self.memory
        own.weight[0] += share * (1.0 - own.weight[0])
        for c in range(own.coef.shape[0]):
            for j in range(ex.n[0]):
                own.coef[c, j] += share * (ex.coef[c, j] * ex.scale[0] - own.coef[c, j])

    def inserted(self, own, r, st, j):
        for c in range(own.coef.shape[0]):
            own.coef[c, j] = 0.0

    def dropping(self, own, r, st, j):
        for c in range(own.coef.shape[0]):
            own.coef[c, j] = own.coef[c, st.expansion.n[0] - 1]

    def weights(self, own, ex, out):
        for c in range(own.coef.shape[0]):
            for j in range(ex.n[0]):
                out[c, j] = own.coef[c, j] / max(own.weight[0], 1e-300)
        return ex.n[0]

    def restart(self, own, ex):
        own.coef[:, : ex.n[0]] = ex.coef[:, : ex.n[0]] * ex.scale[0]
        own.weight[0] = 1.0

    def forgetting(self, half_life):
        return self
