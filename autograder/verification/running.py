"""Whether a lesson runs from top to bottom, and whether the errors that it quotes are JAX's."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import nbclient

from autograder.authoring import Lesson, build_exercise, build_source, solution_region
from autograder.notebook_format import NotebookNode, nbformat

SECONDS = 300
_QUOTE = re.compile(r"^```(?:text)?\n(.*?)^```", re.MULTILINE | re.DOTALL)
_ANSI = re.compile(r"\x1b\[[0-9;]*m")


def solved(lesson: Lesson) -> NotebookNode:
    """The lesson's notebook with the solutions filled in."""
    notebook = build_source(lesson)
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("solution"):
            cell["source"] = solution_region(cell["source"])
    return notebook


def run(notebooks: Sequence[NotebookNode], folder: Path) -> None:
    """Run all cells in a real kernel, going on after errors.

    The notebooks take turns in one kernel, emptied in between: JAX starts, and compiles what they
    have in common, only once.
    """
    cells: list[NotebookNode] = []
    for number, notebook in enumerate(notebooks):
        cells += [NotebookNode({**cell, "id": f"{cell['id']}-{number}"}) for cell in notebook.cells]
        cells.append(nbformat.v4.new_code_cell("%reset -f"))
    client = nbclient.NotebookClient(
        nbformat.v4.new_notebook(cells=cells, metadata=notebooks[0]["metadata"]),
        timeout=SECONDS,
        kernel_name="python3",
        allow_errors=True,
        resources={"metadata": {"path": str(folder)}},
    )
    client.execute(stderr=subprocess.DEVNULL)  # what a kernel says of itself
    ran = iter(cells)
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


def run_problems(lesson: Lesson, folder: Path) -> list[str]:
    """What goes wrong when the solved lesson, and the shipped one, are run from top to bottom."""
    problems = []
    notebooks = {"solved": solved(lesson), "shipped": build_exercise(lesson)}
    run(list(notebooks.values()), folder)
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
            problems += quote_problems(ran)
    return problems
