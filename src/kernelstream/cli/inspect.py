"""`kernelstream inspect`."""

import math
import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from . import model_options as options
from .exit_status import exit_on_error
from .input_files import check_inputs
from .output_files import check_outputs
from .plots import check_plot, plot_learning_curve, plot_support_vectors
from .predict import ModelFile
from .printable import printable
from .terminal import METRICS, aligned, deployed_form, out, print_json, recent_score, score, shortened, size

if TYPE_CHECKING:
    from ..estimators.deployment import Deployment
    from ..model.certificates import Certificate
    from ..model.record import Record
    from ..pipeline import StreamPipeline
    from ..saving import Description
    from ..tracking import AdaptiveModel
    from ..tracking.adaptive_record import AdaptiveRecord

_BARS = "▁▂▃▄▅▆▇█"


def inspect(model: ModelFile, plot: options.Plot = None, json: options.Json = False) -> None:
    """Show the contents of a model file: recipe, columns and their relevance to the predictions, size, learning curve,
    and the theorems that hold for it.

    **Examples**

    `kernelstream inspect income.ks --plot curve.png`

    `kernelstream inspect income.ks --json | jq .support_vectors`
    """
    with exit_on_error(json):
        check_plot(plot)
        check_outputs({"--plot": plot}, [model])
        check_inputs(model)
        from ..model import Model
        from ..pipeline import column_relevance
        from ..pipeline.stream_pipeline import KEY, StreamPipeline
        from ..saving import read
        from ..tracking import AdaptiveModel

        saved, about = read(model)
        inner = saved if isinstance(saved, Model) else saved.model_
        record = inner.record
        trained = StreamPipeline.load(model) if KEY in about.extra else None
        if plot is not None:
            _draw(trained, record, plot)
        deployed = getattr(saved, "deploy_", None)
        relevance = column_relevance(saved, trained.intake.preparation if trained is not None else None)
        if json:
            found = {"bytes": inner.nbytes, "feature_relevance": relevance}
            found |= {"deploy": None if deployed is None else deployed._asdict()}
            if isinstance(inner, AdaptiveModel):
                found |= {name: [each._asdict() for each in getattr(inner, name)] for name in ("experts", "drift")}
            print_json(about.to_dict() | found | _measured(record))
        else:
            _print(about, trained, record, inner.nbytes, relevance, deployed)
            print_certificate(record.certificate)
            if isinstance(inner, AdaptiveModel):
                _print_experts(inner)


def _measured(record: "Record | AdaptiveRecord") -> dict[str, Any]:
    return {
        "certificate": record.certificate.to_dict(),
        "maintenance": record.maintenance,
        "mean_loss": record.loss / record.examples if record.examples else None,
    }


def _draw(trained: "StreamPipeline | None", record: "Record | AdaptiveRecord", path: str) -> None:
    if trained is not None:
        plot_learning_curve({"": trained.curve.progress()}, path)
    else:
        plot_support_vectors(record, path)


def _print(
    about: "Description",
    trained: "StreamPipeline | None",
    record: "Record | AdaptiveRecord",
    nbytes: int,
    relevance: dict[str, float] | None,
    deployed: "Deployment | None",
) -> None:
    from ..recipe import Recipe

    lines = {"type": f"{about.kind}, written by kernelstream {about.version}"}
    if isinstance(about.recipe, Recipe):  # nothing of it is decided yet: models decide it
        lines["algorithm"] = "adapts: kernel models of several widths and memories and tables of cells, mixed"
    else:
        lines |= {name: repr(value) for name, value in about.recipe.parameters().items() if not isinstance(value, int)}
    lines["model"] = f"{about.support_vectors:,} support vectors, {about.features:,} features, {about.dtype}"
    lines["memory"] = size(nbytes)
    if deployed is not None:
        lines["deployed"] = deployed_form(deployed._asdict())
    if about.classes is not None:
        lines["classes"] = f"{len(about.classes)}: {shortened(about.classes)}"
    maintenance = f"budget maintained {record.maintenance:,} times"
    lines["trained on"] = f"{about.examples:,} rows, {about.updates:,} updates, {maintenance}"
    if trained is not None:
        lines |= _run(trained)
    if relevance is not None and any(relevance.values()):
        lines["relevance"] = shortened([f"{name} {100.0 * share:.1f} %" for name, share in relevance.items()])
    aligned(lines)


def _print_experts(model: "AdaptiveModel") -> None:
    """The models and tables that are mixed, and the changes that were noticed."""
    labels = model.recipe.loss.target == "class"
    shown: Callable[[float], str] = (lambda e: f"{100.0 * e:.1f} %") if labels else (lambda e: f"{e:.4g}")
    console = out()
    console.print(f"\nexperts, with their {'error rates' if labels else 'RMSE'} over about the last thousand rows")
    aligned({f"  {each.name}": shown(each.error) for each in model.experts})
    if not model.drift:
        console.print("\nno drift was noticed")
        return
    what = "error rate" if labels else "share of large errors"
    times = "once" if len(model.drift) == 1 else f"{len(model.drift):,} times, the last of them"
    console.print(f"\ndrift was noticed {times}")
    for event in model.drift[-5:]:
        rates = f"{what} {100.0 * event.before:.1f} %, then {100.0 * event.after:.1f} %"
        console.print(f"  at row {event.row:,}: {rates} over {event.since:,} rows")


def print_certificate(certificate: "Certificate") -> None:
    """The theorems that hold for the model, or why none does."""
    sentences = str(certificate).splitlines()
    console = out()
    console.print("\nguarantees" if certificate.guarantees else "\nno guarantees")
    for sentence in sentences:
        console.print(textwrap.fill(sentence, width=100, initial_indent="  - ", subsequent_indent="    "))


def _run(trained: "StreamPipeline") -> dict[str, str]:
    """Columns, preparation, scores and state of the run."""
    schema, preparation, curve = trained.intake.schema, trained.intake.preparation, trained.curve
    lines = {"columns": f"index:value pairs, {'sparse' if preparation.sparse else 'dense'}"}
    if not schema.pairs:
        categorical = f"; categorical: {shortened(list(schema.categorical))}" if schema.categorical else ""
        lines = {
            "columns": f"numeric: {shortened(list(schema.numeric)) or 'none'}{categorical}",
            "targets" if schema.more_targets else "target": printable(", ".join(schema.targets)),
        }
    lines["preparation"] = f"scaling: {trained.settings.scale}; missing values: {trained.settings.missing}"
    metric, position = METRICS[curve.metric], trained.position
    if curve.now.tested:
        scores = recent_score(curve.score, curve.window, curve.window_rows, curve.metric)
        lines[metric] = f"{scores} (predicted before learning)"
        lines["over time"] = sparkline(curve.progress().window.tolist())
    if position.held_score is not None:
        lines[f"held-out {metric}"] = f"{score(position.held_score, curve.metric)} on {position.held_rows:,} rows"
    state = "finished" if trained.position.finished else "interrupted, train --resume continues it"
    lines["run"] = f"{state}; data: {shortened(trained.position.sources, 3)}"
    return lines


def sparkline(values: list[float], width: int = 60) -> str:
    """A curve as one line of text.

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
