"""Prediction intervals: the coverage that was asked for, on rows that the model has not seen."""

import copy
import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import kernelstream
from kernelstream import KernelRegressor
from kernelstream.estimators.residuals import MOST, Residuals
from kernelstream.saving.safetensors_file import pack, unpack

RNG = np.random.default_rng(0)
X = RNG.uniform(-3.0, 3.0, size=(9000, 2))
NOISE = RNG.standard_t(4, size=9000) * (0.2 + 0.3 * (X[:, 0] > 0))  # larger where y is
Y = 50.0 + 5.0 * np.sin(X[:, 0]) + X[:, 1] + NOISE
TRAIN, TEST = slice(0, 6000), slice(6000, 9000)
HOW = {
    "fit": lambda **more: KernelRegressor(gamma=0.5, budget=60, random_state=0, **more).fit(X[TRAIN], Y[TRAIN]),
    "no refit": lambda: KernelRegressor("bsgd", gamma=0.5, budget=60, random_state=0).fit(X[TRAIN], Y[TRAIN]),
    "single": lambda: streamed(KernelRegressor(gamma=0.5, budget=60, random_state=0)),
    "adaptive": lambda: streamed(KernelRegressor(random_state=0)),
    "memories": lambda: KernelRegressor(half_life="auto", random_state=0).fit(X[TRAIN], Y[TRAIN]),
}


def streamed(model, size=250):
    for start in range(0, 6000, size):
        model.partial_fit(X[start : start + size], Y[start : start + size])
    return model


def covered(model, coverage, **more):
    low, high = model.predict_interval(X[TEST], coverage, **more).T
    return np.mean((low <= Y[TEST]) & (Y[TEST] <= high)), np.mean(high - low)


@pytest.fixture(scope="module")
def fitted():
    return HOW["fit"]()


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("local", [True, False])
def test_coverage(how, local):
    model = HOW[how]()
    for coverage in (0.5, 0.8, 0.9, 0.95):
        # 300 residuals or more: the deviation of the coverage is at most 0.03
        most = 1.0 if how == "no refit" else coverage + 0.08  # residuals of its first pass, before it was good
        assert coverage - 0.08 < covered(model, coverage, local=local)[0] < most
    assert len(model.residuals_) <= MOST


def test_intervals_are_wider_where_residuals_are(fitted):
    low, high = fitted.predict_interval(X[TEST], 0.9).T
    wide, right = high - low, X[TEST][:, 0] > 1.0
    assert wide[right].mean() > 1.3 * wide[~right].mean()
    same = np.ptp(fitted.predict_interval(X[TEST], 0.9, local=False), axis=1)
    np.testing.assert_allclose(same, same[0], rtol=1e-9)
    inside = [np.mean((Y[TEST] < high)[part] & (Y[TEST] > low)[part]) for part in (right, ~right)]
    assert min(inside) > 0.8


def test_the_width_is_an_order_statistic():
    """The ⌈(n + 1) · coverage⌉-th smallest, so that a new residual is at most that large with this probability."""
    known = Residuals(np.zeros((19, 1)), RNG.permutation(np.arange(1.0, 20.0))[:, None])
    for coverage, rank in ((0.5, 10), (0.9, 18), (0.95, 19), (0.901, 19)):
        assert known.widths(np.zeros((1, 1)), coverage, local=False)[0, 0] == rank
    with pytest.raises(ValueError, match=r"coverage=0.96 needs the residuals of 24 rows or more .* there are 19"):
        known.widths(np.zeros((1, 1)), 0.96)
    draws = np.random.default_rng(1).normal(size=(4000, 20))
    inside = [
        abs(row[-1]) <= Residuals(np.zeros((19, 1)), row[:-1, None]).widths(np.zeros((1, 1)), 0.9) for row in draws
    ]
    assert abs(np.mean(inside) - 0.9) < 0.015


def test_several_outputs_have_an_interval_each():
    both = np.column_stack([Y, 1000.0 - 10.0 * Y])
    for model in (
        KernelRegressor(gamma=0.5, budget=60, random_state=0).fit(X[TRAIN], both[TRAIN]),
        KernelRegressor(gamma=0.5, budget=60, random_state=0).partial_fit(X[:3000], both[:3000]),
    ):
        model.partial_fit(X[3000:6000], both[3000:6000])
        found = model.predict_interval(X[TEST], 0.9)
        assert found.shape == (3000, 2, 2)
        inside = (found[..., 0] <= both[TEST]) & (both[TEST] <= found[..., 1])
        np.testing.assert_allclose(inside.mean(axis=0), 0.9, atol=0.05)
    column = KernelRegressor(gamma=0.5, budget=30).fit(X[TRAIN], Y[TRAIN, None])
    assert column.predict_interval(X[:7]).shape == (7, 1, 2)


