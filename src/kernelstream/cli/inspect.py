"""`kernelstream inspect`."""

import json as json_module
import math
from typing import TYPE_CHECKING, Any

from . import choices, pictures
from .endings import endings
from .predict import ModelFile
from .screen import score, size
from .summary import aligned, shortened

if TYPE_CHECKING:
    from ..model.record import Record
    from ..pipeline import StreamPipeline
    from ..saving import Description

_BARS = "▁▂▃▄▅▆▇█"


def inspect(model: ModelFile, plot: choices.Plot = None, json: choices.Json = False) -> None:
    """Show what is in a model file: recipe, columns, sizes, how it learned, and its certificate.

    **Examples**

    `kernelstream inspect income.ks --plot curve.png`

    `kernelstream inspect income.ks --json | jq .support_vectors`
    """
    with endings(json):
        pictures.can_draw(plot)
        from ..model import Model
        from ..pipeline.stream_pipeline import KEY, StreamPipeline
        from ..saving import read

        saved, about = read(model)
        inner = saved if isinstance(saved, Model) else saved.model_
        record = inner.record
        trained = StreamPipeline.load(model) if KEY in about.extra else None
        if plot is not None:
            _draw(trained, record, plot)
        if json:
            print(
                json_module.dumps(about.to_dict() | {"bytes": inner.nbytes} | certificate(record), ensure_ascii=False)
            )
        else:
            _tell(about, trained, record, inner.nbytes)


def certificate(record: "Record") -> dict[str, Any]:
    """What theory says of the run, None where it says nothing."""
    return {
        "gap_bound": record.gap_bound,
        "budget_bound": record.budget_bound,
        "maintenance": record.maintenance,
        "mean_loss": record.loss / record.examples if record.examples else None,
    }


def _draw(trained: "StreamPipeline | None", record: "Record", path: str) -> None:
    if trained is not None:
        pictures.learning_curve({"": trained.curve.progress()}, path)
    else:
        pictures.support_vectors(record, path)


def _tell(about: "Description", trained: "StreamPipeline | None", record: "Record", nbytes: int) -> None:
    lines = {"kind": f"{about.kind}, written by kernelstream {about.version}"}
    lines |= {name: repr(value) for name, value in about.recipe.parameters().items() if not isinstance(value, int)}
    lines["model"] = f"{about.support_vectors:,} support vectors of {about.features:,} features, {about.dtype}"
    lines["memory"] = size(nbytes)
    if about.classes is not None:
        lines["classes"] = f"{len(about.classes)}: {shortened(about.classes)}"
    acts = f"{record.maintenance:,} acts of maintenance"
    lines["learned"] = f"{about.examples:,} rows, {about.updates:,} updates, {acts}"
    if trained is not None:
        lines |= _run(trained)
    lines["certificate"] = "none; bsgd and pegasos have one, with the hinge loss and a Gaussian kernel"
    if record.gap_bound is not None:
        lines["certificate"] = (
            f"the mean objective was at most {record.gap_bound:.4g} above the optimum, of which the budget cost "
            f"{record.budget_bound:.4g} (BPegasos, Theorem 1)"
        )
    aligned(lines)


def _run(trained: "StreamPipeline") -> dict[str, str]:
    """What is known of the run."""
    schema, preparation, curve = trained.intake.schema, trained.intake.preparation, trained.curve
    lines = {"columns": f"index:value pairs, {'sparse' if preparation.sparse else 'dense'}"}
    if not schema.pairs:
        words = f"; words: {shortened(list(schema.categorical))}" if schema.categorical else ""
        lines = {
            "columns": f"numbers: {shortened(list(schema.numeric)) or 'none'}{words}",
            "target": str(schema.target),
        }
    lines["prepared"] = f"scale {trained.settings.scale}, missing values: {trained.settings.missing}"
    name = "right" if curve.metric == "accuracy" else "root mean squared error"
    now, lately = score(curve.score, curve.metric), score(curve.window, curve.metric)
    lines["before learning"] = f"{now} {name}; lately {lately}"
    lines["over time"] = sparkline(curve.progress().window.tolist())
    state = "finished" if trained.position.finished else "interrupted, train --resume goes on"
    lines["run"] = f"{state}; data: {shortened(trained.position.sources, 3)}"
    return lines


def sparkline(values: list[float], width: int = 60) -> str:
    """A curve in one line.

    >>> sparkline([0.0, 0.5, 1.0])
    '▁▅█'
    """
    known = [value for value in values if not math.isnan(value)]
    if not known:
        return ""
    step = max(len(known) / width, 1.0)
    groups = [known[int(i * step) : max(int((i + 1) * step), int(i * step) + 1)] for i in range(min(len(known), width))]
    means = [sum(group) / len(group) for group in groups]
    low, high = min(means), max(means)
    scale = (len(_BARS) - 1) / (high - low) if high > low else 0.0
    return "".join(_BARS[round((mean - low) * scale)] for mean in means)
