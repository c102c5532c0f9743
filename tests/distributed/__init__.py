"""Learning on a cluster: what the tests share.

All use the estimators' default composition, which other tests compile anyway.
"""

from kernelstream import KernelClassifier, recipes
from kernelstream.datasets import checkerboard
from kernelstream.kernels import Gaussian
from kernelstream.output import Refit

X, Y = checkerboard(3000, seed=0)
X_TEST, Y_TEST = checkerboard(1000, seed=1)
SIZES = (500, 900, 700, 900)


def classifier(**options):
    """With few passes, each of which is a graph."""
    recipe = recipes.default(Gaussian(4.0), budget=40).replace(output=Refit(max_passes=3))
    return KernelClassifier(recipe, random_state=0, **options)


class InTurn:
    """`Workers` that are this process, one part after the other."""

    def __init__(self, parts, fan_in=2):
        self.parts, self.fan_in, self.count = parts, fan_in, len(parts)

    def each(self, task, *told):
        return [task(part, index, *told) for index, part in enumerate(self.parts)]

    def joined(self, task, join, *told):
        level = self.each(task, *told)
        while len(level) > 1:
            groups = [level[i : i + self.fan_in] for i in range(0, len(level), self.fan_in)]
            level = [join(group) if len(group) > 1 else group[0] for group in groups]
        return level[0]
