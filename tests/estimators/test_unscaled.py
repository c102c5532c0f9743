"""Features in different units are noticed once, with what to do, and scaled data is never mistaken for them."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from kernelstream import KernelClassifier, KernelRegressor

RNG = np.random.default_rng(0)
X = RNG.normal(size=(1200, 3)) * [1.0, 0.5, 1000.0]
Y = (X[:, 0] > 0).astype(int)
TOLD = [
    KernelClassifier(gamma="scale", budget=20),
    KernelClassifier(kernel="rbf", budget=20),
    KernelClassifier(tune=False, budget=20),
    KernelClassifier("bsgd", budget=20),
    KernelRegressor(gamma=1.0, budget=20),
]
MESSAGE = r"Feature 2 has a standard deviation of [\d,.]+, and feature 1 one of 0\.\d+, .*StandardScaler\(\), Kernel"


@pytest.mark.parametrize("model", TOLD, ids=str)
def test_one_warning(model):
    with pytest.warns(UserWarning, match=MESSAGE) as noticed:
        model.fit(X, Y)
    assert len(noticed) == 1 and noticed[0].filename == __file__
    model.set_params(scale=None).fit(X, Y)  # warnings are errors
    with pytest.warns(UserWarning, match=MESSAGE):
        model.set_params(scale="auto").fit(X[:100], Y[:100])


def test_streams():
    for size, warned in ((1200, True), (500, False)):
        for model in (KernelClassifier(gamma=1.0, budget=20), KernelClassifier(gamma=1.0, budget=20, adapt=False)):
            with warnings.catch_warnings(record=True) as noticed:
                warnings.simplefilter("always")
                model.partial_fit(X[:size], Y[:size], classes=[0, 1]).partial_fit(X[:size], Y[:size])
            assert len(noticed) == warned
    KernelClassifier(budget=20).partial_fit(X, Y, classes=[0, 1])  # scales inside


def test_names():
    with pytest.warns(UserWarning, match=r"Feature 'area' .* feature 'ratio' one of .* hardly sees feature 'ratio'"):
        KernelClassifier(gamma=1.0, budget=20).fit(pd.DataFrame(X, columns=["age", "ratio", "area"]), Y)


def test_no_warning():
    given = {"gamma": "scale", "budget": 20}
    KernelClassifier(budget=20, random_state=0).fit(X, Y)  # chooses scales
    make_pipeline(StandardScaler(), KernelClassifier(**given)).fit(X, Y)
    KernelClassifier(**given).fit(csr_matrix(X), Y)
    KernelClassifier(**given).fit(X[:50], Y[:50])  # too few to tell
    KernelClassifier(**given).fit(X[:, [2, 2]], Y)
    constant = np.column_stack([X[:, 0], np.full(1200, 5.0), X[:, 1]])
    KernelClassifier(**given).fit(constant, Y)
    rare = np.where(np.arange(1200) < 1, "rare", np.where(Y == 1, "a", "b"))[:, None]
    one_hot = OneHotEncoder(sparse_output=False).fit_transform(rare)
    KernelClassifier(**given).fit(np.column_stack([10.0 * X[:, 0], one_hot]), Y)
    heavy = StandardScaler().fit_transform(RNG.standard_cauchy(size=(1200, 4)))
    KernelClassifier(**given).fit(heavy, Y)


def test_pixels_that_are_rarely_set_are_not_in_other_units():
    from sklearn.datasets import load_digits

    digits, labels = load_digits(return_X_y=True)
    KernelClassifier(gamma=0.001, budget=50, epochs=1).fit(digits, labels)  # warnings are errors
    digits[:, ::2] *= 1000.0
    with pytest.warns(UserWarning, match="Feature"):
        KernelClassifier(gamma=0.001, budget=50, epochs=1).fit(digits, labels)
