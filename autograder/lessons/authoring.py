"""From a lesson's percent script to its notebooks: the student's and nbgrader's source.

A lesson marks three kinds of cell in its percent lines: ``# %% solution="NAME"`` holds a solution
region and a commented starter region; ``# %% check="NAME"`` calls `check("NAME")`;
``# %% [markdown] question="NAME" points=2`` is answered in words and graded by hand: its solution
region holds the model answer and notes on grading, its starter region what the student finds.
Everything generated is a function of the script and the rubric alone: same input, same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from autograder.core.files import write_whole
from autograder.core.notebook import KIT_METADATA, NotebookNode, nbformat
from autograder.core.report import SCHEMA
from autograder.core.rubric import Rubric, speed_name
from autograder.lessons.course import Course, Lesson, LessonError

BEGIN_SOLUTION, END_SOLUTION = "### BEGIN SOLUTION", "### END SOLUTION"
BEGIN_STARTER, END_STARTER = "### BEGIN STARTER", "### END STARTER"
MARKERS = (BEGIN_SOLUTION, END_SOLUTION, BEGIN_STARTER, END_STARTER)

_REGIONS = re.compile(
    rf"^{BEGIN_SOLUTION}\n(?P<solution>.*?)^{END_SOLUTION}\n"
    rf"{BEGIN_STARTER}\n(?P<starter>.*?)^{END_STARTER}\n?",
    re.MULTILINE | re.DOTALL,
)


def put_starter(source: str, *, prose: bool = False) -> str:
    """What the student gets of a solution cell: the starter code, uncommented.

    Args:
        source: of the cell.
        prose: whether it is a question, whose starter is text.

    Raises:
        LessonError: no solution and starter regions, or a starter line that is not a comment.
    """
    match = _REGIONS.search(source if source.endswith("\n") else source + "\n")
    if match is None:
        raise LessonError(
            f"a solution cell needs the lines {BEGIN_SOLUTION!r}, {END_SOLUTION!r}, "
            f"{BEGIN_STARTER!r} and {END_STARTER!r}, in this order"
        )
    starter = match["starter"] if prose else _uncommented(match["starter"])
    source = source[: match.start()] + starter + source[match.end() :]
    return source.strip("\n")


def _uncommented(lines: str) -> str:
    starter = []
    for line in lines.splitlines():
        if line != "#" and not line.startswith("# "):
            raise LessonError(f"a starter line must begin with '# ': {line!r}")
        starter.append(line[2:] + "\n")
    return "".join(starter)


def released(cell: NotebookNode) -> str:
    """The source of a solution cell, or of a question, as the student gets it."""
    try:
        return put_starter(cell["source"], prose=cell["cell_type"] == "markdown")
    except LessonError as error:
        raise LessonError(f"cell {cell['id']}: {error}") from None


def solution_region(source: str) -> str:
    """The lines between the solution markers of a cell."""
    match = _REGIONS.search(source if source.endswith("\n") else source + "\n")
    return match["solution"] if match else ""


def _nbgrader(**changes: object) -> dict[str, object]:
    plain = {
        "grade": False,
        "locked": False,
        "schema_version": 3,
        "solution": False,
        "task": False,
    }
    return {**plain, **changes}


def gradable_points(rubric: Rubric, exercise: str) -> float:
    """Points of an exercise's check cell: all but speed, which has a grade cell of its own."""
    points = rubric.exercise(exercise).points
    return sum(p for name, p in points.items() if name != "speed")


