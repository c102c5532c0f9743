"""What is published: archives that are complete, links and citations that hold, settings that agree."""

import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

import kernelstream

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
README = (ROOT / "README.md").read_text(encoding="utf-8")
LINK = re.compile(r"\]\(([^)\s]+)\)")
ABSOLUTE = ("https://", "http://", "mailto:")


def tracked():
    """The files of the repository, without what only its own CI reads."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a checkout")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return {name for name in listed.split("\0") if name and (ROOT / name).exists() and not name.startswith(".ci/")}


def anchors(markdown):
    """The anchors of a page's headings, as the usual renderers make them."""
    headings = re.findall(r"^#+ (.+)$", re.sub(r"```.*?```", "", markdown, flags=re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def pages():
    """The written pages, without what a build of the site has added."""
    built = {ROOT / "docs" / name for name in ("_build", "gallery")}
    found = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    return [page for page in found if not built.intersection(page.parents)]


def field(name):
    """A field of CITATION.cff."""
    return re.search(rf"^{name}: (.+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)[1]


def test_the_source_archive_has_every_tracked_file(tmp_path):
    sdist = pytest.importorskip("hatchling.builders.sdist")
    expected = tracked()
    (archive,) = sdist.SdistBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    with tarfile.open(archive) as files:
        found = {name.partition("/")[2] for name in files.getnames()}
    assert expected - found == set()


def test_every_path_in_the_source_archive_exists():
    include = PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    assert [path for path in include if not (ROOT / path.lstrip("/")).exists()] == []


def test_the_wheel_has_the_package_alone(tmp_path, monkeypatch):
    wheel = pytest.importorskip("hatchling.builders.wheel")
    monkeypatch.delenv("KERNELSTREAM_COMPILED", raising=False)
    (archive,) = wheel.WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    with zipfile.ZipFile(archive) as files:
        found = set(files.namelist())
        metadata = files.read(next(name for name in found if name.endswith(".dist-info/METADATA"))).decode()
    package = {path.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src").rglob("*") if path.is_file()}
    kinds = (".py", ".toml", "/py.typed", ".html", ".css", ".js", ".svg", ".mplstyle")
    package = {name for name in package if name.endswith(kinds)}
    assert {"kernelstream/py.typed", "kernelstream/serve/page/index.html"} <= package
    assert sum(name.endswith(".toml") for name in package) >= 13
    assert {name for name in found if ".dist-info/" not in name} == package
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in found)
    assert README.strip() in metadata


def test_a_wheel_with_compiled_code_is_for_one_platform(tmp_path, monkeypatch):
    wheel = pytest.importorskip("hatchling.builders.wheel")
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "manifest.json").write_text("{}")
    (tmp_path / "code" / "learn_many.nbc").write_bytes(b"machine code")
    monkeypatch.setenv("KERNELSTREAM_COMPILED", str(tmp_path / "code"))
    (archive,) = wheel.WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    with zipfile.ZipFile(archive) as files:
        found = {name for name in files.namelist() if name.startswith("kernelstream/compiled/")}
        about = files.read(next(name for name in files.namelist() if name.endswith(".dist-info/WHEEL"))).decode()
    assert found == {"kernelstream/compiled/manifest.json", "kernelstream/compiled/learn_many.nbc"}
    assert "Root-Is-Purelib: false" in about
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert f"-{python}-{python}-" in Path(archive).name and "-any" not in Path(archive).name


def test_the_readme_is_short_and_leads_to_every_section_of_the_site():
    assert len(README.splitlines()) <= 120
    sections = {path.parent.name for path in (ROOT / "docs").glob("*/index.md")} - {"reference"}  # built, not written
    assert sections <= {link.split("/")[1] for link in LINK.findall(README) if link.startswith("docs/")}


def test_files_that_pages_name_exist():
    named = re.compile(r"`((?:docs|tests|tools|benchmarks)/[\w./-]*|[A-Z]+\.(?:md|cff))`")
    paths = {path for page in pages() for path in named.findall(page.read_text(encoding="utf-8"))}
    paths = {path for path in paths if not path.startswith("docs/_build")}  # made by `make docs`
    assert len(paths) >= 5
    assert [path for path in sorted(paths) if not (ROOT / path).exists()] == []


def test_relative_links_of_the_documentation_exist():
    broken = []
    for page in pages():
        text = page.read_text(encoding="utf-8")
        for link in LINK.findall(text):
            target, _, anchor = link.partition("#")
            if link.startswith(ABSOLUTE):
                continue
            other = page.parent / target if target else page
            if not other.exists() or (anchor and anchor not in anchors(other.read_text(encoding="utf-8"))):
                broken.append(f"{page.relative_to(ROOT)}: {link}")
    assert broken == []


def test_the_version_is_one():
    assert field("version") == kernelstream.__version__
    entry = re.search(r"@software\{.*?\n\}", (ROOT / "docs" / "cite.md").read_text(encoding="utf-8"), re.DOTALL)[0]
    assert f"version = {{{kernelstream.__version__}}}" in entry
    assert f"year = {{{field('date-released')[:4]}}}" in entry
    assert field("abstract") == PROJECT["project"]["description"]


def test_supported_versions_are_those_of_the_metadata():
    policy = (ROOT / "docs" / "design" / "policy.md").read_text(encoding="utf-8")
    project = PROJECT["project"]
    found = re.search(r"\| Python \| 3\.(\d+) to 3\.(\d+) \|", policy)
    minors = [int(c.rpartition(".")[2]) for c in project["classifiers"] if re.search(r":: 3\.\d+$", c)]
    assert list(range(int(found[1]), int(found[2]) + 1)) == minors
    assert project["requires-python"] == f">=3.{minors[0]}"
    table = {name.lower(): low for name, low in re.findall(r"\| ([\w-]+) \| ([\d.]+) or newer \|", policy)}
    assert table == dict(dep.split(">=") for dep in project["dependencies"] if not dep.startswith("numba"))


def test_the_range_of_numba_is_the_one_that_is_checked():
    versions = pytest.importorskip("kernelstream.core.numba.versions")
    low, high = versions.OLDEST, versions.NEWEST
    policy = (ROOT / "docs" / "design" / "policy.md").read_text(encoding="utf-8")
    assert f"numba>={low[0]}.{low[1]},<{high[0]}.{high[1] + 1}" in PROJECT["project"]["dependencies"]
    assert f"| numba | {low[0]}.{low[1]} to {high[0]}.{high[1]} |" in policy


def test_the_editor_and_the_formatter_agree():
    editor = (ROOT / ".editorconfig").read_text(encoding="utf-8")
    ruff = PROJECT["tool"]["ruff"]
    assert f"max_line_length = {ruff['line-length']}\n" in editor
    assert f"end_of_line = {ruff['format']['line-ending']}\n" in editor


def test_the_hooks_before_a_commit_are_those_of_make_lint():
    def commands(text, pattern):
        options = {".", "--check", "--force-exclude"}
        return [[word for word in line.split() if word not in options] for line in re.findall(pattern, text)]

    recipe = re.search(r"^lint:.*\n((?:\t.+\n)+)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)[1]
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    assert commands(hooks, r"entry: \.venv/bin/(.+)") == commands(recipe, r"\$\(BIN\)/(.+)")
