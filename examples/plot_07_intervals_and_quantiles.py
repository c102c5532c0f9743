"""
Prediction intervals and quantiles
==================================

A regressor can say how uncertain it is in two ways. ``predict_interval`` works with any loss: it takes the residuals
of rows that were predicted before they were learned (split conformal prediction), and the share of new rows inside is
as asked for, whatever the noise. Its width follows the size of the residuals at similar predictions. A quantile loss
learns one quantile as a function of the row, and promises no coverage.

Both bands follow the noise, which grows to the right. The printed coverage is measured on rows that neither has seen;
90 % was asked for.
"""

import matplotlib.pyplot as plt
import numpy as np

from kernelstream import KernelRegressor
from kernelstream.losses import Quantile

plt.style.use("kernelstream.plot.gallery")

rng = np.random.default_rng(1)
x = rng.uniform(0.0, 1.0, 6000)
y = np.exp(2.0 * x) + (0.1 + x) * rng.normal(0.0, 0.7, len(x))
X, X_test, y, y_test = x[:4000, None], x[4000:, None], y[:4000], y[4000:]
grid = np.linspace(0.0, 1.0, 200)[:, None]


def fitted(**options):
    return KernelRegressor(gamma=5.0, budget=50, random_state=0, **options).fit(X, y)


model, lower, upper = fitted(), fitted(loss=Quantile(0.05)), fitted(loss=Quantile(0.95))
bands = {
    "predict_interval(coverage=0.9)": lambda rows: model.predict_interval(rows, coverage=0.9).T,
    "quantiles 0.05 and 0.95": lambda rows: (lower.predict(rows), upper.predict(rows)),
}
figure, axes = plt.subplots(1, 2, figsize=(7, 3.8), sharey=True)
for ax, (name, band) in zip(axes, bands.items(), strict=True):
    low, high = band(X_test)
    print(f"{name}: {np.mean((low <= y_test) & (y_test <= high)):.1%} of {len(y_test):,} new rows are inside")
    ax.plot(X_test[:600, 0], y_test[:600], ".", color="#6b7280", markersize=3)
    ax.fill_between(grid[:, 0], *band(grid), color="#0072b2", alpha=0.25)
    ax.plot(grid, model.predict(grid), color="#d55e00", linestyle="-")
    ax.set_title(name, fontsize=11)
    ax.set_xlabel("x")
axes[0].set_ylabel("y, predicted (line) and interval (band)")
plt.show()
