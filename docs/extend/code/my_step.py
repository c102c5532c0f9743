"""A step of your own: a step size that falls and starts again."""

import math

from kernelstream.extend import Count, NonNegative, Positive, strategy
from kernelstream.steps import Step


@strategy
class WarmRestarts(Step):
    """η_t = ½η (1 + cos(π τ/period)), where τ counts the updates since the last restart; decay 1 − η_t λ."""

    eta: Positive = 0.5
    period: Count = 1000
    lam: NonNegative = 0.0

    def rate(self, t, loss, curve):
        return 0.5 * self.eta * (1.0 + math.cos(math.pi * ((t - 1) % self.period) / self.period))

    def decay(self, t, st):
        return 1.0 - 0.5 * self.eta * (1.0 + math.cos(math.pi * ((t - 1) % self.period) / self.period)) * self.lam
