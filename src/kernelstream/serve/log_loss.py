"""The log-loss of a classifier along its stream."""

import math
from typing import Any

from ..tracking import AdaptiveModel


def mean_log_loss(estimator: Any) -> float | None:
    """The mean over all rows, each predicted before it was learned; None if the model does not record it, as a single
    kernel model and a regression model do not."""
    model = getattr(estimator, "model_", None)
    if not isinstance(model, AdaptiveModel) or model.stream is None or model.stream.tracker.width < 2:
        return None
    tracker = model.stream.tracker
    found = tracker.total.loss / max(tracker.rows, 1)
    return found if math.isfinite(found) else None
