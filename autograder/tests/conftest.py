"""Fixtures: the lessons of this checkout, notebooks with a solution filled in, and a course."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest

import plnkit  # noqa: F401  (sets the compiler flag before a test starts JAX)
from autograder.classroom.course_folder import make_course
from autograder.judge.client import Judge
from autograder.lessons.authoring import build_exercise, is_defence, solution_region
from autograder.lessons.authoring import build_source as build_source_notebook
from autograder.lessons.course import Course, Lesson
from autograder.model.notebook import nbformat
from autograder.tests.helpers.courses import ASSIGNMENT, accept_limits, nbgrader
from autograder.tests.helpers.reference_class import Reference, grade_undisturbed
from plnkit.tests.gpu import pytest_runtest_setup as pytest_runtest_setup

ROOT = Path(__file__).resolve().parents[2]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Logged file names need not be UTF-8; what pytest-xdist sends must be."""
    report = yield
    report.sections = [
        (name, text.encode(errors="replace").decode()) for name, text in report.sections
    ]
    return report


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def lessons() -> dict[str, Lesson]:
    return {lesson.name: lesson for lesson in Course(ROOT).lessons()}


@pytest.fixture(scope="session")
def judge() -> Iterator[Judge]:
    """One warm judge for the whole session."""
    judge = Judge()
    yield judge
    judge.close()


@pytest.fixture
def write_notebook(tmp_path: Path, lessons: dict[str, Lesson]) -> Callable[..., Path]:
    """Write a lesson's student notebook; `solution` replaces the solution cell.

    ``solution=True`` fills in the lesson's own solution, a string is put in as it is, None leaves
    the starter.
    """

    def write(lesson: str, solution: str | bool | None = None, folder: Path = tmp_path) -> Path:
        notebook = build_exercise(lessons[lesson])
        source = build_source_notebook(lessons[lesson])
        for cell, original in zip(notebook["cells"], source["cells"], strict=True):
            marked = cell["cell_type"] == "code" and cell["metadata"].get("nbgrader", {})
            if marked and marked.get("solution") and not is_defence(cell) and solution is not None:
                right = solution_region(original["source"])
                cell["source"] = right if solution is True else solution
        path = folder / lessons[lesson].notebook_name
        nbformat.write(notebook, path)
        return path

    return write


@pytest.fixture(scope="session")
def released(tmp_path_factory, root):
    """A course with one released assignment and nobody in it yet."""
    course = tmp_path_factory.mktemp("classroom") / "course"
    make_course(course, Course(root))
    accept_limits(course)
    for folder in (course / "source").iterdir():
        if folder.name != ASSIGNMENT:
            shutil.rmtree(folder)
    done = nbgrader(course, "generate_assignment", ASSIGNMENT)
    assert done.returncode == 0, done.stderr
    return course


@pytest.fixture(scope="session")
def reference(released, tmp_path_factory) -> Reference:
    """A class that was graded undisturbed."""
    return grade_undisturbed(released, tmp_path_factory.mktemp("reference"))


@pytest.fixture
def course(released, tmp_path):
    shutil.copytree(released, tmp_path / "course")
    return tmp_path / "course"
