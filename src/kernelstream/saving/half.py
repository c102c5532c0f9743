"""The function of a model in half precision: 2 bytes a number.

float16 has 11 digits of base 2 and ends at 65504, so features keep a centre and a power of two of their own: what is
lost is 1/2048 of a feature's spread, wherever it lies. A feature that takes both signs or 0 keeps the centre 0, and
zeros stay zeros.
"""

import numpy as np

from ..model import Function

PATH = "function."


def halved(function: Function) -> dict[str, np.ndarray]:
    """The arrays of a file."""
    sv, coef = (np.asarray(part, np.float64) for part in function)
    low, high = sv.min(axis=0, initial=np.inf), sv.max(axis=0, initial=-np.inf)
    centre = np.where((low > 0) | (high < 0), 0.5 * low + 0.5 * high, 0.0) if len(sv) else np.zeros(sv.shape[1])
    centre = centre.astype(np.float32)
    vectors, exponent = _scaled(sv - centre)
    weights, power = _scaled(coef)
    found = {"sv": vectors, "exponent": exponent, "centre": centre, "coef": weights, "power": power}
    return {PATH + name: array for name, array in found.items()}


def _scaled(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Columns as float16 times a power of two, which brings the largest of them below 1."""
    _, exponent = np.frexp(np.abs(values).max(axis=0, initial=0.0))
    return np.ldexp(values, -exponent).astype(np.float16), exponent.astype(np.int16)


def doubled(arrays: dict[str, np.ndarray], features: int, outputs: int) -> Function:
    """The function that `halved` took apart, in float32 and float64; its arrays are taken out of `arrays`."""
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
            raise ValueError(f"the array {PATH + name!r} is {found[name].shape}, where {shape} is due")
    sv = np.ldexp(found["sv"].astype(np.float64), found["exponent"]) + found["centre"]
    return Function(sv.astype(np.float32), np.ldexp(found["coef"].astype(np.float64), found["power"]))
