"""Settings of the site: `autograder site DIR` puts the sources together and runs Sphinx with them.

Nothing is loaded from elsewhere: no fonts, no scripts, no badges. Formulas are MathML.
"""

from importlib import metadata
from pathlib import Path
from typing import Any

import latex2mathml.converter
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.writers.html5 import HTML5Translator

from autograder.model.published import kits_repository, site_address

project = "plnkit"
author = "The plnkit maintainers"
version = release = metadata.version("plnkit")
language = "en"
html_title = "plnkit: a teaching kit for JAX's JIT"
html_short_title = "plnkit"

exclude_patterns = ["downloads", "_static"]
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
html_theme = "sphinx_book_theme"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
html_last_updated_fmt = None
html_search_scorer = str(Path(__file__).with_name("search_order.js"))
html_show_search_summary = False  # it reads pages by fetch, which files on a disk refuse
html_math_renderer = "mathml"
html_permalinks_icon = "#"
pygments_style = "a11y-high-contrast-light"

nb_execution_mode = "off"  # `autograder site` has run them
# The report within a card is no page's, and the code in a traceback may not be Python's grammar.
suppress_warnings = ["mystnb.unknown_mime_type", "misc.highlighting_failure"]
nb_ipywidgets_js = {}
nb_merge_streams = True
myst_enable_extensions = ["dollarmath", "deflist"]
myst_heading_anchors = 4
default_role = "literal"
autodoc_typehints = "none"
autodoc_member_order = "bysource"
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True

_repository = kits_repository()
html_context = {"default_mode": "auto"}  # light or dark, as the reader's system
html_theme_options: dict[str, Any] = {
    "show_navbar_depth": 1,
    "collapse_navbar": True,  # a list of all 240 pages on each would be most of the page
    "show_toc_level": 2,
    "use_download_button": False,  # each lesson has a line with its notebook
    "use_fullscreen_button": False,
    "navbar_persistent": [],  # the search is in the sidebar, and at the top of a narrow page
    "home_page_in_toc": False,
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
    "footer_content_items": [],
    "article_footer_items": [],
}
if _repository:
    html_baseurl = f"{site_address(_repository)}/"
    html_theme_options |= {
        "repository_url": f"https://github.com/{_repository}",
        "repository_branch": "main",
        "use_repository_button": True,
        "use_issues_button": True,
        "launch_buttons": {"colab_url": "https://colab.research.google.com"},
    }


PLOT = "A plot: the code above draws it, and the text around it says what it shows"


def _math(tex: str, *, is_block: bool) -> str:
    """Return a formula as MathML."""
    return latex2mathml.converter.convert(tex, display="block" if is_block else "inline")


def _visit_math(self: HTML5Translator, node: nodes.math) -> None:
    self.body.append(_math(node.astext(), is_block=False))
    raise nodes.SkipNode


def _visit_math_block(self: HTML5Translator, node: nodes.math_block) -> None:
    self.body.append(f'<div class="formula-block">{_math(node.astext(), is_block=True)}</div>')
    raise nodes.SkipNode


class DescribePlots(SphinxPostTransform):
    """Gives the figures that a cell draws a text for readers who do not see them."""

    default_priority = 900

    def run(self, **kwargs: Any) -> None:
        """Describe each figure by the code that draws it."""
        for image in self.document.findall(nodes.image):
            if not image.get("alt") or image["alt"].startswith(("../", "_images")):
                image["alt"] = PLOT


class ScrollTables(SphinxPostTransform):
    """Puts each table into a box of its own that scrolls where the page is narrow."""

    default_priority = 901

    def run(self, **kwargs: Any) -> None:
        """Wrap the tables."""
        for table in list(self.document.findall(nodes.table)):
            if "scrolls" not in getattr(table.parent, "attributes", {}).get("classes", ()):
                box = nodes.container(classes=["scrolls"], is_div=True)
                table.replace_self(box)
                box += table


def setup(app: Sphinx) -> dict[str, bool]:
    """Register what is the site's own."""
    app.add_html_math_renderer("mathml", (_visit_math, None), (_visit_math_block, None))
    app.add_post_transform(DescribePlots)
    app.add_post_transform(ScrollTables)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
