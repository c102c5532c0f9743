"""
The default: merging finds the points, a refit the coefficients
===============================================================

The recipe that is original to this library. Support-vector merging is good at *placing* few support vectors, but a
stream of short gradient steps leaves their coefficients noisy. The default keeps second-order statistics of the rows
at the support vectors, solves for the coefficients, and moves the support vectors of small models by further passes.

The board has 16 squares, and both models have 80 support vectors from the same 10,000 noisy rows. The refit makes the
squares square.
"""

import matplotlib.pyplot as plt

from kernelstream import KernelClassifier, recipes
from kernelstream.datasets import checkerboard
from kernelstream.kernels import Gaussian
from kernelstream.plot import DecisionSurfaceDisplay

plt.style.use("kernelstream.plot.gallery")

X, y = checkerboard(10_000, noise=0.1, seed=0)
X_test, y_test = checkerboard(5000, start=10_000, seed=0)
shown = {
    "bsgd: merging": recipes.bsgd(Gaussian(4.0), lam=1e-4, budget=80),
    "default: merging and refit": recipes.default(Gaussian(4.0), budget=80),
}
figure, axes = plt.subplots(1, 2, figsize=(7, 3.9))
for ax, (name, recipe) in zip(axes, shown.items(), strict=True):
    model = KernelClassifier(recipe, epochs=1, random_state=0).fit(X, y)
    DecisionSurfaceDisplay.from_estimator(model, X, ax=ax, grid=160)
    ax.get_legend().remove()
    ax.set(xlabel="", ylabel="", xticks=[], yticks=[])
    ax.set_title(f"{name}\n{model.n_support_} SVs, test accuracy {model.score(X_test, y_test):.1%}")
plt.show()
