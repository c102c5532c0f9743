"""
NBSGD: a budget that the data may exceed
========================================

A fixed budget is a guess about how complicated the data is. NBSGD performs maintenance only with probability β/t when
a row exceeds the budget. While t < β it behaves as BSGD; later, maintenance becomes rarer, and the model grows as the
data asks for it.

Left, the number of support vectors over a stream for several β, as shares of its length T, between BSGD (always
maintenance) and no budget at all. Right, the accuracy at the end: the budget of 50 was far too small for removal, and
each β buys some of the difference back. With β = 0.3 T the model is almost as accurate as without a budget, with less
than half the support vectors.
"""

import matplotlib.pyplot as plt

from kernelstream import Model, recipes
from kernelstream.datasets import checkerboard
from kernelstream.kernels import Gaussian

plt.style.use("kernelstream.plot.gallery")

T = 20_000
X, y = checkerboard(T, noise=0.05, seed=0)
X_test, y_test = checkerboard(5000, start=T, seed=0)
kernel = Gaussian(4.0)
contenders = {"bsgd": recipes.nbsgd(kernel, budget=50, beta=1e12)}  # β/t > 1: always
contenders |= {f"β = {share} T": recipes.nbsgd(kernel, budget=50, beta=share * T) for share in (0.8, 0.6, 0.3)}
contenders |= {"no budget": recipes.nbsgd(kernel, budget=50, beta=1e-6)}

figure, (left, right) = plt.subplots(1, 2, figsize=(7, 3.6), width_ratios=[3, 2])
accuracies = {}
for name, recipe in contenders.items():
    model = Model.from_recipe(recipe, X, y).learn_many(X, y)
    left.plot(*model.record.sizes, label=name)
    accuracies[name] = 100 * (model.scores_many(X_test)[:, 0] * y_test > 0).mean()
    print(f"{name}: {model.n_support:,} support vectors")
left.set(title="Support vectors", xlabel="rows", yscale="log", ylim=(30, 60_000))
left.legend(fontsize=9, ncols=2)
bars = right.barh(list(accuracies), list(accuracies.values()), color="#0072b2")
right.bar_label(bars, fmt="%.1f", padding=3)
right.invert_yaxis()
right.set(title="Test accuracy in %", xlim=(50, 108), xticks=[50, 75, 100])
plt.show()
