"""Le, Nguyen, Nguyen & Phung, AISTATS 2016: the output of SGD with removal or projection, sometimes or always.

The paper's constants Q, W and D are only said to exist; these are derived from its proofs. Two misprints are corrected:
Theorems 10 to 12 divide by 2λγT, not 2γT, and Theorem 6 divides the price of maintenance by δ as well.
"""

import math

from ...admission import Always
from ...bounds import Ball, Unbounded
from ...losses import Squared
from ...maintenance import Keep, Project, Remove, Smallest, Sometimes
from ...output import Mean, RandomIterate, Tail
from ...steps import InverseTime
from .base import KERNEL, Evidence, Guarantee, Refusal, common_reasons, lipschitz, loose, number

PAPER = "Le, Nguyen, Nguyen & Phung 2016"
DELTA = 0.05  # the probability with which a random iterate may be worse
INDEPENDENT = "the examples are drawn independently"
TARGETS = "no target is larger than those from which the ball was computed"


def check(run: Evidence) -> list[Guarantee | Refusal]:
    if not isinstance(run.recipe.step, InverseTime) or not isinstance(run.recipe.output, (Mean, RandomIterate, Tail)):
        return _last_iterate(run)
    start, name = _start(run), _theorem(run)
    reasons = common_reasons(run) + _reasons(run, suffix=start > 0)
    L, radius = _slope_and_radius(run)
    if (L is None or radius is None) and run.recipe.kernel.normalised:
        reasons.append(f"no bound on the gradient of {run.recipe.loss!r} is known here")
    if reasons or L is None or radius is None:
        return [Refusal(f"{PAPER}, {name}", tuple(reasons))]
    lam, T = run.recipe.step.lam, run.updates
    Q = (lam * radius + 2.0 * L) ** 2
    constants = {"L": L, "Q": Q, "lambda": lam, "updates": float(T)}
    if start == 0:
        W = (2.0 * radius) ** 2
        drift = math.sqrt(W) * run.error
        gap = Q * (math.log(T) + 1.0) / (2.0 * lam * T) + drift
        constants |= {"W": W, "budget": drift}
    else:
        beta, log = run.recipe.maintenance.parameters()["beta"], math.log(T / start)
        D = max((L * math.sqrt(beta) + math.sqrt(L * L * beta + Q)) ** 2, 2.0 * Q) / lam**2
        gap = (lam * D + Q * log / lam + 2.0 * beta * L * math.sqrt(D) * log) / (2.0 * (T - start))
        constants |= {"D": D, "beta": beta, "share": 1.0 - start / T}
    what, chance = "The expected objective of this mean of iterates", ""
    if isinstance(run.recipe.output, RandomIterate):
        gap, what, chance = gap / DELTA, "The objective of this random iterate", f" with probability {1.0 - DELTA:g}"
        constants["delta"] = DELTA
    regression = isinstance(run.recipe.bound, Ball) and run.recipe.loss.target == "values"
    advice = "a smaller β or a larger λ" if start else "a longer stream or a larger λ"
    return [
        Guarantee(
            f"{PAPER}, {name}",
            f"{what}, loss + ½λ‖f‖², exceeds that of the best function by at most {number(gap)}{chance}, if the "
            f"examples are drawn independently; the mean loss over the stream was {run.mean_loss:.4g}."
            + loose(gap, run, advice),
            "objective of the output minus that of the best function", gap, run.mean_loss, "mean loss over the stream",
            constants, (INDEPENDENT, TARGETS) if regression else (INDEPENDENT,),
        )
    ]  # fmt: skip


def _last_iterate(run: Evidence) -> list[Guarantee | Refusal]:
    if isinstance(run.recipe.maintenance, Sometimes):
        return [Refusal(f"{PAPER}, Theorem 11", ("it is about the mean of the last iterates: use output='suffix'",))]
    return []


def _start(run: Evidence) -> int:
    """The number of iterates before those that the output is taken from."""
    output, T = run.recipe.output, max(run.updates, 1)
    if isinstance(output, Tail):
        return int(2 ** (T.bit_length() - 1) // 2)  # half the largest power of 2 up to T
    return int(output.parameters()["start"]) - 1


def _theorem(run: Evidence) -> str:
    random = isinstance(run.recipe.output, RandomIterate)
    if _start(run) > 0:
        return "Theorem 12" if random else "Theorem 11"
    return "Theorem 6" if random else "Theorem 3"


def _reasons(run: Evidence, suffix: bool) -> list[str]:
    recipe, reasons = run.recipe, []
    if run.passes > 1:
        reasons.append(f"{run.passes} passes over the same rows are not independent examples; use epochs=1")
    if not isinstance(recipe.admission, Always):
        reasons.append(f"not every example with a loss takes its step: {recipe.admission!r}")
    if isinstance(recipe.bound, Ball) and recipe.loss.reach(run.outputs, 1.0) is None:
        reasons.append(f"no ball is known to contain the optimum of {recipe.loss!r}")
    if recipe.step.parameters()["t0"] != 0.0:
        reasons.append("the step is not 1/(λt)")
    if not recipe.kernel.normalised:
        reasons.append(KERNEL)
    rule = recipe.maintenance.parameters().get("inner", recipe.maintenance)
    exact = isinstance(rule, (Keep, Remove)) or (isinstance(rule, Project) and isinstance(rule.choice, Smallest))
    if not exact:
        reasons.append(f"maintenance is {rule!r}, neither removal nor projection of the smallest")
    if not isinstance(recipe.bound, (Ball, Unbounded)):
        reasons.append(f"the coefficients are bounded by {recipe.bound!r}")
    if suffix and not isinstance(recipe.maintenance, Sometimes):
        reasons.append("maintenance is not performed with probability β/t, as in nbsgd")
    if suffix and _start(run) >= run.updates:
        reasons.append("the stream ended before the iterates that the output is taken from")
    if math.isnan(run.error):
        reasons.append("how far maintenance moved f is not known")
    return reasons


def _slope_and_radius(run: Evidence) -> tuple[float | None, float | None]:
    """L ≥ ‖g_t‖ and a radius that no iterate and no optimum exceeds."""
    lam = run.recipe.step.regularisation
    if isinstance(run.recipe.loss, Squared):
        if not isinstance(run.recipe.bound, Ball):
            return None, None
        radius = float(run.recipe.bound.radius)
        return 2.0 * radius * math.sqrt(lam) + radius, radius  # no ball is smaller than y_max/(2√λ)
    L = lipschitz(run)
    return L, None if L is None else L / lam
