"""Options for the model and the preparation of rows, shared by the commands that train."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from .exit_status import UsageError
from .input_options import commas
from .recipe_table import allow_local_modules, complete_recipe

if TYPE_CHECKING:
    from ..pipeline import Settings

MODEL, PREPARATION = "Model", "Preparation"
# those of kernels and losses, which are slow to import
KERNELS = (
    "gaussian", "rbf", "laplacian", "cauchy", "polynomial", "poly", "linear", "matern32", "matern52",
    "rational_quadratic",
)  # fmt: skip
LOSSES = (
    "hinge", "squared_hinge", "logistic", "exponential", "crammer_singer", "multinomial", "squared", "absolute",
    "epsilon_insensitive", "huber", "quantile", "perceptron",
)  # fmt: skip


def option(*names: str, panel: str = MODEL, **more: Any) -> Any:
    return typer.Option(*names, rich_help_panel=panel, **{"show_default": False} | more)


Algorithm = Annotated[
    str | None,
    option("--algorithm", "-a", autocompletion=complete_recipe,
           help="Recipe (`kernelstream recipes` lists them), or module:name of your own. (default: default)"),
]  # fmt: skip
Budget = Annotated[
    str | None, option("--budget", "-b", help="Maximum number of support vectors, or memory: 500, '64 KiB'.")
]
DeploySize = Annotated[
    str | None,
    option("--deploy-size", metavar="SIZE",
           help="Instead of a budget: as many support vectors as fit a C header of this size in int8, e.g. 64KiB, or "
           "an ONNX file, 'onnx: 64KiB'."),
]  # fmt: skip
Gamma = Annotated[
    str | None, option("--gamma", "-g", help="Kernel width γ: a number, scale or auto. (default: from the first rows)")
]
HalfLife = Annotated[
    str | None,
    option("--half-life", metavar="ROWS", help="The weight of a row halves every ROWS rows, or auto. (default: adapt)"),
]
Adapt = Annotated[
    bool | None,
    option(
        "--adapt/--no-adapt",
        help="Mix several models, so that drift is followed. (default: if no option says more "
        "about the model than its --budget)",
    ),
]
ClassWeight = Annotated[
    str | None,
    option("--class-weight", metavar="WEIGHTS",
           help="balanced: rare classes count as much as frequent ones; or weights, e.g. yes=5,no=1.",
           autocompletion=lambda: ("balanced",)),
]  # fmt: skip
Lam = Annotated[float | None, option("--lam", "-l", help="Regularization λ.")]
Loss = Annotated[
    str | None,
    option("--loss", help="E.g. hinge, logistic, huber. (default: the recipe's)", autocompletion=lambda: LOSSES),
]
Kernel = Annotated[
    str | None,
    option("--kernel", help="E.g. laplacian, matern32. (default: gaussian)", autocompletion=lambda: KERNELS),
]
Own = Annotated[
    list[str] | None,
    option(
        "--set", metavar="NAME=VALUE", help="Another parameter of the recipe, e.g. maintenance=project. Repeatable."
    ),
]
Task = Annotated[str | None, option("--task", help="classification or regression. (default: by the target)")]
Seed = Annotated[int | None, option("--seed", help="Random seed. (default: 0)")]
Scale = Annotated[
    str | None,
    option(
        "--scale",
        help="Scaling of numbers: auto, standard, minmax or none. (default: auto, by what is known so "
        "far, or standard, by the first rows, if a single model is trained)",
        panel=PREPARATION,
    ),
]
Missing = Annotated[
    str | None,
    option(
        "--missing",
        help="Missing values: auto, refuse, mean or zero. (default: auto, the mean and a column that marks them; for "
        "categories, a category)",
        panel=PREPARATION,
    ),
]
Hash = Annotated[
    int | None,
    option("--hash", metavar="N", help="Hash categorical values into N columns. (default: one column per value)",
           panel=PREPARATION),
]  # fmt: skip
Classes = Annotated[
    str | None, option("--classes", help="All labels, e.g. yes,no. (default: those of the data)", panel=PREPARATION)
]
Scan = Annotated[
    bool | None,
    option("--scan/--no-scan", help="Search all data for labels first. (default: if it is small)", panel=PREPARATION),
]
First = Annotated[
    int | None,
    option("--first", metavar="N", help="Rows that determine scaling, classes and γ. (default: 8192)",
           panel=PREPARATION),
]  # fmt: skip
Plot = Annotated[
    str | None, typer.Option("--plot", help="Write a plot to this file, e.g. out.png.", show_default=False)
]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")]


def parse_value(text: str) -> Any:
    """A number, true, false, none, or text.

    >>> [parse_value(text) for text in ("5", "1e-3", "scale", "true", "none")]
    [5, 0.001, 'scale', True, None]
    """
    constants = {"true": True, "false": False, "none": None}
    if text.lower() in constants:
        return constants[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def parameters(budget: str | None, gamma: str | None, lam: float | None, loss: str | None, kernel: str | None,
               own: list[str] | None, half_life: str | None = None) -> dict[str, Any]:  # fmt: skip
    """Parameters of the recipe that were given."""
    found: dict[str, Any] = {
        "budget": None if budget is None else parse_value(budget),
        "gamma": None if gamma is None else parse_value(gamma),
        "lam": lam, "loss": loss, "kernel": kernel,
        "half_life": None if half_life is None else parse_value(half_life),
    }  # fmt: skip
    for text in own or []:
        name, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"--set {text}: it must be NAME=VALUE.")
        found[name.strip()] = parse_value(value.strip())
    allow_local_modules(loss)
    allow_local_modules(kernel)
    return {name: value for name, value in found.items() if value is not None}


def parse_class_weight(text: str) -> str | dict[str, float]:
    """The weight of each label, or the name of a rule.

    >>> parse_class_weight("yes=5, no=1"), parse_class_weight("balanced")
    ({'yes': 5.0, 'no': 1.0}, 'balanced')
    """
    if "=" not in text:
        return text
    found = {}
    for part in commas(text):
        label, _, weight = part.rpartition("=")
        try:
            found[label.strip()] = float(weight)
        except ValueError:
            raise UsageError(f"--class-weight {text}: it must be balanced, or LABEL=NUMBER,LABEL=NUMBER.") from None
    return found


def settings(
    *, classes: str | None, class_weight: str | None = None, reading: dict[str, Any], **given: Any
) -> dict[str, Any]:
    """The fields of `Settings` that were given."""
    found = {name: value for name, value in given.items() if value not in (None, {})}
    if class_weight is not None:
        found["class_weight"] = parse_class_weight(class_weight)
    if classes is not None:
        found["classes"] = list(commas(classes))
    if reading:
        from ..readers import Options

        found["reading"] = Options(**reading)
    return found


def checked(given: dict[str, Any]) -> "Settings":
    """Settings with which a model can be made."""
    from ..pipeline import Settings
    from ..pipeline.settings import make_estimator

    try:
        settings = Settings(**given)
        make_estimator(settings)
    except ValueError as error:
        raise UsageError(str(error)) from None
    return settings


def option_names(given: dict[str, Any]) -> str:
    """Fields of `Settings` as the options that they came from.

    >>> option_names({"parameters": {"budget": 5}, "hashed": 7, "reading": None})
    '--budget, --hash and the input options'
    """
    special = {
        "hashed": "--hash", "deploy": "--deploy-size", "reading": "the input options", "class_weight": "--class-weight",
        "shuffle": "--shuffle or --in-order",
    }  # fmt: skip
    names = [special.get(name, f"--{name}") for name in given if name != "parameters"]
    names = [f"--{name.replace('_', '-')}" for name in given.get("parameters", {})] + names
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
