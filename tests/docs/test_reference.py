"""The reference has every public name, and every public name has a docstring that suffices to use it."""

import dataclasses
import importlib
import inspect
import re

import pytest

import kernelstream
from kernelstream.core.strategy import Strategy
from tests.docs import DOCS

pytest.importorskip("river")
pytest.importorskip("dask")
pytest.importorskip("fastapi")

PACKAGES = [
    "kernelstream",
    *(f"kernelstream.{name}" for name in kernelstream.__all__ if inspect.ismodule(getattr(kernelstream, name))),
    "kernelstream.export.c",
    "kernelstream.export.onnx",
    "kernelstream.serve.connectors",
]
MAIN = [
    "kernelstream.KernelClassifier",
    "kernelstream.KernelRegressor",
    "kernelstream.river.KernelClassifier",
    "kernelstream.river.KernelRegressor",
    "kernelstream.StreamPipeline",
    "kernelstream.Recipe",
    "kernelstream.Model",
    "kernelstream.merge",
    "kernelstream.save",
    "kernelstream.load",
    "kernelstream.feature_relevance",
    "kernelstream.evaluate.progressive",
    *(f"kernelstream.recipes.{name}" for name in kernelstream.recipes.RECIPES),
]
# A docstring starts in its first line here, and a sentence may be a noun phrase: the rest of numpydoc's rules.
CHECKS = {
    "GL06", "GL07", "GL08", "SS01", "SS03", "PR01", "PR02", "PR03", "PR04", "PR07", "PR10", "YD01", "EX01", "SA01",
}  # fmt: skip


def listed():
    """The names on the pages of the reference: those of summaries, and of descriptions written there."""
    found = set()
    for page in (DOCS / "reference").glob("*.rst"):
        text = page.read_text(encoding="utf-8")
        package = re.search(r"^\.\. currentmodule:: (\S+)$", text, re.MULTILINE)[1]
        for block in re.findall(r"^\.\. autosummary::\n(?:   :.*\n)*\n((?:   \w+\n)+)", text, re.MULTILINE):
            found |= {f"{package}.{name}" for name in block.split()}
        for name in re.findall(r"^\.\. (?:data|function):: (\w+)(?:\(.*\))?\n\n   \S", text, re.MULTILINE):
            found.add(f"{package}.{name}")
    return found


def value(path):
    package, _, name = path.rpartition(".")
    return getattr(importlib.import_module(package), name)


def public():
    """Public names that are no packages."""
    names = [f"{package}.{name}" for package in PACKAGES for name in importlib.import_module(package).__all__]
    return [name for name in names if not inspect.ismodule(value(name))]


def test_every_public_name_has_a_page():
    on_pages = listed()
    same = {id(value(name)) for name in on_pages if inspect.isclass(value(name)) or inspect.isfunction(value(name))}
    assert [name for name in public() if name not in on_pages and id(value(name)) not in same] == []


def test_pages_name_nothing_that_is_not_public():
    assert sorted(listed() - set(public())) == []


def test_every_package_has_a_page_in_the_contents():
    pages = {page.stem for page in (DOCS / "reference").glob("*.rst")}
    contents = set(re.findall(r"^(\w+)$", (DOCS / "reference" / "index.md").read_text(encoding="utf-8"), re.MULTILINE))
    assert pages | {"command_line"} == contents
    wanted = {package.partition(".")[2].replace(".", "_") or "main" for package in PACKAGES}
    assert wanted == pages


def test_every_public_name_has_a_docstring():
    described = [name for name in public() if inspect.isclass(value(name)) or inspect.isfunction(value(name))]
    generic = re.compile(r"\w+\(.*\)$")  # what a NamedTuple and a dataclass have by themselves
    docs = {name: inspect.getdoc(value(name)) if value(name).__doc__ else None for name in described}
    assert [name for name, text in docs.items() if not text or generic.fullmatch(text)] == []


@pytest.mark.parametrize("name", MAIN)
def test_the_docstring_says_what_is_needed(name):
    """Every parameter with its type and meaning, an example, and where to look next."""
    numpydoc = pytest.importorskip("numpydoc.validate")

    errors = numpydoc.validate(numpydoc.get_doc_object(value(name)))["errors"]
    assert [f"{code} {text}" for code, text in errors if code in CHECKS] == []


def has_fields(thing):
    """Whether a class is a value whose fields are described one by one in its source, which pages list."""
    return dataclasses.is_dataclass(thing) or (issubclass(thing, tuple) and not issubclass(thing, Strategy))


def test_every_parameter_is_described():
    """Of every public function, and of every class that is made by calling it."""
    numpydoc = pytest.importorskip("numpydoc.validate")
    wrong = {}
    for name in public():
        thing = value(name)
        if inspect.isclass(thing):
            if has_fields(thing) or inspect.isabstract(thing) or issubclass(thing, Exception):
                continue
            if "*args" in str(inspect.signature(thing)):  # bases and protocols
                continue
        elif not inspect.isfunction(thing):
            continue
        errors = numpydoc.validate(numpydoc.get_doc_object(thing))["errors"]
        found = [text for code, text in errors if code in ("PR01", "PR02", "PR07")]
        if found:
            wrong[name] = found
    assert wrong == {}


@pytest.mark.parametrize("name", ["KernelClassifier", "KernelRegressor"])
def test_help_has_every_default(name):
    """Those of the signature, beside the type of each parameter."""
    estimator = getattr(kernelstream, name)
    lines = inspect.getdoc(estimator).splitlines()
    for parameter in inspect.signature(estimator).parameters.values():
        default = f'"{parameter.default}"' if isinstance(parameter.default, str) else repr(parameter.default)
        (described,) = [line for line in lines if line.startswith(f"{parameter.name} : ")]
        assert described.endswith(f", default {default}")


def test_strategies_show_their_parameters():
    from kernelstream.kernels import Gaussian
    from kernelstream.steps import InverseTime

    assert str(inspect.signature(Gaussian)) == "(gamma=1.0)"
    assert list(inspect.signature(InverseTime).parameters) == list(InverseTime._fields)
    required = kernelstream.recipe.Composition
    assert inspect.signature(required).parameters["kernel"].default is inspect.Parameter.empty
