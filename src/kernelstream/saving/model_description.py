"""What the header of a model file says about it."""

from dataclasses import asdict, dataclass
from typing import Any

from ..recipe import Composition, Recipe
from .parameter_json import decode, decode_labels, decode_parameters, encode


@dataclass(frozen=True)
class Description:
    """The contents of a model file, without its arrays."""

    kind: str  #: "model", "classifier" or "regressor"
    recipe: Composition | Recipe  #: every strategy with its parameters, all resolved but for a mixture of models
    features: int
    outputs: int
    dtype: str
    half: bool  #: whether the file has only the function, in half precision
    examples: int
    updates: int
    support_vectors: int
    random_state: int  #: of the random generator, 64 bits
    parameters: dict[str, Any] | None  #: of the estimator
    classes: list[Any] | None
    feature_names: list[str] | None
    extra: dict[str, Any]  #: given to `save`
    version: str  #: of the library that wrote it
    schema: int

    def to_dict(self) -> dict[str, Any]:
        """A dict that JSON can hold, with strategies by name."""
        parameters = self.parameters and {name: encode(value) for name, value in self.parameters.items()}
        return asdict(self) | {"recipe": encode(self.recipe), "parameters": parameters}


def described(header: dict[str, Any]) -> Description:
    """The description from a header."""
    estimator, dims, recipe = header["estimator"], header["dims"], decode(header["recipe"])
    attributes = estimator["attributes"] if estimator else {}
    if not isinstance(recipe, Composition | Recipe):
        raise ValueError(f"{recipe!r} is not a recipe")

    def listed(name: str) -> list[Any] | None:
        return decode_labels(attributes[name]).tolist() if name in attributes else None

    return Description(
        kind=str(header["kind"]),
        recipe=recipe,
        features=int(dims["features"]),
        outputs=int(dims["outputs"]),
        dtype=str(dims["dtype"]),
        half=bool(header["half"]),
        **{name: int(header["counters"][name]) for name in ("examples", "updates", "support_vectors", "random_state")},
        parameters=decode_parameters(estimator["parameters"]) if estimator else None,
        classes=listed("classes_"),
        feature_names=listed("feature_names_in_"),
        extra=dict(header["extra"]),
        version=str(header["version"]),
        schema=int(header["schema"]),
    )
