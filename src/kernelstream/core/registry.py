"""Registries of recipes, kernels and losses by name: built-in ones and those that users add."""

import importlib
from collections.abc import Callable
from types import ModuleType
from typing import Any, TypeVar

from .strategy import Strategy

T = TypeVar("T")

# Users' strategy classes that model files may contain, by module and name; built-in ones need no entry.
USER_STRATEGIES: dict[str, type[Strategy]] = {}


class NameFromFile(str):
    """The name of a recipe, kernel or loss in a model file. Files are not trusted: nothing is imported for it."""

    __slots__ = ()


class Registry(dict[str, T]):
    """Values by name; `what` is the word for one of them in messages.

    `check` is called with what users register and returns it, perhaps wrapped, or raises a ValueError.
    """

    def __init__(self, what: str, members: dict[str, T], check: Callable[[Any], T]) -> None:
        super().__init__(members)
        self.what, self.check = what, check

    def register(self, name: str, value: Any) -> T:
        """Add a value of your own under a new name, which estimators, commands and model files then accept."""
        if not isinstance(name, str) or not name:
            raise ValueError(f"register: the name of a {self.what} must be a string, not {name!r}.")
        checked = self.check(value)
        if name in self and self[name] != checked:
            raise ValueError(f"register: there is a {self.what} {name!r} already. Choose another name.")
        if isinstance(checked, Strategy):
            register_strategy(type(checked))
        self[name] = checked
        return checked

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
            found: Any = getattr(register_module(module), attribute)
        except (ImportError, AttributeError) as error:
            raise ValueError(f"{self.what} {name!r} cannot be imported: {error}.") from None
        return self.register(name, found)

    def knows(self, name: object) -> bool:
        """Whether `find` may succeed: a name in the registry, or module:name. A model that was loaded is already made,
        so the name in its file need not be known."""
        return isinstance(name, NameFromFile) or (isinstance(name, str) and (name in self or ":" in name))


def register_strategy(cls: type[Strategy]) -> type[Strategy]:
    """Allow model files to contain a strategy class of your own. Whoever loads such a file registers the class first.

    Can be used as a decorator above `@strategy`. A class of the library needs no registration.
    """
    USER_STRATEGIES[strategy_name(cls)] = cls
    return cls


def register_module(name: str) -> ModuleType:
    """Import a module of your own and register all strategy classes that it defines.

    Parameters
    ----------
    name : str
        The name of the module, as it is imported.
    """
    module = importlib.import_module(name)
    for cls in list(vars(module).values()):
        if isinstance(cls, type) and issubclass(cls, Strategy) and cls.__module__ == module.__name__:
            register_strategy(cls)
    return module


def strategy_name(cls: type[Strategy]) -> str:
    """The name of a user's strategy class in model files."""
    source = getattr(cls, "function", cls)  # a kernel made of a function is known by that function
    return f"{source.__module__}:{source.__qualname__}"
