"""Prequential evaluation (progressive validation, test-then-train): every row is predicted before it is learned.

This is the only implementation of it: `pipeline`, `reproduce` and the command line call `progressive`, or
`test_then_train` of a `Learner`. `reports` has the scores of a trained model on test data.
"""

from .prequential import iter_progressive, progressive
from .prequential_learners import Learner, as_learner
from .prequential_results import Point, Progress
from .reports import ClassificationScores, RegressionScores

__all__ = [
    "ClassificationScores",
    "Learner",
    "Point",
    "Progress",
    "RegressionScores",
    "as_learner",
    "iter_progressive",
    "progressive",
]
