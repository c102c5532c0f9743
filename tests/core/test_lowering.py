"""How strategies become compiled code: the findings that the design rests on, where one can fail."""

import os
import pathlib
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from numba import __version__, config, njit
from numba.core.codegen import CPUCodeLibrary
from numba.core.cpu import CPUContext

from kernelstream import Model, Recipe, kernels, losses, recipes, steps, strategy
from kernelstream.core import random as draws
from kernelstream.core.numba import lean as _lean
from kernelstream.core.numba.cache import fingerprint
from kernelstream.core.numba.math import exp
from kernelstream.core.strategy import Positive
from kernelstream.losses import Hinge, Logistic, ScalarLoss
from tests.reference.common import Draws

PURE = bool(config.DISABLE_JIT)
COMPOSITION = "Recipe(kernels.Gaussian(2.0), losses.Logistic())"


def compiled_only(test):
    return None if PURE else test


def python(code, *, cwd=None, **environment):
    """Run code in a new process; what it prints."""
    root = pathlib.Path(__file__).parents[2]
    path = os.pathsep.join(
        p for p in (str(root / "src"), str(root), str(cwd or ""), os.environ.get("PYTHONPATH", "")) if p
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(code)],
        env={**os.environ, "PYTHONPATH": path, **environment},
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


PREAMBLE = """
    import numpy as np
    from kernelstream import Model, Recipe, kernels, losses
    from kernelstream.core.numba.cache import fingerprint
    X, y = np.zeros((4, 2)), np.ones(4)
"""


# ------------------------------------------------------------------ fingerprints


def test_fingerprint_does_not_depend_on_the_hash_seed():
    code = PREAMBLE + f"    print(fingerprint(Model.from_recipe({COMPOSITION}, X, y).recipe))"
    names = {python(code, PYTHONHASHSEED=seed, NUMBA_DISABLE_JIT="1") for seed in ("0", "77")}
    assert len(names) == 1
    name, lasting = eval(names.pop())
    assert lasting and len(name) == 16


def test_fingerprint_is_of_types_and_not_of_values():
    def name(recipe):
        return fingerprint(Model.from_recipe(recipe, np.zeros((4, 2)), np.ones(4)).recipe)

    one = recipes.bsgd(kernels.Gaussian(1.0), budget=10, lam=0.1)
    assert name(one) == name(recipes.bsgd(kernels.Gaussian(7.0), budget=99, lam=0.3))
    assert name(one) != name(one.replace(loss=Logistic()))
    assert name(one) != name(one.replace(track_norm=True, bound=recipes.default().bound))


USER = """
    from kernelstream import strategy
    from kernelstream.kernels import Pairwise, kernel
    from kernelstream.losses import ScalarLoss
    from kernelstream.core.strategy import Positive

    @strategy
    class Cubic(ScalarLoss):
        weight: Positive = 1.0

        def value(self, z, y):
            return self.weight * abs(z - y) ** 3

        def slope(self, z, y):
            return 3.0 * self.weight * abs(z - y) * (z - y)

    @strategy
    class Product(Pairwise):
        def pair(self, x, z):
            return PRODUCT

    def product(x, z):
        return PRODUCT

    FUNCTION = kernel(product)
"""


def user_module(folder, product="x[0] * z[0] + 1.0"):
    (folder / "users.py").write_text(textwrap.dedent(USER).replace("PRODUCT", product))


FINGERPRINTS = (
    PREAMBLE
    + """
    import users
    for recipe in (Recipe(loss=users.Cubic()), Recipe(users.Product()), Recipe()):
        print(fingerprint(Model.from_recipe(recipe, X, y).recipe))
"""
)


def test_fingerprint_follows_the_source_of_a_users_class(tmp_path):
    user_module(tmp_path)
    before = python(FINGERPRINTS, cwd=tmp_path, NUMBA_DISABLE_JIT="1").splitlines()
    assert python(FINGERPRINTS, cwd=tmp_path, NUMBA_DISABLE_JIT="1").splitlines() == before
    assert all(eval(line)[1] for line in before)
    user_module(tmp_path, product="x[0]")
    after = python(FINGERPRINTS, cwd=tmp_path, NUMBA_DISABLE_JIT="1").splitlines()
    assert after[0] != before[0] and after[1] != before[1]
    assert after[2] == before[2]


BASE = """
from kernelstream.losses import ScalarLoss

class Base(ScalarLoss):
    __slots__ = ()

    def value(self, z, y):
        return {}
"""
HEIR = """
from bases import Base
from kernelstream import strategy

@strategy
class Heir(Base):
    def slope(self, z, y):
        return 1.0
"""


def test_fingerprint_follows_the_source_of_a_users_base_class(tmp_path):
    (tmp_path / "bases.py").write_text(BASE.format("abs(z - y)"))
    (tmp_path / "heirs.py").write_text(HEIR)
    code = (
        PREAMBLE + "    import heirs\n    print(fingerprint(Model.from_recipe(Recipe(loss=heirs.Heir()), X, y).recipe))"
    )
    before = python(code, cwd=tmp_path, NUMBA_DISABLE_JIT="1")
    (tmp_path / "bases.py").write_text(BASE.format("2.0 * abs(z - y)"))
    assert python(code, cwd=tmp_path, NUMBA_DISABLE_JIT="1") != before


