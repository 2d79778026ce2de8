"""How the documentation is built: Sphinx with MyST; mathematics becomes MathML when it is built, so that a page needs no network."""

import sys
from pathlib import Path

import shuffleproof

sys.path.insert(0, str(Path(__file__).parent / "extensions"))

project = "shuffleproof"
author = "the shuffleproof authors"
copyright = "the shuffleproof authors, Apache-2.0"
version = release = shuffleproof.__version__
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.autosectionlabel", "mathml", "from_code", "landmarks"]
exclude_patterns = ["extensions", "_build", "calculator", "static"]
myst_enable_extensions = ["dollarmath", "deflist", "colon_fence", "fieldlist"]
myst_heading_anchors = 3
autosectionlabel_prefix_document = True
autodoc_typehints = "description"
autodoc_member_order = "bysource"
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 120
html_theme = "furo"
html_title = "shuffleproof"
html_favicon = "../shuffleproof/report/templates/favicon.svg"
html_math_renderer = "mathml"
html_copy_source = False
html_static_path = ["static"]
html_css_files = ["project.css"]
html_show_sourcelink = False
html_theme_options = {"source_edit_link": "", "source_view_link": ""}
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
nitpicky = False
