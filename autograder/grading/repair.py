"""Repair: makes any submission a notebook that nbgrader and the judge can work with.

The released version decides which cells are graded; the submission only fills in the solutions.
So a grade cell that was deleted, doubled, renamed or unmarked costs nothing. The released version
also replaces a file that cannot be read, so that the class can still be graded.
"""

from __future__ import annotations

import ast
import copy
import re
from dataclasses import dataclass
from typing import Any

from autograder.core.beside import NOTHING, Beside
from autograder.core.notebook import (
    DEMO,
    INSTALL,
    INSTALL_SOURCE,
    KIT_METADATA,
    SHOWS,
    NotebookNode,
    drill_part,
    is_defence_name,
    nbformat,
)
from autograder.core.report import SCHEMA
from autograder.core.rubric import speed_name
from autograder.grading import messages
from autograder.grading.texts import make_texts_harmless


@dataclass(frozen=True)
class Repaired:
    """A notebook with the released version's graded cells, each once.

    Attributes:
        notebook: to be graded.
        notes: what was repaired, a sentence each, for the student.
        unreadable: why the submission cannot be graded at all; "" when it can.
        beside: the files beside it.
    """

    notebook: NotebookNode
    notes: tuple[str, ...] = ()
    unreadable: str = ""
    beside: Beside = NOTHING


def _grade_id(cell: NotebookNode) -> str:
    return str(cell["metadata"].get("nbgrader", {}).get("grade_id", ""))


def graded_cells(released: NotebookNode) -> dict[str, NotebookNode]:
    """Return the released version's cells that nbgrader names, by grade id, in order."""
    return {_grade_id(cell): cell for cell in released["cells"] if _grade_id(cell)}


_CALL = re.compile(r"""^check\(\s*["'](\w+)["']\s*(,\s*["']speed["']\s*)?\)""", re.MULTILINE)


def _identity(cell: NotebookNode, known: dict[str, NotebookNode]) -> str:
    """Return which graded cell this is, by its grade id, its cell id or what it calls."""
    for name in (_grade_id(cell), cell["id"]):
        if name in known and known[name]["cell_type"] == cell["cell_type"]:
            return name
    if _is_defence(cell):
        return next((name for name in known if is_defence_name(name)), "")
    call = _CALL.search(cell["source"]) if cell["cell_type"] == "code" else None
    name = speed_name(call[1]) if call and call[2] else call[1] if call else ""
    return name if name in known else ""


def _is_defence(cell: NotebookNode) -> bool:
    """Whether a cell does nothing but call `defend`."""
    if cell["cell_type"] != "code" or "defend(" not in cell["source"]:
        return False
    try:
        statements = ast.parse(cell["source"]).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    *imports, last = statements or [ast.Pass()]
    match last:
        case ast.Expr(ast.Call(ast.Name("defend"))):
            return all(isinstance(one, ast.ImportFrom) for one in imports)
    return False


def repair(
    handed_in: list[NotebookNode], released: NotebookNode, *, shown: bool = True
) -> Repaired:
    """Fit a submission to the released version.

    Args:
        handed_in: the submission's cells; they are changed in place.
        released: the notebook as students were given it.
        shown: whether others read its texts. They are then made harmless, otherwise left out.
    """
    known = graded_cells(released)
    shows = {
        INSTALL_SOURCE: {"tags": [INSTALL]},  # the released version may be older than this cell
        **{
            cell["source"]: {"tags": list(cell["metadata"]["tags"])}
            for cell in released["cells"]
            if SHOWS & set(cell["metadata"].get("tags", ()))
        },
    }
    drills = {c["id"]: c for c in released["cells"] if drill_part(c["metadata"])}
    cells, seen, notes = [], set(), []
    for cell in handed_in:
        identity = _identity(cell, known)
        is_solution = identity and known[identity]["metadata"]["nbgrader"].get("solution")
        if identity in seen and not is_solution:
            notes.append(messages.DOUBLED_CELL.format(cell=identity))
            continue  # a check cell, which is never run anyway
        if identity and identity not in seen:
            if _grade_id(cell) != identity or _mark(cell) != _mark(known[identity]):
                notes.append(messages.MARKED_AGAIN.format(cell=identity))
            cell["metadata"] = copy.deepcopy(known[identity]["metadata"])
            cell["id"] = identity
            if not is_solution:
                cell["source"] = known[identity]["source"]
            seen.add(identity)
        elif not identity and cell["id"] in drills:
            drill = drills.pop(cell["id"])  # a second cell with this id is the student's own
            cell["metadata"] = copy.deepcopy(drill["metadata"])
            if drill_part(drill["metadata"]) == "check":
                cell["source"] = drill["source"]
        else:
            # A cell that the student has changed is the student's.
            shown_only = {"tags": [DEMO]} if _is_defence(cell) else {}
            cell["metadata"] = nbformat.from_dict(shows.get(cell["source"], shown_only))
            if identity:
                notes.append(messages.DOUBLED_CELL.format(cell=identity))
        cells.append(cell)
    for identity, cell in known.items():
        if identity not in seen:
            notes.append(messages.MISSING_CELL.format(cell=identity))
            added = copy.deepcopy(cell)
            if cell["metadata"]["nbgrader"].get("solution"):
                added["source"] = ""
            cells.append(added)
    if shown:
        notes += make_texts_harmless(cells, released)
    else:
        cells = [cell for cell in cells if cell["cell_type"] == "code"]
    notebook = nbformat.v4.new_notebook(cells=_own_ids(cells))
    return Repaired(_finish(notebook, released), tuple(dict.fromkeys(notes)))


def unreadable(problem: str, released: NotebookNode) -> Repaired:
    """Return the released version, in place of a file that cannot be read."""
    return Repaired(_finish(copy.deepcopy(released), released), (), problem)


def _mark(cell: NotebookNode) -> dict[str, Any]:
    """Return what nbgrader keeps in a cell, without the checksum that it adds at the release."""
    return {k: v for k, v in cell["metadata"]["nbgrader"].items() if k != "checksum"}


def _own_ids(cells: list[NotebookNode]) -> list[NotebookNode]:
    """Give each cell an id of its own: copying a cell may copy its id."""
    taken = {cell["id"] for cell in cells if _grade_id(cell)}
    for i, cell in enumerate(cells):
        if _grade_id(cell):
            continue
        if cell["id"] in taken or not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", cell["id"]):
            cell["id"] = f"cell-{i:03d}"
        taken.add(cell["id"])
    return cells


def _finish(notebook: NotebookNode, released: NotebookNode) -> NotebookNode:
    """Give the notebook the released version's metadata, never the submission's."""
    notebook["metadata"] = copy.deepcopy(released["metadata"])
    notebook["metadata"].setdefault(KIT_METADATA, {"schema": SCHEMA})
    notebook["nbformat"], notebook["nbformat_minor"] = 4, 5
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None
    return notebook
