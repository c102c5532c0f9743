"""The functions of a header: scores, and what they mean."""

from ..answers import Classes, Numbers
from ..portable import Portable
from ..rows import RawRows
from .body import Body
from .text import real


def scores(name: str, rows: RawRows, body: Body) -> str:
    upper = name.upper()
    scaled = f"(v - {name}_centre[k])" + (f" * {name}_factor[k]" if (rows.factor != 1.0).any() else "")
    filled = []
    if rows.fill is not None:
        condition = "v != v" if rows.width == len(rows.centre) else f"k < {rows.width} && v != v"
        filled = [f"        if ({condition}) {{ v = {name}_fill[k]; }} /* not a number: missing */"]
    lines = [
        f"/* The function at a row x of {upper}_FEATURES numbers: {upper}_SCORES scores. */",
        f"static inline void {name}_scores(const float *x, float *scores)",
        "{",
        f"    {body.kind} t[{upper}_FEATURES];",
        f"    float carry[{upper}_SCORES];",
        *(f"    {line}" for line in body.before),
        "    int j, k, c;",
        f"    for (k = 0; k < {upper}_FEATURES; k++) {{",
        "        float v = x[k];",
        *filled,
        f"        v = {scaled};",
        *(f"        {line}" for line in body.features),
        "    }",
        f"    for (c = 0; c < {upper}_SCORES; c++) {{ scores[c] = carry[c] = 0.0f; }}",
        f"    for (j = 0; j < {body.terms}; j++) {{",
        *(f"        {line}" for line in body.term),
        f"        for (c = 0; c < {upper}_SCORES; c++) {{",
        "            /* what the sum rounds off is carried to the next term: large terms may cancel */",
        f"            const float term = {body.add} - carry[c], sum = scores[c] + term;",
        "            carry[c] = (sum - scores[c]) - term;",
        "            scores[c] = sum;",
        "        }",
        "    }",
        f"    for (c = 0; c < {upper}_SCORES; c++) {{ {body.after} }}",
        "}",
    ]
    return "\n".join(lines)


def answers(name: str, source: Portable) -> list[str]:
    upper = name.upper()
    if isinstance(source.answer, Classes):
        return [_predict(name, source), _probabilities(name, source.answer, source.outputs)]
    if isinstance(source.answer, Numbers) and source.outputs == 1:
        lines = [
            "/* The predicted number. */",
            f"static inline float {name}_predict(const float *x)",
            "{",
            f"    float scores[{upper}_SCORES];",
            f"    {name}_scores(x, scores);",
            "    return scores[0];",
            "}",
        ]
        return ["\n".join(lines)]
    return []


def _predict(name: str, source: Portable) -> str:
    assert isinstance(source.answer, Classes)
    upper = name.upper()
    choose = [
        f"for (c = 1; c < {upper}_SCORES; c++) {{",
        "    if (scores[c] > scores[best]) { best = c; }",
        "}",
        "return best;",
    ]
    if source.answer.size == 1:
        choose = ["return 0;"]
    elif source.outputs == 1:
        choose = ["return scores[0] > 0.0f;"]
    lines = [
        f"/* The index of the class of a row; its label is {name}_labels[index]. */",
        f"static inline int {name}_predict(const float *x)",
        "{",
        f"    float scores[{upper}_SCORES];",
        *(["    int best = 0, c;"] if len(choose) > 1 else []),
        f"    {name}_scores(x, scores);",
        *(f"    {line}" for line in choose),
        "}",
    ]
    return "\n".join(lines)


def _probabilities(name: str, answer: Classes, outputs: int) -> str:
    upper = name.upper()
    logits = f"p[c] = {real(answer.factor)} * scores[c];"
    if answer.size == 1:
        logits = "p[c] = 0.0f;"
    elif outputs == 1:
        logits = f"p[c] = c == 0 ? 0.0f : {real(answer.factor)} * scores[0];"
    lines = [
        f"/* The probabilities of the {upper}_CLASSES classes. */",
        f"static inline void {name}_probabilities(const float *x, float *p)",
        "{",
        f"    float scores[{upper}_SCORES], top, total = 0.0f;",
        "    int c;",
        f"    {name}_scores(x, scores);",
        f"    for (c = 0; c < {upper}_CLASSES; c++) {{ {logits} }}",
        "    top = p[0];",
        f"    for (c = 1; c < {upper}_CLASSES; c++) {{ top = fmaxf(top, p[c]); }}",
        f"    for (c = 0; c < {upper}_CLASSES; c++) {{ p[c] = expf(p[c] - top); total += p[c]; }}",
        f"    for (c = 0; c < {upper}_CLASSES; c++) {{ p[c] /= total; }}",
        "}",
    ]
    return "\n".join(lines)
