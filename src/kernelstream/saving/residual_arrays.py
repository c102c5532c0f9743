"""The residuals of a regressor, which its prediction intervals are made of, as arrays of a model file."""

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ..estimators.residuals import Residuals

RESIDUAL_ARRAYS = ("residuals.predictions", "residuals.errors")
HALF = 256  # residuals in a file in half precision


def residuals_to(residuals: "Residuals", half: bool) -> dict[str, np.ndarray]:
    """The arrays; fewer in a file that is to be small."""
    kept = residuals.thinned(HALF) if half else residuals
    return dict(zip(RESIDUAL_ARRAYS, (kept.predictions, kept.errors), strict=True))


def residuals_from(arrays: dict[str, np.ndarray], outputs: int) -> "Residuals":
    """The residuals; none, if the file is older than they are. A ValueError if they cannot be a model's."""
    from ..estimators.residuals import MOST, Residuals

    found = [arrays[name] for name in RESIDUAL_ARRAYS if name in arrays]
    if not any(map(len, found)):
        return Residuals()
    fits = len(found) == 2 and len(found[0]) == len(found[1]) <= MOST
    fits = fits and all(part.dtype == np.float64 and part.shape[1:] == (outputs,) for part in found)
    if not fits or not all(np.isfinite(part).all() for part in found):
        raise ValueError(f"its residuals are not those of a regressor with {outputs} outputs")
    return Residuals(*found)
