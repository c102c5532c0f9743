"""
Merging the models of three sites
=================================

Three sites hold data that must not leave them, and each has seen only a part of the world: here a third of the board.
Each learns a model of its own, with the same kernel, and sends the model, a few kilobytes, not the rows.
``kernelstream.merge`` averages the functions and projects the mean onto as many support vectors as the budget allows.

Every site is good where it has data and guesses elsewhere. The merged model is good everywhere, and it is again one
model of 120 support vectors, which can go on learning. ``error`` is the exact distance between the mean and the
merged function, in the norm of the kernel's function space.
"""

import matplotlib.pyplot as plt

import kernelstream
from kernelstream import KernelClassifier
from kernelstream.datasets import checkerboard
from kernelstream.plot import DecisionSurfaceDisplay

plt.style.use("kernelstream.plot.gallery")

X, y = checkerboard(12_000, seed=0)
X_test, y_test = checkerboard(5000, start=12_000, seed=0)
which = (X[:, 0] / 4 * 3).astype(int)  # the site of each row

sites = {}
for i in range(3):
    mine = which == i
    sites[f"site {i + 1}"] = KernelClassifier(gamma=4.0, budget=120, random_state=i).fit(X[mine], y[mine])
merged, error = kernelstream.merge(sites.values())
print(f"norm of the merged function {merged.model_.norm:.3g}, distance from the mean of the three {error:.3g}")

figure, axes = plt.subplots(1, 4, figsize=(7, 2.45))
for ax, (name, model) in zip(axes, (sites | {"merged": merged}).items(), strict=True):
    DecisionSurfaceDisplay.from_estimator(model, X, ax=ax, grid=120, support=False)
    ax.set(xlabel="", ylabel="", xticks=[], yticks=[])
    ax.set_title(f"{name}\n{model.score(X_test, y_test):.1%}")
figure.suptitle("Test accuracy on the whole board", fontsize=12, fontweight="bold")
plt.show()
