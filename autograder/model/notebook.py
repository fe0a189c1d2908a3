"""The graded parts of a notebook, and the files beside it.

It imports nbformat without its slowest dependency.
"""

from __future__ import annotations

import ast
import base64
import hashlib
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.model.magics import without_magics

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

SAVED_WITH = "saved_with"
"""Under it: the version of the Python that a submission was saved with."""

INSTALL = "install"
INSTALL_SOURCE = """\
# Run this cell first. It installs the kit where it is missing, as on Colab, and keeps your jax.
from importlib.util import find_spec

if not find_spec("plnkit"):
    %pip install -q --no-deps plnkit
from autograder import complete_installation

complete_installation()"""
"""The tag and the source of the first code cell of the kit's notebooks."""

DEMO = "demo"
SHOWS = frozenset({DEMO, INSTALL, "raises-exception"})
"""Tags of the cells whose role is "show"."""


_DEFENCE = "_defence"


def defence_name(lesson: str) -> str:
    """Return the grade id of a lesson's defence cell."""
    return f"{lesson}{_DEFENCE}"


def is_defence_name(name: str) -> bool:
    """Whether a grade id is that of a defence cell."""
    return name.endswith(_DEFENCE)


@dataclass(frozen=True)
class Beside:
    """The files beside a notebook.

    Attributes:
        carried: path, relative to the notebook's folder, and content in base64, of each file that
            its cells get a copy of; sorted.
        skipped: path of each other file, and why it is not carried.
    """

    carried: tuple[tuple[str, str], ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()

    @property
    def digest(self) -> str:
        """SHA-256 of what is carried; "" for nothing."""
        return hashlib.sha256(repr(self.carried).encode()).hexdigest() if self.carried else ""


NOTHING = Beside()


def write_beside(carried: Iterable[Sequence[str]], folder: Path) -> None:
    """Write copies of the files into a folder.

    Cells may change them, as they may in a kernel: the student's own files stay as they are.
    """
    for name, content in carried:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(content))


@dataclass(frozen=True)
class Cell:
    """One code cell: its id, its source, and its role.

    `role` is "solution", "check" (only a check, or the defence: never run), "drill" (the learner's
    repair of a drill), "show" (it shows or installs something and defines nothing that a solution
    needs) or "". `only` has the positions of the statements that are run; None for all.
    """

    id: str
    source: str
    role: str
    only: tuple[int, ...] | None = None


def defined_names(source: str) -> set[str]:
    """Return the functions and classes that a cell defines."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return {node.name for node in statements(source) if isinstance(node, kinds)}


def statements(source: str) -> list[ast.stmt]:
    """Return a cell's statements, without magics; none where it is no Python."""
    try:
        return ast.parse(without_magics(source)).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


@dataclass(frozen=True)
class Defence:
    """The source of a lesson's defence cell, and the points that the course gives for it."""

    source: str
    points: float


@dataclass(frozen=True)
class Notebook:
    """The code cells of a notebook and the lesson that it says it belongs to.

    `defence` is None where the course gives no points for it. `saved_with` is the version of the
    Python that the student's kernel ran; "" where the file does not say. `beside` is the files
    beside the notebook.
    """

    lesson: str
    cells: tuple[Cell, ...]
    defence: Defence | None = None
    saved_with: str = ""
    beside: Beside = NOTHING


def drill_part(metadata: Any) -> str:
    """Return what a cell is for a drill: its "solution", its "check", or "" for no such cell.

    The mark is the kit's own: for nbgrader, these are cells like any other.
    """
    kit = metadata.get(KIT_METADATA)
    part = kit.get("drill") if isinstance(kit, dict) else ""
    return part if part in ("solution", "check") else ""


def _role(metadata: Any) -> str:
    if part := drill_part(metadata):
        return "drill" if part == "solution" else part
    nbgrader = metadata.get("nbgrader") or {}
    if nbgrader.get("grade"):
        return "check"  # a defence cell too, though the student writes in it
    if nbgrader.get("solution"):
        return "solution"
    return "show" if SHOWS & set(metadata.get("tags") or ()) else ""


def cells_of(node: Any) -> tuple[Cell, ...]:
    """Return the code cells of a notebook node."""
    return tuple(
        Cell(str(cell.get("id") or f"cell-{i}"), str(cell["source"]), _role(cell["metadata"]))
        for i, cell in enumerate(node["cells"])
        if cell["cell_type"] == "code"
    )


def notebook_of(lesson: str, node: Any) -> Notebook:
    """Return what is graded of a lesson's notebook node."""
    name = defence_name(lesson)
    marked = [(cell, cell["metadata"].get("nbgrader") or {}) for cell in node["cells"]]
    defences = (
        Defence(str(cell["source"]), float(mark.get("points") or 0))
        for cell, mark in marked
        if mark.get("grade_id") == name
    )
    counted = (defence for defence in defences if defence.points > 0)
    kit = node["metadata"].get(KIT_METADATA)
    saved_with = str(kit.get(SAVED_WITH) or "") if isinstance(kit, dict) else ""
    return Notebook(lesson, cells_of(node), next(counted, None), saved_with)
