"""From a lesson's percent script to its notebooks: the student's and nbgrader's source.

A lesson marks three kinds of cell in its percent lines:

- ``# %% solution="NAME"``: a solution region, and a starter region in comments.
- ``# %% check="NAME"``: the call `check("NAME")`.
- ``# %% [markdown] question="NAME" points=2``: a question, answered in words and graded by hand.
  The solution region holds the model answer and notes on grading; the starter region holds what
  the student gets.

Above the first code cell stands one that installs the kit where it is missing. The same script and
rubric always give the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from autograder.core.notebook import (
    INSTALL,
    INSTALL_SOURCE,
    KIT_METADATA,
    NotebookNode,
    nbformat,
)
from autograder.core.report import SCHEMA
from autograder.core.rubric import Rubric, speed_name
from autograder.lessons.course import Lesson, LessonError

BEGIN_SOLUTION, END_SOLUTION = "### BEGIN SOLUTION", "### END SOLUTION"
BEGIN_STARTER, END_STARTER = "### BEGIN STARTER", "### END STARTER"
MARKERS = (BEGIN_SOLUTION, END_SOLUTION, BEGIN_STARTER, END_STARTER)

_REGIONS = re.compile(
    rf"^{BEGIN_SOLUTION}\n(?P<solution>.*?)^{END_SOLUTION}\n"
    rf"{BEGIN_STARTER}\n(?P<starter>.*?)^{END_STARTER}\n?",
    re.MULTILINE | re.DOTALL,
)


def _find_regions(source: str) -> re.Match[str] | None:
    return _REGIONS.search(source if source.endswith("\n") else source + "\n")


def put_starter(source: str, *, prose: bool = False) -> str:
    """Return what the student gets of a solution cell: the starter code, uncommented.

    Args:
        source: of the cell.
        prose: whether it is a question, whose starter is text.

    Raises:
        LessonError: no solution and starter regions, or a starter line that is not a comment.
    """
    match = _find_regions(source)
    if match is None:
        raise LessonError(
            f"a solution cell needs the lines {BEGIN_SOLUTION!r}, {END_SOLUTION!r}, "
            f"{BEGIN_STARTER!r} and {END_STARTER!r}, in this order"
        )
    starter = match["starter"]
    if not prose:
        for line in starter.splitlines():
            if line != "#" and not line.startswith("# "):
                raise LessonError(f"a starter line must begin with '# ': {line!r}")
        starter = re.sub("^# ?", "", starter, flags=re.MULTILINE)
    before, after = match.string[: match.start()], match.string[match.end() :]
    return f"{before}{starter}{after}".strip("\n")


def solution_region(source: str) -> str:
    """Return the lines between the solution markers of a cell."""
    match = _find_regions(source)
    return match["solution"] if match else ""


def solution_cells(notebook: NotebookNode) -> Iterator[NotebookNode]:
    """Yield the cells that nbgrader marks as solutions: code, and answers in words."""
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("solution"):
            yield cell


def release_cell(cell: NotebookNode) -> str:
    """Return the source of a solution cell as the student gets it."""
    try:
        return put_starter(cell["source"], prose=cell["cell_type"] == "markdown")
    except LessonError as error:
        raise LessonError(f"cell {cell['id']}: {error}") from None


def _release(notebook: NotebookNode) -> NotebookNode:
    for cell in solution_cells(notebook):
        cell["source"] = release_cell(cell)
    return notebook


def released_version(source: Path) -> NotebookNode | None:
    """Return a course's source notebook as students got it; None if it is not a kit's notebook."""
    if not source.is_file():
        return None
    notebook = nbformat.read(source, as_version=4)
    return _release(notebook) if KIT_METADATA in notebook["metadata"] else None


def gradable_points(rubric: Rubric, exercise: str) -> float:
    """Return the points of a check cell: all but speed, which has a grade cell of its own."""
    points = rubric.exercise(exercise).points
    return sum(p for name, p in points.items() if name != "speed")


def _mark(
    cell: NotebookNode, grade_id: str, *, points: float | None = None, solution: bool = False
) -> None:
    """Give a cell its id and nbgrader's metadata."""
    nbgrader = {
        "grade_id": grade_id,
        "cell_type": cell["cell_type"],
        "grade": points is not None,
        "solution": solution,
        "locked": not solution,
        "task": False,
        "schema_version": 3,
    }
    cell["id"] = grade_id
    cell["metadata"]["nbgrader"] = nbgrader if points is None else {**nbgrader, "points": points}


def _install_cell(lesson: Lesson) -> NotebookNode:
    """Make the cell that installs the kit where it is missing; graders do not run it."""
    cell = nbformat.v4.new_code_cell(INSTALL_SOURCE, metadata={"tags": [INSTALL]})
    cell["id"] = f"{lesson.name}-{INSTALL}"
    return cell


def build_source(lesson: Lesson) -> NotebookNode:
    """Build the notebook with solutions and starters: nbgrader's source version.

    Raises:
        LessonError: a check for an exercise that the rubric lacks, or an exercise without check.
    """
    import jupytext  # takes a quarter of a second, and most callers read no script

    notebook = jupytext.reads(lesson.script.read_text(encoding="utf-8"), fmt="py:percent")
    notebook["metadata"] = {
        KIT_METADATA: {"schema": SCHEMA, "lesson": lesson.name},
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    notebook["nbformat"], notebook["nbformat_minor"] = 4, 5
    exercises = {exercise.name: exercise for exercise in lesson.rubric.exercises}
    unchecked = set(exercises)
    cells = []
    for i, cell in enumerate(notebook["cells"]):
        cells.append(cell)
        cell["id"] = f"{lesson.name}-{i:02d}"
        solution, check, question, points = (
            cell["metadata"].pop(tag, None) for tag in ("solution", "check", "question", "points")
        )
        if question and (cell["cell_type"] != "markdown" or not points):
            raise LessonError(
                f"{lesson.script.name}: cell {i}, question {question!r}, must be a markdown "
                'cell with points, as `# %% [markdown] question="why" points=2`'
            )
        name = solution or check
        if name and name not in exercises:
            raise LessonError(
                f"{lesson.script.name}: cell {i} names exercise {name!r}, which the rubric lacks; "
                f"it has {sorted(exercises)}"
            )
        if check:
            _mark(cell, check, points=gradable_points(lesson.rubric, check))
            unchecked.discard(check)
            if exercises[check].speed is not None:
                source = f'check("{check}", "speed")  # takes a while; a GPU decides'
                cells.append(nbformat.v4.new_code_cell(source))
                _mark(cells[-1], speed_name(check), points=exercises[check].points["speed"])
        elif solution or question:
            grade_id = f"{solution}-solution" if solution else f"{lesson.name}-{question}"
            _mark(cell, grade_id, points=points, solution=True)
            release_cell(cell)  # raises where the cell has no starter
    if unchecked:
        raise LessonError(f"{lesson.script.name}: no check cell for {sorted(unchecked)}")
    first = next(i for i, cell in enumerate(cells) if cell["cell_type"] == "code")
    cells.insert(first, _install_cell(lesson))
    notebook["cells"] = cells
    nbformat.validate(notebook)
    return notebook


def build_exercise(lesson: Lesson) -> NotebookNode:
    """Build the student's notebook: starters in place of solutions."""
    return _release(build_source(lesson))


def notebook_text(notebook: NotebookNode) -> str:
    return nbformat.writes(notebook) + "\n"
