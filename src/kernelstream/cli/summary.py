"""The end of a run in numbers, and in words."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.markup import escape

from .screen import out, score, size

if TYPE_CHECKING:
    from ..pipeline import StreamPipeline


def summary(trained: "StreamPipeline", path: Path, before: int, seconds: float) -> dict[str, Any]:
    """What scripts want to know."""
    curve, position = trained.curve, trained.position
    classes = trained.intake.target.as_dict().get("classes")
    learned = curve.now.examples - before
    return {
        "model": str(path),
        "finished": position.finished,
        "examples": curve.now.examples,
        "examples_this_run": learned,
        "features": trained.intake.preparation.width,
        "sparse": trained.intake.preparation.sparse,
        "classes": classes,
        "metric": curve.metric,
        "score": None if curve.score != curve.score else curve.score,
        "score_lately": None if curve.window != curve.window else curve.window,
        "support_vectors": curve.now.support,
        "bytes": curve.now.nbytes,
        "seconds": seconds,
        "examples_per_second": learned / seconds if seconds > 0 else None,
        "skipped": position.bad,
        "first_skipped": position.first_bad or [],
        "words_without_feature": trained.intake.preparation.categories.unencoded,
    }


def tell(found: dict[str, Any], as_json: bool) -> None:
    """On standard output."""
    if as_json:
        print(json.dumps(found, ensure_ascii=False))
        return
    nan, metric = float("nan"), found["metric"]
    whole, lately = (score(nan if found[key] is None else found[key], metric) for key in ("score", "score_lately"))
    lines = {}
    what = "sparse features" if found["sparse"] else "features"
    labels = found["classes"]
    kinds = "" if labels is None else f", {len(labels)} classes ({shortened(labels)})"
    lines["learned"] = f"{found['examples']:,} rows of {found['features']:,} {what}{kinds}"
    name = "right" if metric == "accuracy" else "root mean squared error"
    lines["predicted before learning"] = f"{whole} {name}; lately {lately}"
    lines["model"] = f"{found['support_vectors']:,} support vectors, {size(found['bytes'])}, in {found['model']}"
    lines["time"] = f"{found['seconds']:.1f} s, {found['examples_per_second'] or 0:,.0f} rows a second"
    if found["words_without_feature"]:
        lines["rare words"] = f"{found['words_without_feature']:,} cells had a value that got no feature of its own"
    if found["skipped"]:
        lines["skipped"] = f"{found['skipped']:,} bad lines, for instance"
    aligned(lines)
    for line in found["first_skipped"]:
        print(f"  {line}")


def aligned(lines: dict[str, str]) -> None:
    """Names and what is said of them, in two columns."""
    width = max(map(len, lines)) + 2
    console = out()
    for name, text in lines.items():
        console.print(f"[bold]{escape(name):<{width}}[/]{escape(text)}")


def shortened(labels: list[Any], most: int = 7) -> str:
    """Labels in a line.

    >>> shortened([1, 2, 3]), shortened(list("abcdefghij"))
    ('1, 2, 3', 'a, b, c, d, e, f, g, …')
    """
    return ", ".join(map(str, labels[:most])) + (", …" if len(labels) > most else "")
