"""Predictions on two cores are those on one."""

import numpy as np
import pytest

from kernelstream.training import testing
from tests.estimators.data import classifier, two_classes


@pytest.mark.parametrize("rows", [1, 255, 256, 700, 1024])
def test_halves_are_the_whole(monkeypatch, rows):
    X, y = two_classes(1024)
    model = classifier().fit(X[:300], y[:300])
    monkeypatch.setattr(testing, "cores", lambda: 2)
    np.testing.assert_array_equal(testing.predicted(model, X[:rows]), model.predict(X[:rows]))
