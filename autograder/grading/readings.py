"""What is read of a submission, as functions that the process of `autograder.grading.apart` calls.

They take and return what JSON can hold. What they raise says that nothing could be read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograder.core.answers import answer_to_json
from autograder.core.notebook import (
    KIT_METADATA,
    SAVED_WITH,
    Cell,
    NotebookNode,
    defined_names,
    nbformat,
)
from autograder.core.templates import recipe_of
from autograder.grading import read
from autograder.grading.allow_list import find_not_admitted
from autograder.grading.read import UnreadableNotebook, named_lesson, read_cells, read_python
from autograder.grading.rebound import cells_when_checked
from autograder.grading.repair import Repaired, repair, split_checks, unreadable
from autograder.grading.shown import leave_out_shown
from autograder.grading.steady import is_steady
from autograder.grading.written_answers import read_answers, read_call

CellParts = list[str]
"""A cell's id, source and role."""


def _cells(sources: Sequence[CellParts]) -> list[Cell]:
    return [Cell(*source) for source in sources]


def prepare(
    name: str, released: dict[str, Any] | None, shown: bool, rendered: bool, raw: bytes
) -> dict[str, Any]:
    """Read a submitted file and fit it to the released version.

    Args:
        name: of the file, for messages.
        released: the notebook as students got it; None to take the submission as it is.
        shown: whether others read its texts.
        rendered: whether these texts may be rendered; otherwise they are shown as typed.
        raw: the file's bytes.

    Returns:
        What `autograder.grading.repair.Repaired` holds.
    """
    node: Any = None if released is None else nbformat.from_dict(released)
    try:
        cells = read_cells(raw, name)
    except UnreadableNotebook as error:
        text = error.args[0]
        empty = unreadable(text, node or nbformat.v4.new_notebook()).notebook
        return {"notebook": empty, "notes": [], "unreadable": [text, recipe_of(text)]}
    if node is None:
        repaired = Repaired(NotebookNode({"cells": split_checks(cells), "metadata": {}}))
    else:
        repaired = repair(cells, node, shown=shown, rendered=rendered)
    if saved_with := read_python(raw):
        repaired.notebook["metadata"].setdefault(KIT_METADATA, {})[SAVED_WITH] = saved_with
    return {"notebook": repaired.notebook, "notes": list(repaired.notes), "unreadable": None}


def nothing() -> None:
    """Read nothing: whoever asks knows then that the process works."""


def lesson_of(raw: bytes) -> str | None:
    """Return the lesson that a file's metadata names; None where it names none."""
    return named_lesson(raw)


def texts_of(name: str, raw: bytes) -> dict[str, Any] | None:
    """Return the lesson, grade ids and texts of a file's cells; None if it is not a notebook."""
    try:
        cells = read_cells(raw, name)
    except UnreadableNotebook:
        return None
    marks = [str(cell["metadata"].get("nbgrader", {}).get("grade_id")) for cell in cells]
    return {"lesson": named_lesson(raw) or "", "marks": marks, "texts": read.texts_of(cells)}


def admission(sources: Sequence[CellParts]) -> dict[str, Any]:
    """Return the first thing that the allow-list does not admit, and whether the rest is steady."""
    cells = _cells(sources)
    found = find_not_admitted(cells)
    if found is not None:
        return {"not_admitted": vars(found), "steady": False}
    return {"not_admitted": None, "steady": is_steady(cells)}


def without_shown(sources: Sequence[CellParts], names: Sequence[str]) -> list[CellParts] | None:
    """Return the cells without what only shows something, if they are admitted then."""
    rest = leave_out_shown(_cells(sources), names)
    return None if rest is None else [[cell.id, cell.source, cell.role] for cell in rest]


def when_checked(
    sources: Sequence[CellParts], run: Sequence[CellParts], exercise: str
) -> list[CellParts] | None:
    """Return the cells that had run at the last check, if others bind their names again."""
    kept = cells_when_checked(_cells(sources), _cells(run), exercise)
    return None if kept is None else [[cell.id, cell.source, cell.role] for cell in kept]


def written(sources: Sequence[CellParts], name: str, questions: Sequence[str]) -> dict | None:
    """Return the answers that the source holds; None where running it may give others."""
    return read_answers(_cells(sources), name, questions)


def defence(source: str) -> dict[str, Any] | None:
    """Return the arguments of the call in a defence cell; None where they are not plain."""
    given = read_call(source)
    return given and {name: answer_to_json(answer) for name, answer in given.items()}


def definitions(sources: Sequence[str]) -> list[list[str]]:
    """Return the names of the functions and classes that each cell defines."""
    return [sorted(defined_names(source)) for source in sources]
