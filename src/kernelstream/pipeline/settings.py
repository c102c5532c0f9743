"""What a user chose, kept with the model."""

from dataclasses import asdict, dataclass, field
from typing import Any

from ..prepare import MISSING_POLICIES, SCALINGS
from ..readers import Options

FIRST = 8192  # rows that decide scaling, classes and γ
TASKS = ("classification", "regression")


@dataclass(frozen=True)
class Settings:
    """How to read, prepare and learn."""

    algorithm: str = "default"
    parameters: dict[str, Any] = field(default_factory=dict)  #: kernel, gamma, loss, lam, budget, and the recipe's own
    task: str = "classification"
    classes: list[str] | None = None  #: None takes them from the first rows, or from all
    scan: bool | None = None  #: look through all data for labels first; None where that is quick
    scale: str = "standard"
    missing: str = "refuse"
    hashed: int | None = None  #: columns that words share; None gives each value its own
    first: int = FIRST
    epochs: int = 1
    limit: int | None = None  #: rows of every pass
    seed: int = 0
    dtype: str = "float32"
    reading: Options = field(default_factory=Options)

    def __post_init__(self) -> None:
        for name, value, known in (
            ("task", self.task, TASKS), ("scale", self.scale, SCALINGS), ("missing", self.missing, MISSING_POLICIES),
        ):  # fmt: skip
            if value not in known:
                raise ValueError(f"{name} is {value!r}; use one of {', '.join(known)}.")
        if not 0 <= self.seed < 2**32:
            raise ValueError(f"seed is {self.seed}; it must be a whole number from 0 to 2³² − 1.")
        counts = {"first": self.first, "epochs": self.epochs, "limit": self.limit, "hash": self.hashed}
        for name, number in counts.items():
            if number is not None and number < 1:
                raise ValueError(f"{name} is {number}; it must be 1 or more.")

    def as_dict(self) -> dict[str, Any]:
        """As JSON takes it."""
        reading = {name: list(v) if isinstance(v, tuple) else v for name, v in self.reading._asdict().items()}
        return asdict(self) | {"reading": reading}

    @classmethod
    def from_dict(cls, saved: dict[str, Any]) -> "Settings":
        reading: dict[str, Any] = {n: tuple(v) if isinstance(v, list) else v for n, v in saved["reading"].items()}
        return cls(**saved | {"reading": Options(**reading)})
