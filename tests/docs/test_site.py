"""The site builds without a warning, without the network, and can be searched."""

import re
import shutil
import subprocess
import sys

import pytest

from tests.docs import ROOT

pytestmark = pytest.mark.slow
SPHINX = pytest.importorskip("sphinx")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Built from a copy, so that nothing is written beside the pages; no example of the gallery is run."""
    for package in (
        "pydata_sphinx_theme",
        "numpydoc",
        "sphinx_gallery",
        "myst_parser",
        "sphinx_design",
        "river",
        "dask",
    ):
        pytest.importorskip(package)
    copy = tmp_path_factory.mktemp("site")
    built = shutil.ignore_patterns("_build", "gallery", "generated", "__pycache__")
    for folder in ("docs", "examples", "src/kernelstream/recipes"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=built)
    for name in ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "CITATION.cff", "LICENSE"):
        shutil.copy(ROOT / name, copy / name)
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-q", "-W", "--keep-going"]
    command += ["-D", "sphinx_gallery_conf.plot_gallery=0"]
    done = subprocess.run([*command, "docs", "html"], cwd=copy, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-5000:]
    return copy / "html"


def test_the_search_finds_words(site):
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    terms = re.search(r'"terms":\s*\{(.*?)\},\s*"titles"', index, re.DOTALL)[1]
    for word in ("rbf", "class_weight", "drift", "kafka", "onnx", "bsgd"):
        assert re.search(rf'["{{,]{word}"?:', "{" + terms), word


def test_pages_fetch_nothing_from_elsewhere(site):
    """Scripts, styles, fonts and pictures are files of the site."""
    fetched = re.compile(r"<(?:script|img|source|iframe)[^>]+src=\"(?:https?:)?//|<link[^>]+href=\"(?:https?:)?//")
    pages = list(site.rglob("*.html"))
    assert len(pages) > 250
    assert [page.name for page in pages if fetched.search(page.read_text(encoding="utf-8"))] == []
    elsewhere = re.compile(r"url\(['\"]?(?:https?:)?//")
    assert [style.name for style in site.rglob("*.css") if elsewhere.search(style.read_text(encoding="utf-8"))] == []


def test_links_inside_lead_somewhere(site):
    """Pages and anchors; what Sphinx itself writes into menus included."""
    anchors = {}

    def known(page):
        if page not in anchors:
            anchors[page] = set(re.findall(r'\bid="([^"]+)"', page.read_text(encoding="utf-8")))
        return anchors[page]

    broken = set()
    for page in site.rglob("*.html"):
        if page.name in ("genindex.html", "search.html"):
            continue
        for link in set(re.findall(r'<a[^>]+href="([^"]+)"', page.read_text(encoding="utf-8"))):
            if re.match(r"[a-z]+:", link):
                continue
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            lost = anchor and target.suffix == ".html" and target.exists() and anchor not in known(target)
            if lost or not target.exists():
                broken.add(f"{page.name}: {link}")
    assert sorted(broken)[:20] == []
