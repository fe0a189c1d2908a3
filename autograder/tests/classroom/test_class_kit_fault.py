"""The kit fails on one submission: a person is asked, the others are graded, it is tried again."""

from __future__ import annotations

import pytest

from autograder.classroom.assignment import open_assignments
from autograder.classroom.command import NEEDS_REVIEW, run
from autograder.classroom.course_config import read_config
from autograder.classroom.course_grader import CourseGrader
from autograder.classroom.demo import submit
from autograder.sandbox import Processes
from autograder.tests.helpers.courses import ASSIGNMENT, RIGHT, all_graded, gradebook_of

UNLUCKY = "# unlucky\n"


@pytest.fixture
def failing(monkeypatch):
    observe = Processes.observe

    def fail(worker, attempt, calls):
        if any(UNLUCKY in cell.source for cell in attempt.cells):
            raise ModuleNotFoundError("No module named 'resource'")
        return observe(worker, attempt, calls)

    monkeypatch.setattr(Processes, "observe", fail)


def marks(course):
    with gradebook_of(course) as gradebook:
        return {
            s.student.id: (grade.auto_score, grade.needs_manual_grade)
            for s in gradebook.assignment_submissions(ASSIGNMENT)
            for grade in s.notebooks[0].grades
            if grade.name == ASSIGNMENT
        }


@pytest.mark.slow
def test_a_kit_that_fails_on_one_submission(course, capsys, failing, monkeypatch):
    submit(course, ASSIGNMENT, "lucky", RIGHT)
    submit(course, ASSIGNMENT, "unlucky", UNLUCKY + RIGHT)
    assert run(course, [ASSIGNMENT]) == NEEDS_REVIEW
    assert "unlucky: static_branch: no mark yet: the kit itself failed" in capsys.readouterr().out
    assert marks(course) == {"lucky": (9.0, False), "unlucky": (None, True)}
    page = course / "autograded" / "unlucky" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"
    assert "The kit itself failed here (ModuleNotFoundError" in page.read_text()

    grader = CourseGrader(read_config(course))
    (opened,) = open_assignments(grader, [ASSIGNMENT], ["unlucky"])
    (known,) = opened.known_outcomes({})
    assert known.mark() == "no mark yet: the kit itself failed"

    monkeypatch.undo()  # whatever it was is over
    assert run(course, [ASSIGNMENT]) == all_graded()
    assert marks(course) == {"lucky": (9.0, False), "unlucky": (9.0, False)}
