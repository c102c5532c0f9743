"""`load` and `describe`: from model files to models."""

import os
import stat
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import numpy as np

from ..core.precision import DTYPES
from ..core.state import allocate, nbytes
from ..core.strategy import Dims
from ..model import Model
from ..recipe import ALIGNMENT, Composition
from .adaptive_state import adaptive_from_dict
from .estimator_attributes import KINDS, OWN, estimator_from_dict
from .half_precision import doubled
from .model_description import Description, described
from .safetensors_file import read_header, unpack
from .state_arrays import restore

if TYPE_CHECKING:
    from .save_model import Saveable

PIPELINE = "training"  # the key of `extra` that holds the preparation of raw rows, in the file of a pipeline


class Saved(NamedTuple):
    """A model and the description in its file."""

    model: "Saveable"
    description: Description


def load(path: str | os.PathLike[str]) -> "Saveable":
    """Load a model or estimator that `save` wrote, to predict or to train further.

    Nothing in the file is executed. A file that is truncated, altered, newer than this version or not a model file
    raises a ValueError; so does the file of a pipeline, which `kernelstream.load` reads.

    Parameters
    ----------
    path : str or path
        A model file that `save` wrote.
    """
    found = read(path)
    if PIPELINE in found.description.extra:
        raise ValueError(
            f"{os.fspath(path)} is the file of a pipeline, whose estimator takes prepared rows. Use kernelstream.load: "
            "the StreamPipeline that it returns takes raw rows, and its `estimator` is the estimator."
        )
    return found.model


def read(path: str | os.PathLike[str]) -> Saved:
    """Load a model together with the description in its file.

    Parameters
    ----------
    path : str or path
        A model file.
    """
    name = str(os.fspath(path))
    with open_regular(path) as file:
        read_header(file, name)  # a foreign or truncated file is refused before the rest is read
        file.seek(0)
        return unpacked(file.read(), name)


def unpacked(data: bytes, name: str) -> Saved:
    """The model in the bytes of a model file; `name` is its name in errors."""
    header, arrays = unpack(data, name)
    try:
        description = described(header)
        own = {name: array for name, array in arrays.items() if name not in OWN}
        model: Any = None
        if header.get("adaptive") is not None and description.kind in KINDS.values():
            model = adaptive_from_dict(header["adaptive"], own)
        else:
            model = _model(description, header, own)
        if description.kind == "model":
            return Saved(model, description)
        return Saved(estimator_from_dict(description.kind, header["estimator"], model, arrays), description)
    except _WRONG as error:
        raise _refusal(name, header, error) from error


def describe(path: str | os.PathLike[str]) -> Description:
    """The description in a model file. Only the header is read, so this is fast for large models too; unlike `load`, it
    does not notice altered arrays.

    Parameters
    ----------
    path : str or path
        A model file.
    """
    with open_regular(path) as file:
        header = read_header(file, str(os.fspath(path)))
    try:
        return described(header)
    except _WRONG as error:
        raise _refusal(str(os.fspath(path)), header, error) from error


# errors that a header may cause if it was not written by `save`, or by another version
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
        f"{name} cannot be loaded: {why}. It was written by kernelstream {header.get('version')}; this is "
        f"{__version__}."
    )


def _model(description: Description, header: dict[str, Any], arrays: dict[str, np.ndarray]) -> Model:
    if description.kind not in ("model", *KINDS.values()):
        raise ValueError(f"it contains a {description.kind!r}, which this version does not support")
    recipe, dims = description.recipe, _dims(header["dims"])
    if not isinstance(recipe, Composition) or not recipe.settled:
        raise ValueError(f"{recipe!r} has parameters that were never decided")
    # compiled code relies on these
    if dims.batch != recipe.batch or dims.capacity < ALIGNMENT or dims.capacity % ALIGNMENT:
        raise ValueError(f"{header['dims']} are not dimensions of a model with this recipe")
    state = allocate(recipe, dims)  # of zeros, which take no memory until they are written
    if nbytes(state) > physical_memory():
        raise ValueError(f"it would need {nbytes(state):,} bytes, more than this machine has")
    function = doubled(arrays, dims.features, dims.outputs) if description.half else None
    if function is None:
        restore(state, arrays, schema=description.schema)
    else:
        restore(state.run, arrays, "run", description.schema)
    model = Model.from_state(recipe, dims, state)
    return model.adopt(function) if function is not None and len(function.coefficients) else model


def open_regular(path: str | os.PathLike[str]) -> BinaryIO:
    """The file, open for reading; a pipe or a device, which might never end, is refused."""
    file = open(path, "rb", opener=_without_waiting)  # noqa: SIM115  the caller closes it
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise ValueError(f"{os.fspath(path)} is not a regular file, so it cannot be a model file.")
    return file


def _without_waiting(path: str, flags: int) -> int:
    # opening a named pipe would wait for a writer
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def physical_memory() -> int:
    """Bytes of memory of this machine; very many where that is not known."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 1 << 62


def _dims(saved: dict[str, Any]) -> Dims:
    sizes = {name: value for name, value in saved.items() if name != "dtype"}
    if saved["dtype"] not in DTYPES or not all(type(v) is int and v >= 0 for v in sizes.values()):
        raise ValueError(f"{saved} are not dimensions of a model")
    return Dims(dtype=np.dtype(saved["dtype"]), **sizes)
