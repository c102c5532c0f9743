"""
Calibrated probabilities
========================

Of all rows to which a model gives a probability of 80 %, about 80 % should be positive. A support vector machine has
no probabilities of its own: its scores are margins. ``predict_proba`` turns them into probabilities with a scale that
is learned from predictions made before each row was learned, so that no extra data is needed.

The figure compares the probabilities with observed frequencies, in ten bins, on noisy rows where no model can be
certain. Points on the diagonal are right. Squashing the raw scores of the same model with a sigmoid, as is often
done, gives probabilities that are too timid. The lower panel shows how many rows are in each bin.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.calibration import calibration_curve
from sklearn.datasets import make_moons
from sklearn.metrics import log_loss

from kernelstream import KernelClassifier

plt.style.use("kernelstream.plot.gallery")

X, y = make_moons(20_000, noise=0.35, random_state=0)
X, X_test, y, y_test = X[:10_000], X[10_000:], y[:10_000], y[10_000:]
model = KernelClassifier(gamma=2.0, budget=100, random_state=0).fit(X, y)

calibrated = model.predict_proba(X_test)[:, 1]
squashed = 1.0 / (1.0 + np.exp(-model.decision_function(X_test)))
figure, (above, below) = plt.subplots(2, 1, figsize=(7, 5.2), height_ratios=[3, 1], sharex=True)
above.plot([0, 1], [0, 1], color="#6b7280", linestyle=":", linewidth=1.5, label="perfect")
for name, probability, marker in [("predict_proba", calibrated, "o"), ("sigmoid of the score", squashed, "^")]:
    observed, predicted = calibration_curve(y_test, probability, n_bins=10)
    above.plot(predicted, observed, marker=marker, label=name)
    print(f"{name}: log-loss {log_loss(y_test, probability):.3f}")
    below.hist(
        probability, bins=10, range=(0, 1), histtype="step", linewidth=2, linestyle="-" if marker == "o" else "--"
    )
above.set(title="Predicted probability and observed frequency", ylabel="share of positive rows")
above.legend()
below.set(xlabel="predicted probability", ylabel="rows")
plt.show()
