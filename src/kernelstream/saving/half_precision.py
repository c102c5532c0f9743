"""The function of a model in half precision: 2 bytes per number.

float16 has 11 significant bits and ends at 65504, so every feature has its own centre and power of two: the error is
1/2048 of the feature's range, whatever its offset. A feature with both signs or 0 keeps the centre 0, so zeros stay
zeros.
"""

import numpy as np

from ..model import Function

PATH = "function."


def halved(function: Function) -> dict[str, np.ndarray]:
    """The arrays to store."""
    sv, coef = (np.asarray(part, np.float64) for part in function)
    low, high = sv.min(axis=0, initial=np.inf), sv.max(axis=0, initial=-np.inf)
    centre = np.where((low > 0) | (high < 0), 0.5 * low + 0.5 * high, 0.0) if len(sv) else np.zeros(sv.shape[1])
    centre = centre.astype(np.float32)
    vectors, exponent = _scaled(sv - centre)
    weights, power = _scaled(coef)
    found = {"sv": vectors, "exponent": exponent, "centre": centre, "coef": weights, "power": power}
    return {PATH + name: array for name, array in found.items()}


def _scaled(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Columns as float16 times a power of two that brings their largest value below 1."""
    _, exponent = np.frexp(np.abs(values).max(axis=0, initial=0.0))
    return np.ldexp(values, -exponent).astype(np.float16), exponent.astype(np.int16)


def doubled(arrays: dict[str, np.ndarray], features: int, outputs: int) -> Function:
    """The reverse of `halved`, in float32 and float64; removes its arrays from `arrays`."""
    n = len(arrays[PATH + "sv"])
    shapes = {
        "sv": (n, features),
        "exponent": (features,),
        "centre": (features,),
        "coef": (n, outputs),
        "power": (outputs,),
    }
    found = {name: arrays.pop(PATH + name) for name in shapes}
    for name, shape in shapes.items():
        if found[name].shape != shape:
            raise ValueError(f"the array {PATH + name!r} has the shape {found[name].shape}, not {shape}")
        if found[name].dtype.kind not in "fi":
            raise ValueError(f"the array {PATH + name!r} has the type {found[name].dtype}")
    with np.errstate(over="ignore", invalid="ignore"):
        sv = (np.ldexp(found["sv"].astype(np.float64), found["exponent"]) + found["centre"]).astype(np.float32)
        coef = np.ldexp(found["coef"].astype(np.float64), found["power"])
        lengths = np.einsum("ij,ij->i", sv, sv)
    if not (np.isfinite(lengths).all() and np.isfinite(coef).all()):
        raise ValueError("its support vectors or coefficients are not finite")
    return Function(sv, coef)
