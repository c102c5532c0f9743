"""The pages: their code is run, and they use the words of the field."""

import os
import re
import subprocess
import sys

import pytest

from tests.docs import DOCS, ROOT, pages

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Blocks that are no doctests, and what runs them instead.
RUN_ELSEWHERE = {
    "README.md": "tests/river/test_river_company.py",
    "docs/distributed.md": "tests/distributed",
    "docs/serving.md": "tests/client",
}
# STYLE: words that only we would understand, and what the field says.
WORDS = {
    r"% right\b": "accuracy",
    r"\bright when said\b": "precision",
    r"\bcolumns of words\b": "categorical columns",
    r"\bcoins?\b": "random seed",
    r"\ball there\b": "in memory",
    r"\bin many places\b": "distributed",
    r"\bpast what you allow\b": "within a memory budget you set",
    r"\bparts columns\b": "column separator",
    r"\blet words share\b": "hash categorical values",
    r"\b(it|this|that) is ours\b": "original to this library",
    r"\bmeans another one\b": "gives a different …",
    r"\bthere is no recipe\b": "unknown recipe",
    r"\b(desk|attic)\b": "workspace, retired",
    r"\bsklearn\b": "scikit-learn",
    r"\bone hot\b": "one-hot",
    r"\b[Rr]iver ml\b": "River",
    r"\bNystrom\b": "Nyström",
    r"\b(regular|standard|normal|optim|minim|maxim)iz(e[ds]?|ing|ation)\b": "the spelling -ise",
    r"\b(color|behavior|center)(s|ed)?\b": "colour, behaviour, centre",
    r"\bhyper-parameter": "hyperparameter",
    r"\bdata-?set\b": "data set",
}
OLD_NAMES = re.compile(r"`(Model\.begin|Trained|Free\(\)|average=|\w+\.(finish|grown|widen|share)\(\))`")


def blocks(page):
    return FENCE.findall(page.read_text(encoding="utf-8"))


def prose(page):
    """A page without code, links and names of files."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    text = re.sub(r"^```\{.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`]*`|\]\([^)]*\)|\{doc\}", "", text)


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_python_code_is_a_doctest(page):
    plain = [code for language, code in blocks(page) if language == "python" and not code.startswith(">>>")]
    assert not plain or str(page.relative_to(ROOT)) in RUN_ELSEWHERE


def test_what_runs_other_blocks_exists():
    assert [path for path in RUN_ELSEWHERE.values() if not (ROOT / path).exists()] == []


def test_doctests_end_with_an_empty_line():
    """Otherwise the fence would be part of the expected output, and pytest would say so less clearly."""
    wrong = [
        f"{page.name}: {code[-60:]}"
        for page in pages()
        for language, code in blocks(page)
        if language == "python" and code.startswith(">>>") and not code.endswith("\n\n")
    ]
    assert wrong == []


@pytest.mark.slow
def test_the_commands_of_the_first_session_work(tmp_path):
    """Every line of the shell on the page, in one folder."""
    pytest.importorskip("typer")
    page = DOCS / "start" / "command_line.md"
    commands = [code for language, code in blocks(page) if language == "shell"]
    assert len(commands) >= 3
    folder = tmp_path / "bin"
    folder.mkdir()
    for name, module in (("kernelstream", "-m kernelstream"), ("python", "")):
        (folder / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {module} "$@"\n')
        (folder / name).chmod(0o755)
    environment = os.environ | {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    for code in commands:
        done = subprocess.run(["sh", "-e", "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    written = (tmp_path / "predictions.csv").read_text().splitlines()
    assert len(written) == 20_001 and len(written[0].split(",")) == 3


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_words_are_those_of_the_field(page):
    text = prose(page)
    wrong = [f"{found[0]!r}: write {better}" for word, better in WORDS.items() for found in re.finditer(word, text)]
    wrong += [f"{found[0]}: an old name" for found in OLD_NAMES.finditer(page.read_text(encoding="utf-8"))]
    assert wrong == []


def test_every_page_is_in_the_contents():
    """A page that no toctree names cannot be found; a pattern names all pages of its folder."""
    found = set()
    for page in pages()[1:]:
        for tree in re.findall(r"```\{toctree\}\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
            for line in tree.splitlines():
                entry = re.sub(r".*<(.*)>", r"\1", line.strip())
                if not entry or entry.startswith(":"):
                    continue
                folder = DOCS if entry.startswith("/") else page.parent
                found |= set(folder.glob(f"{entry.lstrip('/')}.md"))
    assert sorted(set(pages()[1:]) - found - {DOCS / "index.md"}) == []
