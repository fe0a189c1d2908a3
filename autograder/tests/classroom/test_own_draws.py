"""A course that judges each student on inputs of their own."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import nbformat
import pytest

from autograder.classroom.class_page import class_page
from autograder.classroom.command import run
from autograder.classroom.course_config import (
    CONFIG_FILE,
    KEY_FILE,
    ClassError,
    CourseKey,
    read_config,
)
from autograder.classroom.course_grader import CourseGrader
from autograder.classroom.demo import submit
from autograder.classroom.messages import OWN_DRAWS
from autograder.model.rubric_files import load_rubric
from autograder.tests.helpers.courses import ASSIGNMENT, RIGHT, nbgrader, scores

# Right for the powers that everybody sees.
WRONG = RIGHT.replace("- 1) / power", "- (power in (2, 8, 1, -1, -5))) / power")


def switch(course: Path, value: object = True) -> None:
    with (course / CONFIG_FILE).open("a") as file:
        file.write(f"\nc.GradeIsolated.draws_by_student = {value!r}\n")


def card(course: Path, student: str) -> str:
    path = course / "autograded" / student / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"
    cells = nbformat.read(path, as_version=4)["cells"]
    return json.dumps([cell.get("outputs") for cell in cells])


def test_each_student_has_a_key_in_each_lesson():
    key = CourseKey(20250108)
    pairs = [(n, s) for n in ("tracing", "timing") for s in ("ada", "bela", "", "\udcff")]
    keys = [key.for_lesson(*pair) for pair in pairs]
    assert len({*keys, key.for_lesson("tracing"), key.for_lesson("timing")}) > len(keys)
    assert keys == [CourseKey(20250108).for_lesson(*pair) for pair in pairs]


@pytest.mark.gate
def test_it_is_off_unless_the_config_says_so(course):
    rubric = load_rubric(ASSIGNMENT)
    off = CourseGrader(read_config(course))
    assert off.key_of(rubric, "ada") == off.key_of(rubric, "bela") and off.notes == ()
    switch(course)
    on = CourseGrader(read_config(course))
    keys = [on.key_of(rubric, student) for student in ("ada", "bela")]
    assert len({off.key_of(rubric, "ada"), *keys}) == 3
    calls = [str(rubric.draw(ASSIGNMENT, key).calls) for key in keys]
    assert calls[0] != calls[1]
    assert OWN_DRAWS in class_page("c", ASSIGNMENT, [], on.notes)


@pytest.mark.gate
def test_another_value_is_named(course):
    switch(course, "yes")
    with pytest.raises(ClassError, match="draws_by_student is 'yes': give True or False"):
        read_config(course)


@pytest.mark.slow
def test_same_points_for_equal_code_here_and_under_nbgrader(course, tmp_path):
    (course / KEY_FILE).parent.mkdir(exist_ok=True)
    (course / KEY_FILE).write_text('{"schema": 1, "key": 6}')
    for student, source in (("ada", RIGHT), ("bela", RIGHT), ("chen", WRONG), ("dana", WRONG)):
        submit(course, ASSIGNMENT, student, source)
    run(course, [ASSIGNMENT])
    before = scores(course)
    grader = CourseGrader(read_config(course))
    assert len(grader.store) == 2  # equal code shares a result
    switch(course)
    other = shutil.copytree(course, tmp_path / "other")
    run(course, [ASSIGNMENT])
    assert scores(course) == before
    assert len(CourseGrader(read_config(course)).store) == 2 + 4
    # The wrong output that is shown is for an input of one's own.
    assert card(course, "chen") != card(course, "dana")
    assert OWN_DRAWS in card(course, "ada")
    done = nbgrader(other, "autograde", ASSIGNMENT, "--force")
    assert done.returncode == 0, done.stderr
    assert scores(other) == before
    for student in ("ada", "chen", "dana"):
        assert card(other, student) == card(course, student)
    # Nothing is graded again: both have the same keys in the store.
    store = course / ".autograder" / "results.jsonl"
    size = store.stat().st_size
    run(course, [ASSIGNMENT])
    assert store.stat().st_size == size
