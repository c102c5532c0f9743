"""The examples of the gallery: the site's build runs them; here they are read, and what they import must exist."""

import ast
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").rglob("*.py"))
IDS = [path.stem for path in EXAMPLES]


def test_there_are_enough():
    assert len(EXAMPLES) >= 12
    assert all(path.stem.startswith("plot_") for path in EXAMPLES)


@pytest.mark.parametrize("path", EXAMPLES, ids=IDS)
def test_an_example_is_short_titled_and_in_the_common_style(path):
    text = path.read_text(encoding="utf-8")
    title, underline, *rest = ast.get_docstring(ast.parse(text)).splitlines()
    assert len(underline) == len(title) and set(underline) == {"="}
    assert len(" ".join(rest).split()) >= 40  # says what one sees and why it matters
    assert len(text.splitlines()) < 64
    assert text.count('plt.style.use("kernelstream.plot.gallery")') == 1
    assert "title" in text and text.rstrip().endswith("plt.show()")


@pytest.mark.parametrize("path", EXAMPLES, ids=IDS)
def test_what_an_example_imports_exists(path):
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            module = pytest.importorskip(node.module) if node.module.partition(".")[0] == "river" else None
            module = module or importlib.import_module(node.module)
            for name in node.names:
                assert hasattr(module, name.name) or importlib.import_module(f"{node.module}.{name.name}")


def test_figures_are_seven_inches_wide():
    """700 pixels at 100 dots per inch: legible where they are shown without being scaled."""
    style = (ROOT / "src" / "kernelstream" / "plot" / "gallery.mplstyle").read_text()
    assert "figure.figsize: 7, 4" in style and "figure.dpi: 100" in style
    for path in EXAMPLES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.keyword) and node.arg == "figsize":
                assert ast.literal_eval(node.value)[0] == 7, path.name


def test_every_page_of_extend_shows_the_file_that_it_runs():
    """The pages themselves are doctests."""
    folder = ROOT / "docs" / "extend"
    files = {path.stem.removeprefix("my_") for path in (folder / "code").glob("*.py")}
    assert files == {path.stem for path in folder.glob("*.md")} - {"index"}
    for name in files:
        text = (folder / f"{name}.md").read_text(encoding="utf-8")
        assert f"{{literalinclude}} code/my_{name}.py" in text and f"my_{name}" in text.partition(">>>")[2]
