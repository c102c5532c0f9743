"""The exported form of an estimator that was fitted within a size, as JSON, and back."""

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..estimators.deployment import Deployment

_DTYPES = {"c": ("float32", "int8"), "onnx": ("float32",)}


def deployment_to_dict(found: "Deployment | None") -> dict[str, Any] | None:
    return None if found is None else found._asdict()


def deployment_from_dict(saved: dict[str, Any] | None) -> "Deployment | None":
    """The description; a ValueError if it is not one."""
    from ..estimators.deployment import Deployment

    if saved is None:
        return None
    try:
        found = Deployment(**saved)
    except TypeError:
        raise ValueError("its deployed form is not one") from None
    fits = found.dtype in _DTYPES.get(str(found.format), ()) and type(found.limit) is int and type(found.rows) is int
    fits = fits and type(found.nbytes) is int and found.nbytes > 0 and found.limit > 0 and found.rows >= 0
    if not fits or not (found.score is None or (type(found.score) is float and math.isfinite(found.score))):
        raise ValueError("its deployed form is not one")
    return found
