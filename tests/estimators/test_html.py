"""What notebooks show: parameters and attributes, in pipelines too, and links only to pages that exist."""

import re
from html import unescape

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from kernelstream import KernelClassifier, KernelRegressor, recipes
from kernelstream.estimators import documentation_link
from kernelstream.kernels import Laplacian
from kernelstream.losses import Squared

X = np.random.default_rng(0).normal(size=(250, 3))
Y = (X[:, 0] > 0).astype(float)
ESTIMATORS = {
    "number": lambda: KernelClassifier(gamma=0.71, budget=20),
    "kernel": lambda: KernelClassifier(kernel=Laplacian(0.71), budget=20),
    "recipe": lambda: KernelRegressor(recipes.bsgd(Laplacian(0.71), loss=Squared(), budget=20, maintenance="smallest")),
    "pipeline": lambda: make_pipeline(StandardScaler(), KernelRegressor(gamma=0.71, budget=20)),
}


def words(estimator):
    return unescape(re.sub(r"<(style|script).*?</\1>|<[^>]+>", " ", estimator._repr_html_(), flags=re.S))


@pytest.mark.parametrize("make", ESTIMATORS.values(), ids=ESTIMATORS)
def test_fitted_and_not(make):
    model = make()
    assert "gamma" in words(model) and "0.71" in words(model) and "Not fitted" in words(model)
    model.fit(X, Y)
    assert "Not fitted" not in words(model) and "0.71" in words(model)


@pytest.mark.parametrize("stream", [False, True])
def test_no_addresses_of_objects_and_no_long_arrays(stream):
    for model in (KernelClassifier(budget=20, tune=False), KernelRegressor(budget=20, tune=False)):
        more = {"classes": [0.0, 1.0]} if stream and isinstance(model, KernelClassifier) else {}
        (model.partial_fit if stream else model.fit)(X, Y, **more)
        found = words(model)
        assert not re.search(r"x[0-9a-f]{8,}", found) and len(found) < 10_000
        assert re.match(r"(Adaptive)?Model\(\d+ support vectors, 3 features, ", repr(model.model_))


def test_links(monkeypatch):
    """There is no published documentation yet, and a link to nowhere is worse than none."""
    model = KernelClassifier()
    assert "href" not in model._repr_html_()
    monkeypatch.setattr(documentation_link, "SITE", "https://example.org/stable")
    assert 'href="https://example.org/stable/KernelClassifier.html"' in model._repr_html_()

    class Mine(KernelClassifier):
        pass

    Mine.__module__ = "mine"
    assert "href" not in Mine()._repr_html_()
