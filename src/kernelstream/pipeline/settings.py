"""The settings of a run, which are saved with the model, and the estimator they describe."""

from dataclasses import asdict, dataclass, field
from typing import Any

from ..core.precision import DEFAULT
from ..estimators import KernelClassifier, KernelRegressor
from ..estimators.deployment import Size
from ..estimators.resolution import chosen_recipe, parameters_of
from ..kernels import KERNELS
from ..losses import LOSSES
from ..prepare import MISSING_POLICIES, SCALINGS
from ..prepare.preparation import MAX_FEATURES
from ..readers import Options
from ..recipes import RECIPES
from ..saving.parameter_json import encode, mark_unknown_names

FIRST = 8192  # rows that determine scaling, classes and γ
TASKS = ("classification", "regression")
AUTOMATIC, BALANCED = "auto", "balanced"
Estimator = KernelClassifier | KernelRegressor
_OF_ESTIMATORS = ("kernel", "gamma", "loss", "lam", "budget")


@dataclass(frozen=True)
class Settings:
    """How to read, prepare and learn."""

    algorithm: str = "default"
    #: kernel, gamma, loss, lam, budget, half_life, and the recipe's own
    parameters: dict[str, Any] = field(default_factory=dict)
    task: str = "classification"
    classes: list[str] | None = None  #: None finds them in the first rows, or in all rows if `scan`
    scan: bool | None = None  #: read all data for labels before training; None does so if the data is small
    #: "auto" is "standard", but for a model that adapts to a stream: it scales inside
    scale: str = AUTOMATIC
    #: "balanced" weights classes by the inverse of their frequency so far; or the weight of each label, as text
    class_weight: str | dict[str, float] | None = None
    adapt: bool = True  #: mix several models, if nothing is said about the model (see `KernelClassifier`)
    deploy: str | None = None  #: the size of the exported model, which then determines the budget of a single model
    missing: str = "auto"
    hashed: int | None = None  #: columns that categorical values are hashed into; None gives each value its own
    first: int = FIRST  #: rows that determine scaling, classes and γ
    epochs: int = 1
    limit: int | None = None  #: rows per epoch at most
    shuffle: bool | None = None  #: None shuffles files (see `row_order`)
    #: fit all rows together instead of learning them as a stream; None does so if they are shuffled and in memory, and
    #: nothing is said about the model
    fit: bool | None = None
    #: share of the rows to judge the model by before they are learned last; None: 0.1 if rows are shuffled
    holdout: float | None = None
    seed: int = 0
    dtype: str = DEFAULT
    reading: Options = field(default_factory=Options)

    def __post_init__(self) -> None:
        for name, value, known in (
            ("task", self.task, TASKS), ("scale", self.scale, (AUTOMATIC, *SCALINGS)),
            ("missing", self.missing, MISSING_POLICIES),
        ):  # fmt: skip
            if value not in known:
                raise ValueError(f"{name} is {value!r}; use one of {', '.join(known)}.")
        if self.class_weight not in (None, BALANCED) and not isinstance(self.class_weight, dict):
            raise ValueError(
                f"class_weight is {self.class_weight!r}; use {BALANCED}, or a weight for each label, as in yes=2,no=1."
            )
        if self.class_weight is not None and self.task == "regression":
            raise ValueError("class_weight is for classification, and the task is regression. Leave it out.")
        if self.holdout is not None and not 0.0 <= self.holdout <= 0.5:
            raise ValueError(f"holdout is {self.holdout}; it must be a share of the rows from 0 to 0.5.")
        if not 0 <= self.seed < 2**32:
            raise ValueError(f"seed is {self.seed}; it must be an integer from 0 to 2³² − 1.")
        counts = {"first": self.first, "epochs": self.epochs, "limit": self.limit, "hash": self.hashed}
        for name, number in counts.items():
            if number is not None and number < 1:
                raise ValueError(f"{name} is {number}; it must be 1 or more.")
            most = MAX_FEATURES if name == "hash" else 2**63 - 1
            if number is not None and number > most:
                raise ValueError(f"{name} is too large; it must be at most {most:,}.")

    @property
    def metric(self) -> str:
        """The name of the metric of the task."""
        return "rmse" if self.task == "regression" else "accuracy"

    def as_dict(self) -> dict[str, Any]:
        """A dict that JSON can hold. It has no query: loading a model must not run one."""
        reading = self.reading._replace(query=None)._asdict()
        reading = {name: list(v) if isinstance(v, tuple) else v for name, v in reading.items()}
        return asdict(self) | {"reading": reading}

    @classmethod
    def from_dict(cls, saved: dict[str, Any]) -> "Settings":
        reading: dict[str, Any] = {n: tuple(v) if isinstance(v, list) else v for n, v in saved["reading"].items()}
        # a file is not trusted: nothing is imported for the names in it
        own = {"parameters": mark_unknown_names(saved["parameters"]), "reading": Options(**reading | {"query": None})}
        return cls(**mark_unknown_names(saved) | own)


