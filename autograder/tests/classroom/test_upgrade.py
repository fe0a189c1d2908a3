"""A course that the first edition made and half graded goes on with this one.

`first_edition.tar.xz` was made with the first edition's own commands: one lesson, two students
graded, one answer marked by hand (1.5 of 2 for ada), and its exports.
"""

from __future__ import annotations

import csv
import tarfile
from pathlib import Path

import pytest

from autograder.classroom.command import run
from autograder.classroom.demo import submit
from autograder.tests.helpers.courses import (
    ASSIGNMENT,
    RIGHT,
    accept_limits,
    exports,
    gradebook_of,
    nbgrader,
)

FIRST_EDITION = Path(__file__).with_name("first_edition.tar.xz")
CRITERIA = ("outputs", "purity", "compilations")


def rows_of(table: bytes) -> dict[str, dict[str, str]]:
    """By student; of `criteria.csv`, the rows of the exercise."""
    rows = csv.DictReader(table.decode().splitlines())
    return {row["student_id"]: row for row in rows if row.get("exercise", ASSIGNMENT) == ASSIGNMENT}


@pytest.fixture
def old_course(tmp_path: Path) -> Path:
    course = tmp_path / "course"
    with tarfile.open(FIRST_EDITION) as archive:
        archive.extractall(course, filter="data")
    return accept_limits(course)


@pytest.mark.slow
def test_a_half_graded_course_goes_on_and_exports_the_same_marks(old_course):
    before = {name: (old_course / name).read_bytes() for name in ("grades.csv", "criteria.csv")}
    submit(old_course, ASSIGNMENT, "chen", RIGHT)
    run(old_course, [ASSIGNMENT])
    after = exports(old_course)
    old, new = rows_of(before["grades.csv"]), rows_of(after["grades.csv"])
    assert old["ada"]["score"] == "10.5"
    assert {student: new[student] for student in old} == old
    assert new["chen"]["score"] == "9.0"
    old, new = rows_of(before["criteria.csv"]), rows_of(after["criteria.csv"])
    for student, row in old.items():
        assert [new[student][c] for c in CRITERIA] == [row[c] for c in CRITERIA]
    with gradebook_of(old_course) as gradebook:
        by_hand = gradebook.find_grade(f"{ASSIGNMENT}-why", ASSIGNMENT, ASSIGNMENT, "ada")
        assert by_hand.manual_score == 1.5
        # The first edition did not record which answer the mark was for: asked about once.
        assert by_hand.needs_manual_grade


@pytest.mark.slow
def test_nbgraders_own_command_goes_on_too(old_course):
    before = rows_of((old_course / "grades.csv").read_bytes())
    done = nbgrader(old_course, "autograde", ASSIGNMENT, "--force")
    assert done.returncode == 0, done.stderr
    assert rows_of(exports(old_course)["grades.csv"]) == before
