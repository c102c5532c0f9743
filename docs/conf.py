"""The documentation site: `make docs` builds it, with warnings as errors and without the network."""

import os
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "_ext"), str(HERE.parent / "src")]

# The gallery draws into files, and compiled code comes from the cache of `make`, if there is one.
os.environ.setdefault("MPLBACKEND", "agg")
os.environ.setdefault("KERNELSTREAM_QUIET", "1")

import kernelstream  # noqa: E402

project = "kernelstream"
author = "The kernelstream developers"
copyright = "2026, the kernelstream developers"
release = kernelstream.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "myst_parser",
    "sphinx_design",
    "sphinx_copybutton",
    "sphinx_gallery.gen_gallery",
    "mathml",
    "command_options",
    "docstrings",
    "trimmed_code",
]
exclude_patterns = ["_build", "_ext", "results/records", "**/.ipynb_checkpoints"]
templates_path = ["_templates"]
suppress_warnings = [
    "config.cache",  # what is in sphinx_gallery_conf cannot be pickled; nothing is lost
]
if any(
    "plot_gallery=0" in argument for argument in sys.argv
):  # the pages of algorithms show figures of the gallery, which are not drawn then
    suppress_warnings.append("image.not_readable")
nitpicky = False
smartquotes = False  # "rbf" and --fit are typed as they stand

# Markdown
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath", "attrs_inline", "attrs_block"]
myst_heading_anchors = 4

# Reference
autosummary_generate = True
autosummary_imported_members = False
autodoc_typehints = "none"  # the docstrings say it
autodoc_inherit_docstrings = False
# On systems that do not tell capitals from small letters, these would be the pages of Kernel and Strategy.
autosummary_filename_map = {
    "kernelstream.kernels.kernel": "kernelstream.kernels.kernel_decorator",
    "kernelstream.strategy": "kernelstream.strategy_decorator",
}
default_role = "py:obj"  # a link where there is a page, code otherwise
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False
numpydoc_xref_param_type = False

# Formulas, without a script from elsewhere
html_math_renderer = "mathml"

# Gallery: examples/*.py, run at build time
sphinx_gallery_conf = {
    "examples_dirs": ["../examples"],
    "gallery_dirs": ["gallery"],
    "filename_pattern": r"\.py$",
    "ignore_pattern": r"__init__\.py|conftest\.py",
    "within_subsection_order": "FileNameSortKey",
    "download_all_examples": False,
    "remove_config_comments": True,
    "show_signature": False,
    "min_reported_time": 5,
    "write_computation_times": False,  # that page fetches scripts from elsewhere
    "image_scrapers": ("matplotlib",),
    "abort_on_example_error": False,
    "plot_gallery": True,
    "matplotlib_animations": False,
}

# Theme: everything is in the site itself
html_theme = "pydata_sphinx_theme"
html_title = "kernelstream"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "navbar_align": "left",
    "navbar_start": ["navbar-logo"],
    "navbar_center": ["navbar-nav"],
    "navbar_end": ["theme-switcher"],
    "header_links_before_dropdown": 6,
    "show_toc_level": 2,
    "show_prev_next": True,
    "navigation_with_keys": False,
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
    "logo": {"text": "kernelstream"},
}
html_sidebars = {"index": [], "changes": [], "cite": [], "faq": []}
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