def estimator_for(task: str) -> type[Estimator]:
    """The class of estimator for a task."""
    return KernelRegressor if task == "regression" else KernelClassifier


def make_estimator(settings: Settings) -> Estimator:
    """An unfitted estimator; a ValueError if its parameters are invalid.

    >>> make_estimator(Settings("bsgd", {"budget": 50, "maintenance": "project"})).algorithm.maintenance
    Project(choice=Smallest())
    """
    name, cls = settings.algorithm, estimator_for(settings.task)
    given = {key: value for key, value in settings.parameters.items() if value is not None}
    half_life = given.pop("half_life", None)
    _check_names(name, given)
    loss = cls.loss_named(name, given.get("loss"))
    if loss.target not in cls.target_kinds:
        what = f"The loss {given['loss']!r}" if "loss" in given else f"The recipe {name!r}"
        other = "regression" if loss.target == "values" else "classification"
        raise ValueError(f"{what} is for {other}: use --task {other}, or choose another.")
    common: dict[str, Any] = {key: given.pop(key, None) for key in _OF_ESTIMATORS}
    rest: dict[str, Any] = {"half_life": half_life, "dtype": settings.dtype, "random_state": settings.seed}
    rest |= {
        "adapt": settings.adapt and settings.deploy is None,
        "scale": None if settings.scale == "none" else AUTOMATIC,
    }
    # weights of labels are set when it is known whether labels are numbers
    rest |= {"class_weight": BALANCED} if settings.class_weight == BALANCED else {}
    named = common.pop("loss")
    try:
        recipe = chosen_recipe(name, loss, loss_given=named is not None, **common, **given)  # checks all values
    except TypeError as error:
        raise ValueError(f"{name}: {error}.") from None
    if isinstance(half_life, (int, float)):
        recipe.forgetting(half_life)  # or says why it cannot
    encode(recipe)  # what cannot be saved is refused before it is trained
    made = cls(recipe, **rest) if given else cls(name, loss=named, **common, **rest)
    _check_deploy(settings, made)
    made.resolve_recipe()
    _ = made.adapts  # or says why it cannot
    return made


def _check_deploy(settings: Settings, made: Estimator) -> None:
    """A ValueError if these settings make no model whose exported size can be limited."""
    if settings.deploy is None:
        return
    Size.parse(settings.deploy)
    if settings.parameters.get("budget") is not None:
        raise ValueError("The deployed size determines the number of support vectors: leave --budget out.")
    if "budget" not in parameters_of(settings.algorithm):
        raise ValueError(
            f"The recipe {settings.algorithm!r} has no budget, so that its deployed size cannot be limited."
        )
    if made.half_life == "auto":
        raise ValueError("A deployed size needs a single model, and --half-life auto mixes several: use a number.")


def _check_names(algorithm: str, given: dict[str, Any]) -> None:
    """A ValueError if a recipe, kernel or loss is unknown, or the recipe lacks one of the parameters."""
    RECIPES.find(algorithm)
    for registry, name in ((KERNELS, given.get("kernel")), (LOSSES, given.get("loss"))):
        if name is not None:
            registry.find(name)
    unknown = [key for key in given if not accepted(algorithm, {key: None})]
    if unknown:
        takes = ", ".join(parameters_of(algorithm))
        raise ValueError(f"The recipe {algorithm!r} has no parameter {unknown[0]}. Its parameters: {takes}.")


def accepted(algorithm: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """Those of the parameters that a recipe has; γ is a parameter of its kernel, if it has one."""
    takes = parameters_of(algorithm)
    return {n: v for n, v in parameters.items() if n in takes or (n == "gamma" and "kernel" in takes)}
