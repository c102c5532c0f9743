"""River's own checks, all of them."""

import pytest

from tests.river.data import KernelClassifier, KernelRegressor

from river import checks  # isort: skip

MODELS = [kind(**params) for kind in (KernelClassifier, KernelRegressor) for params in kind._unit_test_params()]
CASES = [(model, check) for model in MODELS for check in checks.yield_checks(model)]


def test_none_is_skipped():
    assert not any(model._unit_test_skips() for model in MODELS)
    assert len({check.__name__ for _, check in CASES}) > 20


@pytest.mark.filterwarnings("ignore:Feature 'ordinal_date' has only risen")  # of River's own data
@pytest.mark.parametrize("model, check", CASES, ids=lambda part: getattr(part, "__name__", type(part).__name__))
def test_check(model, check):
    check(model.clone())
