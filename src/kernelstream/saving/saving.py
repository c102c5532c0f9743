"""Models to files."""

import json
import os
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.state import allocate
from ..model import Model
from .arrays import stored
from .atomic import replace_file
from .container import pack
from .fitted import arrays_of, kind_of, take_apart
from .half import halved
from .values import encode

if TYPE_CHECKING:
    from ..estimators import KernelClassifier, KernelRegressor

    Saveable = Model | KernelClassifier | KernelRegressor


def save(
    model: "Saveable", path: str | os.PathLike[str], *, half: bool = False, extra: dict[str, Any] | None = None
) -> None:
    """Write a model, or a fitted estimator, to a file that `load` reads.

    The file is safetensors with a JSON header and a checksum. It holds everything: after `load` the model goes on
    learning as if it had never been saved, bit for bit. It holds no code, so a kernel made of your own function, or a
    strategy class of your own, is refused; such models take pickle. A file that is already there is replaced in one
    step, or stays whole if something goes wrong.

    Parameters
    ----------
    model : Model, KernelClassifier or KernelRegressor
    path : str or path
    half : bool
        Keep the function that predicts, averaging included, in half precision, and little else: less than half of the
        size, and a small part of it where the recipe keeps an inverse. What is lost is 1/2048 of the spread of every
        feature and of the largest coefficient; predictions differ slightly, unless large coefficients of opposite signs
        cancel, as those of `krls` may. The model comes back in float32 and can go on learning from this function, but
        not as if never saved.
    extra : dict or None
        Anything of yours that JSON can hold; `kernelstream.saving.describe(path).extra` gives it back.

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
    from .. import __version__

    kind = kind_of(model)
    estimator, inner = (None, model) if isinstance(model, Model) else (take_apart(model, kind, half), model.model_)
    recipe, dims, state = inner.recipe, inner.dims, inner.state
    new = allocate(recipe, dims)
    if half:
        function, dims = inner.function, dims._replace(dtype=np.dtype(np.float32), retired=0)
        run = state.run._replace(history=new.run.history, kept=new.run.kept)  # larger than many a function
        arrays = halved(function) | stored(run, new.run, "run")
    else:
        arrays = stored(state, new) | arrays_of(model, kind)
    header = {
        "version": __version__,
        "kind": kind,
        "half": half,
        "recipe": encode(recipe),
        "dims": dims._asdict() | {"dtype": dims.dtype.name},
        "counters": {
            "examples": int(state.run.seen[0]),
            "updates": int(state.run.t[0]),
            "support_vectors": len(function.coefficients) if half else inner.n_support,
            "random_state": int(state.run.rng[0]),
        },
        "estimator": estimator,
        "extra": as_json(extra),
    }
    replace_file(path, pack(header, arrays))


def as_json(extra: dict[str, Any] | None) -> dict[str, Any]:
    """The caller's own words, if JSON gives them back as they are."""
    if extra is None:
        return {}
    try:
        same = isinstance(extra, dict) and json.loads(json.dumps(extra, allow_nan=False)) == extra
    except (TypeError, ValueError, RecursionError):
        same = False
    if not same:
        raise ValueError(
            f"extra is {extra!r}, which JSON does not give back as it is. Use a dict, with strings for keys, of finite "
            "numbers, strings, truth values, None, lists and dicts of them."
        )
    return extra
