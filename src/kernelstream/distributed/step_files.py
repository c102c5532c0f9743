"""The result of a step as the bytes of a file, and back: models as model files, arrays as they are, the rest as JSON.

Nothing in such a file is executed when it is read, and a checksum covers every byte.
"""

import hashlib
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, issparse

from ..saving.estimator_attributes import kind_of
from ..saving.load_model import unpacked
from ..saving.parameter_json import decode, decode_labels, encode, encode_labels
from ..saving.safetensors_file import pack, unpack
from ..saving.save_model import packed
from . import partition_tasks as tasks
from .partition_tasks import CompressedPickle


def to_bytes(step: str, result: Any) -> bytes:
    """The file of a step, which `from_bytes` reads."""
    arrays: dict[str, np.ndarray] = {}
    return pack({"step": step, "result": _taken_apart(result, "result", arrays)}, arrays)


def from_bytes(data: bytes, step: str, name: str) -> Any:
    """The result of a step; a ValueError if the bytes are not those of this step. `name` is the file's name."""
    try:
        header, arrays = unpack(data, name)
        if header["step"] != step:
            raise ValueError("it is of another step or run")
        return _put_together(header["result"], arrays)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(
            f"The checkpoint file {name} is damaged or is not one ({error}). Delete it, and the step is computed again."
        ) from error


def digest(result: Any) -> str:
    """A checksum of the result of a step, whose rows may be data frames."""
    arrays: dict[str, np.ndarray] = {}
    return hashlib.sha256(pack({"result": _taken_apart(result, "result", arrays)}, arrays)).hexdigest()


def _taken_apart(value: Any, path: str, arrays: dict[str, np.ndarray]) -> Any:
    """A value as JSON; its arrays are added to `arrays`."""

    def parts(values: Any) -> list[Any]:
        return [_taken_apart(part, f"{path}.{i}", arrays) for i, part in enumerate(values)]

    if isinstance(value, CompressedPickle):
        arrays[path] = np.frombuffer(packed(value.content, kind_of(value.content)), np.uint8)
        return {"estimator": path}
    if hasattr(value, "iloc"):  # a data frame or series: only its digest is needed
        return {"frame": parts([np.asarray(value), list(map(str, getattr(value, "columns", [])))])}
    if issparse(value):
        rows = csr_matrix(value)
        return {"csr": parts([rows.data, rows.indices, rows.indptr, list(rows.shape)])}
    if isinstance(value, np.ndarray) and value.dtype.kind in "OU":
        return {"labels": encode_labels(value.ravel()), "shape": list(value.shape)}
    if isinstance(value, np.ndarray):
        arrays[path] = value
        # the order in memory can decide about the last bit of a product
        return {"array": path, "columns": bool(value.flags.f_contiguous and not value.flags.c_contiguous)}
    if hasattr(value, "_fields"):
        return {"named": type(value).__name__, "parts": parts(value)}
    if isinstance(value, (list, tuple)):
        return {type(value).__name__: parts(value)}
    if isinstance(value, dict):
        return {"dict": list(value), "parts": parts(value.values())}
    return {"value": encode(value)}


def _put_together(saved: Any, arrays: dict[str, np.ndarray]) -> Any:
    """The reverse of `_taken_apart`."""

    def parts(values: list[Any]) -> list[Any]:
        return [_put_together(part, arrays) for part in values]

    match saved:
        case {"estimator": str(path)}:
            return CompressedPickle(unpacked(arrays[path].tobytes(), "the model in it").model)
        case {"csr": list(values)}:
            data, indices, indptr, shape = parts(values)
            found = csr_matrix((data, indices, indptr), shape=tuple(shape))
            found.check_format()
            return found
        case {"labels": dict(labels), "shape": list(shape)}:
            return decode_labels(labels).reshape(shape)
        case {"array": str(path), "columns": bool(columns)}:
            return np.array(arrays[path], order="F" if columns else "C")
        case {"named": str(name), "parts": list(values)}:
            kind = getattr(tasks, name)
            if not (isinstance(kind, type) and issubclass(kind, tuple)):
                raise ValueError(f"{name!r} is not a result")
            return kind(*parts(values))
        case {"list": list(values)}:
            return parts(values)
        case {"tuple": list(values)}:
            return tuple(parts(values))
        case {"dict": list(names), "parts": list(values)}:
            return dict(zip(names, parts(values), strict=True))
        case {"value": value}:
            return decode(value)
    raise ValueError(f"{saved!r} is not a result")
