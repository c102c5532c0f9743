"""Experiments of the papers, run again: `kernelstream reproduce` from Python.

>>> from kernelstream.reproduce import experiments
>>> [experiment.title for experiment in experiments(("polk",))][0]
'Figures 1 and 2: a mixture of Gaussians, five classes'
"""

from .plan import Cell, Experiment, experiments
from .records import Records
from .report import records_of, write_report
from .running import News, run
from .trial import Trial

__all__ = ["Cell", "Experiment", "News", "Records", "Trial", "experiments", "records_of", "run", "write_report"]
