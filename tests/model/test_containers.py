"""The same numbers in another container give the same model."""

import numpy as np
import pytest
from scipy.sparse import csc_matrix, csr_array, csr_matrix

from .common import MERGE, PURE, begin, bits, data

pytestmark = [pytest.mark.engine, pytest.mark.bounds]


def containers(X):
    """The same numbers, float32-exact, in every kind of container."""
    wide = np.zeros((len(X), 2 * X.shape[1]))
    wide[:, ::2] = X
    frozen = X.copy()
    frozen.flags.writeable = False
    return {
        "float64": X,
        "float32": X.astype(np.float32),
        "float16": X.astype(np.float16),
        "fortran": np.asfortranarray(X),
        "frozen": frozen,
        "frozen float32": _frozen(X.astype(np.float32)),
        "big-endian": X.astype(">f4"),
        "strided": wide[:, ::2],
        "reversed": X[::-1][::-1],
        "list": X.tolist(),
        "int": X.astype(np.int32),
        "int8": X.astype(np.int8),
        "object": X.astype(object),
        "unaligned": _unaligned(X.astype(np.float32)),
        "csr": csr_matrix(X),
        "csr array": csr_array(X),
        "csc": csc_matrix(X),
        "coo": csr_matrix(X).tocoo(),
        "int64 indices": _int64(X),
        "unsorted with duplicates": _shuffled(X),
    }


def _frozen(X):
    X.flags.writeable = False
    return X


def _unaligned(X):
    buffer = np.zeros(X.nbytes + 1, np.uint8)
    view = buffer[1:].view(np.float32).reshape(X.shape)
    view[...] = X
    return view


def _int64(X):
    new = csr_matrix(X)
    new.indptr, new.indices = new.indptr.astype(np.int64), new.indices.astype(np.int64)
    return new


def _shuffled(X):
    """Every entry twice, as halves, in reverse order of columns."""
    plain = csr_matrix(X)
    indptr = 2 * plain.indptr
    indices, values = [], []
    for a, b in zip(plain.indptr, plain.indptr[1:], strict=False):
        for _ in range(2):
            indices.extend(plain.indices[a:b][::-1])
            values.extend(0.5 * plain.data[a:b][::-1])
    return csr_matrix((values, indices, indptr), X.shape)


def signatures(model):
    return len(model._learn.signatures), len(model._bound.predict.signatures)


def test_every_container_gives_the_same_model():
    X = np.round(4 * data()[0])
    y = np.where(X[:, 0] > 0.0, 1.0, -1.0)
    reference = begin(MERGE, X, y, dtype="float32").learn_many(X, y)
    sparse = begin(MERGE, X, y, dtype="float32").learn_many(csr_matrix(X), y)
    reference.scores_many(X)
    sparse.scores_many(csr_matrix(X))
    compiled = None if PURE else signatures(sparse)  # of both kinds of rows: no container may need another
    for name, same in containers(X).items():
        model = begin(MERGE, X, y, dtype="float32").learn_many(same, y)
        twin = sparse if not isinstance(same, (np.ndarray, list)) else reference
        assert bits(model) == bits(twin), name
        np.testing.assert_array_equal(
            model.scores_many(same), twin.scores_many(csr_matrix(X) if twin is sparse else X), err_msg=name
        )
        assert PURE or signatures(model) == compiled, name


def test_targets_in_every_container():
    X, y = data()
    reference = bits(begin(MERGE, X, y, dtype="float64").learn_many(X, y))
    frozen = y.copy()
    frozen.flags.writeable = False
    for same in (
        y.tolist(),
        y.astype(np.int8),
        y.astype(">f8"),
        np.repeat(y, 2)[::2],
        y[:, None],
        np.asfortranarray(y[:, None]),
        frozen,
    ):
        assert bits(begin(MERGE, X, y, dtype="float64").learn_many(X, same)) == reference
    for weight in (1, 1.0, np.ones(60, np.int32), np.ones(120)[::2], _frozen(np.ones(60))):
        assert bits(begin(MERGE, X, y, dtype="float64").learn_many(X, y, weight)) == reference


def test_bool_rows():
    X = data()[0] > 0.0
    y = np.where(X[:, 0] ^ X[:, 1], 1.0, -1.0)
    model = begin(MERGE, X, y, dtype="float32").learn_many(X, y)
    assert bits(model) == bits(begin(MERGE, X, y, dtype="float32").learn_many(X.astype(float), y))
    assert (np.sign(model.scores_many(X)[:, 0]) == y).all()


def test_a_seed_may_be_a_numpy_integer():
    X, y = data()
    assert bits(begin(MERGE, X, y, seed=np.int64(5))) == bits(begin(MERGE, X, y, seed=5))


def test_negative_seeds_are_seeds():
    X, y = data()
    assert begin(MERGE, X, y, seed=-1).state.run.rng[0] == 2**64 - 1
