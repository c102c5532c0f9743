"""The result of `kernelstream train`, as JSON and as lines of text."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from .printable import printable
from .terminal import METRICS, aligned, deployed_form, out, print_json, recent_score, score, shortened, size

if TYPE_CHECKING:
    from ..pipeline import StreamPipeline, Training


def summary(training: "Training", path: Path, before: int, seconds: float) -> dict[str, Any]:
    """The result of a run, as JSON has it."""
    from ..pipeline.order_warning import warnings_of

    trained, warned = training.pipeline, warnings_of(training)
    assert trained is not None
    curve, position, preparation = trained.curve, trained.position, trained.intake.preparation
    learned, deployed, target = curve.now.examples - before, trained.estimator.deploy_, trained.intake.target.as_dict()
    return {
        "model": str(path),
        "finished": position.finished,
        "examples": curve.now.examples,
        "examples_this_run": learned,
        "features": preparation.width,
        "sparse": preparation.sparse,
        "classes": target.get("classes"),
        "late_classes": _late(trained, target),
        "order": position.order,
        "shuffled": position.shuffled,
        "fit": position.fit,
        "metric": curve.metric,
        "score": None if curve.score != curve.score else curve.score,
        "recent_score": None if curve.window != curve.window else curve.window,
        "recent_rows": curve.window_rows,
        "held_out_score": position.held_score,
        "held_out_rows": position.held_rows,
        "support_vectors": curve.now.support,
        "bytes": curve.now.nbytes,
        "deploy": None if deployed is None else deployed._asdict(),
        "seconds": seconds,
        "examples_per_second": learned / seconds if seconds > 0 else None,
        "skipped": position.bad,
        "first_skipped": position.first_bad or [],
        "cells_without_category": preparation.categories.unencoded,
        "columns": {"notes": trained.intake.notes, "warnings": trained.intake.warnings},
        "warnings": warned.texts,
        "score_on_drawn_rows": warned.score,
    }


def _late(trained: "StreamPipeline", target: dict[str, Any]) -> list[dict[str, Any]]:
    """Classes that were not among the first rows, and where they were first seen."""
    names = trained.position.sources
    late: list[Any] = target.get("late", [])
    # a run that goes on with new data has other files
    return [{"class": a, "file": names[b] if b < len(names) else None, "line": c} for a, b, c in late]


def print_summary(found: dict[str, Any], as_json: bool) -> None:
    """Print the result of a run."""
    if as_json:
        print_json(found)
        return
    lines = {}
    what = "sparse features" if found["sparse"] else "features"
    labels = found["classes"]
    kinds = "" if labels is None else f", {len(labels)} classes ({shortened(labels)})"
    lines["trained on"] = f"{found['examples']:,} rows, {found['features']:,} {what}{kinds}"
    if found["late_classes"]:
        late = [f"{one['class']!r} first seen in line {one['line']:,}" for one in found["late_classes"]]
        lines["new classes"] = printable("; ".join(late[:5])) + (f"; … ({len(late)} in total)" if len(late) > 5 else "")
    lines["order"] = printable(found["order"])
    metric = METRICS[found["metric"]]
    if found["score"] is not None:
        scores = recent_score(found["score"], found["recent_score"], found["recent_rows"], found["metric"])
        lines[metric] = f"{scores} (predicted before learning)"
    if found["held_out_score"] is not None:
        judged = score(found["held_out_score"], found["metric"])
        kept = "which were not learned" if found["fit"] else "which were learned only afterwards"
        lines[f"held-out {metric}"] = f"{judged} on {found['held_out_rows']:,} rows, {kept}"
    lines["model"] = (
        f"{found['support_vectors']:,} support vectors, {size(found['bytes'])}, saved in {printable(found['model'])}"
    )
    if found["deploy"] is not None:
        lines["deployed"] = deployed_form(found["deploy"])
    lines["time"] = f"{found['seconds']:.1f} s, {found['examples_per_second'] or 0:,.0f} rows/s"
    if found["cells_without_category"]:
        cells = f"{found['cells_without_category']:,} cells"
        lines["rare categories"] = f"{cells} have a category without a column: there are too many"
    if found["skipped"]:
        lines["skipped"] = f"{found['skipped']:,} lines, e.g."
    aligned(lines)
    for line in found["first_skipped"]:
        out().print(f"  {printable(line)}")
