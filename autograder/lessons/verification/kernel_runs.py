"""Whether lessons run from top to bottom, pass their own checks, and quote JAX's errors."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

import nbclient
from nbclient.exceptions import DeadKernelError

from autograder.lessons.authoring import (
    build_exercise,
    build_source,
    is_check,
    is_defence,
    solution_cells,
    solution_region,
)
from autograder.lessons.course import Lesson
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
_KEEP = "_kept = {name: value for name, value in globals().items() if name[0] != '_'}"
_RESTORE = _CLEAR.replace("_before", "set(_kept)") + "globals().update(_kept)"
_QUOTE = re.compile(r"^```(?:text)?\n(.*?)^```", re.MULTILINE | re.DOTALL)
_ANSI = re.compile(r"\x1b\[[0-9;]*m")


def fill_solutions(lesson: Lesson, *, timed: bool = True) -> NotebookNode:
    """Build the lesson's notebook with the solutions filled in, and perhaps without its timings."""
    notebook = build_source(lesson)
    if not timed:
        names = {speed_name(exercise.name) for exercise in lesson.rubric.exercises}
        notebook["cells"] = [cell for cell in notebook["cells"] if cell["id"] not in names]
    for cell in solution_cells(notebook):
        cell["source"] = solution_region(cell["source"])
    return notebook


def drop_checks(lesson: Lesson) -> NotebookNode:
    """Build the student's notebook without check cells: submissions test what starters get."""
    notebook = build_exercise(lesson)
    shown = (cell for cell in notebook["cells"] if not is_check(cell) and not is_defence(cell))
    notebook["cells"] = list(shown)
    return notebook


def run_notebooks(groups: Sequence[Sequence[NotebookNode]], folder: Path) -> None:
    """Run all cells of some notebooks in one kernel, and go on after errors.

    In one kernel, JAX starts only once, and compiles only once what the notebooks share. The
    kernel's names are deleted between two groups.

    Args:
        groups: versions of a notebook. The cells that all of them begin with run once; each
            version goes on with the names that are there then.
        folder: that the kernel runs in.

    Raises:
        nbclient.exceptions.DeadKernelError: a cell ended the kernel.
    """
    ran = [nbformat.v4.new_code_cell(_BEGIN)]
    results: list[tuple[NotebookNode, NotebookNode]] = []

    def add(cells: Sequence[NotebookNode]) -> None:
        for cell in cells:
            ran.append(NotebookNode({**cell, "id": f"{cell['id']}-{len(ran)}"}))
            results.append((cell, ran[-1]))

    for versions in groups:
        shared = _count_shared(versions)
        add(versions[0].cells[:shared])
        for version in versions:
            ran.append(nbformat.v4.new_code_cell(_KEEP))
            add(version.cells[shared:])
            ran.append(nbformat.v4.new_code_cell(_RESTORE))
        ran.append(nbformat.v4.new_code_cell(_CLEAR))
    client = nbclient.NotebookClient(
        nbformat.v4.new_notebook(cells=ran, metadata=groups[0][0]["metadata"]),
        timeout=KERNEL_SECONDS,
        kernel_name="python3",
        allow_errors=True,
        resources={"metadata": {"path": str(folder)}},
    )
    client.execute(stderr=subprocess.DEVNULL)  # the kernel's own messages
    for cell, result in results:
        cell.update({**result, "id": cell["id"]})
    for versions in groups:
        shared = _count_shared(versions)
        for version in versions[1:]:
            version.cells[:shared] = versions[0].cells[:shared]


def _count_shared(versions: Sequence[NotebookNode]) -> int:
    """Return how many cells all versions begin with."""
    sources = ([(cell["cell_type"], cell["source"]) for cell in v.cells] for v in versions)
    alike = takewhile(lambda cells: len(set(cells)) == 1, zip(*sources, strict=False))
    return sum(1 for _ in alike)


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
    """Check that the first import is the kit, which sets what JAX reads when it is imported.

    Running does not show this, because the notebooks share a kernel.
    """
    first = next(
        cell
        for cell in notebook["cells"]
        if cell["cell_type"] == "code" and INSTALL not in cell["metadata"].get("tags", ())
    )
    nodes = ast.walk(ast.parse(first["source"]))
    imports = [node for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom))]
    for node in sorted(imports, key=lambda node: node.lineno)[:1]:
        name = node.names[0].name if isinstance(node, ast.Import) else str(node.module)
        if name.partition(".")[0] in ("autograder", "plnkit"):
            return []
    return [f"cell {first['id']}, the first one, does not import the kit before anything else"]


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


def _run_problems(notebooks: Mapping[str, NotebookNode]) -> list[str]:
    problems = first_cell_problems(notebooks["shipped"])
    for version, notebook in notebooks.items():
        problems += [f"{version}: {problem}" for problem in cell_problems(notebook)]
    return problems + quote_problems(notebooks["solved"]) + card_problems(notebooks["solved"])


def run_lessons(lessons: Sequence[Lesson], folder: Path, timed: str = "") -> list[list[str]]:
    """Run lessons, solved and as shipped; return the problems of each lesson.

    They share a kernel, but for those that need another number of devices.

    Args:
        lessons: to run.
        folder: that the kernel runs in.
        timed: name of the one whose speed is measured: the others would wait for the same code.
    """
    built = [
        {"solved": fill_solutions(x, timed=x.name == timed), "shipped": drop_checks(x)}
        for x in lessons
    ]
    try:
        for devices in sorted({x.rubric.devices for x in lessons}):
            alike = [b for x, b in zip(lessons, built, strict=True) if x.rubric.devices == devices]
            run_notebooks([list(notebooks.values()) for notebooks in alike], folder)
    except DeadKernelError:
        if len(lessons) == 1:
            return [["a cell ends the kernel"]]
        return [problems for x in lessons for problems in run_lessons([x], folder, timed)]
    return [_run_problems(notebooks) for notebooks in built]
