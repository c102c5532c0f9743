"""Certificates against the theorems as somebody else has read them, and against measured optima."""

import json
import math

import numpy as np
import pytest

from kernelstream import KernelClassifier, Model, merge, recipes
from kernelstream.admission import Coin
from kernelstream.bounds import Ball
from kernelstream.budgets import Growing
from kernelstream.kernels import Gaussian, Polynomial
from kernelstream.losses import CrammerSinger, Hinge, Logistic, Multinomial, Squared
from kernelstream.maintenance import Merge
from tests.independent import certificates as published
from tests.independent import suffix_mean

from .common import pure_only

pytestmark = pytest.mark.engine

KERNEL = Gaussian(2.0)
RNG = np.random.default_rng(5)
X = RNG.normal(size=(160, 2))
Y = np.where(X[:, 0] * X[:, 1] + 0.3 * RNG.normal(size=160) > 0, 1.0, -1.0)
CLASSES = (np.arange(160) % 3).astype(float)


def learned(recipe, y=Y, **more):
    return Model.from_recipe(recipe, X, y, dtype="float64", **{"total": len(y), **more}).learn_many(X, y)


def only(model):
    """The first guarantee of a model."""
    certificate = model.record.certificate
    assert certificate.guarantees, certificate
    return certificate.guarantees[0]


def reasons(model):
    certificate = model.record.certificate
    assert not certificate.guarantees, certificate
    return " ".join(reason for each in certificate.refusals for reason in each.reasons)


@pure_only
@pytest.mark.parametrize("offset", [0.0, 2.0])
@pytest.mark.parametrize("loss, y", [(Hinge(), Y), (CrammerSinger(), CLASSES)], ids=["hinge", "classes"])
def test_certificate_of_bpegasos(loss, y, offset):
    model = learned(recipes.bsgd(KERNEL, loss, lam=0.05, budget=12, offset=offset), y)
    record, t0 = model.record, offset / 0.05
    objective, mistakes = record.certificate.guarantees
    assert record.gradient_error > 0.0
    gap = published.bpegasos_gap(160, 0.05, record.gradient_error, t0, max(math.sqrt(2), record.evidence.error_most))
    assert objective.bound == pytest.approx(gap)
    assert mistakes.bound == pytest.approx(published.bpegasos_mistakes(0.0, 160, 0.05, record.gradient_error, t0))
    assert objective.measured == pytest.approx(record.loss / 160)
    assert objective.constants["budget"] == pytest.approx(2 * record.gradient_error / math.sqrt(0.05))


@pure_only
def test_certificate_of_bpegasos_counts_mistakes_as_they_were_made():
    model = Model.from_recipe(recipes.bsgd(KERNEL, lam=0.05, budget=12), X, Y, dtype="float64")
    wrong = 0
    for x, y in zip(X, Y, strict=True):
        wrong += model.scores_one(x)[0] * y <= 0.0
        model.learn_one(x, y)
    assert model.record.certificate.guarantees[1].measured == wrong
    assert f"{wrong:,} of 160 examples were mistakes" in str(model.record.certificate)


@pure_only
def test_certificate_of_bpegasos_holds():
    """The gap between the mean objective and the optimum, found by many passes of dual ascent, is below its bound."""
    lam = 0.05
    model = Model.from_recipe(recipes.bsgd(KERNEL, lam=lam, budget=12), X, Y, dtype="float64")
    objectives = []
    for x, y in zip(X, Y, strict=True):
        objectives.append(0.5 * lam * model.norm**2 + max(0.0, 1.0 - y * model.scores_one(x)[0]))
        model.learn_one(x, y)
    K, a = KERNEL(X, X), np.zeros(160)
    for _ in range(200):
        for i in range(160):
            a[i] = np.clip(a[i] + (1.0 - Y[i] * (K[i] @ (a * Y)) / (lam * 160)) * lam * 160, 0.0, 1.0)
    f = K @ (a * Y) / (lam * 160)
    best = 0.5 * lam * (a * Y) @ f / (lam * 160) + np.maximum(0.0, 1.0 - Y * f).mean()
    gap = np.mean(objectives) - best
    assert 0.0 < gap <= only(model).bound


