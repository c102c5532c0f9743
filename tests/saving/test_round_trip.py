"""What is saved comes back: every recipe of the catalogue, whole and bit for bit, or its function in half precision."""

import numpy as np
import pytest
from numba import config

from kernelstream import Model, kernels, load, losses, output, recipes, save, strategy
from kernelstream import saving as files
from kernelstream.core.state import allocate
from kernelstream.core.strategy import Dims, Facts
from kernelstream.kernels import Gaussian, Radial
from kernelstream.kernels import kernel as kernel_of
from kernelstream.saving import half_precision
from kernelstream.saving.model_description import described
from kernelstream.saving.parameter_json import decode, encode
from kernelstream.saving.safetensors_file import pack, unpack
from kernelstream.saving.state_arrays import named, restore, stored
from tests.catalogue import CASES, GAUSSIAN, case_named, data, model_for

# the estimators' own composition, which other tests compile too
ONE = case_named("bsgd merge")._replace(recipe=recipes.default(GAUSSIAN, budget=12))
# averages, whose support vectors are more than the last iterate's, and a basis without any
MORE = [
    *[
        case_named("bsgd smallest")._replace(
            name=f"average {kind}", recipe=recipes.bsgd(GAUSSIAN, budget=12, maintenance="smallest", output=kind)
        )
        for kind in ("mean", "suffix", "random")
    ],
    case_named("bsgd smallest")._replace(name="fogd", recipe=recipes.fogd(gamma=1.5, frequencies=20)),
    case_named("bsgd smallest")._replace(
        name="tail",
        recipe=recipes.bsgd(GAUSSIAN, budget=12, maintenance="smallest").replace(output=output.Tail()),
    ),
]
EVERY = [*CASES, *MORE]
# binding a composition compiles something even if nothing is learned
every_model = pytest.mark.parametrize(
    "case", [pytest.param(case, id=case.name) for case in (EVERY if config.DISABLE_JIT else [ONE])]
)
ROWS = 30


def begun(case, seed=0):
    return model_for(case, "float32" if case is ONE else "float64", seed)


def bits(model):
    return {name: array.tobytes() for name, array in named(model.state)}


@pytest.mark.engine
@every_model
def test_a_loaded_model_goes_on_as_if_never_saved(case, tmp_path):
    X, y, _ = data(case.task, ROWS)
    half = ROWS // 2 + 1  # inside a mini-batch
    model = begun(case, 1).learn_many(X[:half], y[:half])
    save(model, tmp_path / "m.ks")
    again = load(tmp_path / "m.ks")
    assert again.recipe == model.recipe and again.dims == model.dims
    assert bits(again) == bits(model)
    assert bits(again.learn_many(X[half:], y[half:])) == bits(model.learn_many(X[half:], y[half:]))
    np.testing.assert_array_equal(again.scores_many(X), model.scores_many(X))
    np.testing.assert_array_equal(again.record.sizes, model.record.sizes)


@pytest.mark.engine
@every_model
def test_half_precision_keeps_the_function_and_can_go_on(case, tmp_path):
    X, y, _ = data(case.task, ROWS)
    model = begun(case, 1).learn_many(X, y)
    save(model, tmp_path / "m.ks", half=True)
    small = load(tmp_path / "m.ks")
    assert small.dtype == np.float32
    wanted = model.scores_many(X)
    assert np.abs(small.scores_many(X) - wanted).max() < 2e-3 * np.abs(wanted).max()
    assert (small.record.examples, small.state.run.rng[0]) == (ROWS, model.state.run.rng[0])
    before = bits(small)["expansion.coef"]
    small.learn_many(*data(case.task, ROWS, seed=1)[:2])
    assert small.record.examples == 2 * ROWS
    assert bits(small)["expansion.coef"] != before


@pytest.mark.parametrize("case", EVERY, ids=lambda case: case.name)
def test_the_state_of_every_recipe_survives_without_compiling_it(case):
    """Any numbers in any array come back, in their places and to the bit."""
    X, y, outputs = data(case.task, 20)
    recipe = case.recipe.resolve(Facts(X, np.atleast_2d(y.T).T, outputs, np.dtype("float32"), 20))
    dims = Dims(20, 3, outputs, np.dtype("float32"), recipe.batch, 5, 9)
    assert decode(encode(recipe)) == recipe
    rng, state = np.random.default_rng(0), allocate(recipe, dims)
    for _, array in named(state):
        if array.dtype.kind == "f":
            array[...] = rng.normal(size=array.shape) * rng.integers(0, 2, array.shape[-1])
    state.expansion.coef[0, 3] = -0.0
    state.expansion.scale[0] = 1.5
    if isinstance(recipe.output, output.RunningRefit):
        for fit in (state.output.even, state.output.odd):  # weights that are not above 0 are refused
            fit.weight[0], fit.unit[0] = 2.5, 0.5
    data_ = pack({}, stored(state, allocate(recipe, dims)))
    new = allocate(recipe, dims)
    restore(new, unpack(data_, "it")[1])
    for (name, array), (again, other) in zip(named(state), named(new), strict=True):
        assert name == again and array.tobytes() == other.tobytes(), name


