"""`deploy=`: a model within the size of its exported form."""

import logging

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_digits

from kernelstream import KernelClassifier, KernelRegressor, load, recipes, save
from kernelstream.datasets import checkerboard, waveform
from kernelstream.estimators.deployment import Deployment, Size
from kernelstream.export.c import assemble, header
from kernelstream.export.c.deployed_tables import CTables
from kernelstream.export.deployed_scores import deployed_scores
from tests.export.program import GCC, run_header

BOARD, TEST = checkerboard(4000, seed=0), checkerboard(4000, seed=1)
WAVES = waveform(1500, seed=0)


def skewed(rows=3000, seed=0):
    rng = np.random.default_rng(seed)
    X = np.exp(1.5 * rng.normal(size=(rows, 4)))
    return X, np.log(X[:, 0]) * np.log(X[:, 1]) > 0


def each_vector(model, dtype):
    """The bytes that one more support vector takes."""
    width = model.support_vectors_.shape[1]
    outputs = model.dual_coef_.shape[0]
    return width + 2 * outputs if dtype == "int8" else 4 * (width + outputs)


@pytest.mark.parametrize(
    ("model", "data", "size"),
    [
        (KernelClassifier(gamma=4.0), BOARD, "600"),
        (KernelClassifier(gamma=0.05), WAVES, "3 KiB"),
        (KernelClassifier(tune=False), load_digits(return_X_y=True), "8 KB"),
        (KernelClassifier(), skewed(), "2 KiB"),
        (KernelClassifier("bsgd", gamma=4.0), BOARD, "300"),
        (KernelRegressor(gamma=4.0), (BOARD[0], BOARD[0] @ [3.0, 1.0]), "400"),
        (KernelRegressor(gamma=4.0), (BOARD[0], np.sin(3.0 * BOARD[0])), "500"),
    ],
    ids=["two classes", "three classes", "digits", "ranks or not", "bsgd", "regression", "two outputs"],
)
def test_within_the_size_and_no_smaller(model, data, size):
    model = clone(model).set_params(deploy=size, random_state=0).fit(*data)
    found, real = model.deploy_, assemble(model)
    assert found.limit == Size.parse(size).limit and found.nbytes == real.table_bytes <= found.limit
    assert f"in {found.dtype}." in real.text and f"{found.nbytes} bytes of constants" in real.text
    assert found.nbytes + each_vector(model, found.dtype) > found.limit
    assert (found.dtype == "int8") == (assemble(model, dtype="float32").table_bytes > found.limit)


