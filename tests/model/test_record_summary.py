"""`print(model.record_)`: about ten lines of words, and no arrays."""

import numpy as np
import pytest

from kernelstream import KernelClassifier, KernelRegressor
from kernelstream.datasets import checkerboard

X, Y = checkerboard(1500, seed=0)


def facts(record):
    lines = str(record).splitlines()
    assert len(lines) <= 10 and all(len(line) <= 150 for line in lines)
    return dict(line.split("  ", 1) for line in lines)


def test_a_single_model():
    model = KernelClassifier("bsgd", gamma=4.0, budget=30, epochs=3, random_state=0).fit(X, Y)
    record = model.record_
    found = facts(record)
    assert found["examples learned"].strip() == "4,500 in 3 passes"
    assert found["support vectors"].strip() == "30 now, 30 at most"
    assert float(found["mean loss"].split(",")[0]) == pytest.approx(record.loss / 4500, rel=1e-3)
    assert found["budget maintenance"].strip().startswith(f"{record.maintenance:,} times, moved the function by ")
    moved = float(found["budget maintenance"].split(" by ")[1].split()[0])
    assert moved == pytest.approx(record.distance / record.maintenance, rel=1e-3)
    assert "Wang, Crammer & Vucetic 2010, Theorem 1" in found["theorems"]
    weighted = KernelClassifier("bsgd", gamma=4.0, budget=30, epochs=1).fit(X, Y, np.where(Y > 0, 2.0, 1.0))
    assert facts(weighted.record_)["weighted examples"].strip() == f"{(Y > 0).sum():,}"
    assert "1 checked" in facts(weighted.record_)["theorems"]


def test_a_model_that_has_learned_nothing():
    found = facts(KernelRegressor("norma", gamma=1.0).initialize(X, Y).record_)
    assert "nothing has been learned" in found["mean loss"] and found["budget maintenance"].strip() == "never needed"


def test_distances_that_are_not_measured():
    model = KernelClassifier("norma", gamma=4.0, budget=20, epochs=1).fit(X, Y)
    record = model.record_
    object.__setattr__(record, "distance", np.nan)
    assert "does not measure" in facts(record)["budget maintenance"]


def test_a_mixture():
    model = KernelClassifier(random_state=0).partial_fit(X, Y, classes=[-1, 1])
    found = facts(model.record_)
    assert found["examples learned"].strip().startswith("1,500 by a mixture of ")
    assert found["mistakes"].strip().startswith(f"{model.record_.mistakes:,} (")
    assert "fixed share" in found["theorems"]
    numbers = KernelRegressor(random_state=0).partial_fit(X, Y)
    assert "mistakes, or large errors" in facts(numbers.record_)
    assert "array" not in repr(model.record_) + repr(numbers.record_)


def test_arrays_are_not_printed():
    record = KernelClassifier("perceptron", gamma=4.0, epochs=1).fit(X, Y).record_
    assert record.sizes.shape[1] > 5 and "array" not in repr(record) and len(repr(record)) < 300
