"""Certificates: which published theorems hold for a run, with their constants and the measured quantities.

A theorem is reported only if everything about it that a program can check is true of the run.
"""

from . import bpegasos, nbsgd, oskl, polk, regret
from .base import Certificate, Evidence, Guarantee, Refusal

_THEOREMS = (bpegasos.check, nbsgd.check, regret.check, oskl.check, polk.check)

__all__ = ["Certificate", "Evidence", "Guarantee", "Refusal", "certify", "regret"]


def certify(run: Evidence) -> Certificate:
    """The certificate of a run."""
    found = [result for check in _THEOREMS for result in check(run)]
    return Certificate(
        tuple(result for result in found if isinstance(result, Guarantee)),
        tuple(result for result in found if isinstance(result, Refusal)),
    )
