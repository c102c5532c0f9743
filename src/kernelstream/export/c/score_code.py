"""The tables and C statements that compute scores, in float32 or from 8-bit tables."""

from dataclasses import dataclass, field

import numpy as np

from ..exported_function import ExportedFunction, FourierFunction, KernelExpansion, LinearFunction
from ..kernel_formula import DOT, MANHATTAN, SQUARED, written
from .c_syntax import ConstantTable, StatementWriter, floats, real
from .int8_tables import coefficients, quantized, quantized_columns, quantized_vectors


@dataclass
class ScoreCode:
    """Statements that compute `scores` from `t`, the features x' in the form that the sum uses."""

    function: ExportedFunction  # what they compute
    features: list[str]  # from v = x', a float, to t[k]
    kind: str  # of t
    terms: int  # of the sum
    before: list[str]  # the loop over the terms,
    term: list[str]  # in it, where j counts them,
    add: str  # what is added to scores[c] there,
    after: str  # and what is done to scores[c] after the loop
    tables: list[ConstantTable] = field(default_factory=list)


def float32_code(name: str, function: ExportedFunction) -> ScoreCode:
    """In float32."""
    tables = [floats(f"{name}_weights", coefficients(function)), floats(f"{name}_intercept", function.intercept)]
    after = f"scores[c] += {name}_intercept[c];"
    weight = f"{name}_weights[j][c]"
    code = ScoreCode(function, ["t[k] = v;"], "float", 0, [], [], "", after, tables)
    if isinstance(function, LinearFunction):
        code.terms, code.add = len(function.weights), f"{weight} * t[j]"
    elif isinstance(function, FourierFunction):
        tables += [
            floats(f"{name}_frequencies", function.frequencies),
            floats(f"{name}_phases", function.phases),
        ]
        code.terms, code.term, code.add = len(function.phases), _angle(name), _cosine_and_sine(name)
    else:
        tables.append(floats(f"{name}_vectors", function.vectors))
        code.terms = len(function.vectors)
        code.term, value = _float_kernel(name, function)
        code.add = f"{weight} * {value}"
        if DOT in function.quantities:
            tables += _dot_tables(name, function)
            code.before, code.features = ["float shift = 0.0f;"], ["t[k] = v;", f"shift += v * {name}_offset[k];"]
    return code


def int8_code(name: str, function: ExportedFunction) -> ScoreCode:
    """From 8-bit tables, with coefficients of 16 bits."""
    after = f"scores[c] = scores[c] * {name}_scale[c] + {name}_intercept[c];"
    intercept, near = floats(f"{name}_intercept", function.intercept), quantized(function)
    code = ScoreCode(near, ["t[k] = v;"], "float", 0, [], [], "", after, [intercept])
    weights, weight = quantized_columns(coefficients(near), np.int16), f"(float){name}_weights[j][c]"
    code.tables += [
        ConstantTable(f"{name}_weights", "int16_t", weights.codes), floats(f"{name}_scale", weights.factors)
    ]  # fmt: skip
    if isinstance(function, LinearFunction):
        code.terms, code.add = len(function.weights), f"{weight} * t[j]"
    elif isinstance(function, FourierFunction):
        frequencies = quantized_columns(function.frequencies, np.int8)
        code.tables += [
            ConstantTable(f"{name}_frequencies", "int8_t", frequencies.codes),
            floats(f"{name}_steps", frequencies.factors),
            floats(f"{name}_phases", function.phases),
        ]
        code.features = [f"t[k] = v * {name}_steps[k];"]
        code.terms, code.term, code.add = len(function.phases), _angle(name), _cosine_and_sine(name)
    else:
        code.terms = len(function.vectors)
        code.add = f"{weight} * {_integer_kernel(name, function, code)}"
    return code


def _dot_tables(name: str, function: KernelExpansion) -> list[ConstantTable]:
    """What turns the dot product of centred vectors into that of the original ones."""
    return [floats(f"{name}_offset", function.offset), floats(f"{name}_products", function.products)]


