"""Zhang, Yi, Jin, Lin & He, ICML 2013: the number of support vectors of OSKL."""

import math

from ...admission import ByDerivative
from ...bounds import Ball
from ...losses import Squared
from ...maintenance import Keep
from ...steps import Constant
from .base import KERNEL, Evidence, Guarantee, Refusal, common_reasons, number

THEOREM = "Zhang, Yi, Jin, Lin & He 2013, Theorem 1"
DELTA = 0.01  # three events of this probability


def check(run: Evidence) -> list[Guarantee | Refusal]:
    recipe = run.recipe
    if not isinstance(recipe.admission, ByDerivative):
        return []
    reasons = common_reasons(run) + _reasons(run)
    G, L = recipe.admission.G, recipe.loss.self_bound
    if reasons or L is None:
        return [Refusal(THEOREM, tuple(reasons))]
    levels = max(1, math.ceil(math.log2(G * run.examples**2)))
    c = max(2.0 * math.sqrt(G), 0.5 + 16.0 * math.log(levels / DELTA))
    bound = 1.5 * L / G * run.loss + c
    return [
        Guarantee(
            THEOREM,
            f"The model has {run.support_vectors:,} support vectors; with probability {1.0 - 3.0 * DELTA:g} they are "
            f"at most {bound:,.0f}, from the sum of the losses, {number(run.loss)}.",
            "support vectors", bound, float(run.support_vectors), "support vectors",
            {"G": G, "L": L, "c": c, "delta": DELTA, "sum of losses": run.loss},
            ("the examples do not depend on the random draws",),
        )
    ]  # fmt: skip


def _reasons(run: Evidence) -> list[str]:
    recipe, reasons = run.recipe, []
    if recipe.loss.self_bound is None:
        where = " where |y − f(x)| can be small" if isinstance(recipe.loss, Squared) else ""
        reasons.append(f"{recipe.loss!r} has no constant L with |ℓ'| ≤ L ℓ{where}")
    if not isinstance(recipe.bound, Ball):
        reasons.append("f is not kept in a ball")
    if not recipe.kernel.normalised:
        reasons.append(KERNEL)
    if not isinstance(recipe.maintenance, Keep):
        reasons.append("support vectors are removed")
    G, L, step = recipe.admission.parameters()["G"], recipe.loss.self_bound, recipe.step
    if L is not None and (not isinstance(step, Constant) or step.lam > 0.0 or step.eta * L * G >= 1.0):
        reasons.append("the step is not a constant below 1/(LG)")
    if run.examples * G * math.log(1.0 / DELTA) < 18.0:
        reasons.append("the stream is too short")
    return reasons
