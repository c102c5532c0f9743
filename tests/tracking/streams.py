"""Streams and trackers for the tests of this room."""

import numpy as np

from kernelstream import recipes
from kernelstream.core.mixture import Labels
from kernelstream.kernels import Gaussian
from kernelstream.losses import Hinge
from kernelstream.tracking import Tracker, models_of

SIDE, CORNER = 1.3, 0.37  # of the squares: they fit no grid of cells


def board(rows, seed=0, classes=2, features=2):
    """A checkerboard of the first two features, 4 × 4: rows and the indices of their classes."""
    X = np.random.default_rng(seed).uniform(0.0, 4.0, size=(rows, features))
    return CORNER + SIDE * X, np.floor(X[:, :2]).sum(axis=1).astype(int) % classes


def scaled(X):
    """Centred, with a deviation near 1."""
    return (X - CORNER - 2.0 * SIDE) / (1.15 * SIDE)


def recipe_for(classes=2, budget=40):
    return recipes.default(Gaussian("scale"), Hinge() if classes == 2 else Hinge().for_classes(classes), budget=budget)


def tracker(classes=2, budget=40, features=2, seed=3):
    recipe, X = recipe_for(classes, budget), scaled(board(128, features=features)[0])
    outputs = 1 if classes == 2 else classes
    return Tracker(models_of(recipe, X, np.zeros((len(X), 1)), outputs, "float32", seed), Labels())


def learn(one, x, index, weight=1.0):
    """One row; to the loss of two classes they are −1 and 1."""
    target = 2.0 * index - 1.0 if one.n_outputs == 1 else float(index)
    return one.learn_one(scaled(x), np.ascontiguousarray(x), int(index), target, weight)


def run(one, X, cell):
    """Test, then train; which rows were right."""
    right = []
    for x, index in zip(X, cell, strict=True):
        right.append(one.predict_one(scaled(x), x).argmax() == index)
        learn(one, x, index)
    return np.array(right)


def leaves(node, path=""):
    """The arrays of a state, by name."""
    if isinstance(node, np.ndarray):
        yield path, node
        return
    names = getattr(node, "_fields", range(len(node)))
    for name, part in zip(names, node, strict=True):
        yield from leaves(part, f"{path}.{name}")


BUFFERS = (
    ".current", ".cells.where", ".cells.singles", ".cells.keys", ".cells.slope", ".mixture.logits", ".mixture.p",
    ".mixture.logs", ".mixture.inputs", ".mixture.q", ".mixture.mixed",
)  # fmt: skip


def learned(one):
    """All that a tracker has learned, as bytes: without buffers of the current row."""
    found = {name: array.tobytes() for name, array in leaves(one.state) if not name.startswith(BUFFERS)}
    for i, model in enumerate(one.models):
        for name, array in leaves(model.state):
            if not name.startswith((".scratch", ".work", ".look_ahead")):
                found[f"{i}{name}"] = array.tobytes()
    found["rest"] = (one.rows, one.detector.blocks, tuple(one.detector.buckets), tuple(one.drift))
    return found


def different(a, b):
    """The names of what two trackers have learned differently."""
    first, second = learned(a), learned(b)
    return [name for name in first.keys() | second.keys() if first.get(name) != second.get(name)]
