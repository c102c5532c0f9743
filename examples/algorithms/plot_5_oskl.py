"""
OSKL: what is classified well is rarely added
=============================================

OSKL draws whether a row becomes a support vector, with a probability proportional to the slope of its loss, divided
by G. Rows that are classified well have a small slope and are almost never added; each added row takes a step of the
same length, so that the step is unbiased.

Left, the probability as a function of the margin y f(x), for several G. Right, the rows of a stream (grey) and those
that became support vectors (in colour), most of them on the border between the classes. A larger G keeps fewer.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_moons

from kernelstream import Model, recipes
from kernelstream.kernels import Gaussian

plt.style.use("kernelstream.plot.gallery")

X, y = make_moons(3000, noise=0.2, random_state=0)
y = 2 * y - 1
margin = np.linspace(-4.0, 6.0, 200)
figure, (left, right) = plt.subplots(1, 2, figsize=(7, 3.6))
for G in (1.0, 2.0, 6.0):
    model = Model.from_recipe(recipes.oskl(Gaussian(4.0), G=G), X, y).learn_many(X, y)
    left.plot(margin, 1.0 / (1.0 + np.exp(margin)) / G, label=f"G = {G:g}: {model.n_support} SVs")
left.set(title="Probability of being added", xlabel="margin y f(x)")
left.legend()

sv, coefficients = model.function
right.plot(*X.T, ".", color="#d1d5db", markersize=3)
for sign, marker, colour in [(1, "o", "#0072b2"), (-1, "^", "#d55e00")]:
    right.plot(*sv[np.sign(coefficients[:, 0]) == sign].T, marker, color=colour, markersize=5, markeredgecolor="white")
right.set(title=f"Support vectors, G = {G:g}", xticks=[], yticks=[])
plt.show()
