"""Whether lessons run from top to bottom, pass their own checks, and quote JAX's errors."""

from __future__ import annotations

import ast
import re
import subprocess
import tempfile
from collections.abc import Sequence
from typing import Any

import nbclient
from nbclient.exceptions import DeadKernelError

from autograder.lessons.authoring import (
    build_exercise,
    build_solved,
    is_check,
    is_defence,
)
from autograder.lessons.lesson import Lesson
from autograder.lessons.verification.requirements import full_marks
from autograder.model.exercise import speed_name
from autograder.model.notebook import INSTALL, NotebookNode, nbformat
from autograder.render.score import reports_shown

KERNEL_SECONDS = 300
_BEGIN = "_before = set(globals())"
_CLEAR = """
for _name in set(globals()) - _before:
    if _name[0] != "_":
        del globals()[_name]
"""
_QUOTE = re.compile(r"^```(?:text)?\n(.*?)^```", re.MULTILINE | re.DOTALL)
_ANSI = re.compile(r"\x1b\[[0-9;]*m")


def fill_solutions(lesson: Lesson, *, timed: bool = True) -> NotebookNode:
    """Build the lesson's notebook with the solutions filled in, and perhaps without its timings."""
    notebook = build_solved(lesson)
    if not timed:
        names = {speed_name(exercise.name) for exercise in lesson.rubric.exercises}
        notebook["cells"] = [cell for cell in notebook["cells"] if cell["id"] not in names]
    return notebook


def drop_checks(lesson: Lesson) -> NotebookNode:
    """Build the student's notebook without check cells: submissions test what starters get."""
    notebook = build_exercise(lesson)
    shown = (cell for cell in notebook["cells"] if not is_check(cell) and not is_defence(cell))
    notebook["cells"] = list(shown)
    return notebook


def run_notebook(notebook: NotebookNode) -> None:
    """Run a notebook in a kernel and a folder of its own, and go on after errors.

    The notebook gets the outputs.

    Raises:
        nbclient.exceptions.DeadKernelError: a cell ended the kernel.
    """
    with tempfile.TemporaryDirectory(prefix="autograder-") as folder:
        client = nbclient.NotebookClient(
            notebook,
            timeout=KERNEL_SECONDS,
            kernel_name="python3",
            allow_errors=True,
            record_timing=False,
            resources={"metadata": {"path": folder}},
        )
        client.execute(stderr=subprocess.DEVNULL)  # the kernel's own messages


def run_notebooks(notebooks: Sequence[NotebookNode]) -> None:
    """Run notebooks one after the other in one kernel, and go on after errors.

    In one kernel, JAX starts only once, and compiles only once what the notebooks share. No
    notebook sees the names of the one before.

    Raises:
        nbclient.exceptions.DeadKernelError: a cell ended the kernel.
    """
    cells = [nbformat.v4.new_code_cell(_BEGIN)]
    copies: list[tuple[NotebookNode, NotebookNode]] = []
    for notebook in notebooks:
        for cell in notebook["cells"]:
            cells.append(NotebookNode({**cell, "id": f"{cell['id']}-{len(cells)}"}))
            copies.append((cell, cells[-1]))
        cells.append(nbformat.v4.new_code_cell(_CLEAR))
    run_notebook(nbformat.v4.new_notebook(cells=cells, metadata=notebooks[0]["metadata"]))
    for cell, copy in copies:
        cell.update({**copy, "id": cell["id"]})


def _fails_on_purpose(cell: Any) -> bool:
    return "raises-exception" in cell["metadata"].get("tags", ())


def _error_text(cell: Any) -> str:
    """Return the errors that a cell shows, without colours; empty where it shows none."""
    errors = [o for o in cell.get("outputs", ()) if o["output_type"] == "error"]
    return _ANSI.sub("", "\n".join("\n".join((o["evalue"], *o["traceback"])) for o in errors))


