"""The loop is compiled in parts: which part is compiled when, and that a part lasts as long as its callers."""

import copy
import gc
import pickle

import numpy as np
import pytest
from numba import config

from kernelstream import Model, Recipe, kernels, recipes, steps, strategy
from kernelstream.core.entry_points import Handle, UpdateParts, predict_handle
from kernelstream.core.numba import addresses, cache, nodes
from tests.core.test_lowering import python

PURE = bool(config.DISABLE_JIT)
RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 3))
Y = np.where(X[:, 0] * X[:, 1] > 0, 1.0, -1.0)
SHAPES = """
    import logging, hashlib
    import numpy as np
    from scipy.sparse import csr_matrix
    from kernelstream import Model, kernels, losses, recipes

    class Compiled(logging.Handler):
        def emit(self, record):
            if record.msg.startswith("compiling"):
                print(record.args[0].split()[0], end=" ")

    log = logging.getLogger("kernelstream.core.numba.notice")
    log.setLevel(logging.INFO)
    log.addHandler(Compiled())
    X = np.random.default_rng(0).normal(size=(200, 3))
    y = np.where(X[:, 0] * X[:, 1] > 0, 1.0, -1.0)
    recipe = recipes.perceptron(kernels.Gaussian(2.0))

    def learn(recipe, X, y, outputs=1):
        model = Model.from_recipe(recipe, X, y, n_outputs=outputs).learn_many(X, y)
        print(hashlib.sha256(model.scores_many(X).tobytes()).hexdigest()[:8])

    learn(recipe, X, y)
    learn(recipe.replace(loss=losses.Hinge()), X, y)
    learn(recipe.replace(loss=losses.PerceptronClasses()), X, np.arange(200.0) % 3, 3)
    learn(recipe, csr_matrix(X), y)
"""


def compiled_only(test):
    return None if PURE else test


@compiled_only
def test_another_loss_or_sparse_rows_compile_the_front_alone(tmp_path):
    def run():
        printed = python(SHAPES, NUMBA_CACHE_DIR=str(tmp_path)).splitlines()
        return [line.split()[:-1] for line in printed], [line.split()[-1] for line in printed]

    first, scores = run()
    assert first == [
        ["update", "learn_many", "predict_many"],
        ["learn_many"],
        ["learn_many"],
        ["learn_many", "predict_many"],
    ]
    assert run() == ([[]] * 4, scores)  # another process reads it all, and computes the same


@compiled_only
def test_prediction_is_not_compiled_to_learn_nor_learning_to_predict():
    code = SHAPES.partition("    def learn")[0] + "    model = Model.from_recipe(recipe, X, y)\n    model.{}\n"
    for call, parts in (("learn_many(X, y)", ["update", "learn_many"]), ("scores_many(X)", ["predict_many"])):
        assert python(code.format(call), KERNELSTREAM_NO_CACHE="1").split() == parts


@compiled_only
def test_the_update_lasts_as_long_as_a_model_that_calls_it():
    recipe = Recipe(kernels.kernel(lambda x, z: (1.0 + x[0] * z[0] + x[1] * z[1]) ** 2), step=steps.Constant(0.5))
    whole = Model.from_recipe(recipe, X, Y).learn_many(X, Y).scores_many(X)
    first = Model.from_recipe(recipe, X, Y).learn_many(X[:150], Y[:150])
    second = copy.deepcopy(first).learn_many(X[150:200], Y[150:200])
    del first
    addresses._code.cache_clear()
    cache.specialise.cache_clear()
    gc.collect()
    second.learn_many(X[200:250], Y[200:250])  # through the old code
    for x, y in zip(X[250:], Y[250:], strict=True):
        second.learn_one(x, y)
    np.testing.assert_array_equal(second.scores_many(X), whole)


@pytest.mark.engine
def test_a_model_that_grows_is_copied_and_pickled_calls_its_own_update():
    recipe, noise = recipes.perceptron(kernels.Gaussian(2.0)), np.where(RNG.random(300) < 0.5, 1.0, -1.0)
    whole = Model.from_recipe(recipe, X, noise).learn_many(X, noise)
    model = Model.from_recipe(recipe, X, noise).learn_many(X[:100], noise[:100])
    room = model.dims.capacity
    others = [copy.deepcopy(model), pickle.loads(pickle.dumps(model)), model]
    for other in others:
        other.learn_many(X[100:], noise[100:])
        assert other.dims.capacity > room
        np.testing.assert_array_equal(other.scores_many(X), whole.scores_many(X))


@strategy
class Stumbling(steps.Step):
    """A user's step that raises."""

    def rate(self, t, loss, curve):
        if t > 3:
            raise ValueError("a step too far")
        return 1.0

    def decay(self, t, st):
        return 1.0


@pytest.mark.engine
def test_an_error_in_the_update_reaches_the_caller():
    model = Model.from_recipe(recipes.perceptron(kernels.Gaussian(2.0)).replace(step=Stumbling()), X, Y)
    with pytest.raises(ValueError, match="a step too far"):
        model.learn_many(X, Y)


@compiled_only
@pytest.mark.parametrize(
    "recipe",
    [
        recipes.default(),
        recipes.projectron(),
        Recipe(kernels.Gaussian(2.0) + 3.0 * kernels.Cauchy(), track_norm=True),
        recipes.bsgd(maintenance="project"),
    ],
    ids=["default", "projectron", "sum", "project"],
)
def test_numbers_are_laid_out_as_compiled_code_writes_them(recipe):
    model = Model.from_recipe(recipe, X, Y)
    state = predict_handle(model.recipe, model.state)
    for parts in (model.recipe, UpdateParts(*[getattr(model.recipe, name) for name in UpdateParts._fields])):
        node = Handle(state, parts)
        _, words = nodes.laid_out(node, lambda: pytest.fail("it consists of numbers"))
        written = np.zeros_like(words)
        cache.specialise(nodes.write, *cache.fingerprint(node))(node, written)
        np.testing.assert_array_equal(words, written)


@compiled_only
def test_other_values_of_a_recipe_are_written_by_compiled_code():
    node = Handle(predict_handle(*_trained()), (2.5, np.float32(1.5), True))
    written = cache.specialise(nodes.write, *cache.fingerprint(node))
    _, words = nodes.laid_out(node, lambda: written)
    assert words[1:2].view(np.float64)[0] == 2.5 and words[2:].view(np.float32)[0] == 1.5


def _trained():
    model = Model.from_recipe(recipes.perceptron(kernels.Gaussian(2.0)), X, Y)
    return model.recipe, model.state
