"""
POLK: as many support vectors as a tolerance needs
==================================================

POLK has no budget. After every step it removes support vectors, the cheapest first, and fits the others again, as
long as the function moves by at most ε = K η\\ :sup:`3/2`. The size of the model follows from this tolerance and from
the function.

Left, the number of support vectors over a stream for three values of the parsimony constant K: it stops growing by
itself. Right, the distance that pruning moved the function in a whole run, per update, against the tolerance. It
never exceeds the line: this is what the certificate of the run checks.
"""

import matplotlib.pyplot as plt

from kernelstream import Model, recipes
from kernelstream.datasets import checkerboard
from kernelstream.kernels import Gaussian

plt.style.use("kernelstream.plot.gallery")

X, y = checkerboard(6000, seed=0)
X_test, y_test = checkerboard(5000, start=6000, seed=0)
figure, (left, right) = plt.subplots(1, 2, figsize=(7, 3.6))
for K, marker in [(0.05, "o"), (0.2, "^"), (0.8, "s")]:
    recipe = recipes.polk(Gaussian(4.0), eta=0.5, parsimony=K)
    model = Model.from_recipe(recipe, X, y).learn_many(X, y)
    accuracy = (model.scores_many(X_test)[:, 0] * y_test > 0).mean()
    (line,) = left.plot(*model.record.sizes, label=f"K = {K}: {accuracy:.1%}")
    pruning = model.record.certificate.guarantees[0]
    right.plot([pruning.bound], [pruning.measured], marker, color=line.get_color(), markersize=9)
    print(f"K = {K}: {pruning.sentence}")
right.plot([0, 0.3], [0, 0.3], color="#6b7280", linestyle=":", label="the tolerance ε")
left.set(title="Support vectors", xlabel="rows", ylim=(0, 290))
left.legend(title="test accuracy", loc="upper left")
right.set(title="Largest distance moved", xlabel="tolerance ε", ylabel="‖Δ‖")
right.legend()
plt.show()
