"""Streams of dicts, and models whose compositions the estimators' tests compile too."""

import numpy as np
import pytest

pytest.importorskip("river", reason="River is not installed: pip install 'kernelstream[river]'")

from kernelstream.river import KernelClassifier, KernelRegressor

NAMES = ("a", "b", "c", "d")


def blobs(n, labels=("red", "green", "blue"), seed=0):
    """Rows around two centres for each label, in four features."""
    rng = np.random.default_rng(seed)
    at, which = np.random.default_rng(9).normal(size=(6, 4)) * 2.0, rng.integers(2 * len(labels), size=n)
    X = at[which] + 0.5 * rng.normal(size=(n, 4))
    return [dict(zip(NAMES, x, strict=True)) for x in X.tolist()], [labels[i // 2] for i in which]


def curve(n, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-3, 3, size=(n, 2))
    return [{"u": u, "v": v} for u, v in X.tolist()], (1000 + 50 * np.sin(X[:, 0]) + 10 * X[:, 1]).tolist()


def plain(**changes):
    """Without a refit and with features as they are: nothing but the recipe's own steps."""
    given = {"algorithm": "bsgd", "gamma": 0.3, "lam": 1e-4, "budget": 30, "scale": None, "seed": 1}
    return KernelClassifier(**given | changes)


def regressor(**changes):
    return KernelRegressor(**{"gamma": 0.5, "budget": 30, "scale": None, "seed": 1} | changes)


def learned(model, rows, targets):
    for x, y in zip(rows, targets, strict=True):
        model.learn_one(x, y)
    return model


def state(model):
    """Every number that a learner keeps."""
    arrays = [np.asarray(a) for a in _leaves(model._model.__getstate__()["state"])]
    watch = getattr(model, "_watch", None)
    return arrays + ([watch.scores, watch.index, np.array([watch.slope])] if watch else [])


def _leaves(node):
    if isinstance(node, tuple):
        for part in node:
            yield from _leaves(part)
    else:
        yield node


def assert_same(one, other):
    assert one._features.columns == other._features.columns
    for a, b in zip(state(one), state(other), strict=True):
        np.testing.assert_array_equal(a, b)
