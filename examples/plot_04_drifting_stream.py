"""
A drifting stream and its events
================================

A stream whose rule changes twice: first the labels are reversed at once, later the board is moved by half a square.
The estimator is told nothing but the classes. It predicts every batch before it learns it, so the curves are
accuracies on rows it has not seen.

Told nothing, ``partial_fit`` learns with several models at once, with and without forgetting, and follows the best of
them; ``drift_`` lists changes of the error rate that chance does not explain (dashed lines). A single model that
forgets nothing falls to almost 0 % when the labels are reversed, and recovers more slowly: all it learned before
still counts.
"""

import matplotlib.pyplot as plt
import numpy as np

from kernelstream import KernelClassifier
from kernelstream.datasets import checkerboard

plt.style.use("kernelstream.plot.gallery")

ROWS, BATCH = 18_000, 100
X, y = checkerboard(ROWS, seed=0)
y[6000:] *= -1
X[12_000:, 0] += 0.5

learners = {
    "told nothing: adapts": KernelClassifier(random_state=0),
    "a single model": KernelClassifier(adapt=False, gamma=4.0, budget=600, random_state=0),
}
figure, ax = plt.subplots()
for name, model in learners.items():
    right = []
    for start in range(0, ROWS, BATCH):
        rows = slice(start, start + BATCH)
        if start:
            right.append((model.predict(X[rows]) == y[rows]).mean())
        model.partial_fit(X[rows], y[rows], classes=[-1, 1])
    smooth = np.convolve(right, np.ones(5) / 5, mode="valid")
    ax.plot((np.arange(len(smooth)) + 6) * BATCH, 100 * smooth, label=name)

for event in learners["told nothing: adapts"].drift_:
    print(f"row {event.row:,}: error rate {event.before:.1%} before, {event.after:.1%} after")
    ax.axvline(event.row, color="#222222", linewidth=1, linestyle="--")
for row, text in [(6000, "labels reversed"), (12_000, "board moved")]:
    ax.annotate(text, (row, 3), (row - 200, 3), ha="right", fontsize=10)
ax.set(
    title="Two changes, found and followed", xlabel="row", ylabel="accuracy of the last 500 rows in %", ylim=(0, 102)
)
ax.legend(loc="lower right")
plt.show()
