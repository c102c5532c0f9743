"""River's regressor, told nothing: it adapts, takes new features at any time, and rows may come in any portions."""

import numpy as np
import pytest

from kernelstream.model import Model
from kernelstream.tracking import AdaptiveModel
from tests.river.data import KernelRegressor, curve, learned

ROWS, Y = curve(600)


def adaptive(**changes):
    return KernelRegressor(**{"budget": 30, "seed": 1} | changes)


def predictions(model, rows=ROWS):
    return [model.predict_one(x) for x in rows[:50]]


def errors(model, rows, targets):
    """Test, then train."""
    found = []
    for x, y in zip(rows, targets, strict=True):
        found.append(abs(model.predict_one(x) - y))
        model.learn_one(x, y)
    return np.array(found)


def test_told_nothing_it_adapts():
    assert isinstance(learned(adaptive(), ROWS[:20], Y[:20])._model, AdaptiveModel)
    for told in ({"adapt": False}, {"gamma": 0.5}, {"half_life": 300.0}):
        assert isinstance(learned(adaptive(**told), ROWS[:20], Y[:20])._model, Model)


def test_before_the_models_begin_it_predicts_the_median():
    model, seen = adaptive(), []
    for x, y in zip(ROWS[:8], [5.0, -1.0, 1e9, 7.0, 2.0, 2.0, 3.0, 4.0], strict=True):
        assert model.predict_one(x) == (np.median(seen) if seen else 0.0)
        model.learn_one(x, y)
        seen.append(y)
    assert model.predict_one(ROWS[0]) != np.median(seen)


@pytest.mark.parametrize("cuts", [(1, 7, 40), (130, 131), (300,)])
def test_learn_many_is_a_loop_of_learn_one(cuts):
    pandas = pytest.importorskip("pandas")
    weights = np.resize([1.0, 0.2, 3.0, 0.0, 20.0], 300).tolist()
    loop, many = adaptive(), adaptive()
    for x, y, w in zip(ROWS[:300], Y[:300], weights, strict=True):
        loop.learn_one(x, y, w)
    for start, stop in zip((0, *cuts), (*cuts, 300), strict=True):
        part = slice(start, stop)
        many.learn_many(pandas.DataFrame(ROWS[part]), pandas.Series(Y[part]), pandas.Series(weights[part]))
    assert predictions(loop) == predictions(many) and loop._model.rows == many._model.rows == 300
    np.testing.assert_array_equal(many.predict_many(pandas.DataFrame(ROWS[:50])), predictions(many))


@pytest.mark.parametrize("when", [4, 20, 60, 200])
def test_a_new_feature_is_learned(when):
    """It comes before the models begin, during the warm-up, or after it."""
    rng = np.random.default_rng(when)
    extra = rng.normal(size=600).tolist()
    rows = [x | ({"new": e} if i >= when else {}) for i, (x, e) in enumerate(zip(ROWS, extra, strict=True))]
    targets = [y + (100.0 * e if i >= when else 0.0) for i, (y, e) in enumerate(zip(Y, extra, strict=True))]
    model = adaptive()
    found = errors(model, rows, targets)
    assert isinstance(model._model, AdaptiveModel) and model._model.n_features == 3
    assert found[500:].mean() < 0.5 * 80.0  # 80 is the mean size of what the new feature adds
    assert max(model.feature_relevance_, key=model.feature_relevance_.get) == "new"


def test_saved_and_loaded_it_takes_a_new_feature_as_the_original_does(tmp_path):
    model = learned(adaptive(), ROWS[:150], Y[:150])
    model.save(tmp_path / "stream.ks")
    again = KernelRegressor.load(tmp_path / "stream.ks")
    assert predictions(model) == predictions(again)
    late = [x | {"new": float(i % 3)} for i, x in enumerate(ROWS[150:300])]
    for one in (model, again):
        learned(one, late, Y[150:300])
    assert predictions(model, late) == predictions(again, late)


def test_targets_move_and_one_is_absurd():
    targets = np.array(Y)
    targets[300:] += 1e6
    targets[450] = 1e30
    found = errors(adaptive(), ROWS, targets.tolist())
    # 35 is the mean difference from the mean; the new level is believed within some rows, the absurd one never
    assert found[200:300].mean() < 20.0 and found[400:450].mean() < 35.0 and found[451:].mean() < 35.0


@pytest.mark.parametrize("y", [float("nan"), float("inf"), "many", None])
@pytest.mark.parametrize("seen", [5, 50, 200])
def test_what_is_no_number_is_refused_and_nothing_changes(y, seen):
    model = learned(adaptive(), ROWS[:seen], Y[:seen])
    before = predictions(model)
    with pytest.raises(ValueError, match="not a finite number; the model is unchanged"):
        model.learn_one(ROWS[0], y)
    assert predictions(model) == before and model._model.rows == seen
