"""Warnings at the end of a run in order: the data is sorted, or has one class only, and what that does to the model."""

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


def warnings_of(training: Training) -> list[str]:
    """Warnings about a run, with the accuracy that its model has on all rows."""
    pipeline = training.pipeline
    assert pipeline is not None
    found = shift_warning(pipeline)
    if found is not None:
        drawn = training.drawn.rows
        score = None if drawn is None else judged(pipeline, drawn, training.stream)
        honest = ""
        if score is not None and drawn is not None:
            honest = (
                f" On {len(drawn):,} rows drawn from all {training.drawn.seen:,} of this run, the accuracy of the "
                f"saved model is {100 * score:.1f} %."
            )
        way = "use --shuffle" if training.stream.repeatable else "train on a file, which is shuffled, instead of a pipe"
        return [f"{found}{honest} If the order is not that of time, {way}."]
    counts = pipeline.curve.labels
    if len(counts.names) == 1 and pipeline.settings.classes is None:
        return [f"All {counts.rows:,} rows have the label {counts.names[0]!r}: the model can predict nothing else."]
    return []
