"""Registries of recipes, kernels and losses by name: built-in ones and those that users add."""

import importlib
from typing import Any, TypeVar

from .strategy import Strategy

T = TypeVar("T")

# Users' strategy classes that model files may contain, by module and name; built-in ones need no entry.
USER_STRATEGIES: dict[str, type[Strategy]] = {}


class NameFromFile(str):
    """A name that a model file gives. Files are not trusted: it is looked up, but nothing is imported for it."""

    __slots__ = ()


class Registry(dict[str, T]):
    """Values by name; `what` is the word for one of them in messages."""

    def __init__(self, what: str, members: dict[str, T]) -> None:
        super().__init__(members)
        self.what = what

    def register(self, name: str, value: T) -> T:
        """Add a value of your own under a new name, which estimators, commands and model files then accept."""
        if not isinstance(name, str) or not name or (name in self and self[name] is not value):
            raise ValueError(f"register: {name!r} is taken, or not a name. Choose another for this {self.what}.")
        if isinstance(value, Strategy):
            register_strategy(type(value))
        self[name] = value
        return value

    def find(self, name: str) -> T:
        """The value of a name. `module:name` imports a user's own and registers it."""
        if name in self:
            return self[name]
        if isinstance(name, NameFromFile):
            raise ValueError(
                f"the {self.what} {name!r} comes from a model file and is not registered in this process, so it is not "
                f"imported. If you trust it, set it yourself: set_params(…={str(name)!r})."
            )
        module, colon, attribute = name.partition(":")
        if not colon:
            raise ValueError(
                f"unknown {self.what} {name!r}. Available: {', '.join(self)}; or module:name for one of your own."
            )
        try:
            found: Any = getattr(importlib.import_module(module), attribute)
        except (ImportError, AttributeError) as error:
            raise ValueError(f"{self.what} {name!r} cannot be imported: {error}.") from None
        return self.register(name, found)

    def knows(self, name: object) -> bool:
        """Whether `find` may succeed: a name in the registry, or module:name."""
        return isinstance(name, str) and (name in self or ":" in name)


def register_strategy(cls: type[Strategy]) -> type[Strategy]:
    """Allow model files to contain a strategy class of your own. Whoever loads such a file registers the class first.

    Can be used as a decorator above `@strategy`. A class of the library needs no registration.
    """
    USER_STRATEGIES[strategy_name(cls)] = cls
    return cls


def strategy_name(cls: type[Strategy]) -> str:
    """The name of a user's strategy class in model files."""
    return f"{cls.__module__}:{cls.__qualname__}"
