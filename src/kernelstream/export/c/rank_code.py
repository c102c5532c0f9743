"""Rank columns in C: tables of knots and values, and the function that is linear between them."""

import numpy as np

from ..raw_rows import RawRows
from .c_syntax import ConstantTable, floats, real

# the change of a rank column that rounded knots may make; a distance of 1 matters to the kernel
_SMALL = {"float32": 1e-6, "int8": 1e-4}


def rank_tables(name: str, rows: RawRows, dtype: str) -> list[ConstantTable]:
    """The knots and values of all columns, one column after the other."""
    if not rows.ranks:
        return []
    starts = np.cumsum([0, *(len(column.knots) for column in rows.ranks)])
    knots = np.concatenate([column.knots for column in rows.ranks])
    found = [
        ConstantTable(f"{name}_rank_sources", "int32_t", np.array([c.source for c in rows.ranks], np.int32)),
        ConstantTable(f"{name}_rank_starts", "int32_t", starts.astype(np.int32)),
        floats(f"{name}_knots", knots),
        floats(f"{name}_knot_values", np.concatenate([column.values for column in rows.ranks])),
    ]
    return [*found, floats(f"{name}_knot_rests", knots - np.float32(knots))] if _rests(rows, dtype) else found


def _rests(rows: RawRows, dtype: str) -> bool:
    """Whether what float32 rounds off the knots matters: so it does if they are far from 0 and near to each other."""
    for column in rows.ranks:
        rest = np.abs(column.knots - np.float32(column.knots))
        risen = np.maximum(rest[1:], rest[:-1]) * np.abs(np.diff(column.values))
        if (risen > _SMALL[dtype] * np.diff(column.knots)).any():
            return True
    return False


def rank_functions(name: str, rows: RawRows, dtype: str) -> list[str]:
    """The function of a rank column, if there is one. Differences of neighbours in float32 are exact, so what remains
    of the knots is subtracted after them."""
    if not rows.ranks:
        return []
    beyond, width = f"v - {name}_knots[i]", f"{name}_knots[high] - {name}_knots[low]"
    if _rests(rows, dtype):
        beyond = f"({beyond}) - {name}_knot_rests[i]"
        width = f"(({width}) - {name}_knot_rests[low]) + {name}_knot_rests[high]"
    at = {index: beyond.replace("[i]", f"[{index}]") for index in ("low", "high", "middle")}
    values = f"{name}_knot_values"
    lines = [
        "/* A rank column of a number: linear between knots, constant before the first and after the last. */",
        f"static inline float {name}_rank(int column, float v)",
        "{",
        f"    int low = {name}_rank_starts[column], high = {name}_rank_starts[column + 1] - 1;",
        f"    if ({at['low']} <= 0.0f) {{ return {values}[low]; }}",
        f"    if ({at['high']} >= 0.0f) {{ return {values}[high]; }}",
        "    while (high - low > 1) {",
        "        const int middle = (low + high) / 2;",
        f"        if ({at['middle']} <= 0.0f) {{ high = middle; }} else {{ low = middle; }}",
        "    }",
        f"    const float beyond = {at['low']};",
        f"    const float width = {width};",
        f"    return {values}[low] + ({values}[high] - {values}[low]) * (beyond / width);",
        "}",
    ]
    return ["\n".join(lines)]


def column_lines(name: str, rows: RawRows) -> list[str]:
    """Statements that set v to the column k of a raw row x, with missing numbers filled in."""
    index, first, last = "k", ["float v = x[k];"], []
    if rows.ranks:
        features = f"{name.upper()}_FEATURES"
        index = "i"
        first = [f"const int i = k < {features} ? k : (int){name}_rank_sources[k - {features}];", "float v = x[i];"]
        last = [f"if (k >= {features}) {{ v = {name}_rank(k - {features}, v); }}"]
    for column, how in rows.skewed:
        bent = f"asinhf((v - {real(how.centre)}) / {real(how.width)})"
        first.append(f"if ({index} == {column}) {{ v = {bent}; }} /* skewed */")
    if rows.fill is not None:
        condition = "v != v" if rows.width == rows.inputs else f"{index} < {rows.width} && v != v"
        first.append(f"if ({condition}) {{ v = {name}_fill[{index}]; }} /* NaN: missing */")
    return first + last
