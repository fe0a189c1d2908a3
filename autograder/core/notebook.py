"""The graded parts of a notebook, and nbformat without its slowest dependency."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

_GRAMMAR = "rfc3987_syntax"

# jsonschema uses this module, if it is installed, for internationalized addresses. A notebook's
# schema has none, and the import takes over a second. Others can still import it later.
_hidden = _GRAMMAR not in sys.modules
if _hidden:
    sys.modules[_GRAMMAR] = None  # type: ignore[assignment]
try:
    import nbformat as nbformat
    from nbformat import NotebookNode as NotebookNode
finally:
    if _hidden:
        del sys.modules[_GRAMMAR]

KIT_METADATA = "autograder"
"""Key of the notebook metadata that marks a notebook of the kit and names its lesson."""

INSTALL = "install"
INSTALL_SOURCE = """\
# Run this cell first. It installs the kit where it is missing, as on Colab, and keeps your jax.
from importlib.util import find_spec

if not find_spec("plnkit"):
    %pip install -q --no-deps plnkit
from autograder import complete_installation

complete_installation()"""
"""The tag and the source of the first code cell of the kit's notebooks."""

SHOWS = frozenset({"demo", INSTALL, "raises-exception"})
"""Tags of the cells whose role is "show"."""


@dataclass(frozen=True)
class Cell:
    """One code cell: its id, its source, and its role.

    `role` is "solution", "check" (a grade cell, never run in the student's process), "show" (it
    shows or installs something and defines nothing that a solution needs) or "".
    """

    id: str
    source: str
    role: str


@dataclass(frozen=True)
class Notebook:
    """The code cells of a notebook and the lesson that it says it belongs to."""

    lesson: str
    cells: tuple[Cell, ...]


def _role(metadata: Any) -> str:
    nbgrader = metadata.get("nbgrader") or {}
    if nbgrader.get("solution"):
        return "solution"
    if nbgrader.get("grade"):
        return "check"
    return "show" if SHOWS & set(metadata.get("tags") or ()) else ""


def cells_of(node: Any) -> tuple[Cell, ...]:
    """Return the code cells of a notebook node."""
    return tuple(
        Cell(str(cell.get("id") or f"cell-{i}"), str(cell["source"]), _role(cell["metadata"]))
        for i, cell in enumerate(node["cells"])
        if cell["cell_type"] == "code"
    )
