"""Merging: the exact loss against a fine grid, polynomials as a lower bound of it, the partner against trying all."""

import math
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelstream import Model, Recipe
from kernelstream.core.state import Derived
from kernelstream.kernels import Gaussian
from kernelstream.losses import Hinge, Logistic, Multinomial
from kernelstream.maintenance import Merge, MergeBestPair, Oldest, Random, Smallest
from kernelstream.maintenance.merge.loss import aligned, apart, best_h, exact_loss
from kernelstream.maintenance.merge.loss_table import tables, tabulated
from kernelstream.steps import Constant, InverseTime
from properties.common import (
    before_maintenance,
    callable_from_python,
    distance,
    examples,
    function_of,
    pure_only,
    rows,
    seeds,
)

pytestmark = pytest.mark.engine
find_h = callable_from_python(best_h)
loss_at = callable_from_python(exact_loss)
at_one, at_zero = callable_from_python(aligned), callable_from_python(apart)
look_up = callable_from_python(tabulated)


class Tabled(NamedTuple):
    tables: Derived


def bound_of(A, C, D, kappa):
    """The bound for two coefficients of squared sizes A ≤ D and product C."""
    s, far = math.sqrt(A / D), 1.0 - kappa
    return far * (C * s * far * at_one(s, kappa) + (A - C * s) * at_zero(s, kappa))


def second_look(A, C, D, kappa):
    """The tables' bound, the slow way round: a state with nothing but tables in it."""
    return look_up(Tabled(Derived(tables())), A, C, D, kappa)


shares = st.floats(1e-6, 1.0)
cosines = st.floats(-1.0, 1.0)
kernel_values = st.one_of(st.floats(1e-12, 1.0), st.floats(0.1, 14.0).map(lambda e: 1.0 - 10.0**-e))


def gram_loss(A, C, D, kappa, h):
    """‖a_m κ(x_m, ·) + a_n κ(x_n, ·) − a_z κ(z, ·)‖² with the best a_z, from the Gram matrix of x_m, x_n and z."""
    near_m, near_n = kappa ** ((1.0 - h) ** 2), kappa ** (h * h)
    return A + D + 2.0 * C * kappa - (A * near_m**2 + D * near_n**2 + 2.0 * C * near_m * near_n)


def pair(share, cosine):
    """A ≤ D, and C with the given cosine."""
    return share * share, cosine * share, 1.0


@examples(300)
@given(shares, st.floats(0.0, 1.0), kernel_values)
def test_best_h_beats_a_fine_grid(share, cosine, kappa):
    A, C, D = pair(share, cosine)
    h = find_h(A, C, D, math.log(kappa))
    loss = loss_at(A, C, D, math.log(kappa), h)
    grid = np.linspace(0.0, 1.0, 4001)
    assert -1e-9 <= h <= 0.5 + 1e-9
    assert loss == pytest.approx(gram_loss(A, C, D, kappa, h), rel=1e-6, abs=1e-14)
    assert loss <= gram_loss(A, C, D, kappa, grid).min() * (1.0 + 1e-9) + 1e-14
    assert loss >= 0.0


@examples(200)
@given(shares, st.floats(-0.999, 0.0), st.floats(1e-6, 0.999))
def test_opposite_signs_extrapolate(share, cosine, kappa):
    A, C, D = pair(share, cosine)
    h = find_h(A, C, D, math.log(kappa))
    assert h <= 0.5
    grid = np.concatenate([np.linspace(-3.0, 0.5, 7001), -np.logspace(0.4, 4, 2000)])
    loss = loss_at(A, C, D, math.log(kappa), h)
    assert loss == pytest.approx(gram_loss(A, C, D, kappa, h), rel=1e-6, abs=1e-12)
    assert loss <= gram_loss(A, C, D, kappa, grid).min() * (1.0 + 1e-6) + 1e-12


EXTREME = [0.0, 1e-300, 1e-30, 1e-9, 1e-3, math.exp(-2.0), 0.5, 1 - 1e-3, 1 - 1e-6, 1 - 1e-9, 1 - 1e-13, 1.0]


def exact(A, C, D, kappa):
    log_kappa = math.log(max(kappa, 1e-300))
    return loss_at(A, C, D, log_kappa, find_h(A, C, D, log_kappa))


@examples(400)
@given(st.floats(1e-12, 1.0), st.floats(0.0, 1.0), st.one_of(kernel_values, st.sampled_from(EXTREME)))
def test_the_bounds_are_lower_bounds(share, cosine, kappa):
    A, C, D = pair(share, cosine)
    # near κ = 1 the exact loss, of order (1 − κ)², is a difference of terms of order 1 − κ
    rounding = 1e-15 * A * (1.0 - kappa)
    for bound in (bound_of, second_look):
        assert bound(A, C, D, kappa) <= exact(A, C, D, kappa) * (1.0 + 1e-12) + rounding


@pytest.mark.parametrize("cosine, least, by_table", [(1.0, 0.9, 0.98), (0.0, 0.95, 0.98), (0.5, 0.5, 0.55)])
def test_how_tight_the_bounds_are(cosine, least, by_table):
    """With one output, where the cosine is 1, nothing but the fit's error; else concavity in C costs more."""
    rng, ratios = np.random.default_rng(0), []
    for _ in range(2000):
        kappa = rng.uniform(1e-4, 0.9999)
        A, C, D = pair(rng.uniform(0.02, 1.0), cosine)
        assert least <= bound_of(A, C, D, kappa) / exact(A, C, D, kappa) <= 1.0
        ratios.append(second_look(A, C, D, kappa) / exact(A, C, D, kappa))
        assert by_table <= ratios[-1] <= 1.0
    assert np.median(ratios) > (0.999 if cosine in (0.0, 1.0) else 0.9)


