"""Regression: the targets' units, several outputs, data frames."""

import numpy as np
import pandas as pd
import pytest

from kernelstream import KernelRegressor
from kernelstream.kernels import Gaussian
from kernelstream.losses import Quantile

from .data import classifier, curve, regressor, two_classes


def test_targets_far_from_zero_are_no_trouble():
    X, y = curve()
    model = regressor().fit(X, y)
    assert model.score(X, y) > 0.95
    assert regressor(scale_target=False).fit(X, y).score(X, y) < 0.5
    np.testing.assert_allclose([model.intercept_[0], model.target_scale_[0]], [y.mean(), y.std()])


def test_predictions_are_the_function_in_the_units_of_y():
    X, y = curve()
    model = regressor().fit(X, y)
    by_hand = model.dual_coef_ @ Gaussian(0.5)(model.support_vectors_, X) + model.intercept_
    np.testing.assert_allclose(by_hand[0], model.predict(X), rtol=1e-5)


def test_another_unit_of_y_gives_the_same_model():
    X, y = curve()
    np.testing.assert_allclose(regressor().fit(X, y).predict(X) / 60, regressor().fit(X, y / 60).predict(X), rtol=1e-6)


def test_several_outputs():
    X, y = curve()
    Y = np.column_stack([y, -0.001 * y, X[:, 0] ** 2])
    model = regressor(budget=80).fit(X, Y)
    assert model.predict(X).shape == Y.shape
    assert model.dual_coef_.shape == (3, model.n_support_)
    assert model.score(X, Y) > 0.9
    assert regressor().fit(X, y[:, None]).predict(X).shape == (len(X), 1)


def test_the_scale_is_that_of_the_first_chunk():
    X, y = curve()
    model = regressor().partial_fit(X[:100], y[:100])
    mean, scale = model.target_mean_, model.target_scale_
    model.partial_fit(X[100:], y[100:] + 500)
    assert (model.target_mean_, model.target_scale_) == (mean, scale) == (y[:100].mean(), y[:100].std())


def test_weights_count_for_the_scale():
    X, y = curve(200)
    weights = np.ones(200)
    y[3], weights[3] = 1e9, 0.0
    assert regressor().fit(X, y, sample_weight=weights).score(X[4:], y[4:]) > 0.9


@pytest.mark.parametrize("value", [0.0, 7.0, 1e9])
def test_constant_targets(value):
    X, _ = curve(50)
    np.testing.assert_allclose(regressor().fit(X, np.full(50, value)).predict(X), value)


def test_refusals():
    X, y = curve(50)
    model = regressor().partial_fit(X, y)
    with pytest.raises(ValueError, match=r"y contains nan at row 4\. Every example needs a finite target"):
        model.partial_fit(X, np.where(np.arange(50) == 4, np.nan, y))
    with pytest.raises(ValueError, match="y has 2 columns, but the model has 1 outputs; it is unchanged"):
        model.partial_fit(X, np.column_stack([y, y]))
    with pytest.raises(ValueError, match="array with dim 3"):
        model.fit(X, np.zeros((50, 1, 1)))
    assert model.record_.examples == 50
    assert not hasattr(model, "decision_function")


def test_data_frames():
    X, y = two_classes(300)
    frame = pd.DataFrame(X, columns=["height", "width"])
    model = classifier().fit(frame, pd.Series(y))
    assert list(model.feature_names_in_) == ["height", "width"]
    np.testing.assert_array_equal(model.predict(frame), classifier().fit(X, y).predict(X))
    frame.loc[4, "width"] = np.nan
    for method in (model.predict, lambda rows: model.partial_fit(rows, y)):
        with pytest.raises(ValueError, match=r"Input X contains NaN at row 4, column 1 \('width'\)\. Remove that row"):
            method(frame)
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame[["width", "height"]])


@pytest.mark.parametrize("tau", [0.1, 0.5, 0.9])
def test_a_quantile_told_nothing_else_has_its_share_of_rows_below(tau):
    rng = np.random.default_rng(0)
    X, test = rng.uniform(-3, 3, (2, 3000, 1))
    noise = 0.1 + 0.2 * np.abs(np.concatenate([X, test])[:, 0])
    y = np.sin(np.concatenate([X, test])[:, 0]) + noise * rng.normal(size=6000)
    model = KernelRegressor(loss=Quantile(tau), random_state=0).fit(X, y[:3000])
    assert abs(np.mean(y[:3000] < model.predict(X)) - tau) < 0.07
    assert abs(np.mean(y[3000:] < model.predict(test)) - tau) < 0.07
