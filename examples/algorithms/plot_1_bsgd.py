"""
BSGD: three ways to lose a support vector
=========================================

A function of six support vectors (dots), of which one has to go: the one with the smallest coefficient. *Removal*
cuts its bump out. *Projection* changes the coefficients of the others so that they replace it as well as they can.
*Merging* replaces it and one partner by a new point between them.

‖Δ‖ is the distance between the function before and after, in the norm of the function space: it is the error that
budget maintenance adds to a gradient step, and the theorem of the paper bounds what a budget costs by the mean of
‖Δ‖/η. Merging loses least here, and costs no matrix inversion.
"""

import matplotlib.pyplot as plt
import numpy as np

from kernelstream.kernels import Gaussian

plt.style.use("kernelstream.plot.gallery")

kernel = Gaussian(2.0)
x = np.array([-2.0, -1.2, -0.5, 0.1, 1.1, 2.1])[:, None]
a = np.array([0.9, -0.8, 0.7, 0.45, -0.8, 0.6])
grid = np.linspace(-3.2, 3.2, 400)[:, None]
p = int(np.argmin(a**2))  # the smallest
rest = np.delete(np.arange(6), p)


def distance(points, coefficients):
    """‖f − g‖ for the function g of these points."""
    a_both, both = np.concatenate([a, -coefficients]), np.vstack([x, points])
    return np.sqrt(a_both @ kernel(both) @ a_both)


def merged(m, h):
    """f with a point between p and m in the place of both; its coefficient is the best for it."""
    z, others = h * x[[p]] + (1 - h) * x[[m]], np.setdiff1d(rest, m)
    return np.vstack([x[others], z]), np.concatenate([a[others], kernel(z, x[[p, m]]) @ a[[p, m]]])


projected = a[rest] + a[p] * np.linalg.solve(kernel(x[rest]), kernel(x[rest], x[[p]])[:, 0])
ways = {
    "removal": (x[rest], a[rest]),
    "projection": (x[rest], projected),
    "merging": min((merged(m, h) for m in rest for h in np.linspace(0, 1, 101)), key=lambda found: distance(*found)),
}
figure, axes = plt.subplots(1, 3, figsize=(7, 3.2), sharey=True)
for ax, (name, (points, coefficients)) in zip(axes, ways.items(), strict=True):
    ax.plot(grid, kernel(grid, x) @ a, color="#6b7280", linestyle=":", label="before")
    ax.plot(grid, kernel(grid, points) @ coefficients, label="after")
    ax.plot(points, kernel(points, points) @ coefficients, "o", color="#0072b2")
    ax.plot(x[p], kernel(x[[p]], x) @ a, "X", color="#d55e00", markersize=9)
    ax.set_title(f"{name}: ‖Δ‖ = {distance(points, coefficients):.2f}", fontsize=11)
axes[0].legend(loc="lower left")
plt.show()
