"""Speed points of a class: pending, timed elsewhere from a bundle, taken up from a results file."""

from __future__ import annotations

import shutil

import pytest

from autograder.classroom.command import NEEDS_REVIEW
from autograder.classroom.course_folder import make_course
from autograder.classroom.demo import submit
from autograder.criteria.speed.bundle import read_bundle
from autograder.criteria.speed.results import ResultsFile, read_results
from autograder.lessons.course import Course
from autograder.lessons.solutions import own_solution
from autograder.speed import main as time_programs
from autograder.tests.helpers.courses import (
    accept_limits,
    all_graded,
    autograder,
    gradebook_of,
    nbgrader,
)

LESSON = "scan_fit"
CELL = f"{LESSON}_speed"


@pytest.fixture
def course(root, tmp_path):
    """Ada and Bela handed in the same, Cy what is shipped."""
    make_course(tmp_path / "all", Course(root))
    course = tmp_path / "course"
    shutil.copytree(tmp_path / "all", course, ignore=shutil.ignore_patterns("source"))
    shutil.copytree(tmp_path / "all" / "source" / LESSON, course / "source" / LESSON)
    done = nbgrader(accept_limits(course), "generate_assignment", LESSON)
    assert done.returncode == 0, done.stderr
    lesson = next(lesson for lesson in Course(root).lessons() if lesson.name == LESSON)
    for student in ("ada", "bela"):
        submit(course, LESSON, student, own_solution(lesson, LESSON))
    submit(course, LESSON, "cy", None)
    return course


def speed_grades(course):
    """By student: the speed cell's mark, and whether a human has to look."""
    found = {}
    with gradebook_of(course) as gradebook:
        for submission in gradebook.assignment_submissions(LESSON):
            (grade,) = [g for n in submission.notebooks for g in n.grades if g.name == CELL]
            found[submission.student.id] = (grade.auto_score, grade.needs_manual_grade)
    return found


@pytest.mark.slow
def test_from_the_bundle_to_the_gradebook(course):
    status, printed = autograder("grade", course)
    assert status == all_graded(), printed
    bundle = course / ".autograder" / "bundles" / LESSON
    assert f"1 program waits for a GPU: take {bundle} to a GPU machine" in printed
    grades = speed_grades(course)
    assert grades["ada"] == grades["bela"] == (None, True)
    assert grades["cy"] == (0.0, False)  # wrong outputs are never timed: nothing to wait for

    # Where there is no GPU, nothing is gained and nothing lost.
    (entry,) = read_bundle(bundle).entries
    out = course / ".autograder" / "speed" / "results.json"
    out.parent.mkdir()
    assert time_programs([str(bundle), "--device", "cpu", "--out", str(out), "--limit", "2"]) == 0
    results = read_results(out)
    record = results.records[entry.result_key]
    assert (results.platform, record["status"]) == ("cpu", "pending")
    status, printed = autograder("grade", course)
    assert (status, speed_grades(course)) == (0, grades), printed
    assert "1 program waits for a GPU" in printed

    # A file such as a GPU machine writes.
    for status, points in (("passed", 1.0), ("failed", 0.0)):
        timed = {**record, "status": status, "ratio": 40.0, "low": 39.0, "high": 41.0}
        ResultsFile("gpu", "NVIDIA Test", "0.11.2", {entry.result_key: timed}).save(out)
        status, printed = autograder("grade", course)
        assert status == all_graded() and "for a GPU" not in printed, printed
        after = speed_grades(course)
        assert after["ada"] == after["bela"] == (points, False)
        assert "pending" not in printed
        assert "pending" not in (course / f"{LESSON}.csv").read_text().partition("\n")[2]

    out.write_text(out.read_text()[:-20])
    status, printed = autograder("grade", course)
    assert status == NEEDS_REVIEW
    problem = f"{out} is not a results file of `python -m autograder.speed`, or was cut off."
    assert f"{problem} No mark was taken from it." in printed
    assert speed_grades(course) == grades
