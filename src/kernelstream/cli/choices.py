"""The options by which commands choose what learns, declared once."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from .catalogue import CATALOGUE, KERNELS, LOSSES
from .endings import WrongCommand
from .reading import commas

if TYPE_CHECKING:
    from ..pipeline import Settings

PANEL = "What learns"


def option(*names: str, panel: str = PANEL, **more: Any) -> Any:
    return typer.Option(*names, rich_help_panel=panel, **{"show_default": False} | more)


Budget = Annotated[str | None, option("--budget", "-b", help="Support vectors, or memory: 500, '64 KiB'.")]
Gamma = Annotated[
    str | None, option("--gamma", "-g", help="Of the kernel: a number, scale or auto. Else scale, from the first rows.")
]
Lam = Annotated[float | None, option("--lam", "-l", help="Regularisation λ.")]
Loss = Annotated[str | None, option("--loss", help="E.g. logistic, for probabilities.", autocompletion=lambda: LOSSES)]
Kernel = Annotated[str | None, option("--kernel", help="Else gaussian.", autocompletion=lambda: KERNELS)]
Own = Annotated[
    list[str] | None, option("--set", help="A parameter of the recipe's own, e.g. maintenance=project; repeatable.")
]
Task = Annotated[str | None, option("--task", help="classification or regression.  (default: classification)")]
Scale = Annotated[
    str | None, option("--scale", help="standard, minmax or none; from the first rows.  (default: standard)")
]
Missing = Annotated[str | None, option("--missing", help="Missing values: refuse, mean or zero.  (default: refuse)")]
Hash = Annotated[int | None, option("--hash", help="Let words share so many features; else each value has one.")]
Classes = Annotated[str | None, option("--classes", help="All labels, e.g. yes,no; else from the first rows.")]
Scan = Annotated[
    bool | None, option("--scan/--no-scan", help="Look through all data for labels first; else if it is small.")
]
First = Annotated[int | None, option("--first", help="Rows that decide scaling, classes and γ.  (default: 8192)")]
Limit = Annotated[int | None, option("--limit", "-n", help="Learn from so many rows only.")]
Seed = Annotated[int | None, option("--seed", help="Of the recipe's coins.  (default: 0)")]
Plot = Annotated[str | None, typer.Option("--plot", help="Draw a picture there, e.g. out.png.", show_default=False)]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")]


def names(incomplete: str) -> list[str]:
    """Recipes that begin so."""
    return [name for name in CATALOGUE if name.startswith(incomplete)]


def number_or_word(text: str) -> Any:
    """A value as it is meant.

    >>> [number_or_word(text) for text in ("5", "1e-3", "scale", "true", "none")]
    [5, 0.001, 'scale', True, None]
    """
    words = {"true": True, "false": False, "none": None}
    if text.lower() in words:
        return words[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def parameters(budget: str | None, gamma: str | None, lam: float | None, loss: str | None, kernel: str | None,
               own: list[str] | None) -> dict[str, Any]:  # fmt: skip
    """Those that were given."""
    found: dict[str, Any] = {
        "budget": None if budget is None else number_or_word(budget),
        "gamma": None if gamma is None else number_or_word(gamma),
        "lam": lam, "loss": loss, "kernel": kernel,
    }  # fmt: skip
    for text in own or []:
        name, equals, value = text.partition("=")
        if not equals:
            raise WrongCommand(f"--set {text}: say NAME=VALUE.")
        found[name.strip()] = number_or_word(value.strip())
    return {name: value for name, value in found.items() if value is not None}


def settings(*, classes: str | None, reading: dict[str, Any], **given: Any) -> dict[str, Any]:
    """The fields of `Settings` that were given."""
    found = {name: value for name, value in given.items() if value not in (None, {})}
    if classes is not None:
        found["classes"] = list(commas(classes))
    if reading:
        from ..readers import Options

        found["reading"] = Options(**reading)
    return found


def checked(given: dict[str, Any]) -> "Settings":
    """Settings that a model can be made with."""
    from ..pipeline import Settings
    from ..pipeline.settings import make_estimator

    try:
        settings = Settings(**given)
        make_estimator(settings)
    except ValueError as error:
        raise WrongCommand(str(error)) from None
    return settings


def said(given: dict[str, Any]) -> str:
    """Fields of `Settings` as the options that they came from.

    >>> said({"parameters": {"budget": 5}, "hashed": 7, "reading": None})
    '--budget, --hash and the options of reading'
    """
    names = {"hashed": "--hash", "reading": "the options of reading"}
    words = [names.get(name, f"--{name}") for name in given if name != "parameters"]
    words = [f"--{name}" for name in given.get("parameters", {})] + words
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
