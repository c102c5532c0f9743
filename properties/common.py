"""What the property tests share: settings, random expansions, and measurements made the slow, obvious way."""

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from numba import config, njit

from kernelstream.core.state import Dims, scratch

PURE = bool(config.DISABLE_JIT)


def examples(count: int):
    """So many examples, the same ones in every run."""
    return settings(
        max_examples=count, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
    )


def pure_only(test):
    """Collect the test in the run without a compiler only: its many compositions would take minutes to compile."""
    return pytest.mark.engine(test) if PURE else None


def compiled_only(test):
    """Collect the test in the compiled run only."""
    return None if PURE else test


def callable_from_python(function):
    """A helper that only compiled code can call, wrapped for a call from here."""
    if PURE:
        return function
    names = ", ".join(function.py_func.__code__.co_varnames[: function.py_func.__code__.co_argcount])
    namespace = {"function": function}
    exec(f"def call({names}):\n    return function({names})", namespace)
    return njit(namespace["call"])


seeds = st.integers(0, 2**32 - 1)


def rows(seed: int, n: int, d: int = 3, repeats: float = 0.0) -> np.ndarray:
    """Normal rows; a share of them repeat an earlier one."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    for i in range(1, n):
        if rng.random() < repeats:
            X[i] = X[rng.integers(i)]
    return X


def scratch_for(d: int, capacity: int, dtype="float64"):
    return scratch(Dims(capacity, d, 1, np.dtype(dtype)))


def function_of(model):
    """Support vectors (n, d) and coefficients (n, c) of the last iterate, in float64."""
    ex = model.state.expansion
    n = int(ex.n[0])
    return ex.sv[:, :n].T.astype(np.float64), (ex.coef[:, :n] * ex.scale[0]).T.copy()


def distance(kernel, first, second) -> float:
    """‖f − g‖ in the RKHS, for (support vectors, coefficients) each."""
    points = np.concatenate([first[0], second[0]])
    points, index = np.unique(points, axis=0, return_inverse=True)
    a = np.zeros((len(points), first[1].shape[1]))
    np.add.at(a, index.ravel(), np.concatenate([first[1], -second[1]]))
    return float(np.sqrt(max(np.sum(a * (kernel(points) @ a)), 0.0))) if len(points) else 0.0


def before_maintenance(model, x, y):
    """What the next update makes of f, up to where maintenance begins: (support vectors, coefficients) of batch 1."""
    recipe, t = model.recipe, int(model.state.run.t[0]) + 1
    sv, coef = function_of(model)
    f = (recipe.kernel(x[None], sv) @ coef)[0] if len(sv) else np.zeros(model.n_outputs)
    g = np.zeros(model.n_outputs)
    loss = recipe.loss.gradient(f, np.atleast_1d(np.asarray(y, np.float64)), g)
    step = -recipe.step.rate(t, loss, 1.0) * g
    return np.concatenate([sv, x[None]]), np.concatenate([coef * recipe.step.decay(t, model.state), step[None]])
