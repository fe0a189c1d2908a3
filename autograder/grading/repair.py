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

from autograder.grading import messages
from autograder.grading.texts import make_texts_harmless
from autograder.model.exercise import speed_name
from autograder.model.notebook import (
    DEMO,
    INSTALL,
    INSTALL_SOURCE,
    KIT_METADATA,
    NOTHING,
    SHOWS,
    Beside,
    NotebookNode,
    defined_names,
    drill_part,
    is_defence_name,
    nbformat,
    statements,
)
from autograder.model.report import SCHEMA


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


_CALL = re.compile(r"""check\(\s*["'](\w+)["']\s*(,\s*["']speed["']\s*)?,?\s*\)[\s;]*""")
"""A cell that does nothing but check."""
_FENCED = re.compile(r"\s*(`{3,}|~{3,})[^\n`]*\n(.*?)\n\1\s*", re.DOTALL)
"""Code in a Markdown cell, as it is shown there."""


def _called(cell: NotebookNode) -> str:
    """Return the grade id of the check that a cell calls, if it does nothing else; "" if not."""
    call = _CALL.fullmatch(cell["source"].strip()) if cell["cell_type"] == "code" else None
    return "" if call is None else speed_name(call[1]) if call[2] else call[1]


def _identity(cell: NotebookNode, known: dict[str, NotebookNode]) -> str:
    """Return which graded cell this is, by its grade id, its cell id or what it calls."""
    for name in (_grade_id(cell), cell["id"]):
        if name in known and known[name]["cell_type"] == cell["cell_type"]:
            return name
    if _is_defence(cell):
        return next((name for name in known if is_defence_name(name)), "")
    name = _called(cell)
    return name if name in known else ""


def _is_defence(cell: NotebookNode) -> bool:
    """Whether a cell does nothing but call `defend`."""
    if cell["cell_type"] != "code" or "defend(" not in cell["source"]:
        return False
    *imports, last = statements(cell["source"]) or [ast.Pass()]
    match last:
        case ast.Expr(ast.Call(ast.Name("defend"))):
            return all(isinstance(one, ast.ImportFrom) for one in imports)
    return False


def _is_locked(released: NotebookNode) -> bool:
    """Whether a released cell is a check, which no student writes in."""
    mark = released["metadata"].get("nbgrader", {})
    return drill_part(released["metadata"]) == "check" or (
        bool(mark.get("grade")) and not mark.get("solution")
    )


def _holds_code(cell: NotebookNode, released: NotebookNode | None = None) -> bool:
    """Whether a cell that checks, or asks for a defence, holds code of the student's own too."""
    if cell["cell_type"] != "code":
        return False
    if is_defence_name(_grade_id(released or cell)):
        return not _is_defence(cell)
    same = released is not None and cell["source"].strip() == released["source"].strip()
    return bool(cell["source"].strip()) and not same and not _called(cell)


def split_checks(cells: list[NotebookNode]) -> list[NotebookNode]:
    """Give code beside a check a cell of its own, where the released cells are not known.

    What is marked as a check, or as a defence, is not run.
    """
    found = []
    for cell in cells:
        if (_is_locked(cell) or is_defence_name(_grade_id(cell))) and _holds_code(cell):
            own = copy.deepcopy(cell)
            own["metadata"], own["id"] = nbformat.from_dict({}), ""
            found.append(own)
        found.append(cell)
    return found