def _squeeze(text: str) -> str:
    return " ".join(text.split())


def quote_problems(notebook: NotebookNode) -> list[str]:
    """Return the errors that a lesson quotes below a failing cell and that the cell does not show.

    The quote is the first fenced block of the Markdown cell below a cell that fails on purpose;
    ``...`` stands for anything.
    """
    problems = []
    for cell, below in zip(notebook["cells"], notebook["cells"][1:], strict=False):
        if not _fails_on_purpose(cell):
            continue
        quote = _QUOTE.search(below["source"]) if below["cell_type"] == "markdown" else None
        if quote is None:
            problems.append(f"cell {cell['id']}: quote its error in the markdown cell below")
            continue
        shown = _squeeze(_error_text(cell))
        missing = [part for part in map(_squeeze, quote[1].split("...")) if part not in shown]
        if missing:
            problems.append(f"cell {cell['id']} does not say {missing[0]!r}, but: {shown[-600:]}")
    return problems


def card_problems(notebook: NotebookNode) -> list[str]:
    """Return what the lesson's own check cells say against its solutions."""
    problems = []
    for cell in filter(is_check, notebook["cells"]):
        reports = reports_shown(cell)
        if not reports:
            problems.append(f"solved: the check cell {cell['id']} shows no card")
        wrong = [problem for report in reports for problem in full_marks(report)]
        criteria = [criterion for report in reports for criterion in report.criteria]
        wrong += [
            f"there is no speed: {finding.message}"
            for criterion in criteria
            for finding in criterion.findings
            if finding.rule == "cpu-speed-failed"
        ]
        problems += [f"solved: the check cell {cell['id']} says that {what}" for what in wrong]
    return problems


def first_cell_problems(notebook: NotebookNode) -> list[str]:
    """Check that the kit is imported before anything is computed: it sets what JAX reads then.

    Running does not show this, because the notebooks share a kernel.
    """
    first = next(
        cell
        for cell in notebook["cells"]
        if cell["cell_type"] == "code" and INSTALL not in cell["metadata"].get("tags", ())
    )
    for statement in ast.parse(first["source"]).body:
        nodes = list(ast.walk(statement))
        names = [name.name for node in nodes if isinstance(node, ast.Import) for name in node.names]
        names += [str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)]
        if any(name.partition(".")[0] in ("autograder", "plnkit") for name in names):
            return []
        if not isinstance(statement, (ast.Import, ast.ImportFrom)):
            break
    return [f"cell {first['id']}, the first one, does not import the kit before it does anything"]


def cell_problems(notebook: NotebookNode) -> list[str]:
    """Return the cells of a notebook that ran which fail, do not fail on purpose, or warn."""
    problems = []
    for cell in notebook["cells"]:
        where, error = f"cell {cell['id']}", _error_text(cell)
        if _fails_on_purpose(cell) and not error:
            problems.append(f"{where} should fail, but does not")
        elif error and not _fails_on_purpose(cell):
            problems.append(f"{where} fails: {error.strip().splitlines()[0]}")
        for output in cell.get("outputs", ()):
            if output.get("name") == "stderr":
                problems.append(f"{where} warns: {output['text'][-900:]}")
    return problems


def run_lesson(lesson: Lesson, *, timed: bool = False) -> list[str]:
    """Run a lesson's notebook, solved and as shipped, and return what is wrong.

    With `timed`, its programs are timed where the lesson has points for speed.
    """
    notebooks = {"solved": fill_solutions(lesson, timed=timed), "shipped": drop_checks(lesson)}
    try:
        run_notebooks(list(notebooks.values()))
    except DeadKernelError:
        return ["a cell ends the kernel"]
    problems = first_cell_problems(notebooks["shipped"])
    for version, notebook in notebooks.items():
        problems += [f"{version}: {problem}" for problem in cell_problems(notebook)]
    return problems + quote_problems(notebooks["solved"]) + card_problems(notebooks["solved"])