def test_a_file_holds_only_what_differs_from_a_new_state(tmp_path):
    X, y, _ = data("binary", 40)
    save(begun(ONE), tmp_path / "new.ks")
    save(begun(ONE).learn_many(X, y), tmp_path / "old.ks")
    arrays = unpack((tmp_path / "new.ks").read_bytes(), "new")[1]
    assert arrays["expansion.sv"].size == 0 and arrays["run.history"].size == 0
    arrays = unpack((tmp_path / "old.ks").read_bytes(), "old")[1]
    assert arrays["run.history"].shape == (2, 40)
    assert not any(name.startswith(("scratch", "work", "look_ahead")) for name in arrays)


def test_the_same_model_makes_the_same_file(tmp_path):
    X, y, _ = data("binary", 40)
    model = begun(ONE).learn_many(X, y)
    for name in ("a", "b"):
        save(model, tmp_path / name, extra={"columns": ["a", "b"]})
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_the_description_is_the_models(tmp_path):
    X, y, _ = data("binary", 40)
    model = begun(ONE, 7).learn_many(X, y)
    extra = {"position": {"file": "a.csv", "line": 12}, "means": [0.1, None, "ü"]}
    save(model, tmp_path / "m.ks", extra=extra)
    found = files.describe(tmp_path / "m.ks")
    assert found == files.read(tmp_path / "m.ks").description
    assert (found.kind, found.features, found.outputs, found.dtype, found.half) == ("model", 3, 1, "float32", False)
    assert (found.examples, found.updates, found.support_vectors) == (40, 40, model.n_support)
    assert found.random_state == int(model.state.run.rng[0])
    assert found.recipe == model.recipe and found.extra == extra
    assert found.parameters is found.classes is found.feature_names is None
    assert (
        described({**found.to_dict(), "dims": found.to_dict(), "counters": found.to_dict(), "estimator": None}) == found
    )


def test_half_precision_of_features_far_from_zero_or_beyond_its_range():
    rng = np.random.default_rng(0)
    spread = np.array([1.0, 1e-6, 1e7, 1.0, 0.0])
    sv = rng.normal(size=(50, 5)) * spread + np.array([1000.0, 0.0, 1e9, 0.0, 3.0])
    sv[10:, 3] = 0.0
    arrays = half_precision.halved((sv, rng.normal(size=(50, 2)) * [1e-9, 1e9]))
    back = half_precision.doubled(dict(arrays), 5, 2)
    error = np.abs(back.support_vectors - sv).max(axis=0)
    np.testing.assert_array_less(error, 1e-3 * np.ptp(sv, axis=0) + 1e-12)
    assert (back.support_vectors[10:, 3] == 0.0).all()
    assert all(array.nbytes <= 2 * array.size for name, array in arrays.items() if "centre" not in name)


def intersection(x, z):
    return min(x[0], z[0])


@strategy
class Mine(Radial):
    """A user's class, even one that borrows a name of ours."""

    gamma: float = 1.0

    def of(self, u):
        return 1.0 / (1.0 + self.gamma * u)


Mine.__name__ = "Gaussian"


@pytest.mark.parametrize("own", [kernel_of(intersection), Mine(), kernel_of(intersection) + Gaussian(1.0)])
def test_a_users_own_code_is_refused_with_the_way_out(own):
    with pytest.raises(ValueError, match="Use pickle"):
        encode(recipes.kernel_sgd(own, losses.Hinge()))


@pytest.mark.parametrize(
    "extra", [[1], {1: "a"}, {"a": (1, 2)}, {"a": float("nan")}, {"a": np.float32(1)}, {"a": b"x"}], ids=str
)
def test_extra_that_json_would_change_is_refused(extra, tmp_path):
    with pytest.raises(ValueError, match="extra is"):
        save(begun(ONE), tmp_path / "m.ks", extra=extra)
    assert not list(tmp_path.iterdir())


def test_other_things_are_refused(tmp_path):
    class Other(Model):
        pass

    for thing in (None, recipes.bsgd(), Other.__new__(Other)):
        with pytest.raises(ValueError, match="save accepts a Model"):
            save(thing, tmp_path / "m.ks")


def test_a_kernel_made_of_others_survives():
    kernel = kernels.Gaussian(2.0) * kernels.Cauchy(0.3) + 0.1 * kernels.Linear()
    assert decode(encode(kernel)) == kernel