def test_local_and_main_classes_are_not_kept_on_disk():
    @strategy
    class Local(ScalarLoss):
        def value(self, z, y):
            return abs(z - y)

        def slope(self, z, y):
            return 1.0

    def distance(x, z):
        return 1.0

    X, y = np.zeros((4, 2)), np.ones(4)
    for recipe in (Recipe(loss=Local()), Recipe(kernels.kernel(distance))):
        assert not fingerprint(Model.from_recipe(recipe, X, y).recipe)[1]
    code = PREAMBLE + USER.replace("PRODUCT", "1.0")
    code += "\n    both = [Model.from_recipe(r, X, y).recipe for r in (Recipe(loss=Cubic()), Recipe(FUNCTION))]"
    code += "\n    print([fingerprint(recipe)[1] for recipe in both])"
    assert python(code, NUMBA_DISABLE_JIT="1") == "[False, False]"


def test_two_lambdas_are_two_kernels():
    X, y = np.zeros((4, 2)), np.ones(4)
    names = {fingerprint(Model.from_recipe(Recipe(kernels.kernel(f)), X, y).recipe) for f in LAMBDAS}
    assert len(names) == 2 or not any(lasting for _, lasting in names)


LAMBDAS = [lambda x, z: x[0] * z[0], lambda x, z: x[1] * z[1]]

# ------------------------------------------------------------------ the disk cache


PREDICT = """
    import numpy as np
    from kernelstream import Function, Model, Recipe, kernels
    X, y = np.ones((4, 2)), np.ones(4)
    if "{users}":
        import users
        model = Model.from_recipe(Recipe(eval("users.{users}"), loss=users.Cubic()), X, y, dtype="float64")
        model.adopt(Function(np.ones((1, 2)), np.array([[1.0]])))
    else:
        model = Model.from_recipe(Recipe(kernels.Linear()), X, y, dtype="float64")
    value = model.scores_many(X)[0, 0]
    stats = model._bound.predict.stats
    print(value, sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))
"""


@compiled_only
def test_users_strategies_are_compiled_and_cached_and_trouble_nobody(tmp_path):
    def run(users="Product()"):
        code = PREDICT.format(users=users)
        value, hits, misses = python(code, cwd=tmp_path, NUMBA_CACHE_DIR=str(tmp_path / "cache"), NUMBA_OPT="1").split()
        return float(value), int(hits), int(misses)

    user_module(tmp_path)
    assert run() == (2.0, 0, 1)
    assert run() == (2.0, 1, 0)
    user_module(tmp_path, product="x[0] * z[0] + 5.0")
    assert run() == (6.0, 0, 1)  # edited: never the old code
    (tmp_path / "users.py").unlink()
    assert run("") == (0.0, 0, 1)  # a process that lacks the module shares the cache's folder


# ------------------------------------------------------------------ what compiles, and when


@compiled_only
def test_values_do_not_compile_again():
    X = np.random.default_rng(0).normal(size=(50, 3))
    y = np.where(X[:, 0] > 0, 1.0, -1.0)
    first = Model.from_recipe(recipes.pegasos(kernels.Gaussian(1.5), lam=0.01), X, y, dtype="float64").learn_many(X, y)
    second = Model.from_recipe(recipes.pegasos(kernels.Gaussian(0.3), lam=0.5), X, y, dtype="float64").learn_many(X, y)
    assert first._learn is second._learn and first._bound.predict is second._bound.predict
    before = len(first._learn.signatures)
    Model.from_recipe(recipes.pegasos(kernels.Gaussian(9.0), lam=0.02), X, y, dtype="float64").learn_many(X, y)
    assert len(first._learn.signatures) == before
    assert not np.allclose(first.scores_many(X), second.scores_many(X))


def test_importing_compiles_nothing():
    code = """
        import kernelstream, gc, sys
        print("numba" in sys.modules)
        kernelstream.Model, kernelstream.recipes  # imported on first use
        from numba.core.dispatcher import Dispatcher
        ours = [d for d in gc.get_objects() if isinstance(d, Dispatcher)]
        ours = [d for d in ours if d.py_func.__module__.startswith("kernelstream")]
        assert len(ours) > 20, len(ours)
        print(sum(len(d.overloads) for d in ours))
        print("sklearn" in sys.modules, "matplotlib" in sys.modules, "pandas" in sys.modules)
    """
    assert python(code, NUMBA_DISABLE_JIT="0").splitlines() == ["False", "0", "False False False"]


# ------------------------------------------------------------------ values


def test_strategies_of_different_classes_differ():
    assert Hinge() != Logistic()
    assert Hinge() == Hinge() and hash(Hinge()) == hash(Hinge())
    assert kernels.Gaussian(1.0) != kernels.Cauchy(1.0) and kernels.Gaussian(1.0) == kernels.Gaussian(1)
    assert kernels.Gaussian(1.0) != (1.0,)
    assert len({Hinge(), Logistic(), kernels.Gaussian(1.0), kernels.Cauchy(1.0), kernels.Gaussian(1.0)}) == 4


