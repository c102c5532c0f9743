"""
Which features matter
=====================

``fit`` chooses a scale for every feature, so features that do not help fade away. ``feature_relevance_`` tells how
much the prediction changes with each of them: the mean squared slope of the learned function, as shares of 1.

Friedman's function depends on five of the ten features here, :math:`10 \\sin(\\pi x_0 x_1) + 20 (x_2 - 0.5)^2 + 10
x_3 + 5 x_4`, and the other five are noise. The bars find exactly these five. Relevance is not causality: it says what
this model uses.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import make_friedman1

from kernelstream import KernelRegressor
from kernelstream.plot import FeatureRelevanceDisplay

plt.style.use("kernelstream.plot.gallery")

X, y = make_friedman1(4000, n_features=10, noise=1.0, random_state=0)
model = KernelRegressor(budget=200, random_state=0).fit(X[:3000], y[:3000])
print(f"R² on 1,000 other rows: {model.score(X[3000:], y[3000:]):.3f}")

figure, ax = plt.subplots(figsize=(7, 3.8))
FeatureRelevanceDisplay(model.feature_relevance_, [f"x{i}" for i in range(10)]).plot(ax=ax)
ax.set_title("Ten features: five matter, x5 to x9 are noise")
plt.show()
