"""The documentation: complete, run, and in the words of the field."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def pages():
    """The written Markdown pages: README.md and those of the site, without reports and what a build has added."""
    made = {DOCS / name for name in ("_build", "gallery", "results/records")}
    found = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
    return [page for page in found if not made.intersection(page.parents)]
