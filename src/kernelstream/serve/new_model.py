"""What may be asked of a new model."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class NewModel(BaseModel):
    """A model to create; what is not given is chosen as `kernelstream train` does."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(max_length=64)
    target: str = Field(max_length=1000, min_length=1)
    task: Literal["classification", "regression"] = "classification"
    columns: dict[str, Literal["number", "category", "date"]] | None = None
    classes: list[str | int | float] | None = Field(default=None, min_length=2, max_length=1000)
    weight: str | None = Field(default=None, max_length=1000, min_length=1)
    algorithm: str | None = Field(default=None, max_length=100)
    budget: int | None = Field(default=None, ge=1, le=100_000)
    gamma: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    lam: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    half_life: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    adapt: bool = True
    missing: Literal["auto", "refuse", "mean", "zero"] = "auto"
    class_weight: Literal["balanced"] | None = None
    seed: int = Field(default=0, ge=0, lt=2**32)
    metrics: bool = True
    first_rows: int = Field(default=256, ge=16, le=32_768)