def test_few_rows():
    model = KernelRegressor(gamma=0.5).fit(X[:60], Y[:60])
    assert len(model.residuals_) == 6 and model.predict_interval(X[:2], 0.5).shape == (2, 2)
    with pytest.raises(ValueError, match=r"coverage=0.9 needs the residuals of 9 rows or more .* there are 6"):
        model.predict_interval(X[:2])
    model.calibrate(*model.check_rows(X[100:400], Y[100:400]))
    assert 0.8 < covered(model, 0.9)[0] < 0.98
    for coverage in (0.0, 1.0, -3, np.nan):
        with pytest.raises(ValueError, match="must be between 0 and 1"):
            model.predict_interval(X[:2], coverage)
    with pytest.raises(NotFittedError):
        KernelRegressor().predict_interval(X)
    with pytest.raises(ValueError, match="there are 0"):
        KernelRegressor(gamma=0.5).initialize(X, Y).predict_interval(X)


def test_calibration_on_other_rows_is_in_the_units_of_the_data():
    skewed = np.exp(2.0 * X)
    model = KernelRegressor(budget=60, random_state=0).fit(skewed[TRAIN], Y[TRAIN])
    assert model.feature_map_ is not None
    before = model.predict_interval(skewed[TEST], 0.9)
    after = model.calibrate(*model.check_rows(skewed[TEST], Y[TEST])).predict_interval(skewed[TEST], 0.9)
    np.testing.assert_allclose(np.ptp(after, axis=1).mean(), np.ptp(before, axis=1).mean(), rtol=0.2)


def test_they_are_saved(fitted, tmp_path):
    kernelstream.save(fitted, tmp_path / "model.ks")
    wanted = fitted.predict_interval(X[TEST], 0.9)
    for again in (kernelstream.load(tmp_path / "model.ks"), pickle.loads(pickle.dumps(fitted)), copy.deepcopy(fitted)):
        np.testing.assert_array_equal(again.predict_interval(X[TEST], 0.9), wanted)
    assert not hasattr(clone(fitted), "residuals_")
    kernelstream.save(fitted, tmp_path / "half.ks", half=True)
    half = kernelstream.load(tmp_path / "half.ks")
    assert len(half.residuals_) <= 256 and 0.8 < covered(half, 0.9)[0] < 0.98


def test_damaged_and_older_files(fitted, tmp_path):
    path = tmp_path / "model.ks"
    kernelstream.save(fitted, path)
    header, arrays = unpack(path.read_bytes(), "it")
    header = {key: value for key, value in header.items() if key not in ("sha256", "schema")}
    names = ("residuals.predictions", "residuals.errors")
    for bad in (arrays[names[1]][1:], arrays[names[1]] * np.nan, arrays[names[1]][:, [0, 0]]):
        path.write_bytes(pack(header, arrays | {names[1]: np.ascontiguousarray(bad)}))
        with pytest.raises(ValueError, match="its residuals are not those of a regressor with 1 outputs"):
            kernelstream.load(path)
    path.write_bytes(pack(header, {name: array for name, array in arrays.items() if name not in names}))
    older = kernelstream.load(path)
    np.testing.assert_array_equal(older.predict(X[:5]), fitted.predict(X[:5]))
    with pytest.raises(ValueError, match="there are 0"):
        older.predict_interval(X[:5])


def test_compressed_and_merged(fitted):
    smaller = fitted.compress(budget=5)
    with pytest.raises(ValueError, match="calibrate"):
        smaller.predict_interval(X[:2])  # its residuals are larger
    assert 0.85 < covered(smaller.calibrate(*smaller.check_rows(X[TRAIN], Y[TRAIN])), 0.9)[0] < 0.95
    assert len(fitted.residuals_) > 200
    parts = [KernelRegressor(gamma=0.5, budget=60, random_state=k).fit(X[k:6000:2], Y[k:6000:2]) for k in (0, 1)]
    merged, _ = kernelstream.merge(parts)
    assert 0.85 < covered(merged, 0.9)[0] < 0.97
    assert len(merged.residuals_) == sum(len(one.residuals_) for one in parts)


def test_early_residuals_of_a_stream_are_forgotten():
    known = Residuals()
    for k in range(100):
        known = known.joined(np.zeros((100, 1)), np.full((100, 1), 100.0 - k), 100 * (k + 1))
        assert len(known) == min(max(50 * (k + 1), 64), 100 * (k + 1), MOST)
    assert known.errors.max() <= 22.0


def test_rows_that_are_predicted_and_learned():
    for more in ({"gamma": 0.5}, {}):
        model = KernelRegressor(random_state=0, **more).initialize(X[:500], Y[:500])
        for start in range(0, 6000, 100):
            model.predict_then_learn(X[start : start + 100], Y[start : start + 100])
        assert 0.84 < covered(model, 0.9)[0] < 0.97
