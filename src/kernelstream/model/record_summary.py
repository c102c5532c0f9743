"""Records of runs in words: about ten lines, one fact each."""

import math
from typing import TYPE_CHECKING

from .certificates import Certificate
from .certificates.base import number

if TYPE_CHECKING:
    from .record import Record


def in_lines(facts: dict[str, str]) -> str:
    """Names and values in two columns.

    >>> print(in_lines({"updates": "5", "mean loss": "0.25"}))
    updates    5
    mean loss  0.25
    """
    width = max(map(len, facts))
    return "\n".join(f"{name:<{width}}  {value}" for name, value in facts.items())


def counted(count: int, noun: str) -> str:
    """
    >>> counted(1, "pass"), counted(2000, "pass"), counted(3, "row")
    ('1 pass', '2,000 passes', '3 rows')
    """
    return f"{count:,} {noun}{'' if count == 1 else 'es' if noun.endswith('s') else 's'}"


def mean_loss(loss: float, examples: int) -> str:
    """The mean of losses that were measured before learning."""
    if not examples or math.isnan(loss):
        return "unknown: nothing has been learned yet"
    return f"{number(loss / examples)}, each example before it was learned"


def theorems(certificate: Certificate) -> str:
    """Which theorems hold, by name, in one line."""
    if certificate.guarantees:
        return f"{'; '.join(each.theorem for each in certificate.guarantees)} (bounds: record_.certificate)"
    if not certificate.refusals:
        return "none is known for this recipe"
    return f"none holds for this run; {len(certificate.refusals)} checked (reasons: record_.certificate)"


def summary(record: "Record") -> str:
    """A record of a single model in words."""
    run, most = record.evidence, int(record.sizes[1].max(initial=0))
    share = record.examples_with_loss / max(record.examples, 1)
    facts = {
        "examples learned": f"{record.examples:,} in {counted(run.passes, 'pass')}",
        "updates": f"{record.updates:,}",
        "mean loss": mean_loss(record.loss, record.examples),
        "examples with loss": f"{record.examples_with_loss:,} ({share:.1%})",
        "support vectors": f"{run.support_vectors:,} now, {max(most, run.support_vectors):,} at most",
        "budget maintenance": _maintenance(record),
        "weighted examples": f"{run.weighted:,}",
        "theorems": theorems(record.certificate),
    }
    if not run.weighted:
        del facts["weighted examples"]
    return in_lines(facts)


def _maintenance(record: "Record") -> str:
    if not record.maintenance:
        return "never needed"
    done = counted(record.maintenance, "time")
    if math.isnan(record.distance):
        return f"{done}; this recipe does not measure how far it moved the function"
    return f"{done}, moved the function by {number(record.distance / record.maintenance)} on average (RKHS norm)"
