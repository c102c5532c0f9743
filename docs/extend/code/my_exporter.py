"""An exporter of your own: a regressor as a SQL query, so that the database predicts."""

import numpy as np

from kernelstream.export import KernelExpansion, portable, written

SYMBOLS = {"add": "+", "sub": "-", "mul": "*", "div": "/"}


class SqlWriter:
    """Kernel formulas as SQL expressions."""

    def constant(self, value):
        return repr(value)

    def operation(self, name, operands):
        if name in SYMBOLS:
            return f"({operands[0]} {SYMBOLS[name]} {operands[1]})"
        return f"(-{operands[0]})" if name == "neg" else f"{name}({', '.join(operands)})"


def to_sql(model, table, columns, key="rowid"):
    """A query that returns `key` and the prediction of every row of a table; `columns` are those of the features."""
    found = portable(model)
    rows, f = found.rows, found.function
    if rows.ranks or rows.skewed or rows.categories or rows.fill is not None or rows.limits is not None:
        raise ValueError("to_sql: the model takes raw rows that this exporter does not prepare.")
    if not isinstance(f, KernelExpansion) or f.quantities != {"squared"} or found.outputs != 1:
        raise ValueError(f"to_sql: one output and a kernel of the squared distance are needed, not {found.kernel}.")
    if len(columns) != rows.inputs:
        raise ValueError(f"to_sql: the model has {rows.inputs} features, but {len(columns)} columns are given.")
    d = range(len(columns))
    points = np.column_stack([f.vectors, f.coefficients]).tolist()
    values = ", ".join(f"({', '.join(map(repr, point))})" for point in points)
    scaled = ", ".join(f"({columns[i]} - {rows.centre[i].item()!r}) * {rows.factor[i].item()!r} AS x{i}" for i in d)
    squared = " + ".join(f"(x{i} - z{i}) * (x{i} - z{i})" for i in d)
    kernel = written(f.formula, {"squared": f"({squared})"}, SqlWriter())
    return (
        f"WITH v({', '.join(f'z{i}' for i in d)}, a) AS (VALUES {values}),\n"
        f"x AS (SELECT {key} AS id, {scaled} FROM {table})\n"
        f"SELECT id, {f.intercept[0].item()!r} + SUM(a * {kernel}) AS prediction FROM x CROSS JOIN v GROUP BY id"
    )