def _angle(name: str) -> list[str]:
    return [
        f"float angle = {name}_phases[j], cosine, sine;",
        f"for (k = 0; k < {name.upper()}_COLUMNS; k++) {{",
        f"    angle += t[k] * {name}_frequencies[j][k];",
        "}",
        "cosine = cosf(angle);",
        "sine = sinf(angle);",
    ]


def _cosine_and_sine(name: str) -> str:
    return f"{name}_weights[2 * j][c] * cosine + {name}_weights[2 * j + 1][c] * sine"


def _float_kernel(name: str, function: KernelExpansion) -> tuple[list[str], str]:
    """Statements that compute the kernel value, and its variable."""
    needed = function.quantities
    lines = [f"const float *z = {name}_vectors[j];", *_sums(name, needed, "float", "z[k]", "fabsf(d)")]
    if DOT in needed:
        lines.append(f"dot += shift + {name}_products[j];")
    return _formula_lines(function, lines)


def _integer_kernel(name: str, function: KernelExpansion, code: ScoreCode) -> str:
    """The loop over support vectors in 32-bit integers; returns the variable of the kernel value."""
    vectors, needed = quantized_vectors(function.vectors), function.quantities
    code.tables += [
        ConstantTable(f"{name}_vectors", "int8_t", vectors.codes),
        ConstantTable(f"{name}_steps", "uint8_t", vectors.steps),
    ]
    limit = real(vectors.limit)
    code.kind = "int32_t"
    code.features = [
        f"v = fminf(fmaxf(v * {real(1.0 / vectors.unit)}, -{limit}), {limit});",
        "t[k] = (int32_t)(v < 0.0f ? v - 0.5f : v + 0.5f);",
    ]
    if DOT in needed:
        assert isinstance(code.function, KernelExpansion)
        code.tables += _dot_tables(name, code.function)
        code.before = ["float shift = 0.0f;"]
        code.features.insert(0, f"shift += v * {name}_offset[k];")
    unit, square = real(vectors.unit), real(vectors.unit**2)
    widened = f"const int32_t w = (int32_t)z[k] * {name}_steps[k];"
    sums = _sums(name, needed, "int32_t", "w", "d < 0 ? -d : d", "_sum", widened)
    values = {
        SQUARED: f"const float squared = (float)squared_sum * {square};",
        MANHATTAN: f"const float manhattan = (float)manhattan_sum * {unit};",
        DOT: f"const float dot = (float)dot_sum * {square} + shift + {name}_products[j];",
    }
    lines = [line for quantity, line in values.items() if quantity in needed]
    code.term, value = _formula_lines(function, [f"const int8_t *z = {name}_vectors[j];", *sums, *lines])
    return value


def _sums(name: str, needed: set[str], kind: str, z: str, absolute: str, suffix: str = "", *first: str) -> list[str]:
    """The loop over features that computes the quantities a formula uses; `z` and `absolute` are C expressions for a
    feature of the support vector and for |d|."""
    zero = "0.0f" if kind == "float" else "0"
    declared = [f"{kind} {quantity}{suffix} = {zero};" for quantity in (SQUARED, DOT, MANHATTAN) if quantity in needed]
    inner = list(first)
    if needed & {SQUARED, MANHATTAN}:
        inner.append(f"const {kind} d = t[k] - {z};")
    terms = {SQUARED: "d * d", MANHATTAN: absolute, DOT: f"t[k] * {z}"}
    inner += [f"{quantity}{suffix} += {term};" for quantity, term in terms.items() if quantity in needed]
    loop = f"for (k = 0; k < {name.upper()}_COLUMNS; k++) {{"
    return [*declared, loop, *(f"    {line}" for line in inner), "}"]


def _formula_lines(function: KernelExpansion, lines: list[str]) -> tuple[list[str], str]:
    """After statements that compute its quantities, those of the formula; and the variable of its value."""
    statements = StatementWriter()
    value = written(function.formula, {name: name for name in (SQUARED, DOT, MANHATTAN)}, statements)
    # C99 allows declarations after statements
    return lines + statements.lines, value
