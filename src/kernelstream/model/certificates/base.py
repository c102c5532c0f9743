"""What a certificate consists of: theorems that hold for a run, and those that do not, with the reasons."""

from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np

from ...recipe import Composition


@dataclass(frozen=True)
class Guarantee:
    """A theorem whose conditions hold for a run: its bound, and what was measured."""

    theorem: str  #: authors, year and number
    sentence: str  #: what it says of this run
    quantity: str  #: what is bounded
    bound: float
    measured: float | None  #: what a run can measure of it
    measured_quantity: str  #: and what that is
    constants: dict[str, float]
    assumes: tuple[str, ...] = ()  #: conditions that a program cannot check


@dataclass(frozen=True)
class Refusal:
    """A theorem for algorithms of this kind, and the conditions that the run does not meet."""

    theorem: str
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class Certificate:
    """The theorems that apply to a run. As a string, a sentence for each."""

    guarantees: tuple[Guarantee, ...]
    refusals: tuple[Refusal, ...]

    def __str__(self) -> str:
        if self.guarantees:
            return "\n".join(f"{each.sentence} ({each.theorem})" for each in self.guarantees)
        if not self.refusals:
            return "No theorem is known for this recipe."
        return "\n".join(f"{each.theorem} does not apply: {'; '.join(each.reasons)}." for each in self.refusals)

    def to_dict(self) -> dict[str, Any]:
        """A dict that JSON can hold."""
        return asdict(self)


class Evidence(NamedTuple):
    """What is known of a run when theorems are checked."""

    recipe: Composition
    outputs: int
    support_vectors: int
    examples: int
    updates: int
    loss: float  # Σ ℓ_t, each before its example was learned
    large: int  # examples with a loss of 1 or more
    weighted: int  # examples with a weight other than 1
    passes: int  # over the same rows
    pending: int  # examples of an unfinished mini-batch
    lossy: int  # examples with a loss
    travel: float  # Σ ‖s_t‖²/η_t, s_t what was added
    error: float  # mean of ‖Δ_t‖/η_t
    error_most: float
    squares: float  # Σ ‖Δ_t‖²/η_t
    eta: float  # the last step
    intact: bool

    @property
    def mean_loss(self) -> float:
        return self.loss / max(self.examples, 1)


def common_reasons(run: Evidence) -> list[str]:
    """Conditions that all theorems share."""
    reasons = []
    if not run.intact:
        reasons.append(
            "the function is not the result of one run alone: it was merged, compressed or loaded without statistics"
        )
    if run.recipe.output.refits:
        reasons.append("the coefficients are refitted")
    if run.updates == 0:
        reasons.append("nothing has been learned yet")
    if run.weighted:
        reasons.append(f"{run.weighted:,} examples have a weight other than 1")
    return reasons


def lipschitz(run: Evidence) -> float | None:
    """A bound on ‖g‖ √κ(x, x) for functions of any norm; None if none is known."""
    return run.recipe.loss.steepest(run.outputs) if run.recipe.kernel.normalised else None


def number(value: float) -> str:
    """A bound as people read it.

    >>> number(66300.4), number(2.21045)
    ('66,300', '2.21')
    """
    return f"{value:,.0f}" if abs(value) >= 1000.0 else f"{value:.4g}"


def loose(gap: float, run: Evidence, advice: str) -> str:
    """A sentence, if a bound on the objective is larger than the objective of f = 0."""
    loss = run.recipe.loss
    if loss.target == "values":
        return ""
    y = np.ones(run.outputs) if loss.target == "signs" else np.zeros(1)
    zero = loss.gradient(np.zeros(run.outputs), y, np.zeros(run.outputs))
    return (
        "" if gap <= zero else f" A bound above {zero:.3g}, the objective of f = 0, says nothing: {advice} lowers it."
    )


KERNEL = "the kernel has values κ(x, x) above 1, or may have"
