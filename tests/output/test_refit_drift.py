"""A half-life is for streams that drift."""

import numpy as np
import pytest

from kernelstream.output import refit as stage
from tests.output.refit_cases import DEFAULT, GATHERED, begun, own, refitted, stream

pytestmark = pytest.mark.engine
ROWS, STEP = 1000, 20


@pytest.fixture(autouse=True)
def gather_few(monkeypatch):
    monkeypatch.setattr(stage, "GATHERED", GATHERED)


def progress(half_life: float):
    """The share of right predictions in each fifth of a stream whose labels change sign half-way, each before it is
    learned; and whether the refit predicts in the end."""
    X, y, _ = stream("binary", ROWS, seed=1)
    y[ROWS // 2 :] *= -1.0
    model, right = begun(refitted(DEFAULT, half_life=half_life)), []
    for start in range(0, ROWS, STEP):
        some = slice(start, start + STEP)
        right.append(np.sign(model.scores_many(X[some])[:, 0]) == y[some])
        model.learn_many(X[some], y[some])
    return np.reshape(right, (5, -1)).mean(axis=1), bool(own(model).serves[0])


def test_with_a_half_life_it_recovers():
    (kept, _), (forgot, serves) = progress(0.0), progress(100.0)
    assert serves
    assert min(kept[1], forgot[1]) > 0.7  # before the change both are good,
    assert forgot[4] > max(kept[4] + 0.1, 0.7)  # after it the one that forgets
