"""Gathering by gathering, the refit is what its literal transcription makes of the same stream."""

import numpy as np
import pytest

from kernelstream.output import refit as stage
from tests.output.refit_cases import (
    DEFAULT,
    GATHERED,
    KERNEL,
    RUNNABLE,
    Case,
    begun,
    last_iterate,
    own,
    refitted,
    stream,
)
from tests.reference import refit

pytestmark = pytest.mark.engine
every_case = pytest.mark.parametrize("case", RUNNABLE, ids=lambda case: case.name)


@pytest.fixture(autouse=True)
def gather_few(monkeypatch):
    monkeypatch.setattr(stage, "GATHERED", GATHERED)


def follow(case: Case):
    """(model, oracle) after every gathering; the oracle is told of the model's last iterates only."""
    X, y, outputs = stream(case.task, case.rows)
    rng = np.random.default_rng(1)
    weight = rng.uniform(0.0, 2.0, case.rows) * (rng.random(case.rows) > 0.1) if case.weighted else np.ones(case.rows)
    average = case.recipe.output
    lam = average.lam or getattr(case.recipe.step, "lam", 0.0) or None
    oracle = refit.Refit(KERNEL, case.smooth, X.shape[1], outputs, lam, average.half_life or None)
    model = begun(case.recipe, case.task)
    first, scores = 0, []
    for i in range(case.rows):
        sv, coef = last_iterate(model)
        t, complete = model.record.updates, i - first == GATHERED
        told = complete and t >= average.start_after
        if told:
            oracle.gather(X[first:i], y[first:i], weight[first:i], scores, sv, coef, t)
        if complete:
            first, scores = i, []
        scores.append((model.recipe.kernel(X[i : i + 1], sv) @ coef)[0] if len(sv) else np.zeros(outputs))
        model.learn_one(X[i], y[i], weight[i])
        if told:
            yield model, oracle


def compare(model, oracle) -> None:
    """The whole state, in the order that it comes about."""
    mine, where = own(model), f"update {model.record.updates}"
    n = int(mine.n[0])
    assert n == len(oracle.sv), where
    np.testing.assert_allclose(mine.sv[:, :n].T, oracle.sv, rtol=1e-12, atol=1e-12, err_msg=where)
    np.testing.assert_allclose(mine.tally, [oracle.own, oracle.recipes], rtol=1e-6, atol=1e-12, err_msg=where)
    assert bool(mine.serves[0]) == oracle.serves, where
    assert mine.mass[0] == pytest.approx(oracle.mass, rel=1e-12), where
    assert mine.renew[0] == oracle.renew, where
    assert mine.solve[0] == pytest.approx(oracle.due, rel=1e-12), where
    for found, wanted in ((mine.H[:n, :n], oracle.H), (mine.b[:n], oracle.b), (mine.coef[:, :n].T, oracle.a)):
        np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-6 * np.abs(wanted).max(), err_msg=where)


@every_case
def test_every_gathering_equals_the_oracles(case):
    X, _, _ = stream(case.task, 7, seed=9)
    counted = 0
    for model, oracle in follow(case):
        compare(model, oracle)
        counted += 1
        sv, coef = last_iterate(model)
        sv, coef = (oracle.sv, oracle.a) if oracle.serves else (sv, coef)
        wanted = model.recipe.kernel(X, sv) @ coef
        np.testing.assert_allclose(model.scores_many(X), wanted, rtol=1e-6, atol=1e-6 * np.abs(wanted).max())
        np.testing.assert_allclose(model.function.coefficients, coef, rtol=1e-5, atol=1e-6)
    assert counted >= 4


def test_sometimes_the_one_predicts_and_sometimes_the_other():
    cases = [case for case in RUNNABLE if case.compiled]
    assert {int(own(model).serves[0]) for case in cases for model, _ in follow(case)} == {0, 1}


def test_both_are_judged_only_once_the_refit_has_been_solved():
    """Past the first gathering no solution is due for some time here, and the support vectors are not renewed."""
    case = Case("late", refitted(DEFAULT.replace(budget=30), start_after=100), rows=300)
    for model, oracle in follow(case):
        compare(model, oracle)
    assert oracle.solved
