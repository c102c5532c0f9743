"""Files of schema 1, which lack some statistics of the run, are read."""

import numpy as np
import pytest

from kernelstream import Model, load, recipes, save
from kernelstream.kernels import Gaussian
from kernelstream.saving.safetensors_file import pack, unpack

ADDED = ("large", "weighted", "passes", "travel", "error_most", "square_sum", "intact")
X = np.random.default_rng(0).normal(size=(200, 2))
Y = np.sign(X[:, 0] * X[:, 1])


@pytest.mark.parametrize("half", [False, True])
def test_a_file_of_schema_1_is_read_and_goes_on_learning(tmp_path, half):
    model = Model.from_recipe(recipes.bsgd(Gaussian(1.0), budget=15), X, Y).learn_many(X[:100], Y[:100])
    path = tmp_path / "m.ks"
    save(model, path, half=half)
    header, arrays = unpack(path.read_bytes(), "m.ks")
    assert header["schema"] == 2
    old = {name: array for name, array in arrays.items() if name.removeprefix("run.") not in ADDED}
    assert len(old) == len(arrays) - len(ADDED)
    path.write_bytes(pack({k: v for k, v in header.items() if k not in ("sha256", "schema")} | {"schema": 1}, old))
    loaded = load(path)
    np.testing.assert_allclose(loaded.scores_many(X), model.scores_many(X), rtol=1e-6, atol=0.05 if half else 0.0)
    assert loaded.record.examples == 100
    assert "loaded without statistics" in str(loaded.record.certificate)
    if not half:
        again = loaded.learn_many(X[100:], Y[100:]).scores_many(X)
        np.testing.assert_array_equal(again, model.learn_many(X[100:], Y[100:]).scores_many(X))


def test_a_file_of_schema_2_keeps_its_certificate(tmp_path):
    model = Model.from_recipe(recipes.bsgd(Gaussian(1.0), budget=15), X, Y).learn_many(X, Y)
    save(model, tmp_path / "m.ks")
    assert load(tmp_path / "m.ks").record.certificate == model.record.certificate
    assert model.record.certificate.guarantees
