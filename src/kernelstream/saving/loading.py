"""Files to models."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..core.precision import DTYPES
from ..core.state import allocate
from ..core.strategy import Dims
from ..model import Model
from .arrays import restore
from .container import read_header, unpack
from .description import Description, described
from .fitted import KINDS, OWN, put_together
from .half import doubled

if TYPE_CHECKING:
    from .saving import Saveable


class Saved(NamedTuple):
    """A model and what its file says of it."""

    model: "Saveable"
    description: Description


def load(path: str | os.PathLike[str]) -> "Saveable":
    """The model or estimator that `save` wrote, ready to predict and to go on learning.

    Nothing in the file is ever run. A file that is cut short, altered, newer than this version or not one of ours is
    refused with a ValueError.
    """
    return read(path).model


def read(path: str | os.PathLike[str]) -> Saved:
    """The model together with the description of its file, both from one reading."""
    name = os.fspath(path)
    header, arrays = unpack(Path(path).read_bytes(), str(name))
    try:
        description = described(header)
        model = _model(description, header, {name: array for name, array in arrays.items() if name not in OWN})
        if description.kind == "model":
            return Saved(model, description)
        return Saved(put_together(description.kind, header["estimator"], model, arrays), description)
    except _WRONG as error:
        raise _refusal(str(name), header, error) from error


def describe(path: str | os.PathLike[str]) -> Description:
    """What a model file says of itself. Only its header is read, so it costs the same for a large model as for a small
    one, and arrays that have been altered go unnoticed, which `load` refuses."""
    with open(path, "rb") as file:
        header = read_header(file, str(os.fspath(path)))
    try:
        return described(header)
    except _WRONG as error:
        raise _refusal(str(os.fspath(path)), header, error) from error


# what a header may bring about that was not written by `save`, or by another version of it
_WRONG = (
    ValueError,
    TypeError,
    KeyError,
    AttributeError,
    NotImplementedError,
    OverflowError,
    MemoryError,
    RecursionError,
)


def _refusal(name: str, header: dict[str, Any], error: BaseException) -> ValueError:
    from .. import __version__

    why = f"{error!s} is missing" if isinstance(error, KeyError) else str(error) or type(error).__name__
    return ValueError(
        f"{name} cannot be loaded: {why}. It was written by kernelstream {header.get('version')}, and this is "
        f"{__version__}."
    )


def _model(description: Description, header: dict[str, Any], arrays: dict[str, np.ndarray]) -> Model:
    if description.kind not in ("model", *KINDS.values()):
        raise ValueError(f"it holds a {description.kind!r}, which this version does not know")
    recipe, dims = description.recipe, _dims(header["dims"])
    state = allocate(recipe, dims)
    function = doubled(arrays, dims.features, dims.outputs) if description.half else None
    if function is None:
        restore(state, arrays)
    else:
        restore(state.run, arrays, "run")
    model = Model.from_state(recipe, dims, state)
    return model.adopt(function) if function is not None and len(function.coefficients) else model


def _dims(saved: dict[str, Any]) -> Dims:
    sizes = {name: value for name, value in saved.items() if name != "dtype"}
    if saved["dtype"] not in DTYPES or not all(type(v) is int and v >= 0 for v in sizes.values()):
        raise ValueError(f"{saved} are no dimensions of a model")
    return Dims(dtype=np.dtype(saved["dtype"]), **sizes)
