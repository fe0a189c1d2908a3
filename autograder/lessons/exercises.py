"""The folder `exercises/`: generated from the lessons, and compared with them.

Beside this file, `syllabus.md` and `tables.md` are the layout of `exercises/README.md`, and
`errors.md` is that of `exercises/ERRORS.md`, the index of error messages.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from autograder.lessons.authoring import (
    MARKERS,
    build_exercise,
    build_source,
    notebook_text,
    release_cell,
    solution_cells,
    solution_region,
)
from autograder.lessons.course import Course, Lesson
from autograder.lessons.layouts import fill_in_page
from autograder.model.error_table import ERRORS
from autograder.model.notebook import NotebookNode
from autograder.model.public_rubric import SUFFIX, digest_of_public, public_file
from autograder.model.published import installed_repository, repository_in
from autograder.model.report import CRITERIA
from autograder.processes.files import write_whole

COLAB = "https://colab.research.google.com"
"""It reads notebooks from GitHub only."""


def generate_exercises(course: Course, lessons: Sequence[Lesson]) -> dict[str, str]:
    """Return the names and texts of all files of `exercises/`: notebooks, errors and syllabus."""
    texts = {lesson.notebook_name: notebook_text(build_exercise(lesson)) for lesson in lessons}
    if course.own_roots():
        from autograder.lessons.publishing import public_text  # it imports JAX

        for lesson in lessons:
            texts[public_file(Path(), lesson.name).name] = public_text(lesson.rubric)
    else:
        texts["ERRORS.md"] = write_index({one.name: one.notebook_name for one in lessons})
    texts["README.md"] = fill_in_page(
        "own.md" if course.own_roots() else "syllabus.md",
        lessons=lessons,
        repository=find_repository(course),
        colab=COLAB,
        judged_by=_judged_by,
        points=_points,
        tasks=_tasks,
    )
    return texts


def write_index(notebooks: Mapping[str, str]) -> str:
    """Return the text of `exercises/ERRORS.md`, from the table of errors.

    Args:
        notebooks: the file names of the course's lessons, by lesson.
    """
    listed = [row for entry in ERRORS.values() for row in entry.listed]
    rows = sorted(listed, key=lambda row: (row.error, row.says))
    return fill_in_page("errors.md", rows=rows, notebooks=notebooks)


def find_repository(course: Course) -> str:
    """Return the repository on GitHub as ``"owner/name"``; "" where it is elsewhere or unknown.

    `pyproject.toml` names it: the checkout's, or the one that the installed kit was built from.
    """
    try:
        return repository_in((course.root / "pyproject.toml").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return "" if course.own_roots() else installed_repository()


def _judged_by(lesson: Lesson) -> str:
    used = {c for exercise in lesson.rubric.exercises for c in exercise.points}
    return ", ".join(c for c in CRITERIA if c in used)


def _tasks(lesson: Lesson) -> str:
    """Return how hard each task of a lesson is, and how long it takes."""
    known = [f"{e.difficulty}, {e.minutes}" for e in lesson.rubric.exercises if e.difficulty]
    groups = [(text, len(list(same))) for text, same in itertools.groupby(known)]
    return "; ".join(f"{number} × {text}" if number > 1 else text for text, number in groups)


def _points(lesson: Lesson) -> str:
    points = [one for exercise in lesson.rubric.exercises for one in exercise.points.items()]
    speed = sum(number for name, number in points if name == "speed")
    written = sum(
        cell["metadata"]["nbgrader"]["points"]
        for cell in solution_cells(build_exercise(lesson))
        if cell["cell_type"] == "markdown"
    )
    parts = [f"{sum(number for _, number in points) - speed:g}"]
    parts += [f"{speed:g} on GPU"] if speed else []
    parts += [f"{written:g} written"] if written else []
    return " + ".join(parts)


def write_exercises(course: Course) -> list[Path]:
    """Generate all student notebooks and the syllabus; return the files that changed."""
    changed = []
    for name, text in generate_exercises(course, course.lessons()).items():
        target = course.root / "exercises" / name
        if not is_current(target, text):
            target.parent.mkdir(exist_ok=True)
            write_whole(target, text)
            changed.append(target)
    return changed


def is_current(file: Path, text: str) -> bool:
    """Return whether a file is there as it would be written.

    A public file holds results that another machine may round otherwise, so its digest decides.
    """
    if not file.is_file():
        return False
    if file.name.endswith(SUFFIX):
        return digest_of_public(file) == json.loads(text)["rubric"]
    return file.read_text(encoding="utf-8") == text


def check_exercises(course: Course) -> list[str]:
    """Return what is wrong with the committed notebooks, one sentence each."""
    problems = []
    lessons = course.lessons()
    texts = generate_exercises(course, lessons)
    for file, text in texts.items():
        target, name = course.root / "exercises" / file, f"exercises/{file}"
        if not target.exists():
            problems.append(f"{name} is missing: run `autograder build`")
        elif not is_current(target, text):
            problems.append(f"{name} is not what solutions/ generates: run `autograder build`")
    for lesson in lessons:
        text, name = texts[lesson.notebook_name], f"exercises/{lesson.notebook_name}"
        problems += [f"{name} still holds the marker {m!r}" for m in MARKERS if m in text]
        problems += [
            f"{name} shows this line of the solution: {line!r}"
            for line in _leaked_lines(build_source(lesson), build_exercise(lesson))
        ]
    return [*problems, *find_strays(course)]


def _leaked_lines(source: NotebookNode, exercise: NotebookNode) -> list[str]:
    """Return the long lines that only the solutions should have, but the student's cells show."""
    given: set[str] = set()
    secret: set[str] = set()
    for cell in solution_cells(source):
        given |= _lines(release_cell(cell))
        secret |= _lines(solution_region(cell["source"]))
    shown = {line for cell in exercise["cells"] for line in _lines(cell["source"])}
    return sorted(line for line in (secret - given) & shown if len(line) > 20)


def _lines(source: str) -> set[str]:
    return {line.strip() for line in source.splitlines() if line.strip()}


def find_strays(course: Course) -> list[str]:
    """Return one sentence for each notebook or public file that no lesson generates."""
    lessons, folder = course.lessons(), course.root / "exercises"
    expected = {lesson.notebook_name for lesson in lessons}
    expected |= {public_file(folder, lesson.name).name for lesson in lessons if lesson.is_own}
    return [
        f"exercises/{stray.name} belongs to no lesson: delete it"
        for stray in sorted([*folder.glob("*.ipynb"), *folder.glob(f"*{SUFFIX}")])
        if stray.name not in expected
    ]
