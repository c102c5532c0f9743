"""
A loss of your own
==================

A loss is a class with a value and a slope. It is compiled with the learning loop, so it runs as fast as those of the
library, and works with every recipe that does not need a particular loss.

Here, predicting too little costs four times as much as predicting too much, as for the demand of a warehouse, but
large errors count linearly and small ones quadratically, so that the function stays smooth. The forecast moves up
where the demand varies more: the printed cost is what the warehouse pays on new days.
"""

import matplotlib.pyplot as plt
import numpy as np

from kernelstream import KernelRegressor, losses
from kernelstream.extend import Positive, strategy

plt.style.use("kernelstream.plot.gallery")


@strategy
class Shortage(losses.ScalarLoss):
    """Huber's loss of width `delta`; an underestimate costs `factor` times as much."""

    factor: Positive = 4.0
    delta: Positive = 0.1

    def value(self, z, y):
        r, cost = abs(z - y), self.factor if z < y else 1.0
        return cost * (0.5 * r * r / self.delta if r < self.delta else r - 0.5 * self.delta)

    def slope(self, z, y):
        cost = self.factor if z < y else 1.0
        return cost * min(max((z - y) / self.delta, -1.0), 1.0)


rng = np.random.default_rng(0)
day = rng.uniform(0.0, 1.0, 9000)
demand = 20 + 10 * np.sin(6 * day) + 8 * day * rng.normal(size=len(day))
X, X_new, y, y_new = day[:6000, None], day[6000:, None], demand[:6000], demand[6000:]
grid = np.linspace(0.0, 1.0, 200)[:, None]

figure, ax = plt.subplots()
ax.plot(X_new[:800, 0], y_new[:800], ".", color="#9ca3af", markersize=3, label="demand on new days")
for name, loss in [("squared loss", losses.Squared()), ("Shortage(factor=4)", Shortage(4.0))]:
    model = KernelRegressor(loss=loss, gamma=20.0, budget=60, lam=1e-3, epochs=20, random_state=0).fit(X, y)
    missing = y_new - model.predict(X_new)
    cost = np.where(missing > 0, 4.0, 1.0) * abs(missing)
    print(f"{name}: mean cost {cost.mean():.2f}, demand met on {np.mean(missing <= 0):.0%} of the days")
    ax.plot(grid, model.predict(grid), label=name)
ax.set(title="A forecast that avoids shortages", xlabel="time of the year", ylabel="demand")
ax.legend(loc="lower left")
plt.show()
