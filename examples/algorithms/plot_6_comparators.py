"""
The algorithms that the papers compare with
===========================================

Test-then-train accuracy on one stream: every row is predicted before it is learned. The board is noisy, and no
classifier exceeds 95 %. The budget is 100 support vectors, or 50 frequencies (100 features) for ``fogd``;
``projectron`` has no budget, and its tolerance is chosen so that it keeps a similar number.

The perceptrons that remove support vectors (``rbp``, ``forgetron``) stay behind, since what they remove is gone, and
so does ``bogd``, which discards without bias but with a high variance. ``projectron`` and ``fogd`` lose nothing and
stay ahead of them. The curve of ``bsgd`` with merging is there for comparison.
"""

import matplotlib.pyplot as plt

from kernelstream import KernelClassifier, recipes
from kernelstream.datasets import batches
from kernelstream.evaluate import progressive
from kernelstream.kernels import Gaussian
from kernelstream.plot import LearningCurveDisplay

plt.style.use("kernelstream.plot.gallery")

kernel = Gaussian(4.0)
contenders = {
    "rbp": recipes.rbp(kernel, budget=100),
    "forgetron": recipes.forgetron(kernel, budget=100),
    "bogd": recipes.bogd(kernel, budget=100),
    "projectron": recipes.projectron(kernel, eta=0.3),
    "fogd": recipes.fogd(4.0, frequencies=50),
    "bsgd": recipes.bsgd(kernel, budget=100),
}
results = {}
for name, recipe in contenders.items():
    model = KernelClassifier(recipe, random_state=0)
    stream = batches("checkerboard", 20_000, 100, noise=0.05, seed=0)
    results[name] = progressive(model, stream, every=1000, classes=[-1, 1])
    print(f"{name}: {model.n_support_} support vectors or features")

figure, ax = plt.subplots(figsize=(7, 4.2))
LearningCurveDisplay(results).plot(ax=ax, window=False, ends=True)
ax.set_title("Accuracy over all rows so far, budget of 100")
plt.show()