BEYOND = np.concatenate([-np.logspace(-3, 3, 1500), 1.0 + np.logspace(-3, 3, 1500)])


def best_by_trying(kernel, sv, coef, candidates):
    """The least loss of merging any of the given pairs, over a fine grid of h and the sign rule of the method."""
    losses = {}
    for m, n in candidates:
        A, C, D = coef[m] @ coef[m], coef[m] @ coef[n], coef[n] @ coef[n]
        kappa = float(kernel(sv[m : m + 1], sv[n : n + 1])[0, 0])
        C = 0.0 if abs(C) <= 1e-9 * math.sqrt(A * D) else C
        near = np.linspace(0.0, 1.0, 1001) if C >= 0.0 else BEYOND
        losses[m, n] = (C < 0.0, float(gram_loss(A, C, D, kappa, near).min()))
    return min(losses.values())


def check_merges(recipe, seed, y_of, outputs=1, every_pair=False, repeats=0.2):
    """Each merge of a run loses as little as the best of all candidates."""
    X = rows(seed, 40, 2, repeats)
    y = y_of(X)
    model = Model.from_recipe(recipe, X, y, n_outputs=outputs, dtype="float64", seed=seed % 1000)
    merged = 0
    for x, target in zip(X, y, strict=True):
        before = before_maintenance(model, x, target)
        acts = model.record.maintenance
        model.learn_one(x, target)
        if model.record.maintenance == acts:
            continue
        sv, coef = before
        keep = (coef != 0.0).any(axis=1)
        sv, coef = sv[keep], coef[keep]
        after = function_of(model)
        n = len(sv)
        assert len(after[0]) == n - 1
        lost = distance(model.recipe.kernel, (sv, coef), after) ** 2
        squares = (coef**2).sum(axis=1)
        smallest = np.flatnonzero(squares <= squares.min() * (1.0 + 1e-8))
        firsts = (
            range(n) if every_pair else [m for m in smallest if not (after[0] == sv[m]).all(axis=1).any()] or smallest
        )
        results = [best_by_trying(model.recipe.kernel, sv, coef, [(m, j) for j in range(n) if j != m]) for m in firsts]
        bests = [loss for _, loss in ([min(results)] if every_pair else results)]
        # the grid is a little worse than the exact h
        assert any(0.98 * best - 1e-8 <= lost <= best * (1.0 + 1e-6) + 1e-9 for best in bests)
        assert float(model.state.run.delta[0]) == pytest.approx(math.sqrt(lost), rel=1e-5, abs=1e-7)
        merged += 1
    assert merged > 5


@pure_only
@examples(8)
@given(seeds)
def test_the_partner_is_the_best_of_all(seed):
    recipe = Recipe(Gaussian(0.8), Logistic(), Constant(0.5, 0.05), maintenance=Merge(), budget=7)
    check_merges(recipe, seed, lambda X: np.where(X[:, 0] > 0, 1.0, -1.0))


@pure_only
@examples(8)
@given(seeds)
def test_the_partner_is_the_best_of_all_for_several_classes(seed):
    recipe = Recipe(Gaussian(0.8), Multinomial(), Constant(0.5, 0.05), maintenance=Merge(), budget=7)
    check_merges(recipe, seed, lambda X: np.digitize(X[:, 0], [-0.5, 0.5]), 3)


@pure_only
@examples(3)
@given(seeds)
def test_the_best_pair_is_the_best_of_all_pairs(seed):
    recipe = Recipe(Gaussian(0.8), Logistic(), Constant(0.5, 0.05), maintenance=MergeBestPair(), budget=6)
    check_merges(recipe, seed, lambda X: np.where(X[:, 0] > 0, 1.0, -1.0), every_pair=True)


@pure_only
@pytest.mark.parametrize(
    "choice",
    [
        Smallest(),
        *(c for c in (Oldest(), Random())),
    ],
    ids=repr,
)
def test_two_that_merge_lose_as_little_as_any_point_between_them(choice):
    recipe = Recipe(Gaussian(0.8), Hinge(), InverseTime(0.05, 3.0), maintenance=Merge(choice), budget=6)
    X = rows(1, 60, 2)
    y = np.where(X[:, 0] > 0, 1.0, -1.0)
    model = Model.from_recipe(recipe, X, y, dtype="float64")
    merged = 0
    for x, target in zip(X, y, strict=True):
        sv, coef = before_maintenance(model, x, target)
        acts = model.record.maintenance
        model.learn_one(x, target)
        if model.record.maintenance == acts:
            continue
        after = function_of(model)
        gone = [j for j in range(len(sv)) if coef[j].any() and not (after[0] == sv[j]).all(axis=1).any()]
        if len(gone) != 2:
            continue  # a duplicate took part
        kernel, (m, n) = model.recipe.kernel, gone
        A, C, D = coef[m] @ coef[m], coef[m] @ coef[n], coef[n] @ coef[n]
        kappa = float(kernel(sv[m : m + 1], sv[n : n + 1])[0, 0])
        if C >= 0.0:
            best = gram_loss(A, C, D, kappa, np.linspace(0.0, 1.0, 2001)).min()
            assert distance(kernel, (sv, coef), after) ** 2 <= best * (1.0 + 1e-4) + 1e-9
            merged += 1
    assert merged > 5
