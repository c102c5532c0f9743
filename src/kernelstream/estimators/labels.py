"""Class labels as targets of a loss, and scores in the shapes of scikit-learn."""

import numpy as np

from ..losses import Loss


def encode(y: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """The index of every label in `classes`, or a ValueError that names the first unknown label."""
    if _kind(y) == _kind(classes):
        order = np.argsort(classes)  # they are sorted, but for those that came later
        index = order[np.searchsorted(classes, y, sorter=order).clip(max=len(classes) - 1)]
        strangers = np.flatnonzero(classes[index] != y)
    else:
        index = strangers = np.arange(len(y))
    if len(strangers):
        row = strangers[0]
        known = ", ".join(repr(c) for c in classes[:10].tolist()) + (", …" if len(classes) > 10 else "")
        raise ValueError(
            f"y is {y[row : row + 1].tolist()[0]!r} at row {row}, which is not among the classes {known}. Pass all "
            "classes in the first call, partial_fit(X, y, classes=…), or start again with fit; the model is unchanged."
        )
    return index


def _kind(labels: np.ndarray) -> str:
    """Numbers compare with numbers and strings with strings; across the two, NumPy has no order."""
    if labels.dtype.kind == "O":
        return "text" if any(isinstance(label, str) for label in labels) else "number"
    return "text" if labels.dtype.kind in "US" else "number"


def outputs(classes: int, loss: Loss) -> int:
    """Scores per example: one for two classes and a loss of signs, otherwise one per class."""
    if loss.target == "class":
        return max(classes, 2)  # with one class only there is still a class that it is not
    return 1 if classes <= 2 else classes


def targets(index: np.ndarray, classes: int, loss: Loss) -> np.ndarray:
    """Class indices as targets of the loss."""
    if loss.target == "class":
        return index.astype(np.float64)
    if classes <= 2:
        return 2.0 * index - 1.0
    return np.where(index[:, None] == np.arange(classes), 1.0, -1.0)


def decision(scores: np.ndarray, classes: int) -> np.ndarray:
    """Scores as scikit-learn shapes them: (n,) for two classes, positive for the second; (n, classes) for more."""
    if classes > 2:
        return scores
    return scores[:, 0] if scores.shape[1] == 1 else scores[:, 1] - scores[:, 0]


def winners(decision: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """The predicted label of each row."""
    if len(classes) == 1:
        return np.repeat(classes, len(decision))
    return classes[decision.argmax(axis=1) if decision.ndim == 2 else (decision > 0).astype(np.intp)]
