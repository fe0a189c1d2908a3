"""Whether lessons run from top to bottom, pass their own checks, and quote JAX's errors."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import nbclient
from nbclient.exceptions import DeadKernelError

from autograder.core.notebook import NotebookNode, nbformat
from autograder.lessons.authoring import build_exercise, build_source, solution_region
from autograder.lessons.course import Lesson
from autograder.lessons.verification.expected import full_marks
from autograder.render.score import reports_shown

SECONDS = 300
_EMPTY = """
for _name in set(globals()) - _before:
    if _name[0] != "_":
        del globals()[_name]
"""
_QUOTE = re.compile(r"^```(?:text)?\n(.*?)^```", re.MULTILINE | re.DOTALL)
_ANSI = re.compile(r"\x1b\[[0-9;]*m")


def solved(lesson: Lesson) -> NotebookNode:
    """The lesson's notebook with the solutions filled in."""
    notebook = build_source(lesson)
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("solution"):
            cell["source"] = solution_region(cell["source"])
    return notebook


def shipped(lesson: Lesson) -> NotebookNode:
    """The student's notebook without its check cells: what starters get is verified elsewhere."""
    notebook = build_exercise(lesson)
    notebook["cells"] = [cell for cell in notebook["cells"] if not _is_check(cell)]
    return notebook


def _is_check(cell: Any) -> bool:
    return cell["cell_type"] == "code" and cell["metadata"].get("nbgrader", {}).get("grade", False)


def run(notebooks: Sequence[NotebookNode], folder: Path) -> None:
    """Run all cells in a real kernel, going on after errors.

    The notebooks take turns in one kernel, emptied in between: JAX starts, and compiles what they
    have in common, only once.

    Raises:
        nbclient.exceptions.DeadKernelError: a cell ended the kernel.
    """
    cells = [nbformat.v4.new_code_cell("_before = set(globals())")]
    for number, notebook in enumerate(notebooks):
        cells += [NotebookNode({**cell, "id": f"{cell['id']}-{number}"}) for cell in notebook.cells]
        cells.append(nbformat.v4.new_code_cell(_EMPTY))
    client = nbclient.NotebookClient(
        nbformat.v4.new_notebook(cells=cells, metadata=notebooks[0]["metadata"]),
        timeout=SECONDS,
        kernel_name="python3",
        allow_errors=True,
        resources={"metadata": {"path": str(folder)}},
    )
    client.execute(stderr=subprocess.DEVNULL)  # what a kernel says of itself
    ran = iter(cells)
    next(ran)
    for notebook in notebooks:
        for cell in notebook.cells:
            cell.update({**next(ran), "id": cell["id"]})
        next(ran)


def _errors(cell: Any) -> list[Any]:
    return [o for o in cell.get("outputs", ()) if o["output_type"] == "error"]


def _error_text(cell: Any) -> str:
    texts = ["\n".join((o["evalue"], *o["traceback"])) for o in _errors(cell)]
    return _ANSI.sub("", "\n".join(texts))


def _words(text: str) -> str:
    return " ".join(text.split())


def quote_problems(notebook: NotebookNode) -> list[str]:
    """Errors that the lesson quotes below a failing cell and that the cell does not show.

    The quote is the first fenced block of the markdown cell below a cell that fails on purpose;
    ``...`` stands for anything.
    """
    problems = []
    for cell, below in zip(notebook["cells"], notebook["cells"][1:], strict=False):
        if "raises-exception" not in cell["metadata"].get("tags", ()):
            continue
        quote = _QUOTE.search(below["source"]) if below["cell_type"] == "markdown" else None
        if quote is None:
            problems.append(f"cell {cell['id']}: quote its error in the markdown cell below")
            continue
        shown = _words(_error_text(cell))
        for part in quote[1].split("..."):
            place = shown.find(_words(part))
            if place < 0:
                problems.append(
                    f"cell {cell['id']} does not say {_words(part)!r}, but: {shown[-600:]}"
                )
                break
    return problems


def card_problems(notebook: NotebookNode) -> list[str]:
    """What the lesson's own check cells say against its solutions, whatever ran before them."""
    problems = []
    for cell in filter(_is_check, notebook["cells"]):
        reports = reports_shown(cell)
        said = [problem for report in reports for problem in full_marks(report)]
        said += [
            f"there is no speed: {finding.message}"
            for report in reports
            for criterion in report.criteria
            for finding in criterion.findings
            if finding.rule == "cpu-speed-failed"
        ]
        if not reports:
            problems.append(f"solved: the check cell {cell['id']} shows no card")
        problems += [f"solved: the check cell {cell['id']} says that {what}" for what in said]
    return problems


def first_cell_problems(notebook: NotebookNode) -> list[str]:
    """Whether the kit, which sets what JAX reads at its start, is the first thing imported.

    Notebooks that share a kernel could not tell.
    """
    first = next(cell for cell in notebook["cells"] if cell["cell_type"] == "code")
    nodes = ast.walk(ast.parse(first["source"]))
    imports = [node for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom))]
    for node in sorted(imports, key=lambda node: node.lineno)[:1]:
        name = node.names[0].name if isinstance(node, ast.Import) else str(node.module)
        if name.partition(".")[0] in ("autograder", "plnkit"):
            return []
    return [f"cell {first['id']}, the first one, does not import the kit before anything else"]


def run_problems(notebooks: Mapping[str, NotebookNode]) -> list[str]:
    """What went wrong when the solved lesson, and the shipped one, were run from top to bottom."""
    problems = first_cell_problems(notebooks["shipped"])
    for what, ran in notebooks.items():
        for cell in ran["cells"]:
            wanted = "raises-exception" in cell["metadata"].get("tags", ())
            if wanted and not _errors(cell):
                problems.append(f"{what}: cell {cell['id']} should fail, but does not")
            elif _errors(cell) and not wanted:
                shown = _error_text(cell).strip().splitlines()[0]
                problems.append(f"{what}: cell {cell['id']} fails: {shown}")
            for output in cell.get("outputs", ()):
                if output.get("name") == "stderr":
                    problems.append(f"{what}: cell {cell['id']} warns: {output['text'][-900:]}")
        if what == "solved":
            problems += quote_problems(ran) + card_problems(ran)
    return problems


def run_lessons(lessons: Sequence[Lesson], folder: Path) -> list[list[str]]:
    """For each lesson, what goes wrong when it is run: solved and as shipped, all in one kernel."""
    made = [{"solved": solved(x), "shipped": shipped(x)} for x in lessons]
    try:
        run([notebook for notebooks in made for notebook in notebooks.values()], folder)
    except DeadKernelError:
        if len(lessons) == 1:
            return [["a cell ends the kernel"]]
        return [problems for x in lessons for problems in run_lessons([x], folder)]
    return [run_problems(notebooks) for notebooks in made]
