"""An exporter of your own: a regressor as a SQL query, so that the database predicts."""

from kernelstream.export import KernelExpansion, portable, written


class SqlWriter:
    """Kernel formulas as SQL expressions."""

    SYMBOLS = {"add": "+", "sub": "-", "mul": "*", "div": "/"}

    def constant(self, value):
        return repr(value)

    def operation(self, name, operands):
        if name in self.SYMBOLS:
            return f"({operands[0]} {self.SYMBOLS[name]} {operands[1]})"
        return f"(-{operands[0]})" if name == "neg" else f"{name}({', '.join(operands)})"


def to_sql(model, table, columns, key="rowid"):
    """A query that returns `key` and the prediction of every row of a table; `columns` are those of the features."""
    found = portable(model)
    rows, function = found.rows, found.function
    if not isinstance(function, KernelExpansion) or function.quantities - {"squared", "dot"} or rows.ranks:
        raise ValueError(f"to_sql: {found.kernel} with these features is not a function of distances or dot products.")
    if len(columns) != rows.inputs:
        raise ValueError(f"to_sql: the model has {rows.inputs} features, but {len(columns)} columns are given.")
    x = [f"(({name}) - {c!r}) * {f!r}" for name, c, f in zip(columns, rows.centre.tolist(), rows.factor.tolist())]
    vectors = [
        ", ".join(map(repr, [*z, *a, p]))
        for z, a, p in zip(function.vectors.tolist(), function.coefficients.tolist(), function.products.tolist())
    ]
    d = range(len(columns))
    quantities = {
        "squared": " + ".join(f"(x{i} - z{i}) * (x{i} - z{i})" for i in d),
        "dot": " + ".join(["p", *(f"x{i} * (z{i} + {o!r})" for i, o in enumerate(function.offset.tolist()))]),
    }
    kernel = written(function.formula, {name: f"({text})" for name, text in quantities.items()}, SqlWriter())
    return (
        f"WITH v({', '.join(f'z{i}' for i in d)}, a, p) AS (VALUES ({'), ('.join(vectors)})),\n"
        f"x AS (SELECT {key} AS id, {', '.join(f'{text} AS x{i}' for i, text in enumerate(x))} FROM {table})\n"
        f"SELECT id, {float(function.intercept[0])!r} + SUM(a * {kernel}) AS prediction FROM x CROSS JOIN v GROUP BY id"
    )
