"""What is read of a submission, as functions that the process of `autograder.grading.apart` calls.

They take and return what JSON can hold. What they raise says that nothing could be read.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from autograder.grading import read
from autograder.grading.read import UnreadableNotebook, named_lesson, read_cells, read_python
from autograder.grading.repair import Repaired, repair, split_checks
from autograder.model.answers import answer_to_json, literal
from autograder.model.notebook import (
    KIT_METADATA,
    SAVED_WITH,
    Cell,
    NotebookNode,
    defined_names,
    nbformat,
    statements,
)
from autograder.model.templates import recipe_of
from autograder.source import plan


def read_and_repair(
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
        The notebook, and what was repaired; or why it cannot be read, with that text's recipe.
    """
    try:
        cells = read_cells(raw, name)
    except UnreadableNotebook as error:
        text = error.args[0]
        return {"unreadable": [text, recipe_of(text)]}
    if released is None:
        repaired = Repaired(NotebookNode({"cells": split_checks(cells), "metadata": {}}))
    else:
        node: Any = nbformat.from_dict(released)
        repaired = repair(cells, node, shown=shown, rendered=rendered)
    if saved_with := read_python(raw):
        repaired.notebook["metadata"].setdefault(KIT_METADATA, {})[SAVED_WITH] = saved_with
    return {"notebook": repaired.notebook, "notes": list(repaired.notes)}


def nothing() -> None:
    """Read nothing: whoever asks knows then that the process works."""


def texts_of(name: str, raw: bytes) -> dict[str, Any] | None:
    """Return the lesson, grade ids and texts of a file's cells; None if it is not a notebook."""
    try:
        cells = read_cells(raw, name)
    except UnreadableNotebook:
        return None
    marks = [str(cell["metadata"].get("nbgrader", {}).get("grade_id")) for cell in cells]
    return {"lesson": named_lesson(raw) or "", "marks": marks, "texts": read.texts_of(cells)}


def read_plan(
    cells: Sequence[Sequence[str]], wanted: Mapping[str, Sequence[str]]
) -> list[dict[str, Any]]:
    """Return what runs for some exercises; see `autograder.source.plan`.

    Args:
        cells: id, source and role of each.
        wanted: by exercise, the names that it grades.

    Returns:
        What each `autograder.source.PlannedRun` holds.
    """
    code = [Cell(name, source, role) for name, source, role in cells]
    return [asdict(run) for run in plan(code, wanted)]


def defence(source: str) -> dict[str, Any] | None:
    """Return the arguments of the call of `defend` in a cell, by name.

    None where there is no such call, or more than one, or its values are not plain.
    """
    try:
        nodes = [node for statement in statements(source) for node in ast.walk(statement)]
        (call,) = (node for node in nodes if isinstance(node, ast.Call) and _defends(node))
        given = {str(k.arg): _plain(k.value) for k in call.keywords if k.arg != "rubric"}
    except (ValueError, TypeError, RecursionError, MemoryError):
        return None
    return {name: answer_to_json(answer) for name, answer in given.items()}


def _defends(call: ast.Call) -> bool:
    return getattr(call.func, "attr", getattr(call.func, "id", "")) == "defend"


def _plain(tree: ast.expr) -> Any:
    value = ast.literal_eval(tree)
    return literal(sorted(map(str, value)) if isinstance(value, set) else value)


def definitions(sources: Sequence[str]) -> list[list[str]]:
    """Return the names of the functions and classes that each cell defines."""
    return [sorted(defined_names(source)) for source in sources]
