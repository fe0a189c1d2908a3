"""Reading a submitted notebook, whatever state it is in."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.core.notebook_format import nbformat
from autograder.grading import messages

KIT_METADATA = "autograder"
"""Key of the notebook metadata that marks a notebook of the kit and names its lesson."""


class UnreadableNotebook(Exception):
    """The file is not a notebook; the message is for the student."""


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


def read_notebook(path: Path) -> Notebook:
    """Read a notebook file.

    Raises:
        UnreadableNotebook: the file is missing, not JSON, or not a notebook.
    """
    try:
        node = nbformat.reads(path.read_text(encoding="utf-8"), as_version=4)
        cells = cells_of(node)
        lesson = str(node["metadata"].get(KIT_METADATA, {}).get("lesson", ""))
    except OSError as error:
        raise UnreadableNotebook(
            messages.UNREADABLE_NOTEBOOK.format(path=path.name, problem=error.strerror)
        ) from None
    except Exception as error:  # nbformat lets KeyError, AttributeError and its own through
        problem = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        raise UnreadableNotebook(
            messages.UNREADABLE_NOTEBOOK.format(path=path.name, problem=problem)
        ) from None
    return Notebook(lesson, cells)
