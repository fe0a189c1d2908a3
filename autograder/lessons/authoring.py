"""From a lesson's percent script to its notebooks: the student's and nbgrader's source.

A lesson marks three kinds of cell in its percent lines:

- ``# %% solution="NAME"``: a solution region, and a starter region in comments.
- ``# %% check="NAME"``: the call `check("NAME")`. NAME is an exercise or a drill.
- ``# %% [markdown] question="NAME" points=2``: a question, answered in words and graded by hand.
  The solution region holds the model answer and notes on grading; the starter region holds what
  the student gets.

In Markdown, ``[text](lesson:NAME)`` links to the notebook of another lesson, whatever its number.
Where the course lacks that lesson, the text stays without a link.

Above the first code cell stands one that installs the kit where it is missing, and above the drills
one that asks about the student's own program. A script and its rubric always give the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from autograder.lessons.lesson import Lesson, LessonError
from autograder.model.exercise import Exercise, ProgramExercise, speed_name
from autograder.model.notebook import (
    INSTALL,
    INSTALL_SOURCE,
    KIT_METADATA,
    NotebookNode,
    defence_name,
    drill_part,
    nbformat,
)
from autograder.model.report import SCHEMA

BEGIN_SOLUTION, END_SOLUTION = "### BEGIN SOLUTION", "### END SOLUTION"
BEGIN_STARTER, END_STARTER = "### BEGIN STARTER", "### END STARTER"
MARKERS = (BEGIN_SOLUTION, END_SOLUTION, BEGIN_STARTER, END_STARTER)

_REGIONS = re.compile(
    rf"^{BEGIN_SOLUTION}\n(?P<solution>.*?)^{END_SOLUTION}\n"
    rf"{BEGIN_STARTER}\n(?P<starter>.*?)^{END_STARTER}\n?",
    re.MULTILINE | re.DOTALL,
)


_LINK = re.compile(r"\[([^]]+)\]\(lesson:(\w+)\)")


def _link_lessons(text: str, scripts: Path) -> str:
    """Point the links to other lessons at their notebooks, which are all in one folder."""

    def link(match: re.Match[str]) -> str:
        found = sorted(scripts.glob(f"[0-9][0-9]_{match[2]}.py"))
        return f"[{match[1]}]({found[0].stem}.ipynb)" if found else match[1]

    return _LINK.sub(link, text)


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


DEFENCE_TEXT = """\
## Defend your program

Once your check passes, this cell asks a question or two about the program that you wrote. Write
your answers into the call that it prints, and run that. Not graded unless your instructor says
so."""


def is_defence(cell: NotebookNode) -> bool:
    """Whether a cell is a lesson's defence cell, in which students answer and nothing is solved."""
    mark = cell["metadata"].get("nbgrader", {})
    is_both = bool(mark.get("solution") and mark.get("grade"))
    return is_both and cell["cell_type"] == "code"


def solution_cells(notebook: NotebookNode) -> Iterator[NotebookNode]:
    """Yield the cells that hold solutions: code, drills, and answers in words."""
    return filter(is_solution, notebook["cells"])


def is_solution(cell: NotebookNode) -> bool:
    """Return whether students get a starter in place of this cell."""
    metadata = cell["metadata"]
    is_exercise = bool(metadata.get("nbgrader", {}).get("solution")) and not is_defence(cell)
    return is_exercise or drill_part(metadata) == "solution"


def is_check(cell: NotebookNode) -> bool:
    """Return whether a cell checks an exercise or a drill."""
    metadata = cell["metadata"]
    is_grade = cell["cell_type"] == "code" and metadata.get("nbgrader", {}).get("grade", False)
    return (is_grade and not is_defence(cell)) or drill_part(metadata) == "check"


def has_starter(cell: NotebookNode) -> bool:
    """Return whether a cell marks a starter, which nbgrader's own notebooks do not."""
    return BEGIN_STARTER in cell["source"]


def release_cell(cell: NotebookNode) -> str:
    """Return the source of a solution cell as the student gets it.

    Raises:
        LessonError: the cell has no starter, or one that is not marked as it must be.
    """
    try:
        return put_starter(cell["source"], prose=cell["cell_type"] == "markdown")
    except LessonError as error:
        raise LessonError(f"cell {cell['id']}: {error}") from None


def _release(notebook: NotebookNode) -> NotebookNode:
    for cell in solution_cells(notebook):
        cell["source"] = release_cell(cell)
    return notebook


def released_version(source: Path, lesson: str = "") -> NotebookNode | None:
    """Return a course's source notebook with the cells that are graded, as students got them.

    Args:
        source: the notebook.
        lesson: whose rubric grades a notebook that was made by hand; "" where there is none.

    Returns:
        The notebook; None if no rubric grades it.
    """
    if not source.is_file():
        return None
    notebook = nbformat.read(source, as_version=4)
    if KIT_METADATA in notebook["metadata"]:
        return _release(notebook)
    if not lesson:
        return None
    notebook["metadata"][KIT_METADATA] = {"schema": SCHEMA, "lesson": lesson, "by_hand": True}
    notebook["nbformat_minor"] = 5
    for i, cell in enumerate(notebook["cells"]):
        cell.setdefault("id", f"{lesson}-{i:02d}")
        if is_solution(cell):
            cell["source"] = release_cell(cell) if has_starter(cell) else ""
    return notebook


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