def build_source(lesson: Lesson) -> NotebookNode:
    """The notebook with solutions and starters: nbgrader's source version.

    Raises:
        LessonError: a check for an exercise that the rubric lacks, or an exercise without check.
    """
    text = lesson.script.read_text(encoding="utf-8")
    import jupytext  # takes a quarter of a second, and most who are here read no script

    notebook = jupytext.reads(text, fmt="py:percent")
    notebook["metadata"] = {
        KIT_METADATA: {"schema": SCHEMA, "lesson": lesson.name},
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    notebook["nbformat"], notebook["nbformat_minor"] = 4, 5
    known = {e.name for e in lesson.rubric.exercises}
    checked = set()
    cells = []
    for i, cell in enumerate(notebook["cells"]):
        cells.append(cell)
        metadata = cell["metadata"]
        solution, check = metadata.pop("solution", None), metadata.pop("check", None)
        question, points = metadata.pop("question", None), metadata.pop("points", None)
        cell["id"] = f"{lesson.name}-{i:02d}"
        if question:
            if cell["cell_type"] != "markdown" or not points:
                raise LessonError(
                    f"{lesson.script.name}: cell {i}, question {question!r}, must be a markdown "
                    'cell with points, as `# %% [markdown] question="why" points=2`'
                )
            released(cell)
            cell["id"] = f"{lesson.name}-{question}"
            metadata["nbgrader"] = _nbgrader(
                grade=True, solution=True, points=points, grade_id=cell["id"], cell_type="markdown"
            )
            continue
        name = solution or check
        if name is None:
            continue
        if name not in known:
            raise LessonError(
                f"{lesson.script.name}: cell {i} names exercise {name!r}, which the rubric lacks; "
                f"it has {sorted(known)}"
            )
        if check:
            checked.add(check)
            points = gradable_points(lesson.rubric, check)
            metadata["nbgrader"] = _nbgrader(
                grade=True, locked=True, points=points, grade_id=check, cell_type="code"
            )
            cell["id"] = check
            if lesson.rubric.exercise(check).speed is not None:
                cells.append(_speed_cell(check, lesson.rubric))
        else:
            released(cell)  # refuse a cell that could not be released
            grade_id = f"{solution}-solution"
            metadata["nbgrader"] = _nbgrader(solution=True, grade_id=grade_id, cell_type="code")
            cell["id"] = grade_id
    if checked != known:
        missing = sorted(known - checked)
        raise LessonError(f"{lesson.script.name}: no check cell for {missing}")
    notebook["cells"] = cells
    nbformat.validate(notebook)
    return notebook


def _speed_cell(exercise: str, rubric: Rubric) -> NotebookNode:
    """The grade cell of the speed criterion, which waits for a GPU."""
    grade_id = speed_name(exercise)
    points = rubric.exercise(exercise).points["speed"]
    nbgrader = _nbgrader(
        grade=True, locked=True, points=points, grade_id=grade_id, cell_type="code"
    )
    return nbformat.v4.new_code_cell(
        f'check("{exercise}", "speed")  # takes a while; a GPU decides',
        id=grade_id,
        metadata={"nbgrader": nbgrader},
    )


def build_exercise(lesson: Lesson) -> NotebookNode:
    """The student's notebook: solution regions replaced by starters."""
    notebook = build_source(lesson)
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("solution"):
            cell["source"] = released(cell)
    return notebook


def notebook_text(notebook: NotebookNode) -> str:
    return nbformat.writes(notebook) + "\n"


def generated(lessons: list[Lesson]) -> dict[str, str]:
    """Names and texts of all that `exercises/` holds: notebooks and syllabus."""
    from autograder.lessons.syllabus import syllabus  # it reads lessons, as defined here

    texts = {lesson.notebook_name: notebook_text(build_exercise(lesson)) for lesson in lessons}
    return {**texts, "README.md": syllabus(lessons)}


def write_exercises(root: Path) -> list[Path]:
    """Generate all student notebooks and the syllabus; return the files that changed."""
    changed = []
    for name, text in generated(Course(root).lessons()).items():
        target = root / "exercises" / name
        if not target.exists() or target.read_text(encoding="utf-8") != text:
            target.parent.mkdir(exist_ok=True)
            write_whole(target, text)
            changed.append(target)
    return changed


# --- the maintainer's check ---------------------------------------------------------------------


def leaked_lines(source: NotebookNode, exercise: NotebookNode) -> list[str]:
    """Lines that only the solutions have, yet stand in a cell of the student's notebook."""
    given: set[str] = set()
    secret: set[str] = set()
    for cell in source["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("solution"):
            given |= _lines(released(cell))
            secret |= _lines(solution_region(cell["source"]))
    secret = {line for line in secret - given if len(line) > 20}
    shown = {line for cell in exercise["cells"] for line in _lines(cell["source"])}
    return sorted(secret & shown)


def _lines(source: str) -> set[str]:
    return {line.strip() for line in source.splitlines() if line.strip()}


def check_exercises(root: Path) -> list[str]:
    """What is wrong with the committed notebooks, one sentence each; empty when all is well."""
    problems = []
    lessons = Course(root).lessons()
    texts = generated(lessons)
    for file, text in texts.items():
        target, name = root / "exercises" / file, f"exercises/{file}"
        if not target.exists():
            problems.append(f"{name} is missing: run `autograder build`")
        elif target.read_text(encoding="utf-8") != text:
            problems.append(f"{name} is not what solutions/ generates: run `autograder build`")
    for lesson in lessons:
        exercise, name = build_exercise(lesson), f"exercises/{lesson.notebook_name}"
        text = texts[lesson.notebook_name]
        problems += [f"{name} still holds the marker {m!r}" for m in MARKERS if m in text]
        problems += [
            f"{name} shows this line of the solution: {line!r}"
            for line in leaked_lines(build_source(lesson), exercise)
        ]
    return [*problems, *strays(root, lessons)]


def strays(root: Path, lessons: Sequence[Lesson]) -> list[str]:
    """One sentence for each notebook that no lesson generates (any more)."""
    expected = {lesson.notebook_name for lesson in lessons}
    return [
        f"exercises/{stray.name} belongs to no lesson: delete it"
        for stray in sorted((root / "exercises").glob("*.ipynb"))
        if stray.name not in expected
    ]
