"""Repeat the experiments of the papers: `kernelstream reproduce` from Python.

>>> from kernelstream.reproduce import experiments
>>> [experiment.title for experiment in experiments(("polk",))][0]
'Figures 1 and 2: a mixture of Gaussians, five classes'
"""

from .experiment import Cell, Experiment, experiments
from .report import records_of, write_report
from .running import ReproduceProgress, run
from .trial import Trial
from .trial_records import TrialRecords

__all__ = [
    "Cell",
    "Experiment",
    "ReproduceProgress",
    "Trial",
    "TrialRecords",
    "experiments",
    "records_of",
    "run",
    "write_report",
]
