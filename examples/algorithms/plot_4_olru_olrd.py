"""
OLRU and OLRD: unbiased by chance
=================================

Both algorithms of He and Kwok make a random choice and then scale, so that nothing changes on average. *Random
updating* (OLRU) uses a row with probability p\\ :sub:`t` = c t\\ :sup:`−γ` and divides its step by p\\ :sub:`t`.
*Random discarding* (OLRD) removes one of n support vectors and multiplies the others by n/(n − 1).

Left, the support vectors over a stream, on logarithmic axes: without a budget they grow with the number of rows, with
OLRU more slowly, and with OLRD not at all. Right, a function (grey), and the mean of what is left after 2,000
discards: with the factor it is the function itself; without it, as in plain random removal, it has shrunk.
"""

import matplotlib.pyplot as plt
import numpy as np

from kernelstream import Model, recipes
from kernelstream.datasets import checkerboard
from kernelstream.kernels import Gaussian

plt.style.use("kernelstream.plot.gallery")

X, y = checkerboard(20_000, noise=0.1, seed=0)
kernel = Gaussian(4.0)
contenders = {
    "olk (no budget)": recipes.olk(kernel, U=20.0),
    "olru": recipes.olru(kernel, U=20.0, c=2.0, gamma=0.4),
    "olrd": recipes.olrd(kernel, U=20.0, budget=100),
}
figure, (left, right) = plt.subplots(1, 2, figsize=(7, 3.6))
for name, recipe in contenders.items():
    left.plot(*Model.from_recipe(recipe, X, y).learn_many(X, y).record.sizes, label=name)
left.set(title="Support vectors", xlabel="rows", xscale="log", yscale="log", xlim=(100, None))
left.legend()

points, a, n = np.array([-1.5, -0.7, 0.2, 1.0, 1.6])[:, None], np.array([0.8, -0.5, 0.9, 0.6, -0.7]), 5
grid = np.linspace(-3.0, 3.0, 300)[:, None]
gone = np.random.default_rng(0).integers(n, size=2000)
kept = np.where(np.arange(n) == gone[:, None], 0.0, a)
K = Gaussian(1.0)(grid, points)
right.plot(grid, K @ a, color="#9ca3af", linewidth=5, linestyle="-", label="f")
right.plot(grid, K @ kept.mean(axis=0) * n / (n - 1), color="#0072b2", linestyle="--", label="with the factor")
right.plot(grid, K @ kept.mean(axis=0), color="#d55e00", linestyle=":", label="without")
right.set(title="Mean after one discard")
right.legend()
plt.show()