@pure_only
def test_certificate_of_bpegasos_is_refused_where_a_condition_fails():
    def bsgd(kernel=KERNEL, y=Y, **more):
        return learned(recipes.bsgd(kernel, **{"lam": 0.05, "budget": 12, **more}), y)

    assert "radius 100, not 1/√λ = 4.47" in reasons(bsgd(bound=Ball(100.0)))
    assert "not a hinge loss" in reasons(bsgd(loss=Logistic()))
    assert "κ(x, x) above 1" in reasons(bsgd(Polynomial(2), maintenance="smallest"))
    assert "refitted" in reasons(learned(recipes.default(KERNEL, budget=12)))
    assert "not kept in the ball" in reasons(learned(recipes.kernel_sgd(KERNEL)))
    coin = recipes.bsgd(KERNEL, lam=0.05, budget=12).replace(admission=Coin(0.01))
    assert "not every example with a loss takes its step" in reasons(learned(coin))


@pure_only
def test_certificate_of_mistakes_allows_for_a_batch_that_waits():
    model = learned(recipes.bsgd(KERNEL, lam=0.05, budget=12, batch=50))
    objective, mistakes = model.record.certificate.guarantees
    assert model.record.updates == 3
    assert mistakes.bound == pytest.approx(150 * objective.bound + 10)


@pure_only
def test_certificate_needs_one_run_alone():
    recipe = recipes.bsgd(KERNEL, lam=0.05, budget=12)
    model = learned(recipe)
    assert only(model.copy())
    assert "merged, compressed or loaded" in reasons(model.compress(5))
    assert "merged, compressed or loaded" in reasons(merge([learned(recipe), learned(recipe, seed=1)]).model)
    assert "nothing has been learned" in reasons(Model.from_recipe(recipe, X, Y))
    for weights in (np.where(Y > 0, 3.0, 1.0), np.where(Y > 0, 0.01, 1.0)):
        weighted = Model.from_recipe(recipe, X, Y).learn_many(X, Y, weights)
        assert "have a weight other than 1" in reasons(weighted)


@pure_only
def test_certificate_of_olk_is_the_regret_bound():
    for schedule in ("constant", "power"):
        recipe = recipes.olk(KERNEL, eta=None, U=3.0, schedule=schedule)
        model = learned(recipe)
        active = model.record.examples_with_loss
        assert 10 < active < 160
        eta = model.recipe.step.eta
        lossy = [t for t, loss in enumerate(losses_of(recipe), 1) if loss]
        expected = published.olk_regret(
            eta, 160, float(len(lossy)), sum(t**-0.5 for t in lossy) if schedule == "power" else None, 9.0, 36.0
        )
        assert only(model).bound == pytest.approx(expected)
        assert model.record.regret_bound(3.0) == pytest.approx(expected)
        assert model.record.regret_bound(1.0) < expected
        assert only(model).theorem == "He & Kwok 2014, Theorem 1"


def losses_of(recipe):
    model, losses = Model.from_recipe(recipe, X, Y, dtype="float64", total=160), []
    for x, y in zip(X, Y, strict=True):
        losses.append(max(0.0, 1.0 - y * model.scores_one(x)[0]))
        model.learn_one(x, y)
    return losses


@pure_only
@pytest.mark.parametrize(
    "recipe",
    [
        recipes.olk(KERNEL, eta=None, U=3.0),
        recipes.olru(KERNEL, eta=None, U=3.0, c=2.0),
        recipes.olrd(KERNEL, budget=12, U=3.0),
        recipes.olrd(KERNEL, budget=Growing(1.0), U=3.0),
    ],
    ids=["olk", "olru", "olrd", "growing"],
)
def test_certificate_of_regret_holds(recipe):
    """Against a good function in the ball, found by subgradient descent; the mean over seeds where draws are random."""
    best, K, a = math.inf, KERNEL(X, X), np.zeros(160)
    for t in range(1, 2000):
        f = K @ a
        best = min(best, np.maximum(0.0, 1.0 - Y * f).sum())
        a += 0.1 * t**-0.5 * Y * (Y * f < 1.0)
        a *= min(1.0, 3.0 / math.sqrt(a @ K @ a))
    regrets, bounds = [], []
    for seed in range(5):
        model = learned(recipe, seed=seed)
        regrets.append(model.record.loss - best)
        bounds.append(only(model).bound)
    assert 0.0 < np.mean(regrets) <= np.mean(bounds)


