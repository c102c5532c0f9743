"""
Decision surfaces of six recipes
================================

The same 3,000 rows, the same Gaussian kernel, six algorithms. Each panel shows the learned function (the darker, the
more certain), its decision boundary (black), and the support vectors that the model keeps: circles for one class,
triangles for the other.

All six find the boundary; they differ in what they keep for it. ``bsgd``, ``olrd`` and ``forgetron`` have a budget of
30 support vectors. ``nbsgd`` may exceed it, ``polk`` keeps what an error tolerance needs, and ``oskl`` rarely admits
rows that it classifies well. Merged support vectors (``bsgd``) are no rows of the data: they lie in the middle of
those they replace, so few of them cover the plane, where ``forgetron`` has only the latest mistakes.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import make_moons

from kernelstream import KernelClassifier, recipes
from kernelstream.kernels import Gaussian
from kernelstream.plot import DecisionSurfaceDisplay

plt.style.use("kernelstream.plot.gallery")

X, y = make_moons(5000, noise=0.2, random_state=0)
X, X_test, y, y_test = X[:3000], X[3000:], y[:3000], y[3000:]

kernel = Gaussian(4.0)
shown = {
    "bsgd, merging": recipes.bsgd(kernel, lam=1e-3, budget=30),
    "nbsgd, removal": recipes.nbsgd(kernel, lam=1e-3, budget=30, beta=1800.0),
    "polk": recipes.polk(kernel, eta=0.5, parsimony=0.2),
    "olrd": recipes.olrd(kernel, budget=30, U=10.0),
    "oskl": recipes.oskl(kernel, G=6.0, R=100.0),
    "forgetron": recipes.forgetron(kernel, budget=30),
}

figure, axes = plt.subplots(2, 3, figsize=(7, 4.5))
for ax, (name, recipe) in zip(axes.flat, shown.items(), strict=True):
    model = KernelClassifier(recipe, random_state=0, epochs=1).fit(X, y)
    DecisionSurfaceDisplay.from_estimator(model, X, ax=ax, grid=120)
    ax.get_legend().remove()
    ax.set(xlabel="", ylabel="", xticks=[], yticks=[])
    ax.set_title(f"{name}\n{model.n_support_} SVs, {model.score(X_test, y_test):.1%}", fontsize=10)
figure.suptitle("Support vectors (SVs) and test accuracy of six recipes", fontsize=12, fontweight="bold")
plt.show()
