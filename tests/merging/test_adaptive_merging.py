"""Models that have adapted to streams of several sites become one, which goes on learning."""

import numpy as np
import pytest

from kernelstream import KernelClassifier, KernelRegressor, load, merge, save

RNG = np.random.default_rng(0)
X = RNG.normal(size=(9000, 3))
PLACES = ((0.0, 1.0), (0.3, 1.3), (-0.2, 0.8))  # sites see other parts of the same world


def circle(X):
    return (np.square(X[:, :2]).sum(axis=1) > 1.3).astype(int)


def wave(X):
    return 100.0 + 10.0 * np.sin(2.0 * X[:, 0]) + 5.0 * X[:, 1]


def sites(kind, targets, rows=1500, **more):
    found = []
    for i, (shift, scale) in enumerate(PLACES):
        own = X[i * rows : (i + 1) * rows] * scale + shift
        model = kind(random_state=i, budget=90)
        found.append(model.partial_fit(own, targets(own), **more))
    return found


def test_labels():
    parts = sites(KernelClassifier, circle, classes=[0, 1])
    merged, error = merge(parts)
    test = X[6000:]
    score = merged.score(test, circle(test))
    assert score > np.mean([part.score(test, circle(test)) for part in parts]) - 0.01 and score > 0.9
    assert merged.t_ == 4500 and merged.n_support_ <= 90 and error >= 0.0
    np.testing.assert_array_equal(merged.class_counts_, np.sum([part.class_counts_ for part in parts], axis=0))
    merged.partial_fit(test[:1500], circle(test[:1500]))
    assert merged.score(test[1500:], circle(test[1500:])) > 0.93


def test_numbers():
    parts = sites(KernelRegressor, wave)
    merged, _ = merge(parts)
    test = X[6000:]
    worst = min(part.score(test, wave(test)) for part in parts)
    assert merged.score(test, wave(test)) > worst - 0.02
    merged.partial_fit(test[:1500], wave(test[:1500]))
    assert merged.score(test[1500:], wave(test[1500:])) > 0.95


def test_the_units_are_those_of_all_rows():
    parts = sites(KernelClassifier, circle, classes=[0, 1])
    units = merge(parts)[0].model_.stream.units
    rows = 1472  # 23 blocks of 64; the last rows of a site wait
    own = [X[i * 1500 : i * 1500 + rows] * scale + shift for i, (shift, scale) in enumerate(PLACES)]
    np.testing.assert_allclose(units.mean, np.concatenate(own).mean(axis=0), atol=1e-9)
    np.testing.assert_allclose(units.deviations(), np.concatenate(own).std(axis=0), rtol=1e-9)


def test_one_model_stays_what_it_was():
    (part,) = sites(KernelClassifier, circle, classes=[0, 1])[:1]
    merged, _ = merge([part])
    agree = merged.predict(X) == part.predict(X)
    assert agree.mean() > 0.98


@pytest.mark.parametrize("rows", [(20, 30), (20, 700), (1000, 50)])
def test_what_is_still_in_its_warm_up_is_learned(rows, tmp_path):
    parts = [
        KernelClassifier(random_state=0, budget=90).partial_fit(X[:n], circle(X[:n]), classes=[0, 1]) for n in rows
    ]
    merged, _ = merge(parts)
    assert merged.t_ == sum(rows)
    save(merged, tmp_path / "merged.ks")
    again = load(tmp_path / "merged.ks")
    for each in (merged, again):
        each.partial_fit(X[2000:2300], circle(X[2000:2300]))
    np.testing.assert_array_equal(again.predict_proba(X[:500]), merged.predict_proba(X[:500]))


def test_the_given_ones_stay_as_they_were():
    parts = sites(KernelClassifier, circle, rows=400, classes=[0, 1])
    before = [part.predict_proba(X[:300]) for part in parts]
    merge(parts)[0].partial_fit(X[:500], 1 - circle(X[:500]))
    for part, expected in zip(parts, before, strict=True):
        np.testing.assert_array_equal(part.predict_proba(X[:300]), expected)


def test_misfits_are_refused():
    one = KernelClassifier(budget=90).partial_fit(X[:300], circle(X[:300]), classes=[0, 1])
    other = KernelClassifier(budget=60).partial_fit(X[:300], circle(X[:300]), classes=[0, 1])
    more = KernelClassifier(budget=90).partial_fit(X[:300], circle(X[:300]), classes=[0, 1, 2])
    with pytest.raises(ValueError, match="same parameters, features and classes"):
        merge([one, other])
    with pytest.raises(ValueError, match="must have the same classes"):
        merge([one, more])