def test_more_support_vectors_in_int8_are_more_accurate():
    within = KernelClassifier(gamma=4.0, deploy="500", random_state=0).fit(*BOARD)
    room = assemble(within, dtype="float32").table_bytes - 500
    fewer = within.n_support_ - -(-room // each_vector(within, "float32"))
    wide = KernelClassifier(gamma=4.0, budget=fewer, random_state=0).fit(*BOARD)
    assert within.deploy_.dtype == "int8" and assemble(wide).table_bytes <= 500
    written = CTables().scores(within, "int8", TEST[0])[:, 0] > 0.0
    assert np.mean(written == (TEST[1] > 0)) > wide.score(*TEST) + 0.01


def test_float32_if_it_fits():
    model = KernelClassifier(gamma=4.0, deploy="1 MiB", random_state=0).fit(BOARD[0][:1000], BOARD[1][:1000])
    assert model.deploy_.dtype == "float32" and model.score(*TEST) > 0.95 and model.n_support_ <= 1000


def test_float32_if_rounding_costs_more_than_support_vectors():
    """Two boards far from each other: a step of int8 is as wide as a board."""
    half = np.arange(len(BOARD[0])) % 2 * 1000.0
    X, test = BOARD[0] + half[:, None], TEST[0] + half[:, None]
    model = KernelClassifier(gamma=4.0, deploy="1500", random_state=0).fit(X, BOARD[1])
    assert model.deploy_.dtype == "float32" and model.deploy_.nbytes <= 1500
    assert model.deploy_.score > 0.9 and model.score(test, TEST[1]) > 0.9
    assert np.mean((deployed_scores(model, "int8", test)[:, 0] > 0.0) == (TEST[1] > 0)) < 0.7


def test_ranks_are_kept_where_they_matter(caplog):
    """They take more bytes than columns without them; the held-out loss decides."""
    X, y = skewed()
    with caplog.at_level(logging.INFO, "kernelstream.estimators.deployed_fit"):
        model = KernelClassifier(deploy="6 KiB", random_state=0).fit(X, y)
    assert all(f"'{name}': " in caplog.text for name in ("tuned", "without ranks", "usual width"))
    assert model.feature_map_ is not None and model.feature_map_.ranks
    assert model.deploy_.nbytes <= 6144 and model.score(*skewed(seed=1)) > 0.93


@pytest.mark.skipif(GCC is None, reason="needs gcc")
def test_the_score_is_that_of_the_header(tmp_path):
    """`deploy_.score` is measured in Python on held-out rows: the compiled header has the same accuracy on new ones."""
    X, y = waveform(3000, seed=1)
    model = KernelClassifier(gamma=0.05, deploy="4 KiB", random_state=0).fit(*WAVES)
    answers = run_header(header(model, "m"), X, 3, 3, tmp_path)
    assert model.deploy_.dtype == "int8"
    np.testing.assert_array_equal(answers.chosen, deployed_scores(model, "int8", X).argmax(axis=1))
    assert np.mean(model.classes_[answers.chosen] == y) == pytest.approx(model.deploy_.score, abs=0.07)
    assert model.deploy_.rows == len(WAVES[0]) // 20


def test_the_score_of_a_regressor():
    X, rng = BOARD[0], np.random.default_rng(0)
    y = 100.0 + 5.0 * np.sin(3.0 * X[:, 0]) + rng.normal(size=len(X))
    model = KernelRegressor(gamma=4.0, deploy="600", random_state=0).fit(X, y)
    best = 1.0 - 1.0 / y.var()  # what the noise leaves
    assert model.deploy_.score == pytest.approx(best, abs=0.03) and model.deploy_.rows == 200


def test_rows_without_weight_do_not_count():
    X, y = np.concatenate([BOARD[0], BOARD[0]]), np.concatenate([BOARD[1], -BOARD[1]])
    weight = np.repeat([1.0, 0.0], len(BOARD[0]))
    model = KernelClassifier(gamma=4.0, deploy="1 KiB", random_state=0).fit(X, y, weight)
    assert model.deploy_.score > 0.95


def test_an_onnx_file():
    pytest.importorskip("onnx")
    from kernelstream.export.onnx import to_onnx

    model = KernelClassifier(gamma=4.0, deploy="onnx: 3 KiB", random_state=0).fit(*BOARD)
    size = len(to_onnx(model).SerializeToString())
    assert model.deploy_ == Deployment("onnx", "float32", 3072, size, model.deploy_.score, 200)
    assert 3072 - 2 * each_vector(model, "float32") - 16 < size <= 3072 and model.score(*TEST) > 0.95


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"deploy": "much"}, "'much' is not a size such as '64 KiB'"),
        ({"deploy": "elf: 64 KiB"}, "'elf: 64 KiB' is not a size"),
        ({"deploy": "20"}, "20 bytes do not hold the C tables of a model with 2 support vectors, which take"),
        ({"deploy": "1 KiB", "budget": 50}, "budget must be None, not 50"),
        (
            {"deploy": "1 KiB", "algorithm": "perceptron"},
            "an algorithm with a budget, such as 'default', not 'perceptr",
        ),
        ({"deploy": "1 KiB", "algorithm": recipes.bsgd()}, "needs the name of an algorithm"),
        ({"deploy": "1 KiB", "half_life": "auto"}, "needs a single model"),
        ({"deploy": 1024}, "deploy"),
    ],
)
def test_what_is_refused(given, message):
    with pytest.raises(ValueError, match=message):
        KernelClassifier(**given).fit(BOARD[0][:300], BOARD[1][:300])


def test_streams_are_refused_until_there_is_a_model():
    model = KernelClassifier(gamma=4.0, deploy="600", random_state=0)
    for start in (model.partial_fit, model.initialize):
        with pytest.raises(
            ValueError, match=r"is for `fit`, .* give a budget, or use `kernelstream train --deploy-size`"
        ):
            start(*BOARD, classes=[-1, 1])
    model.fit(*BOARD).partial_fit(*TEST)
    assert assemble(model).table_bytes <= 600
    with pytest.raises(ValueError, match="more features would exceed"):
        model.add_features(3)


def test_parameters_and_files(tmp_path):
    model = KernelClassifier(gamma=4.0, deploy="600", random_state=0)
    assert clone(model).get_params()["deploy"] == "600"
    plain = clone(model).set_params(deploy=None).fit(*BOARD)
    assert plain.deploy_ is None and header(plain) == header(plain, dtype="float32")
    model.fit(*BOARD)
    for kept in (model, plain):
        save(kept, tmp_path / "m.ks")
        again = load(tmp_path / "m.ks")
        assert again.deploy_ == kept.deploy_ and again.get_params() == kept.get_params()
        assert header(again) == header(kept)
    again.fit(*BOARD)
    assert again.deploy_ is None
