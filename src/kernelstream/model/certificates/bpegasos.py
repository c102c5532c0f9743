"""Wang, Crammer & Vucetic, ICML 2010: the objective and the mistakes of BPegasos."""

import math

from ...admission import Always
from ...bounds import Ball
from ...losses import CrammerSinger, Hinge
from ...steps import InverseTime
from .base import KERNEL, Evidence, Guarantee, Refusal, common_reasons, loose, number

THEOREM, COROLLARY = "Wang, Crammer & Vucetic 2010, Theorem 1", "Wang, Crammer & Vucetic 2010, Corollary 1"
REMOVAL = math.sqrt(2.0)  # no removal has a larger ‖Δ_t‖/η_t


def check(run: Evidence) -> list[Guarantee | Refusal]:
    if not isinstance(run.recipe.step, InverseTime):
        return []
    reasons = common_reasons(run) + _reasons(run)
    if reasons:
        return [Refusal(THEOREM, tuple(reasons))]
    lam, t0, n = run.recipe.step.lam, run.recipe.step.t0, run.updates
    G = math.sqrt(lam) + 2.0 + max(REMOVAL, run.error_most)
    # the distance from the start costs t₀/(2N), because ‖f*‖² ≤ 1/λ
    harmonic = 1.0 + math.log(n) if t0 == 0.0 else math.log1p(n / t0)
    price = 2.0 * run.error / math.sqrt(lam)
    gap = t0 / (2.0 * n) + G**2 * harmonic / (2.0 * lam * n) + price
    constants = {"G": G, "lambda": lam, "t0": t0, "updates": float(n), "mean gradient error": run.error}
    most = n * run.recipe.batch * gap + run.pending  # what waits in a mini-batch may all be mistakes
    return [
        Guarantee(
            THEOREM,
            f"The mean objective over the stream, loss + ½λ‖f‖², exceeds that of the best function in hindsight by at "
            f"most {number(gap)}, of which {number(price)} is due to the budget; the mean loss was {run.mean_loss:.4g}."
            + loose(gap, run, "a longer stream, a larger budget or a larger λ"),
            "mean objective minus that of the best function", gap, run.mean_loss, "mean loss",
            constants | {"budget": price},
        ),
        Guarantee(
            COROLLARY,
            f"{run.large:,} of {run.examples:,} examples were mistakes when they arrived; the number is at most the "
            f"best function's objective times the number of examples, plus {most:,.0f}.",
            "mistakes minus the best function's sum of objectives", most, float(run.large), "mistakes", constants,
        ),
    ]  # fmt: skip


def _reasons(run: Evidence) -> list[str]:
    recipe, reasons = run.recipe, []
    if not isinstance(recipe.loss, (Hinge, CrammerSinger)) or (isinstance(recipe.loss, Hinge) and run.outputs > 1):
        reasons.append(f"the loss is {recipe.loss!r}, not a hinge loss")
    radius = 1.0 / math.sqrt(recipe.step.regularisation)
    if not isinstance(recipe.bound, Ball):
        reasons.append("f is not kept in the ball of radius 1/√λ")
    elif not math.isclose(recipe.bound.radius, radius, rel_tol=1e-6):
        reasons.append(f"the ball has the radius {recipe.bound.radius:g}, not 1/√λ = {radius:g}")
    if not recipe.kernel.normalised:
        reasons.append(KERNEL)
    if not isinstance(recipe.admission, Always):
        reasons.append(f"not every example with a loss takes its step: {recipe.admission!r}")
    if math.isnan(run.error):
        reasons.append(f"how far maintenance moved f is not known with {recipe.maintenance!r}")
    return reasons
