"""Row by row, the running refit is what its literal transcription makes of the same stream."""

import numpy as np
import pytest

from kernelstream.output.normal_equations import Fit, thinning
from kernelstream.output.running_refit import RECIPE
from kernelstream.refit import jobs
from properties.common import callable_from_python
from tests.output.refit_cases import GAUSSIAN, last_iterate, own, stream
from tests.output.running_refit_cases import RUNNABLE, Case, fit, follow, newest, parts, running
from tests.reference import running_refit

pytestmark = pytest.mark.engine
every_case = pytest.mark.parametrize("case", RUNNABLE, ids=lambda case: case.name)


def close(found, wanted, where: str) -> None:
    size = np.abs(wanted).max(initial=0.0)
    np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-6 * size, err_msg=where)


def compare_fits(mine: Fit | None, wanted: running_refit.Fit | None, where: str) -> None:
    assert (mine is None) == (wanted is None), where
    if mine is None or wanted is None:
        return
    sv, H, b = parts(mine)
    assert sv.shape == wanted.sv.shape, where
    np.testing.assert_allclose(sv, wanted.sv, rtol=1e-12, atol=1e-12, err_msg=where)
    assert bool(mine.solved[0]) == wanted.solved, where
    assert mine.gathered[0] == len(wanted.waiting), where
    close([mine.mass[0] / mine.weight[0], mine.since[0]], [wanted.N, wanted.since], where)
    for p, (weight, k, s) in enumerate(wanted.waiting):
        close(mine.K[p, : len(k)], np.sqrt(weight * mine.weight[0]) * k, where)
        close(mine.s[p], np.sqrt(weight * mine.weight[0]) * s, where)
    for found, right in ((H, wanted.H), (b, wanted.b), (mine.coef[:, : len(sv)].T, wanted.a)):
        close(found, right, where)


def compare(model, oracle: running_refit.RunningRefit) -> None:
    """The whole state, in the order that it comes about."""
    kept, where = own(model), f"example {model.record.examples}"
    assert (kept.renew[0], kept.skipped[0]) == (oracle.renew, oracle.skipped), where
    assert (kept.job.phase[0] != jobs.IDLE) == (oracle.job is not None), where
    for which, wanted in ((kept.current[0], oracle.current), (kept.training[0], oracle.training)):
        compare_fits(fit(kept, int(which)), wanted, where)
        if wanted is not None:
            assert kept.tally[which] == pytest.approx(wanted.tally, rel=1e-6, abs=1e-12), where
    assert kept.tally[RECIPE] == pytest.approx(oracle.tally, rel=1e-6, abs=1e-12), where
    assert (bool(kept.serves[0]), kept.since[0]) == (oracle.serves, oracle.judged), where


@every_case
def test_every_row_equals_the_oracles(case):
    X, _, _ = stream(case.task, 7, seed=9)
    solved = 0
    for i, (model, oracle) in enumerate(follow(case)):
        compare(model, oracle)
        solved += oracle.job is not None
        if i % 20 == 0 or i == case.rows - 1:
            sv, coef = (oracle.current.sv, oracle.current.a) if oracle.serves else last_iterate(model)
            wanted = GAUSSIAN(X, sv) @ coef if len(sv) else np.zeros((7, model.n_outputs))
            close(model.scores_many(X), wanted, f"example {i + 1}")
            close(model.function.coefficients, coef, f"example {i + 1}")
    assert solved >= 4


def test_the_cases_go_through_everything_that_can_happen():
    happened = set()
    for case in RUNNABLE[:7]:
        for model, oracle in follow(case):
            kept = own(model)
            happened.add("fit predicts" if oracle.serves else "recipe predicts")
            happened.add(f"in training: {oracle.training is not None}, proven: {oracle.current is not None}")
            happened.add(f"one in {oracle.stride()}")
            if oracle.job is not None:
                happened.add("solved" if oracle.job[0] is None else "carried over")
            if min(kept.even.unit[0], kept.odd.unit[0]) < 1.0:
                happened.add("weights divided")
    assert happened == {
        "fit predicts", "recipe predicts", "solved", "carried over", "weights divided", "one in 1", "one in 2",
        "one in 4", "in training: False, proven: False", "in training: True, proven: False",
        "in training: False, proven: True", "in training: True, proven: True",
    }  # fmt: skip


@every_case
def test_coefficients_solve_the_equations(case):
    """(H + λNK) a = b in the moment in which the job ends; b is solved for as it is then."""
    ends, output = 0, case.recipe.output
    before = None
    for model, _ in follow(case):
        if before is not None:
            before.catch_up()
            one = newest(before)
            sv, H, b = parts(one)
            A = H + output.lam * one.mass[0] / one.weight[0] * GAUSSIAN(sv)
            a = one.coef[:, : len(sv)].T
            residual = np.abs(A @ a - b).max()
            assert residual <= 1e-8 * (np.abs(A).sum(axis=1).max() * np.abs(a).max() + np.abs(b).max())
            ends += 1
        before = model.copy() if own(model).job.phase[0] != jobs.IDLE else None
    assert ends >= 4


@pytest.mark.parametrize(("examples", "stride"), [(0, 1), (639, 1), (640, 2), (1279, 2), (1280, 4), (10**6, 4)])
def test_thinning(examples, stride):
    case = Case("ten", running(budget=10), rows=90)
    *_, (model, _) = follow(case)
    one = newest(model)
    assert one.n[0] == 10
    one.mass[0], one.weight[0] = 3.0 * examples, 3.0
    assert callable_from_python(thinning)(one) == stride


@pytest.mark.parametrize("half_life", [0.0, 1e6, 1e9])
def test_nothing_lasts_for_ever(half_life):
    """A half-life of 0, or of more than a million, is one of a million."""
    case = Case("long", running(half_life=half_life), rows=150)
    *_, (model, _) = follow(case)
    kept = own(model)
    assert kept.even.weight[0] == pytest.approx(2.0 ** (86 / 1e6), abs=1e-12)
