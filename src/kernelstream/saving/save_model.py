"""`save`: from models to model files."""

import json
import os
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.state import allocate
from ..model import Model
from ..tracking import AdaptiveModel
from .adaptive_state import adaptive_to_dict
from .atomic_write import replace_file
from .estimator_attributes import arrays_of, estimator_to_dict, kind_of
from .half_precision import halved
from .parameter_json import encode
from .safetensors_file import pack
from .state_arrays import stored

if TYPE_CHECKING:
    from ..estimators import KernelClassifier, KernelRegressor

    Saveable = Model | KernelClassifier | KernelRegressor


def save(
    model: "Saveable", path: str | os.PathLike[str], *, half: bool = False, extra: dict[str, Any] | None = None
) -> None:
    """Save a model, or a fitted estimator, to a file that `load` reads.

    The file is safetensors with a JSON header and a checksum. It holds the whole state: a loaded model continues to
    learn exactly as if it had never been saved, bit for bit. It holds no code, so a kernel made of your own function is
    refused (use pickle), and your own strategy classes must be registered (`kernelstream.saving.register_strategy`).
    An existing file is replaced atomically, and stays unchanged if something goes wrong.

    Parameters
    ----------
    model : Model, KernelClassifier or KernelRegressor
        What to save; an estimator must be fitted.
    path : str or path
        The file to write.
    half : bool, default False
        Save only the function that predicts, in half precision: less than half of the size, and much less for recipes
        with an inverse. The error is 1/2048 of the range of every feature and of the largest coefficient. Predictions
        change slightly; they change more if large coefficients of opposite signs cancel, as those of `krls` may. The
        model is loaded in float32 and can be trained further from this function, but not as if never saved.
    extra : dict or None, default None
        Your own data, which JSON must be able to hold; `kernelstream.saving.describe(path).extra` returns it.

    See Also
    --------
    load : Read the file again.
    kernelstream.saving.describe : What a file contains, from its header.
    kernelstream.export.c.header : A model as C code.

    Examples
    --------
    >>> import tempfile, pathlib, kernelstream
    >>> from kernelstream.datasets import checkerboard
    >>> X, y = checkerboard(2000, seed=0)
    >>> model = kernelstream.KernelClassifier(gamma=4.0, budget=50, random_state=0).fit(X, y)
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "board.ks"
    >>> kernelstream.save(model, path, extra={"board": "4 × 4"})
    >>> bool((kernelstream.load(path).predict(X) == model.predict(X)).all())
    True
    >>> kernelstream.saving.describe(path).extra
    {'board': '4 × 4'}
    """
    from ..estimators import model_of  # here, because scikit-learn is slow to import

    kind = kind_of(model)
    with model_of(model).lock:  # no other thread learns meanwhile
        content = packed(model, kind, half, extra)
    replace_file(path, content)


def packed(model: "Saveable", kind: str, half: bool = False, extra: dict[str, Any] | None = None) -> bytes:
    """The bytes of a model file."""
    estimator, inner = (
        (None, model) if isinstance(model, Model) else (estimator_to_dict(model, kind, half), model.model_)
    )
    arrays = arrays_of(model, kind, half)
    about = _single(inner, half, arrays) if isinstance(inner, Model) else _adaptive(inner, half, arrays)
    return pack(_common(kind, half) | about | {"estimator": estimator, "extra": as_json(extra)}, arrays)


def _common(kind: str, half: bool) -> dict[str, Any]:
    from .. import __version__

    return {"version": __version__, "kind": kind, "half": half}


def _single(inner: Model, half: bool, arrays: dict[str, np.ndarray]) -> dict[str, Any]:
    """The part of the header that describes a single model; its arrays are added to `arrays`."""
    recipe, dims, state = inner.recipe, inner.dims, inner.state
    new = allocate(recipe, dims)
    if half:
        function, dims = inner.function, dims._replace(dtype=np.dtype(np.float32), retired=0)
        run = state.run._replace(history=new.run.history, kept=new.run.kept)  # can be larger than the function
        arrays |= halved(function) | stored(run, new.run, "run")
    else:
        arrays |= stored(state, new)
    return {
        "recipe": encode(recipe),
        "dims": dims._asdict() | {"dtype": dims.dtype.name},
        "counters": {
            "examples": int(state.run.seen[0]),
            "updates": int(state.run.t[0]),
            "support_vectors": len(function.coefficients) if half else inner.n_support,
            "random_state": int(state.run.rng[0]),
        },
    }


def _adaptive(inner: AdaptiveModel, half: bool, arrays: dict[str, np.ndarray]) -> dict[str, Any]:
    """The same for a mixture of models."""
    if half:
        raise ValueError(
            "half=True saves a single function, and this estimator is a mixture of several models and tables. Save "
            "it whole, or learn with adapt=False."
        )
    return {
        "recipe": encode(inner.recipe),
        "dims": {"features": inner.n_features, "outputs": inner.n_outputs, "dtype": inner.dtype.name},
        "counters": {
            "examples": inner.rows,
            "updates": inner.rows,
            "support_vectors": inner.n_support,
            "random_state": inner.seed,
        },
        "adaptive": adaptive_to_dict(inner, arrays),
    }


def as_json(extra: dict[str, Any] | None) -> dict[str, Any]:
    """The caller's own data, if JSON returns it unchanged."""
    if extra is None:
        return {}
    try:
        same = isinstance(extra, dict) and json.loads(json.dumps(extra, allow_nan=False)) == extra
    except (TypeError, ValueError, RecursionError):
        same = False
    if not same:
        raise ValueError(
            f"extra is {extra!r}, which JSON does not return unchanged. Use a dict with string keys, of finite "
            "numbers, strings, booleans, None, and lists and dicts of these."
        )
    return extra
