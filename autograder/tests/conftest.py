"""Fixtures: the lessons of this checkout, and notebooks with a solution filled in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import nbformat
import pytest

import plnkit  # noqa: F401  (sets the compiler flag before a test starts JAX)
from autograder.authoring import Lesson, build_exercise, find_lessons, solution_region
from autograder.authoring import build_source as build_source_notebook
from autograder.judge import Judge

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def lessons() -> dict[str, Lesson]:
    return {lesson.name: lesson for lesson in find_lessons(ROOT)}


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
            if cell["metadata"].get("nbgrader", {}).get("solution") and solution is not None:
                right = solution_region(original["source"])
                cell["source"] = right if solution is True else solution
        path = folder / lessons[lesson].notebook_name
        nbformat.write(notebook, path)
        return path

    return write