def add_effort(exercise: Exercise, above: Sequence[NotebookNode]) -> None:
    """Say at the end of an exercise's task how hard and how important it is, and how long."""
    task = next((cell for cell in reversed(above) if cell["cell_type"] == "markdown"), None)
    if exercise.difficulty and task is not None:
        minutes = "1 minute" if exercise.minutes == 1 else f"{exercise.minutes} minutes"
        effort = f"{exercise.difficulty.capitalize()}, about {minutes}."
        stars = f" Importance: {'★' * exercise.importance}" if exercise.importance else ""
        task["source"] += f"\n\n*{effort}{stars}*"


def _defence_cells(lesson: Lesson, points: float) -> list[NotebookNode]:
    """Make the cells that ask about the student's program. nbgrader adds no grade cell later."""
    name, exercise = defence_name(lesson.name), lesson.rubric.defended.name
    source = f'from autograder import defend\n\ndefend("{exercise}")'
    text = nbformat.v4.new_markdown_cell(DEFENCE_TEXT, id=f"{name}-text")
    cell = nbformat.v4.new_code_cell(source)
    _mark(cell, name, points=points, solution=True)
    return [text, cell]


def _first_drill(cells: Sequence[NotebookNode]) -> int:
    """Return the position of the heading above the first drill; the end where there is none."""
    drills = [i for i, cell in enumerate(cells) if drill_part(cell["metadata"])]
    if not drills:
        return len(cells)
    above = [i for i in range(drills[0]) if cells[i]["source"].startswith("## ")]
    return max(above, default=drills[0])


def build_source(lesson: Lesson, defence: float = 0.0) -> NotebookNode:
    """Build the notebook with solutions and starters: nbgrader's source version.

    Args:
        lesson: its script and rubric.
        defence: the points that a course gives for the answers in the defence cell.

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
    try:
        cells = _mark_cells(lesson, notebook["cells"])
    except LessonError as error:
        raise LessonError(f"{lesson.script.name}: {error}") from None
    first = next(i for i, cell in enumerate(cells) if cell["cell_type"] == "code")
    install = {"id": f"{lesson.name}-{INSTALL}", "metadata": {"tags": [INSTALL]}}
    cells.insert(first, nbformat.v4.new_code_cell(INSTALL_SOURCE, **install))
    if not lesson.rubric.quiz:
        # Where none of its tasks has a program, a lesson asks nothing.
        points = defence if isinstance(lesson.rubric.defended, ProgramExercise) else 0.0
        at = _first_drill(cells)
        cells[at:at] = _defence_cells(lesson, points)
    notebook["cells"] = cells
    nbformat.validate(notebook)
    return notebook


def _mark_cells(lesson: Lesson, written: Sequence[NotebookNode]) -> list[NotebookNode]:
    """Return a script's cells with nbgrader's marks and the kit's, and cells that time programs."""
    exercises = {exercise.name: exercise for exercise in lesson.rubric.exercises}
    drills = set(lesson.drill_names)
    unchecked = exercises.keys() | drills
    cells: list[NotebookNode] = []
    for i, cell in enumerate(written):
        above = list(cells)
        cells.append(cell)
        cell["id"] = f"{lesson.name}-{i:02d}"
        if cell["cell_type"] == "markdown":
            cell["source"] = _link_lessons(cell["source"], lesson.script.parent)
        solution, check, question, points = (
            cell["metadata"].pop(tag, None) for tag in ("solution", "check", "question", "points")
        )
        if question and (cell["cell_type"] != "markdown" or not points):
            raise LessonError(
                f"cell {i}, question {question!r}, must be a markdown cell with points, as "
                '`# %% [markdown] question="why" points=2`'
            )
        name = solution or check
        if name and name not in exercises and name not in drills:
            raise LessonError(
                f"cell {i} names exercise {name!r}, which the rubric lacks; "
                f"it has {sorted(exercises.keys() | drills)}"
            )
        if solution:
            add_effort(lesson.rubric_of(solution).exercise(solution), above)
        if name in drills:
            part = "check" if check else "solution"
            cell["id"] = name if check else f"{name}-solution"
            cell["metadata"][KIT_METADATA] = {"drill": part}
        elif check:
            worth, speed = exercises[check].cell_points, speed_name(check)
            _mark(cell, check, points=worth[check])
            if speed in worth:
                source = f'check("{check}", "speed")  # takes a while; only a GPU gives the points'
                cells.append(nbformat.v4.new_code_cell(source))
                _mark(cells[-1], speed, points=worth[speed])
        elif solution or question:
            grade_id = f"{solution}-solution" if solution else f"{lesson.name}-{question}"
            _mark(cell, grade_id, points=points, solution=True)
        if is_solution(cell):
            release_cell(cell)  # it has a starter
        unchecked -= {check}
    if unchecked:
        raise LessonError(f"no check cell for {sorted(unchecked)}")
    return cells


def build_exercise(lesson: Lesson) -> NotebookNode:
    """Build the student's notebook: starters in place of solutions."""
    return _release(build_source(lesson))


def build_solved(lesson: Lesson) -> NotebookNode:
    """Build the notebook with the lesson's own solutions and model answers."""
    notebook = build_source(lesson)
    for cell in solution_cells(notebook):
        cell["source"] = solution_region(cell["source"])
    return notebook


def notebook_text(notebook: NotebookNode) -> str:
    """Return a notebook as it is written to a file."""
    return nbformat.writes(notebook) + "\n"
