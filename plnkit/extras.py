"""Packages that only a part of the kit needs, and the extra that installs each."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

EXTRA_OF = {
    **dict.fromkeys(("nbgrader", "nbconvert", "nbclient", "sqlalchemy"), "instructor"),
    **dict.fromkeys(("IPython", "formulaic", "matplotlib", "pandas"), "notebook"),
    **dict.fromkeys(("pyPLNmodels", "torch", "pkg_resources"), "peers"),
    **dict.fromkeys(("latex2mathml", "myst_nb", "sphinx", "sphinx_book_theme"), "site"),
    "distributed": "cluster",
    "psycopg": "postgresql",
}
"""By module, the extra of `pyproject.toml` that installs it."""


class MissingExtraError(ModuleNotFoundError):
    """A package of an extra is not installed; the message says the command."""


def explain_missing(error: ImportError) -> str:
    """Return one sentence with the command that installs what is missing; "" for other modules."""
    if isinstance(error, MissingExtraError):
        return str(error)
    module = (error.name or "").partition(".")[0]
    if not isinstance(error, ModuleNotFoundError) or module not in EXTRA_OF:
        return ""
    return f"{module} is not installed: pip install 'plnkit[{EXTRA_OF[module]}]'"


@contextmanager
def from_extras() -> Iterator[None]:
    """Import packages of an extra.

    Raises:
        MissingExtraError: one of them is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        sentence = explain_missing(error)
        if not sentence:
            raise
        raise MissingExtraError(sentence, name=error.name) from None
