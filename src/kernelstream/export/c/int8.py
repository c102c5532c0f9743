"""What computes scores from tables of 8 bits: integers, wherever that is natural."""

import numpy as np

from ..formula import DOT, MANHATTAN, SQUARED
from ..shapes import Affine, Expansion, Shape, Waves
from .body import Body, angle, dot_tables, formula_lines, waves
from .rounding import coded, coefficients, grid, rounded
from .text import Table, floats, real


def small(name: str, function: Shape) -> Body:
    """In int8, with coefficients in int16."""
    after = f"scores[c] = scores[c] * {name}_scale[c] + {name}_intercept[c];"
    intercept, near = floats(f"{name}_intercept", function.intercept), rounded(function)
    body = Body(near, ["t[k] = v;"], "float", 0, [], [], "", after, [intercept])
    weights, weight = coded(coefficients(near), np.int16), f"(float){name}_weights[j][c]"
    body.tables += [Table(f"{name}_weights", "int16_t", weights.codes), floats(f"{name}_scale", weights.factors)]
    if isinstance(function, Affine):
        body.terms, body.add = len(function.weights), f"{weight} * t[j]"
    elif isinstance(function, Waves):
        frequencies = coded(function.frequencies, np.int8)
        body.tables += [
            Table(f"{name}_frequencies", "int8_t", frequencies.codes),
            floats(f"{name}_steps", frequencies.factors),
            floats(f"{name}_phases", function.phases),
        ]
        body.features = [f"t[k] = v * {name}_steps[k];"]
        body.terms, body.term, body.add = len(function.phases), angle(name), waves(name)
    else:
        body.terms = len(function.vectors)
        value = _integers(name, function, body)
        body.add = f"{weight} * {value}"
    return body


def _integers(name: str, function: Expansion, body: Body) -> str:
    """The loop over support vectors in 32-bit integers; returns the name of the kernel's value."""
    vectors, needed = grid(function.vectors), function.quantities
    body.tables += [
        Table(f"{name}_vectors", "int8_t", vectors.codes), Table(f"{name}_steps", "uint8_t", vectors.steps)
    ]  # fmt: skip
    limit = real(vectors.limit)
    body.kind = "int32_t"
    body.features = [
        f"v = fminf(fmaxf(v * {real(1.0 / vectors.unit)}, -{limit}), {limit});",
        "t[k] = (int32_t)(v < 0.0f ? v - 0.5f : v + 0.5f);",
    ]
    if DOT in needed:
        assert isinstance(body.function, Expansion)
        body.tables += dot_tables(name, body.function)
        body.before = ["float shift = 0.0f;"]
        body.features.insert(0, f"shift += v * {name}_offset[k];")
    unit, square = real(vectors.unit), real(vectors.unit**2)
    body.term, value = formula_lines(function, [*_sums(name, needed), *_values(name, needed, unit, square)])
    return value


def _sums(name: str, needed: set[str]) -> list[str]:
    lines = [f"const int8_t *z = {name}_vectors[j];"]
    lines += [f"int32_t {quantity}_sum = 0;" for quantity in (SQUARED, DOT, MANHATTAN) if quantity in needed]
    lines += [
        f"for (k = 0; k < {name.upper()}_FEATURES; k++) {{",
        f"    const int32_t w = (int32_t)z[k] * {name}_steps[k];",
    ]
    if needed & {SQUARED, MANHATTAN}:
        lines.append("    const int32_t d = t[k] - w;")
    if SQUARED in needed:
        lines.append("    squared_sum += d * d;")
    if MANHATTAN in needed:
        lines.append("    manhattan_sum += d < 0 ? -d : d;")
    if DOT in needed:
        lines.append("    dot_sum += t[k] * w;")
    return [*lines, "}"]


def _values(name: str, needed: set[str], unit: str, square: str) -> list[str]:
    values = {
        SQUARED: f"const float squared = (float)squared_sum * {square};",
        MANHATTAN: f"const float manhattan = (float)manhattan_sum * {unit};",
        DOT: f"const float dot = (float)dot_sum * {square} + shift + {name}_products[j];",
    }
    return [line for quantity, line in values.items() if quantity in needed]
