"""Budgets: sizes in bytes, growth with time, and what is refused."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelstream import Model, Recipe
from kernelstream.bounds import Clip
from kernelstream.budgets import Fixed, Growing, Memory, Unlimited, as_budget
from kernelstream.core.strategy import Facts
from kernelstream.kernels import Gaussian
from kernelstream.losses import CrammerSinger, Hinge
from kernelstream.maintenance import Merge, Project, Remove
from kernelstream.output import Last, Mean
from kernelstream.recipe import capacity
from properties.common import examples, pure_only


def begin(recipe, features, outputs, dtype):
    X = np.zeros((1, features))
    return Model.from_recipe(recipe, X, np.zeros(1) if outputs > 1 else np.ones(1), n_outputs=outputs, dtype=dtype)


@pure_only
@examples(40)
@given(
    st.sampled_from([Merge(), Project(), Remove()]),
    st.sampled_from(["64 KiB", "100 kB", "1 MiB", "0.5MB"]),
    st.sampled_from([1, 10, 100]),
    st.sampled_from([1, 4]),
    st.sampled_from(["float32", "float64"]),
    st.sampled_from([1, 5]),
    st.sampled_from([Last(), Mean()]),
)
def test_as_many_support_vectors_as_fit(maintenance, size, features, outputs, dtype, batch, average):
    loss = Hinge() if outputs == 1 else CrammerSinger()
    recipe = Recipe(Gaussian(1.0), loss, maintenance=maintenance, budget=size, batch=batch, output=average)
    model = begin(recipe, features, outputs, dtype)
    limit, fits = as_budget(size).limit, model.recipe.budget.size
    assert model.nbytes <= limit
    larger = begin(recipe.replace(budget=fits + 1), features, outputs, dtype)
    assert larger.nbytes > limit
    assert capacity(fits, batch) == fits + batch  # nothing of what is allocated lies idle


@pytest.mark.parametrize(
    "text, limit",
    [
        ("64 KiB", 65536),
        ("64KiB", 65536),
        ("2 MB", 2_000_000),
        ("1.5 mib", 1572864),
        ("700", 700),
        ("10 B", 10),
        (" 1 GiB ", 1 << 30),
    ],
)
def test_sizes_are_read(text, limit):
    assert as_budget(text) == Memory(limit)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "KiB",
        "64 KiX",
        "lots",
        "-5 KB",
        "64 i",
        "1e3 KB",
        *(t for t in ("1.2.3 KB", ". KB", "0 KB")),
    ],
)
def test_other_words_are_refused_in_a_sentence(text):
    with pytest.raises(ValueError, match="neither a number of support vectors nor a size such as '64 KiB'"):
        as_budget(text)


@pytest.mark.parametrize("value", [0, -3, 2.5, True, np.nan])
def test_other_numbers_are_refused(value):
    with pytest.raises(ValueError, match="budget must be a number of support vectors, 1 or more"):
        as_budget(value)


def test_what_cannot_fit_is_refused():
    recipe = Recipe(Gaussian(1.0), maintenance=Merge(), budget="9 KiB")
    with pytest.raises(ValueError, match="9216 bytes do not hold a model of 1000 features and 1 outputs"):
        begin(recipe, 1000, 1, "float32")


def test_a_large_budget_is_counted_and_not_allocated():
    recipe = Recipe(Gaussian(1.0), maintenance=Remove(), budget="100000 GiB")
    facts = Facts(np.zeros((1, 3)), np.ones((1, 1)), 1, np.dtype("float32"))
    assert recipe.resolve(facts).budget.size > 10**9


@examples(50)
@given(st.floats(0.01, 20.0), st.integers(1, 10**9))
def test_growing_is_one_plus_c_root_t(c, t):
    assert abs(Growing(c).at(t) - (1.0 + c * math.sqrt(t))) <= 0.5 + 1e-6


def test_none_is_no_limit_and_a_number_is_itself():
    assert as_budget(None) == Unlimited() and not as_budget(None).limited
    assert as_budget(7) == as_budget(np.int64(7)) == Fixed(7)
    assert as_budget(Growing(2.0)) == Growing(2.0)


@pytest.mark.parametrize("maintenance", [Merge(), Project(), Remove()], ids=repr)
def test_maintenance_needs_a_budget_and_a_budget_maintenance(maintenance):
    with pytest.raises(ValueError, match="needs a budget"):
        Recipe(Gaussian(1.0), maintenance=maintenance)
    with pytest.raises(ValueError, match="nothing keeps the model within"):
        Recipe(Gaussian(1.0), budget=5)


def test_a_clip_without_a_budget_is_refused():
    with pytest.raises(ValueError, match="budget"):
        Recipe(Gaussian(1.0), bound=Clip(1.0))
