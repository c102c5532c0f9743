"""Fitted estimators, saved in every way that users save them."""

import copy
import pickle
import sys

import joblib
import numpy as np
import pandas as pd
import pytest
import skops.io
from sklearn.exceptions import NotFittedError

from kernelstream import KernelClassifier, load, recipes, save
from kernelstream import saving as files
from kernelstream.kernels import Gaussian
from kernelstream.saving.safetensors_file import pack, unpack
from tests.estimators.data import classifier, curve, regressor, two_classes


def through_file(model, path):
    save(model, path)
    return load(path)


def test_using_a_loaded_estimator_imports_nothing_that_its_file_names(tmp_path, monkeypatch):
    path, (X, y) = tmp_path / "m.ks", two_classes(40)
    save(KernelClassifier("perceptron", gamma=1.0, random_state=0).fit(X, y), path)
    header, arrays = unpack(path.read_bytes(), "it")
    header = {key: value for key, value in header.items() if key not in ("sha256", "schema")}
    header["estimator"]["parameters"]["algorithm"] = "planted_module:run"
    path.write_bytes(pack(header, arrays))
    (tmp_path / "planted_module.py").write_text("def run():\n    raise SystemExit\n")
    monkeypatch.syspath_prepend(tmp_path)
    found = load(path)
    for use in (found.predict, found.predict_proba, found.decision_function):
        use(X)
    found.partial_fit(X, y).score(X, y)
    assert "planted_module" not in sys.modules


def through_joblib(model, path):
    joblib.dump(model, path)
    return joblib.load(path)


def through_skops(model, path):
    data = skops.io.dumps(model)
    trusted = skops.io.get_untrusted_types(data=data)
    assert all(name.startswith(("kernelstream.", "numpy.")) for name in trusted)
    return skops.io.loads(data, trusted=trusted)


WAYS = {
    "file": through_file,
    "pickle": lambda model, path: pickle.loads(pickle.dumps(model)),
    "joblib": through_joblib,
    "skops": through_skops,
    "deepcopy": lambda model, path: copy.deepcopy(model),
}


@pytest.fixture(scope="module")
def fitted():
    X, y = two_classes(300)
    frame = pd.DataFrame(X, columns=["left", "up"])
    gaussian = recipes.default(Gaussian(4.0), budget=40)
    return {
        "classifier": (classifier(budget=np.int64(40)).fit(frame, y), frame, y),
        "regressor": (regressor(random_state=np.random.RandomState(3)).fit(*curve(300)), *curve(300)),
        "recipe": (KernelClassifier(gaussian, random_state=0).fit(X, y == "white"), X, y == "white"),
    }


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("kind", ["classifier", "regressor", "recipe"])
def test_what_comes_back_is_the_same_and_learns_on_alike(fitted, kind, way, tmp_path):
    model, X, y = fitted[kind]
    again, model = way(model, tmp_path / "m"), copy.deepcopy(model)
    assert type(again) is type(model) and vars(again).keys() == vars(model).keys()
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    for name in vars(model).keys() - {"model_", "random_state"}:
        value, wanted = getattr(again, name), getattr(model, name)
        if isinstance(wanted, np.ndarray):
            np.testing.assert_array_equal(value, wanted, strict=True)
        else:
            assert value == wanted and (type(value) is type(wanted) or name == "budget"), name
    again.partial_fit(X, y)
    model.partial_fit(X, y)
    np.testing.assert_array_equal(again.support_vectors_, model.support_vectors_)
    np.testing.assert_array_equal(again.dual_coef_, model.dual_coef_)
    assert again.t_ == model.t_
    np.testing.assert_array_equal(again.fit(X, y).dual_coef_, model.fit(X, y).dual_coef_)  # the random state


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_models_too(fitted, way, tmp_path):
    model, X = fitted["recipe"][0].model_, fitted["recipe"][1]
    again = way(model, tmp_path / "m")
    np.testing.assert_array_equal(again.scores_many(X), model.scores_many(X))
    assert again.recipe == model.recipe


@pytest.mark.parametrize(
    "classes",
    [
        np.array([0, 7]),
        np.array([0.5, 1.5], np.float32),
        np.array([False, True]),
        np.array(["a", "ü 🌊"]),
        np.array(["no", "yes"], object),
        np.array([3, 4], np.uint8),
    ],
    ids=lambda classes: classes.dtype.str,
)
def test_labels_keep_their_kind(fitted, classes, tmp_path):
    model = copy.deepcopy(fitted["recipe"][0])
    model.classes_ = classes
    again = through_file(model, tmp_path / "m")
    assert again.classes_.dtype == classes.dtype
    assert again.classes_.tolist() == classes.tolist() == files.describe(tmp_path / "m").classes


def test_half_precision_of_an_estimator(fitted, tmp_path):
    for kind in ("classifier", "regressor"):
        model, X, y = fitted[kind]
        save(model, tmp_path / "half", half=True)
        save(model, tmp_path / "whole")
        again = load(tmp_path / "half")
        assert (tmp_path / "half").stat().st_size < 0.5 * (tmp_path / "whole").stat().st_size
        assert abs(again.score(X, y) - model.score(X, y)) < 0.01
        assert again.dtype == "float32" and again.model_.dtype == np.float32


def test_the_description_of_an_estimator(fitted, tmp_path):
    model, _, _ = fitted["classifier"]
    save(model, tmp_path / "m", extra={"scale": [1.0, 2.0]})
    found = files.describe(tmp_path / "m")
    assert found.kind == "classifier" and found.classes == ["black", "white"] and found.feature_names == ["left", "up"]
    assert found.parameters["budget"] == 40 and found.parameters["gamma"] == 4.0
    assert found.support_vectors == model.model_.n_support and found.to_dict()["extra"] == {"scale": [1.0, 2.0]}


def test_what_cannot_be_saved(fitted, tmp_path):
    with pytest.raises(NotFittedError, match="not fitted"):
        save(classifier(), tmp_path / "m")

    class Mine(KernelClassifier):
        pass

    mine = Mine()
    vars(mine).update(vars(fitted["recipe"][0]))
    with pytest.raises(ValueError, match="save accepts a Model, a KernelClassifier or a KernelRegressor, not Mine"):
        save(mine, tmp_path / "m")
    stranger = copy.deepcopy(fitted["recipe"][0])
    stranger.classes_ = np.array([b"no", b"yes"])
    with pytest.raises(ValueError, match="numbers, strings and booleans"):
        save(stranger, tmp_path / "m")
    own = copy.deepcopy(fitted["recipe"][0]).set_params(random_state=np.random.RandomState(np.random.PCG64(1)))
    with pytest.raises(ValueError, match="PCG64"):
        save(own, tmp_path / "m")
    assert not list(tmp_path.iterdir())
