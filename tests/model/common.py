"""Small models and their data. Few compositions, each used by many tests: compiling is what they cost."""

import numpy as np
from numba import config

from kernelstream import Model, recipes
from kernelstream.bounds import Ball
from kernelstream.core.state import arrays
from kernelstream.kernels import Gaussian, Polynomial
from kernelstream.losses import CrammerSinger, Hinge, Logistic, Squared

PURE = bool(config.DISABLE_JIT)
LAM = 0.01

MERGE = recipes.bsgd(Gaussian(1.5), Hinge(), LAM, 12, "merge")
CLASSES = recipes.bsgd(Gaussian(1.5), CrammerSinger(), LAM, 12, "merge", 2.0, Ball(10.0))
PROJECT = recipes.bsgd(Gaussian(1.5), Hinge(), LAM, 12, "project")
POLK = recipes.polk(Gaussian(1.5), Logistic(), 0.5, 0.01, 0.3)
POLYNOMIAL = recipes.pegasos(Polynomial(3, 1.0, 1.0), Hinge(), LAM)
SQUARED = recipes.kernel_sgd(Gaussian(1.5), Squared(), LAM, 2.0)
PEGASOS = recipes.pegasos(Gaussian(1.5), Hinge(), LAM)


def pure_only(test):
    """Collected without the compiler only: a composition of its own."""
    return test if PURE else None


def compiled_only(test):
    return None if PURE else test


def data(rows=60, features=3, seed=0):
    X = np.random.default_rng(seed).normal(size=(rows, features))
    return X, np.where(X[:, 0] * X[:, -1] > 0.0, 1.0, -1.0)


def bits(model):
    """Everything that learning goes on from, byte for byte."""
    state = model.state
    kept = state._replace(scratch=(), work=())
    return [a.tobytes() for a in arrays(kept)]


def begin(recipe, X, y, **options):
    return Model.from_recipe(recipe, X, y, **options)
