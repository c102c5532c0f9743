"""Functions made by hand, one for every kernel, so that nothing needs to be compiled or learned."""

import numpy as np
from scipy.special import softmax

from kernelstream import kernels as k
from kernelstream.core.strategy import Positive, strategy
from kernelstream.export.portable_model import assemble_portable
from kernelstream.export.prediction_task import ClassificationTask
from kernelstream.export.raw_rows import raw_rows

LABELS = np.array(["é", 'say "b"?', "c"])
SLOPE, INTERCEPT, FEATURES = 1.3, np.array([0.1, -0.2, 0.3]), 5


@strategy
class OfMyOwn(k.Radial):
    width: Positive = 1.0

    def of(self, u):
        return 0.5 * (1.0 - np.tanh(u / self.width)) + abs(1.0 / (2.0 - -u)) - np.cos(u) * 0.0


NARROW = k.Gaussian(200.0)
KERNELS = {
    "gaussian": k.Gaussian(0.5),
    "narrow": NARROW,
    "laplacian": k.Laplacian(0.3),
    "cauchy": k.Cauchy(0.5),
    "rational quadratic": k.RationalQuadratic(2.0, 1.5),
    "matern 3/2": k.Matern32(2.0),
    "matern 5/2": k.Matern52(2.0),
    "linear": k.Linear(),
    "polynomial": k.Polynomial(3, 0.2, 1.0),
    "radial sum": k.Gaussian(0.5) + k.Cauchy(0.2),
    "manhattan product": 2.0 * (k.Laplacian(0.2) * k.Laplacian(0.1)),
    "dot sum": k.Polynomial(2, 0.1, 1.0) + k.Linear(),
    "all families": k.Gaussian(0.5) + 0.1 * (k.Linear() * k.Laplacian(0.3)),
    "fourier": k.Fourier(0.5, 20),
    "my own": OfMyOwn(2.0),
}


class Case:
    """A function, rows of data near its support vectors, and what it is there in float64."""

    def __init__(self, kernel, offset, rows=10_000):
        rng = np.random.default_rng(0)
        vectors = rng.normal(size=(40, FEATURES)) + offset
        if isinstance(kernel, k.Fourier):
            vectors = np.tile(rng.normal(size=(20, FEATURES)), (2, 1))
        coefficients = rng.normal(size=(40, 3))
        self.X = (vectors[rng.integers(40, size=rows)] * (not isinstance(kernel, k.Fourier))).astype(np.float32)
        self.X += rng.normal(size=self.X.shape).astype(np.float32) * (0.02 if kernel == NARROW else 0.5)
        if isinstance(kernel, k.Fourier):
            self.X += np.float32(offset)
        self.scores = kernel(self.X, vectors) @ coefficients + INTERCEPT
        self.scale = max(1.0, np.abs(self.scores).max())
        self.index = self.scores.argmax(axis=1)
        self.probabilities = softmax(SLOPE * self.scores, axis=1)
        self.source = assemble_portable(
            kernel, vectors, coefficients, INTERCEPT, raw_rows(None, FEATURES), ClassificationTask(LABELS, SLOPE)
        )  # fmt: skip

    def clear(self, tolerance):
        """Rows whose two highest scores are not closer than rounding can tell apart."""
        best = np.sort(self.scores, axis=1)
        return best[:, -1] - best[:, -2] > tolerance * self.scale
