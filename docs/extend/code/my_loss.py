"""A loss of your own: a hinge without its kink."""

import math

from kernelstream.extend import strategy
from kernelstream.losses import ScalarLoss


@strategy
class SmoothHinge(ScalarLoss):
    """With m = y z: 0 for m ≥ 1, ½(1 − m)² for 0 < m < 1, and ½ − m for m ≤ 0."""

    target = "signs"

    def value(self, z, y):
        m = y * z
        if m >= 1.0:
            return 0.0
        return 0.5 * (1.0 - m) ** 2 if m > 0.0 else 0.5 - m

    def slope(self, z, y):
        m = y * z
        if m >= 1.0:
            return 0.0
        return -y * (1.0 - m) if m > 0.0 else -y

    def steepest(self, outputs, radius=math.inf, y_max=math.inf):
        return math.sqrt(outputs)  # |slope| ≤ 1 for every output

    def reach(self, outputs, y_max):
        return 0.25 * outputs  # the largest −slope · z is that of m = ½