@pure_only
def test_certificate_of_olrd_uses_the_recorded_distances():
    model = Model.from_recipe(recipes.olrd(KERNEL, budget=12, U=3.0), X, Y, dtype="float64", total=160)
    moved, active, eta = 0.0, 0, model.recipe.step.eta
    for x, y in zip(X, Y, strict=True):
        before, had_loss = model.record.distance, y * model.scores_one(x)[0] < 1.0
        model.learn_one(x, y)
        moved += (model.record.distance - before) ** 2
        active += had_loss
    assert moved > 0.0
    expected = published.olrd_regret(eta, 160, float(active), moved / (2 * eta), None, 9.0)
    assert only(model).bound == pytest.approx(expected)
    allowed = published.olrd_regret_theorem(eta, 160, 3.0, 11 / math.sqrt(160), 0.0, None, 0.0)
    assert only(model).constants["discarding by Theorem 3"] == pytest.approx(allowed)


@pure_only
def test_certificate_of_olru_counts_examples_that_were_not_admitted():
    """Σ ‖g_t‖²/p_t is over all examples with a loss, admitted or not."""
    model = learned(recipes.olru(KERNEL, eta=0.3, U=3.0, c=0.5, total=160))
    p = 0.5 * 160**-0.25
    lossy = model.record.examples_with_loss
    assert 20 < model.n_support < lossy / 2
    assert only(model).bound == pytest.approx(published.olru_regret(0.3, 160, lossy / p, None, 9.0))
    falling = learned(recipes.olru(KERNEL, eta=0.3, U=3.0, c=0.5))
    first = np.arange(1, falling.record.examples_with_loss + 1)
    most = float((first**-0.625 / (0.5 * first**-0.25)).sum())
    assert only(falling).bound == pytest.approx(published.olru_regret(0.3, 160, most, 0.25, None, 36.0))
    assert "below" not in only(model).sentence  # nothing sure follows from one random run
    few = learned(recipes.olru(KERNEL, eta=1.0, U=3.0, c=0.003, total=160))
    assert only(few).bound > 1000.0 * few.n_support


@pure_only
def test_certificate_of_regret_is_refused_where_a_condition_fails():
    assert "not projected onto a ball" in reasons(learned(recipes.olrd(KERNEL, budget=12, bound="clip")))
    assert "how far discarding moved f" in reasons(learned(recipes.olrd(KERNEL, budget=12, discard="weight")))
    assert "at least 2" in reasons(learned(recipes.olrd(KERNEL, eta=0.01, budget=1)))
    assert "f decays" in reasons(learned(recipes.bogd(KERNEL, budget=12)))
    assert learned(recipes.bogd(KERNEL, budget=12)).record.regret_bound(1.0) is None
    with pytest.raises(ValueError, match="from 0 to 3, the radius"):
        learned(recipes.olk(KERNEL, U=3.0)).record.regret_bound(4.0)


@pure_only
@pytest.mark.parametrize("loss, y, L", [(Logistic(), Y, 1.0), (Multinomial(), CLASSES, math.sqrt(2))], ids=["2", "3"])
def test_certificate_of_oskl(loss, y, L):
    model = learned(recipes.oskl(KERNEL, loss, G=2.0, R=5.0), y)
    found = only(model)
    assert found.bound == pytest.approx(published.oskl_support_bound(model.record.loss, 160, 2.0, 2.0, L, 0.01))
    assert found.measured == model.n_support <= found.bound


@pure_only
def test_certificate_of_oskl_is_refused_where_a_condition_fails():
    with pytest.warns(UserWarning, match="no constant L"):
        assert "no constant L" in reasons(learned(recipes.oskl(KERNEL, Hinge(), R=5.0)))
    squared = learned(recipes.oskl(KERNEL, Squared(), R=5.0, delta=0.5))
    assert "can be small" in reasons(squared)
    assert "not a constant below 1/(LG)" in reasons(learned(recipes.oskl(KERNEL, eta=1.0, R=5.0)))
    budgeted = recipes.oskl(KERNEL, R=5.0).replace(maintenance=Merge(), budget=10)
    assert "removed" in reasons(learned(budgeted))