def _restore_types(handed_in: list[NotebookNode], released: NotebookNode) -> list[str]:
    """Give released cells their types again; return what was done, for the student.

    Graded cells get them whatever they hold, as nbgrader does it, and others if they are as they
    were released. Code stays text if other cells define its names: an old attempt, say.
    """
    by_id = {cell["id"]: cell for cell in released["cells"]} | graded_cells(released)
    notes = []
    for cell in handed_in:
        original = by_id.get(_grade_id(cell)) or by_id.get(cell["id"])
        if original is None or original["cell_type"] == cell["cell_type"]:
            continue
        fenced = _FENCED.fullmatch(cell["source"])
        source = fenced[2] if fenced and original["cell_type"] == "code" else cell["source"]
        if not _grade_id(original) and source != original["source"]:
            continue
        if original["cell_type"] == "code":
            others = (c["source"] for c in handed_in if c["cell_type"] == "code")
            if defined_names(source) & set().union(*map(defined_names, others)):
                continue
        for key in ("attachments", "outputs", "execution_count"):
            cell.pop(key, None)
        cell["cell_type"], cell["source"] = original["cell_type"], source
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None
        name = _grade_id(original) or original["id"]
        template = messages.CODE_AGAIN if cell["cell_type"] == "code" else messages.TEXT_AGAIN
        notes.append(template.format(cell=name))
    return notes


def repair(
    handed_in: list[NotebookNode],
    released: NotebookNode,
    *,
    shown: bool = True,
    rendered: bool = True,
) -> Repaired:
    """Fit a submission to the released version.

    Of a cell that checks, only the call is the check's. What else a student has written there runs
    in a cell of its own, in its place, and the released cell follows it.

    Args:
        handed_in: the submission's cells; they are changed in place.
        released: the notebook as students were given it.
        shown: whether others read its texts. They are then made harmless, otherwise left out.
        rendered: whether its texts may be rendered for that; otherwise they are shown as typed.
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
    cells, seen, notes = [], set(), _restore_types(handed_in, released)

    def add_own(cell: NotebookNode) -> None:
        # A cell that the student has changed is the student's.
        shown_only = {"tags": [DEMO]} if _is_defence(cell) else {}
        cell["metadata"] = nbformat.from_dict(shows.get(cell["source"], shown_only))
        cells.append(cell)

    for cell in handed_in:
        identity = _identity(cell, known)
        # A second cell with a drill's id is the student's own.
        original = known[identity] if identity else drills.pop(cell["id"], None)
        is_again, is_locked = identity in seen, original is not None and _is_locked(original)
        if original is None:
            add_own(cell)
            continue
        if is_again:
            notes.append(messages.DOUBLED_CELL.format(cell=identity))
            if not is_locked or _holds_code(cell, original):
                add_own(cell)
            continue
        if (is_locked or is_defence_name(identity)) and _holds_code(cell, original):
            notes.append(messages.MORE_THAN_A_CHECK.format(cell=identity or cell["id"]))
            add_own(copy.deepcopy(cell))
        if identity and (_grade_id(cell) != identity or _mark(cell) != _mark(original)):
            notes.append(messages.MARKED_AGAIN.format(cell=identity))
        cell["metadata"] = copy.deepcopy(original["metadata"])
        cell["id"] = original["id"]
        if is_locked:
            cell["source"] = original["source"]
        seen.update({identity} - {""})
        cells.append(cell)
    for identity, cell in known.items():
        if identity not in seen:
            notes.append(messages.MISSING_CELL.format(cell=identity))
            added = copy.deepcopy(cell)
            if cell["metadata"]["nbgrader"].get("solution"):
                added["source"] = ""
            cells.insert(_find_place(cells, identity), added)
    if shown:
        notes += make_texts_harmless(cells, released, rendered=rendered)
    else:
        cells = [cell for cell in cells if cell["cell_type"] == "code"]
    notebook = nbformat.v4.new_notebook(cells=_own_ids(cells))
    return Repaired(_finish(notebook, released), tuple(dict.fromkeys(notes)))


def _find_place(cells: list[NotebookNode], identity: str) -> int:
    """Return where a missing check belongs: below the last cell that calls it, or at the end."""
    call = re.compile(rf"""\bcheck\(\s*["']{re.escape(identity)}["']\s*\)""")
    below = [
        i for i, c in enumerate(cells, 1) if c["cell_type"] == "code" and call.search(c["source"])
    ]
    return max(below, default=len(cells))


def unreadable(problem: str, released: NotebookNode | None) -> Repaired:
    """Return the released version, in place of a file that cannot be read; else an empty one."""
    released = released or nbformat.v4.new_notebook()
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
