"""Warnings at the end of a run: the data is sorted, has one class only, or the same rows again and again."""

from typing import NamedTuple

from .judging import judged
from .label_history import LabelShift
from .stream_pipeline import StreamPipeline
from .training import Training

_ALL = 0.9995  # shares that are shown as 100.0 %


def shift_warning(pipeline: StreamPipeline) -> str | None:
    """What is wrong with the order of labels so far, in words; None if nothing is, or if rows are shuffled."""
    shift = None if pipeline.position.shuffled else pipeline.curve.labels.shift()
    if shift is None:
        return None
    return f"{_described(shift)} The data seems to be sorted, and a model follows the rows that it learned last."


def _described(shift: LabelShift) -> str:
    now = "all" if shift.recent_share >= _ALL else f"{100 * shift.recent_share:.1f} %"
    return (
        f"Of the last {shift.recent:,} rows {now} have the label {shift.label!r}, and of the {shift.before:,} before "
        f"them {100 * shift.share_before:.1f} %."
    )


class Warnings(NamedTuple):
    """What to warn about at the end of a run."""

    texts: list[str]
    score: float | None = None  #: of the saved model on rows drawn from all of the run, if their order is doubtful


def warnings_of(training: Training) -> Warnings:
    """Warnings about a run, with the accuracy that its model has on all rows."""
    pipeline, drawn = training.pipeline, training.drawn.rows
    assert pipeline is not None
    found = shift_warning(pipeline)
    if found is not None:
        score = None if drawn is None else judged(pipeline, drawn, training.stream)
        honest = ""
        if score is not None and drawn is not None:
            honest = (
                f" On {len(drawn):,} rows drawn from all {training.drawn.seen:,} of this run, the accuracy of the "
                f"saved model is {100 * score:.1f} %."
            )
        way = "use --shuffle" if training.stream.repeatable else "train on a file, which is shuffled, instead of a pipe"
        return Warnings([f"{found}{honest} If the order is not that of time, {way}."], score)
    counts = pipeline.curve.labels
    if len(counts.names) == 1 and pipeline.settings.classes is None:
        only = f"All {counts.rows:,} rows have the label {counts.names[0]!r}: the model can predict nothing else."
        return Warnings([only])
    if training.copied:
        share = f"{100 * training.copied:.0f} %"
        return Warnings(
            [
                f"{share} of the rows held out are copies of rows that were learned, so that the model will be worse "
                "on new rows than reported. Remove copies from the data, or evaluate on other rows."
            ]
        )
    return Warnings([])