@pure_only
def test_certificate_of_polk():
    model = learned(recipes.polk(KERNEL, eta=0.5, lam=0.1, parsimony=0.1))
    pruning, near = model.record.certificate.guarantees
    epsilon = 0.1 * 0.5**1.5
    assert 0.0 < pruning.measured <= pruning.bound * (1 + 1e-9) == pytest.approx(epsilon)
    sigma = published.polk_sigma(1.0, 1.0, 0.5, epsilon)
    assert near.bound == pytest.approx(published.polk_radius(0.5, 0.1, epsilon, sigma))
    assert "not constant" in reasons(learned(recipes.polk(KERNEL, diminishing=True)))
    bounded = recipes.polk(KERNEL, eta=0.5, lam=0.1).replace(bound=Ball(0.01))
    assert "has no bound" in reasons(learned(bounded))
    twice = Model.from_recipe(recipes.polk(KERNEL, lam=0.01), X, Y)  # float32, and every row again
    for _ in range(3):
        twice.learn_many(X, Y)
    assert only(twice).measured <= only(twice).bound * (1 + 1e-6)
    assert "no bound on the gradient" in reasons(learned(recipes.polk(KERNEL, Squared(), lam=0.1)))


@pure_only
def test_certificate_of_nbsgd():
    def nbsgd(output, **more):
        return learned(recipes.nbsgd(KERNEL, lam=0.5, budget=12, beta=5.0, output=output, **more))

    Q, W, D = (published.nbsgd_constants(0.5, 1.0, 5.0)[name] for name in "QWD")
    mean = nbsgd("mean")
    drift = published.nbsgd_drift_of_run(160, W, 160 * mean.record.gradient_error)
    assert drift > 0.0
    assert only(mean).bound == pytest.approx(published.nbsgd_mean_gap(160, 0.5, Q, drift))
    drawn = nbsgd("random")
    drift = published.nbsgd_drift_of_run(160, W, 160 * drawn.record.gradient_error)
    assert only(drawn).bound == pytest.approx(published.nbsgd_random_gap(160, 0.5, Q, drift, 0.05))
    suffix = published.nbsgd_suffix_rate(160, 0.5, 0.5, 5.0, Q, 1.0, D)
    assert only(nbsgd("suffix")).bound == pytest.approx(suffix)
    assert only(nbsgd("random-suffix")).bound == pytest.approx(suffix / 0.05)
    endless = learned(recipes.nbsgd(KERNEL, lam=0.5, budget=12, beta=5.0, output="suffix"), total=None)
    share = len(suffix_mean.covered(160)) / 160
    assert only(endless).bound == pytest.approx(published.nbsgd_suffix_rate(160, 0.5, share, 5.0, Q, 1.0, D))
    assert [only(nbsgd(output)).theorem[-2:].strip() for output in ("mean", "random", "suffix", "random-suffix")] == [
        "3", "6", "11", "12",
    ]  # fmt: skip
    assert "output='suffix'" in reasons(nbsgd("last"))
    assert "neither removal nor projection" in reasons(nbsgd("mean", maintenance="merge"))
    assert "not 1/(λt)" in reasons(nbsgd("mean", offset=2.0))
    recipe = recipes.nbsgd(KERNEL, lam=0.5, budget=12, beta=5.0, output="mean")
    once, often = (KernelClassifier(recipe, epochs=epochs, random_state=0).fit(X, Y) for epochs in (1, 3))
    assert "drawn independently" in str(once.record_.certificate)
    assert "3 passes over the same rows" in str(often.record_.certificate)


def test_a_recipe_without_a_theorem_says_so():
    record = learned(recipes.perceptron(KERNEL)).record
    assert str(record.certificate) == "No theorem is known for this recipe."
    assert json.loads(json.dumps(record.certificate.to_dict())) == {"guarantees": [], "refusals": []}


def test_estimators_have_the_certificate():
    model = KernelClassifier("bsgd", kernel=KERNEL, lam=0.05, budget=12, epochs=1, random_state=0).fit(X, Y)
    assert "mean objective" in str(model.record_.certificate)
