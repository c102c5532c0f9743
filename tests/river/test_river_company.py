"""In the company of River's own parts, and what a learner must be for them: clone, pickle, memory."""

import pickle
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from kernelstream import recipes
from kernelstream.losses import Hinge
from tests.river.data import KernelClassifier, KernelRegressor, assert_same, blobs, curve, learned, plain, regressor

from river import compose, drift, ensemble, evaluate, metrics, model_selection, preprocessing, utils  # isort: skip


def score(model, stream, metric=None):
    return evaluate.progressive_val_score(zip(*stream, strict=True), model, metric or metrics.Accuracy()).get()


def worded(stream):
    """With a feature of words, which tells most of the class."""
    rows, labels = stream
    return [{**x, "word": y[:2]} for x, y in zip(rows, labels, strict=True)], labels


@pytest.mark.parametrize(
    "model",
    [
        preprocessing.StandardScaler() | plain(),
        preprocessing.MinMaxScaler() | plain(gamma=10.0),
        drift.DriftRetrainingClassifier(plain(), drift.binary.DDM()),
        ensemble.BaggingClassifier(plain(), n_models=3, seed=1),
        ensemble.ADWINBaggingClassifier(plain(), n_models=2, seed=1),
        model_selection.GreedyRegressor,
    ],
    ids=lambda model: model.__name__ if isinstance(model, type) else str(model),
)
def test_works_with(model):
    if model is model_selection.GreedyRegressor:
        models = utils.expand_param_grid(regressor(), {"gamma": [0.001, 0.5]})
        chosen = model(models, metrics.MAE())
        assert score(chosen, curve(400), metrics.MAE()) < 25 and chosen.best_model.gamma == 0.5
    else:
        assert score(model, blobs(400)) > 0.75  # of three


def test_words_are_encoded_before():
    words = compose.SelectType(str) | preprocessing.OneHotEncoder()
    model = (words + (compose.SelectType(float) | preprocessing.StandardScaler())) | plain()
    assert score(model, worded(blobs(300))) > 0.85


def test_a_hasher_bounds_the_features_of_an_open_world():
    rows, labels = blobs(400)
    model = preprocessing.FeatureHasher(n_features=16, seed=1) | plain()
    learned(model, [{**x, f"user{i}": 0.1} for i, x in enumerate(rows)], labels)
    assert model["KernelClassifier"]._model.n_features <= 16


def test_clones_and_pickles():
    rows, labels = blobs(300)
    model = learned(plain(), rows[:200], labels[:200])
    before = pickle.dumps(model)
    twin = pickle.loads(before)
    [model.predict_one(x) for x in rows], [model.predict_proba_one(x) for x in rows]
    assert pickle.dumps(model) == before
    assert_same(model, twin)
    assert_same(learned(twin, rows[200:], labels[200:]), learned(model, rows[200:], labels[200:]))
    assert_same(learned(model.clone(), rows, labels), model)
    assert model.clone().predict_one(rows[0]) is None
    assert model.clone({"budget": 7}).budget == 7 and KernelRegressor().clone({"warm_up": 9}).warm_up == 9
    recipe = recipes.bsgd(budget=9)
    assert KernelClassifier(recipe, seed=3).clone().algorithm == recipe
    assert not KernelClassifier(recipe, seed=3)._is_stochastic and KernelClassifier()._is_stochastic


def test_parameters_are_looked_at_when_they_are_given():
    for wrong, message in (
        ({"algorithm": "newton"}, "'algorithm' parameter"), ({"budget": 0}, "'budget' parameter"),
        ({"loss": Hinge()}, "must be a string or a number.*recipes.bsgd"), ({"loss": "squared"}, "not a loss for"),
        ({"warm_up": 0}, "warm_up is 0"), ({"algorithm": "perceptron", "lam": 1.0}, "takes no lam"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=message):
            KernelClassifier(**wrong)


def test_a_recipe_for_two_classes_refuses_a_third():
    model = KernelClassifier("sparse_klr", gamma=0.3, seed=1)
    model._labels = ["red", "green", "blue"]
    with pytest.raises(ValueError, match="binary classification"):
        model._begin(np.eye(3), [0, 1, 2])


def test_memory_is_flat():
    """What a model keeps after 2,000 rows is what it keeps after 20,000."""
    rows, labels = blobs(20_000)
    sizes = []
    model = plain()
    for i, (x, y) in enumerate(zip(rows, labels, strict=True), 1):
        model.learn_one(x if i % 3 else {"a": x["a"], "d": x["d"]}, y)
        if i in (2_000, 20_000):
            sizes.append((model.nbytes, model._raw_memory_usage, len(model.__dict__)))
    assert sizes[0][0] == sizes[1][0] and sizes[0][2] == sizes[1][2]
    assert abs(sizes[1][1] - sizes[0][1]) <= 64  # counters, which pickle writes in fewer bytes while they are small
    assert model._first is None and model.n_support == 30


def test_the_readme_runs(capsys):
    text = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    (code,) = [code for code in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "river" in code]
    exec(code, {})
    shown = capsys.readouterr().out.split()
    assert shown[0] == "Accuracy:" and 85 < float(shown[1].rstrip("%")) < 100


def test_without_river_the_error_says_what_to_install():
    code = """if True:
        import sys
        sys.modules["river"] = None
        import kernelstream
        try:
            import kernelstream.river
        except ImportError as error:
            print(error)
        assert "numba" not in sys.modules
    """
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert "pip install 'kernelstream[river]'" in found.stdout


def test_tracks_a_drift():
    rows, labels = blobs(900, ("no", "yes"))
    turned = labels[:450] + ["yes" if y == "no" else "no" for y in labels[450:]]
    model = drift.DriftRetrainingClassifier(plain(), drift.binary.DDM(), train_in_background=False)
    hits = []
    for x, y in zip(rows, turned, strict=True):
        hits.append(model.predict_one(x) == y)
        model.learn_one(x, y)
    assert np.mean(hits[700:]) > 0.9
