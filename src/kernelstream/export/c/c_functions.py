"""The C functions of a header: scores, predictions, probabilities."""

from ..portable_model import PortableModel
from ..prediction_task import ClassificationTask, RegressionTask
from ..raw_rows import RawRows
from .c_syntax import real
from .rank_code import column_lines
from .score_code import ScoreCode


def scores_function(name: str, rows: RawRows, code: ScoreCode) -> str:
    upper = name.upper()
    low, high = f"{name}_low[k]", f"{name}_high[k]"
    scaled = f"(v - {name}_centre[k])" + (f" * {name}_factor[k]" if (rows.factor != 1.0).any() else "")
    lines = [
        f"/* Writes {upper}_SCORES scores for a row x of {upper}_FEATURES numbers. */",
        f"static inline void {name}_scores(const float *x, float *scores)",
        "{",
        f"    {code.kind} t[{upper}_COLUMNS];",
        f"    float carry[{upper}_SCORES];",
        *(f"    {line}" for line in code.before),
        "    int j, k, c;",
        f"    for (k = 0; k < {upper}_COLUMNS; k++) {{",
        *(f"        {line}" for line in column_lines(name, rows)),
        f"        v = {scaled};",
        *([f"        v = v < {low} ? {low} : v > {high} ? {high} : v;"] if rows.limits is not None else []),
        *(f"        {line}" for line in code.features),
        "    }",
        f"    for (c = 0; c < {upper}_SCORES; c++) {{ scores[c] = carry[c] = 0.0f; }}",
        f"    for (j = 0; j < {code.terms}; j++) {{",
        *(f"        {line}" for line in code.term),
        f"        for (c = 0; c < {upper}_SCORES; c++) {{",
        "            /* compensated (Kahan) summation: large terms may cancel */",
        f"            const float term = {code.add} - carry[c], sum = scores[c] + term;",
        "            carry[c] = (sum - scores[c]) - term;",
        "            scores[c] = sum;",
        "        }",
        "    }",
        f"    for (c = 0; c < {upper}_SCORES; c++) {{ {code.after} }}",
        "}",
    ]
    return "\n".join(lines)


def predict_functions(name: str, source: PortableModel) -> list[str]:
    upper = name.upper()
    if isinstance(source.task, ClassificationTask):
        return [_predict(name, source.task, source.outputs), _probabilities(name, source.task, source.outputs)]
    if isinstance(source.task, RegressionTask) and source.outputs == 1:
        lines = [
            "/* The prediction. */",
            f"static inline float {name}_predict(const float *x)",
            "{",
            f"    float scores[{upper}_SCORES];",
            f"    {name}_scores(x, scores);",
            "    return scores[0];",
            "}",
        ]
        return ["\n".join(lines)]
    return []


def _predict(name: str, task: ClassificationTask, outputs: int) -> str:
    upper = name.upper()
    choose = [
        f"for (c = 1; c < {upper}_SCORES; c++) {{",
        "    if (scores[c] > scores[best]) { best = c; }",
        "}",
        "return best;",
    ]
    if task.size == 1:
        choose = ["return 0;"]
    elif outputs == 1:
        choose = ["return scores[0] > 0.0f;"]
    lines = [
        f"/* The index of the predicted class; its label is {name}_labels[index]. */",
        f"static inline int {name}_predict(const float *x)",
        "{",
        f"    float scores[{upper}_SCORES];",
        *(["    int best = 0, c;"] if len(choose) > 1 else []),
        f"    {name}_scores(x, scores);",
        *(f"    {line}" for line in choose),
        "}",
    ]
    return "\n".join(lines)


def _probabilities(name: str, task: ClassificationTask, outputs: int) -> str:
    upper = name.upper()
    logits = f"p[c] = {real(task.factor)} * scores[c];"
    if task.size == 1:
        logits = "p[c] = 0.0f;"
    elif outputs == 1:
        logits = f"p[c] = c == 0 ? 0.0f : {real(task.factor)} * scores[0];"
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
