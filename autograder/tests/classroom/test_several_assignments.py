"""`autograder grade` with several assignments, or with all that was handed in, in one run."""

from __future__ import annotations

import re
import shutil

import pytest

from autograder.classroom.assignment import open_assignments
from autograder.classroom.command import NEEDS_REVIEW
from autograder.classroom.course_config import ClassError, read_config
from autograder.classroom.course_folder import make_course
from autograder.classroom.course_grader import CourseGrader
from autograder.classroom.demo import submit
from autograder.classroom.gradebook import Recorder
from autograder.classroom.handed_in import strange_folders, student_folders
from autograder.lessons.course import Course
from autograder.tests.helpers.courses import (
    ASSIGNMENT,
    RIGHT,
    all_graded,
    autograder,
    gradebook_of,
    nbgrader,
)

OTHER = "safe_where"
LINE = re.compile(r"^\[(\d)/4, \d+ s left\] (\w+) +(\w+) ", re.MULTILINE)


@pytest.fixture(scope="module")
def two_released(released, root, tmp_path_factory):
    """A course with two released assignments and nobody in it yet."""
    folder = tmp_path_factory.mktemp("several")
    shutil.copytree(released, folder / "course")
    make_course(folder / "all", Course(root))
    shutil.copytree(folder / "all" / "source" / OTHER, folder / "course" / "source" / OTHER)
    done = nbgrader(folder / "course", "generate_assignment", OTHER)
    assert done.returncode == 0, done.stderr
    return folder / "course"


@pytest.fixture
def course(two_released, tmp_path):
    """Ada handed both in, Bela and Cut the first, one of them half a file, Dora the second."""
    course = tmp_path / "course"
    shutil.copytree(two_released, course)
    for student in ("ada", "bela"):
        submit(course, ASSIGNMENT, student, RIGHT)
    submit(course, ASSIGNMENT, "cut", RIGHT).write_text("{")
    submit(course, OTHER, "ada", None)
    (course / "submitted" / "ada" / "holidays").mkdir()
    return course


def strange(course) -> list[str]:
    return strange_folders(course, student_folders(course).values())


def names(assignments) -> dict[str, tuple[str, ...]]:
    return {a.name: a.students for a in assignments}


@pytest.mark.slow
def test_what_is_opened(course):
    grader = CourseGrader(read_config(course))
    handed_in = student_folders(course).values()
    assert {name for one in handed_in for name in one.assignments} == {ASSIGNMENT, OTHER}
    everybody = {OTHER: ("ada",), ASSIGNMENT: ("ada", "bela", "cut")}
    assert names(open_assignments(grader, [])) == everybody
    assert list(names(open_assignments(grader, [ASSIGNMENT, OTHER, ASSIGNMENT]))) == [
        ASSIGNMENT,
        OTHER,
    ]
    assert names(open_assignments(grader, [], ["bela"])) == {ASSIGNMENT: ("bela",)}
    assert names(open_assignments(grader, [OTHER])) == {OTHER: ("ada",)}
    with pytest.raises(ClassError, match="nothing was handed in by zoe"):
        open_assignments(grader, [], ["ada", "zoe"])
    with pytest.raises(ClassError, match="nothing was handed in by bela"):
        open_assignments(grader, [OTHER], ["bela"])
    with pytest.raises(ClassError, match="has no assignment 'holidays' of the kit"):
        open_assignments(grader, [ASSIGNMENT, "holidays"])
    shutil.rmtree(course / "submitted")
    with pytest.raises(ClassError, match="nobody has handed in an assignment of the kit: see "):
        open_assignments(grader, [])


@pytest.mark.slow
def test_all_in_one_run(course):
    status, printed = autograder("grade", course)
    assert status == NEEDS_REVIEW, printed  # half a file
    assert {(lesson, student) for _, lesson, student in LINE.findall(printed)} == {
        (OTHER, "ada"),
        (ASSIGNMENT, "ada"),
        (ASSIGNMENT, "bela"),
        (ASSIGNMENT, "cut"),
    }
    assert "1 of 3 submissions need your review" in printed and "of 1 submissions" not in printed
    assert "Ignored, since no assignment has this name: submitted/ada/holidays." in printed
    assert (course / f"{OTHER}.csv").is_file() and (course / f"{ASSIGNMENT}.csv").is_file()
    with gradebook_of(course) as gradebook:
        assert gradebook.find_submission(ASSIGNMENT, "bela").score == 9
        assert gradebook.find_submission(OTHER, "ada").score == 0
    # Lesson by lesson comes to the same, and finds all of it known.
    graded = (course / ".autograder" / "results.jsonl").read_bytes()
    status, printed = autograder("grade", course, OTHER)
    assert status == all_graded() and "(known)" in printed
    assert (course / ".autograder" / "results.jsonl").read_bytes() == graded


@pytest.mark.slow
def test_misspelt_folders_are_reported(course):
    assert strange(course) == ["submitted/ada/holidays"]
    shutil.copytree(course / "submitted" / "ada", course / "submitted" / "jan")
    shutil.rmtree(course / "submitted" / "jan" / "holidays")
    jan = course / "submitted" / "jan"
    (jan / ASSIGNMENT).rename(jan / "static_brnch")
    assert strange(course) == [
        "submitted/ada/holidays",
        "submitted/jan/static_brnch",
    ]


@pytest.mark.slow
def test_a_gradebook_that_does_not_know(course):
    """It is refused before anything is recorded, of the other assignment too."""
    done = nbgrader(course, "db", "assignment", "remove", OTHER, "--force")
    assert done.returncode == 0, done.stderr
    status, printed = autograder("grade", course)
    assert status == 1
    assert f"the gradebook has no assignment '{OTHER}': run `nbgrader generate_assignm" in printed
    assert not (course / "autograded").exists()


@pytest.mark.slow
def test_recorders_share_a_gradebook(course):
    """Students are entered assignment by assignment, in their order."""
    grader = CourseGrader(read_config(course))
    for handed_in in open_assignments(grader, [ASSIGNMENT, OTHER]):
        Recorder(handed_in, None)
    with gradebook_of(course) as gradebook:
        assert [s.id for s in gradebook.students] == ["ada", "bela", "cut"]
