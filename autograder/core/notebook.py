"""The parts of a notebook that are graded, and nbformat without its slowest dependency."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

_GRAMMAR = "rfc3987_syntax"


@contextmanager
def _without(name: str) -> Iterator[None]:
    """Make imports of a module fail, unless it is there already."""
    if name in sys.modules:
        yield
        return
    sys.modules[name] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules[name]


# jsonschema uses it, if it is installed, for internationalized addresses, of which a notebook's
# schema knows none; to import it takes over a second. Others may import it later as ever.
with _without(_GRAMMAR):
    import nbformat
    from nbformat import NotebookNode

__all__ = ["KIT_METADATA", "SHOWS", "Cell", "Notebook", "NotebookNode", "cells_of", "nbformat"]

KIT_METADATA = "autograder"
"""Key of the notebook metadata that marks a notebook of the kit and names its lesson."""


@dataclass(frozen=True)
class Cell:
    """One code cell: its id, its source, and which part it plays.

    `role` is "solution", "check" (a grade cell, never run in the student's process), "show" (it
    shows something and defines nothing that a solution needs) or "".
    """

    id: str
    source: str
    role: str


@dataclass(frozen=True)
class Notebook:
    """The code cells of a notebook and the lesson that it says it belongs to."""

    lesson: str
    cells: tuple[Cell, ...]


SHOWS = frozenset({"demo", "raises-exception"})
"""Tags of the cells whose role is "show"."""


def _role(metadata: Any) -> str:
    nbgrader = metadata.get("nbgrader") or {}
    if nbgrader.get("solution"):
        return "solution"
    if nbgrader.get("grade"):
        return "check"
    return "show" if SHOWS & set(metadata.get("tags") or ()) else ""


def cells_of(node: Any) -> tuple[Cell, ...]:
    """The code cells of a notebook node."""
    return tuple(
        Cell(str(cell.get("id") or f"cell-{i}"), str(cell["source"]), _role(cell["metadata"]))
        for i, cell in enumerate(node["cells"])
        if cell["cell_type"] == "code"
    )