@compiled_only
def test_a_type_without_fields_is_true():
    from numba import typeof

    assert typeof(Hinge())
    assert typeof(Hinge()) != typeof(Logistic())
    assert typeof(kernels.Gaussian(1.0)) == typeof(kernels.Gaussian(2.0))
    assert typeof(kernels.Gaussian(1.0)) != typeof(kernels.Cauchy(1.0))


def test_a_parameter_with_the_name_of_a_method_is_refused():
    with pytest.raises(TypeError, match="the parameter 'slope' has the name of a method"):

        @strategy
        class Clash(ScalarLoss):
            slope: Positive = 1.0


def test_a_parameter_with_the_name_of_another_slots_method():
    """`rate` is a method of steps, and numba would find that method for a loss too."""
    with pytest.raises(TypeError, match="the parameter 'rate' has the name of a method"):

        @strategy
        class Rated(ScalarLoss):
            rate: Positive = 2.0


@pytest.mark.parametrize(
    "make",
    [
        lambda: steps.InverseTime(-1.0),
        lambda: steps.InverseTime(np.nan),
        lambda: steps.Constant(True),
        lambda: kernels.Gaussian("wide"),
        lambda: kernels.Polynomial(2.5),
        lambda: losses.Quantile(1.5),
        lambda: Recipe(kernel=Hinge()),
        lambda: Recipe(loss="hinge"),
        lambda: steps.InverseTime("fast"),
        lambda: steps.InverseTime(None),
        lambda: Recipe(batch=None),
        lambda: Recipe(batch="8"),
        lambda: recipes.bsgd(budget=5).maintenance.replace(choice="smallest"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(make):
    with pytest.raises(ValueError):
        make()


# ------------------------------------------------------------------ arithmetic


@pytest.mark.engine
@pytest.mark.parametrize("seed", [0, 1, 2**63, 2**64 - 1, 0x9E3779B97F4A7C15])
def test_draws_are_those_of_the_reference(seed):
    rng, reference = np.array([seed], np.uint64), Draws(seed)
    uniform, below = draws.uniform, draws.below
    if not PURE:
        uniform, below = njit(lambda rng: draws.uniform(rng)), njit(lambda rng, n: draws.below(rng, n))
    for _ in range(200):
        assert uniform(rng) == reference.uniform()
    assert [below(rng, n) for n in range(1, 200)] == [reference.below(n) for n in range(1, 200)]
    assert int(rng[0]) == reference.state


def _exponentials(x, out):
    for i in range(x.shape[0]):
        out[i] = exp(x[i])


@pytest.mark.engine
@pytest.mark.parametrize("dtype, low, bound", [(np.float32, -87.0, 2e-7), (np.float64, -708.0, 4e-15)])
def test_exp(dtype, low, bound):
    run = (
        _exponentials
        if PURE
        else njit(fastmath={"reassoc", "contract", "arcp", "nsz"}, error_model="numpy")(_exponentials)
    )
    near = -np.logspace(-12, np.log10(-low), 20_000)
    x = np.concatenate([np.linspace(low, -low * 0.99, 40_001), near, -near * 0.99, [0.0]]).astype(dtype)
    out = np.empty_like(x)
    run(x, out)
    exact = np.exp(x.astype(np.longdouble))
    assert np.abs(out / exact - 1).max() < bound
    assert out[-1] == 1.0
    if not PURE:
        far = np.array([-1e4, -1e30, -np.inf], dtype)
        run(far, out[:3])
        assert (out[:3] < 1e-37).all() and (out[:3] >= 0.0).all()


# ------------------------------------------------------------------ compiling helpers as parts of their entry points


def numbas_own():
    return CPUCodeLibrary._optimize_final_module, CPUCodeLibrary._finalize_final_module, CPUContext.get_executable


@pytest.mark.skipif(not __version__.startswith(_lean.TESTED), reason="this numba compiles in its own way")
def test_numba_is_itself_again_after_compiling():
    before = numbas_own()
    with pytest.raises(ZeroDivisionError), _lean.lean():
        assert numbas_own() != before
        raise ZeroDivisionError
    assert numbas_own() == before


def test_an_untested_numba_compiles_its_own_way(monkeypatch):
    monkeypatch.setattr(_lean, "TESTED", ())
    before = numbas_own()
    with _lean.lean():
        assert numbas_own() == before


def test_a_users_function_is_called_from_python_too():
    """It used to crash the interpreter: a helper of compiled code has no wrapper for Python."""
    done = python(
        """
import numpy as np
from kernelstream import kernels
def mine(x, z):
    return float((x * z).sum())
kernel = kernels.kernel(mine)
x = np.array([1.0, 2.0])
print(kernel.pair(x, x), (kernel + kernels.Gaussian(1.0)).pair(x, x), (2.0 * kernel).pair(x, x))
"""
    )
    assert done.split() == ["5.0", "6.0", "10.0"]
