"""
The curse of kernelization
==========================

Without a budget, every row on the wrong side of the margin becomes a support vector. On noisy data their number grows
linearly with the stream, and because each prediction visits all of them, the time grows with the square of it. Memory
and time per row then have no limit, which rules such a model out for a stream.

With a budget, memory and time per row are constant from the moment the budget is full. The budget of 200 costs little
accuracy here, as the printed figures show: support-vector merging keeps what the function needs.
"""

import time

import matplotlib.pyplot as plt

from kernelstream import Model, recipes
from kernelstream.datasets import checkerboard
from kernelstream.kernels import Gaussian

plt.style.use("kernelstream.plot.gallery")

ROWS, STEP = 60_000, 4000
X, y = checkerboard(ROWS, noise=0.1, seed=0)
X_test, y_test = checkerboard(5000, start=ROWS, seed=0)
contenders = {
    "no budget (pegasos)": recipes.pegasos(Gaussian(4.0), lam=1e-4),
    "budget of 200 (bsgd)": recipes.bsgd(Gaussian(4.0), lam=1e-4, budget=200),
}

figure, (left, right) = plt.subplots(1, 2, figsize=(7, 3.6))
for name, recipe in contenders.items():
    Model.from_recipe(recipe, X, y).learn_many(X[:500], y[:500])  # compiles, outside the measurement
    model, spent, rows, sizes, seconds = Model.from_recipe(recipe, X, y), 0.0, [], [], []
    for start in range(0, ROWS, STEP):
        began = time.process_time()
        model.learn_many(X[start : start + STEP], y[start : start + STEP])
        spent += time.process_time() - began
        rows.append(start + STEP)
        sizes.append(model.n_support)
        seconds.append(spent)
    left.plot(rows, sizes, label=name)
    right.plot(rows, seconds)
    accuracy = (model.scores_many(X_test)[:, 0] * y_test > 0).mean()
    print(f"{name}: {model.n_support:,} support vectors, test accuracy {accuracy:.1%}")
for ax, title in [(left, "Support vectors"), (right, "CPU time in seconds")]:
    ax.set(title=title, xlabel="rows learned", xticks=[0, 20_000, 40_000, 60_000], xlim=(0, 62_000))
    ax.xaxis.set_major_formatter("{x:,.0f}")
left.yaxis.set_major_formatter("{x:,.0f}")
left.legend()
plt.show()
