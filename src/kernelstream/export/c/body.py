"""What computes scores: the tables, and the statements that go through them."""

from dataclasses import dataclass, field

from ..formula import DOT, MANHATTAN, SQUARED, written
from ..shapes import Affine, Expansion, Shape, Waves
from .rounding import coefficients
from .text import Statements, Table, floats


@dataclass
class Body:
    """Statements with `t`, the features x' as they are computed with, and `scores`."""

    function: Shape  # what they compute
    features: list[str]  # from v = x', a float, to t[k]
    kind: str  # of t
    terms: int  # of the sum
    before: list[str]  # the loop over the terms,
    term: list[str]  # in it, where j counts them,
    add: str  # what goes into scores[c] there,
    after: str  # and what is done to scores[c] when all are in
    tables: list[Table] = field(default_factory=list)


def exact(name: str, function: Shape) -> Body:
    """In float32."""
    tables = [floats(f"{name}_weights", coefficients(function)), floats(f"{name}_intercept", function.intercept)]
    after = f"scores[c] += {name}_intercept[c];"
    weight = f"{name}_weights[j][c]"
    body = Body(function, ["t[k] = v;"], "float", 0, [], [], "", after, tables)
    if isinstance(function, Affine):
        body.terms, body.add = len(function.weights), f"{weight} * t[j]"
    elif isinstance(function, Waves):
        tables += [
            floats(f"{name}_frequencies", function.frequencies),
            floats(f"{name}_phases", function.phases),
        ]
        body.terms, body.term, body.add = len(function.phases), angle(name), waves(name)
    else:
        tables.append(floats(f"{name}_vectors", function.vectors))
        body.terms = len(function.vectors)
        body.term, value = _kernel(name, function)
        body.add = f"{weight} * {value}"
        if DOT in function.quantities:
            tables += dot_tables(name, function)
            body.before, body.features = ["float shift = 0.0f;"], ["t[k] = v;", f"shift += v * {name}_offset[k];"]
    return body


def dot_tables(name: str, function: Expansion) -> list[Table]:
    """What brings the product of centred vectors back to that of vectors as they are."""
    return [floats(f"{name}_offset", function.offset), floats(f"{name}_products", function.products)]


def angle(name: str) -> list[str]:
    return [
        f"float angle = {name}_phases[j], cosine, sine;",
        f"for (k = 0; k < {name.upper()}_FEATURES; k++) {{",
        f"    angle += t[k] * {name}_frequencies[j][k];",
        "}",
        "cosine = cosf(angle);",
        "sine = sinf(angle);",
    ]


def waves(name: str) -> str:
    return f"{name}_weights[2 * j][c] * cosine + {name}_weights[2 * j + 1][c] * sine"


def _kernel(name: str, function: Expansion) -> tuple[list[str], str]:
    """Statements that compute the kernel's value, and its name there."""
    needed = function.quantities
    lines = [f"const float *z = {name}_vectors[j];"]
    lines += [f"float {quantity} = 0.0f;" for quantity in (SQUARED, DOT, MANHATTAN) if quantity in needed]
    lines.append(f"for (k = 0; k < {name.upper()}_FEATURES; k++) {{")
    if needed & {SQUARED, MANHATTAN}:
        lines.append("    const float d = t[k] - z[k];")
    if SQUARED in needed:
        lines.append("    squared += d * d;")
    if MANHATTAN in needed:
        lines.append("    manhattan += fabsf(d);")
    if DOT in needed:
        lines.append("    dot += t[k] * z[k];")
    lines.append("}")
    if DOT in needed:
        lines.append(f"dot += shift + {name}_products[j];")
    return formula_lines(function, lines)


def formula_lines(function: Expansion, lines: list[str]) -> tuple[list[str], str]:
    """After statements that compute its quantities, those of the formula; and the name of its value."""
    statements = Statements()
    value = written(function.formula, {name: name for name in (SQUARED, DOT, MANHATTAN)}, statements)
    # C99 lets declarations follow statements
    return lines + statements.lines, value
