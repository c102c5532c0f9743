"""
Budget against accuracy
=======================

How many support vectors are enough? This figure learns the same stream with budgets from 10 to 320 and three ways to
stay within them: removal of the smallest support vector, merging of two into one, and the library's default, which
merges and then fits the coefficients anew.

Removal throws information away and needs far more support vectors for the same accuracy. The default is the best from
a budget of 20 on; ten support vectors are too few for a board of 16 squares, whatever is done with them. Where the
curve becomes flat, more memory buys nothing: draw it for your own data before you choose a budget.
"""

import matplotlib.pyplot as plt

from kernelstream import KernelClassifier, recipes
from kernelstream.datasets import checkerboard
from kernelstream.kernels import Gaussian

plt.style.use("kernelstream.plot.gallery")

X, y = checkerboard(10_000, noise=0.1, seed=1)
X_test, y_test = checkerboard(5000, start=10_000, seed=1)
kernel, budgets = Gaussian(4.0), [10, 20, 40, 80, 160, 320]
contenders = {
    "default: merging and refit": lambda budget: recipes.default(kernel, budget=budget),
    "bsgd: merging": lambda budget: recipes.bsgd(kernel, lam=1e-4, budget=budget, maintenance="merge"),
    "bsgd: removal": lambda budget: recipes.bsgd(kernel, lam=1e-4, budget=budget, maintenance="smallest"),
}

figure, ax = plt.subplots()
for marker, (name, recipe) in zip("o^s", contenders.items(), strict=True):
    scores = [
        KernelClassifier(recipe(budget), random_state=0, epochs=1).fit(X, y).score(X_test, y_test) for budget in budgets
    ]
    ax.plot(budgets, [100 * score for score in scores], marker=marker, label=name)
ax.set_xscale("log")
ax.set_xticks(budgets, [str(budget) for budget in budgets], minor=False)
ax.minorticks_off()
ax.set(title="Accuracy for a given budget", xlabel="budget (support vectors)", ylabel="test accuracy in %")
ax.legend(loc="lower right")
plt.show()
