"""Settings of the documentation site; `make docs` builds it to build/docs without a network."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "site"))

import docstrings  # noqa: E402
import equations  # noqa: E402
import examples  # noqa: E402
import numbers_in_text  # noqa: E402

project, author, copyright = "Poinsot", "the Poinsot authors", "the Poinsot authors, BSD 3-clause licence"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_gallery.gen_gallery"]
exclude_patterns = ["site", "static", "images"]

myst_enable_extensions = ["dollarmath", "colon_fence", "attrs_inline"]
myst_heading_anchors = 3
default_role = "code"  # in docstrings
highlight_language = "none"  # of what programs print; programs say that they are Python

autodoc_typehints = "none"
autodoc_member_order = "bysource"
napoleon_google_docstring = False
napoleon_use_rtype = False

html_theme = "furo"
html_title = "Poinsot"
html_static_path = ["static"]
html_css_files = ["poinsot.css"]
html_math_renderer = "mathml"
html_show_sourcelink = False
html_copy_source = False

sphinx_gallery_conf = {
    "examples_dirs": examples.prepare(HERE.parent / "examples", HERE / "images" / "gallery", HERE.parent / "build" / "gallery"),
    "gallery_dirs": "gallery",
    "plot_gallery": "False",  # every example is run by the tests; its pictures are committed
    "download_all_examples": False,
    "show_signature": False,
    "min_reported_time": 1e9,
    "write_computation_times": False,
    "within_subsection_order": "FileNameSortKey",
    "remove_config_comments": True,
    "copyfile_regex": r".*\.png",
}


def existing(app, name, source):
    """Leave patterns such as `preview*` out of tables of contents where no page fits them."""
    lines = source[0].splitlines(keepends=True)
    source[0] = "".join(line for line in lines if not (line.strip().endswith("*") and line.strip()[:-1].isalpha()) or list(HERE.glob(line.strip())))


def setup(app):
    """Equations as MathML, docstrings of the house, and tables of contents of the pages that there are."""
    app.connect("source-read", existing)
    equations.setup(app)
    docstrings.setup(app)
    numbers_in_text.setup(app)
