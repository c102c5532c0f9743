"""The classes that a file may name: those of the library, all of them, and no others."""

import importlib
import pkgutil

import kernelstream
from kernelstream.core.strategy import Strategy
from kernelstream.saving.parameter_json import registry


def test_it_has_every_strategy_of_the_library_under_its_own_name():
    found = {}
    for module in pkgutil.walk_packages(kernelstream.__path__, "kernelstream."):
        if module.name.rpartition(".")[2] == "__main__":
            continue
        home = importlib.import_module(module.name)
        for value in vars(home).values():
            if isinstance(value, type) and issubclass(value, Strategy) and value.__module__ == module.name:
                assert found.setdefault(value.__name__, value) is value, "two strategies have one name"
    del found["Strategy"]
    assert registry() == found
    assert len(found) > 80
